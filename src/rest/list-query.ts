import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { limits } from '../config/limits.ts';
import type { PageRequest } from '../paging/pages.ts';
import { text } from '../validation/schemas.ts';
import { eventListQuery } from './events-query.ts';

/* The query of a list by start: the filter of the service has no level of its own in REST, and the order is `sort_order`. */

const { status: _status, sortOrder: byStart, ...numbered } = eventListQuery.properties;

const cursor = (side: string, name: string) =>
  Type.Optional(
    text(limits.tokenChars, {
      description: `\`${name}\` of another page: lists what lies ${side} it, \`per_page\` items, whatever has been added or removed meanwhile. Not with \`page\`.`,
    }),
  );

export const pageQuery = {
  ...numbered,
  after: cursor('behind', 'next_cursor'),
  before: cursor('before', 'previous_cursor'),
};

export const sortedPageQuery = { sortOrder: byStart, ...pageQuery };

/** What the reference says of the CSV of such a list. */
export const cursorCsv = 'With `after` or `before` it contains that page.';

export const listErrorNames = { 'sort.order': 'sort_order', filter: '', first: 'per_page', last: 'per_page' };

/** Parts a query into the filter, the order and the page of the input of the service, which has other names for sizes at a cursor. */
export function splitListQuery<Query extends PageRequest & { readonly sortOrder?: 'asc' | 'desc' }>(query: Query) {
  const { page, perPage, first, after, before, withTotal, sortOrder, ...filter } = query;
  const size =
    after !== undefined ? { first: first ?? perPage } : before !== undefined ? { last: perPage } : { first, perPage };
  const request = Object.entries({ page, ...size, after, before, withTotal }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...(Object.fromEntries(request) as PageRequest),
    filter,
    ...(sortOrder && { sort: { order: sortOrder } }),
  };
}

/** The query of a list whose filter has a list of codes. In REST it is a parameter of one code, which may be repeated. */
export function repeatedQuery<P extends TProperties, Page extends TProperties>(
  filter: { readonly properties: P },
  many: keyof P & ('states' | 'statuses'),
  page: Page,
) {
  const one = many === 'states' ? 'state' : 'status';
  const { [many]: codes, ...conditions } = filter.properties;
  return {
    query: Type.Object({ ...conditions, [one]: codes, ...page }),
    errorNames: { [`filter.${many}`]: one, ...listErrorNames },
    /** Parts the query into the input of the service. */
    read(query: PageRequest) {
      const { filter: sent, ...request } = splitListQuery(query as PageRequest & Readonly<Record<string, unknown>>);
      const { [one]: asked, ...others } = sent;
      return { ...request, filter: { ...others, ...(asked !== undefined && { [many]: asked }) } as Static<TObject<P>> };
    },
  };
}
