import { eventListQuery } from './events-list.ts';
import type { PageRequest } from '../paging/pages.ts';

/* The query of a list by start: the filter of the service has no level of its own in REST, and the order is `sort_order`. */

const { status: _status, ...sortedPage } = eventListQuery.properties;

export const sortedPageQuery = sortedPage;

/** Names of the query parameters, by path in the input of the service. */
export const listErrorNames = { 'sort.order': 'sort_order', filter: '' };

/** Parts a query into the filter, the order and the page of the input of the service. */
export function splitListQuery<Query extends PageRequest & { readonly sortOrder?: 'asc' | 'desc' }>(query: Query) {
  const { page, perPage, first, after, withTotal, sortOrder, ...filter } = query;
  const request = Object.entries({ page, perPage, first, after, withTotal }).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(request) as PageRequest),
    filter,
    ...(sortOrder && { sort: { order: sortOrder } }),
  };
}
