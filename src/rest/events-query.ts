import Type, { type Static } from 'typebox';
import { codesOf, sortDirections } from '../fields/codes.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageNumberInput } from '../paging/input.ts';
import type { PageRequest } from '../paging/pages.ts';
import { eventFilter, eventSort } from '../services/events-list.ts';
import { oneOf } from '../validation/schemas.ts';

/** Query parameters of a list of events in the contract. */
export const eventListQuery = Type.Object({
  status: Type.Optional(
    oneOf(Object.values(EventStatus), 'Lists only events with this status. Default: all except deleted ones.'),
  ),
  sortOrder: Type.Optional(
    Type.Unsafe<'asc' | 'desc'>({
      type: 'string',
      enum: codesOf(sortDirections),
      default: 'asc',
      description: 'Order by start; asc lists the oldest first.',
    }),
  ),
  ...pageNumberInput(),
});

export const eventListErrorNames = { 'filter.statuses.0': 'status', 'sort.order': 'sort_order' };

/** Translates the query into the input of the service. */
export const readEventListQuery = ({
  status,
  sortOrder = 'asc',
  ...request
}: Static<typeof eventListQuery> & PageRequest) => ({
  ...request,
  ...(status !== undefined && { filter: { statuses: [status] } }),
  sort: { by: 'start' as const, order: sortOrder },
});

const { statuses: _statuses, text, customField: byField, ...conditions } = eventFilter.properties;
const { fieldUuid, value } = byField.properties;

/**
 * Query parameters of the list of events: those of the contract, and the filter of the service, which has no level of its own in
 * REST.
 */
export const eventQuery = Type.Object({
  ...eventListQuery.properties,
  sortBy: eventSort.properties.by,
  search: text,
  ...conditions,
  customFieldUuid: Type.Optional(fieldUuid),
  customFieldValue: Type.Optional(value),
});

/** Names of the query parameters, by path in the input of the service. */
export const eventQueryErrorNames = {
  ...eventListErrorNames,
  'sort.by': 'sort_by',
  'filter.text': 'search',
  'filter.customField.fieldUuid': 'custom_field_uuid',
  'filter.customField.value': 'custom_field_value',
  filter: '',
};

/** Translates the query into the input of the service. */
export function readEventQuery({
  status,
  sortOrder,
  page,
  perPage,
  first,
  after,
  withTotal,
  sortBy,
  search,
  customFieldUuid,
  customFieldValue,
  ...rest
}: Static<typeof eventQuery> & PageRequest) {
  const { filter, sort, ...request } = readEventListQuery(
    omitUndefined({ status, sortOrder, page, perPage, first, after, withTotal }),
  );
  const isByField = customFieldUuid !== undefined || customFieldValue !== undefined;
  const customField = { fieldUuid: customFieldUuid, value: customFieldValue } as { fieldUuid: string; value: string };
  return {
    ...request,
    filter: {
      ...filter,
      ...rest,
      ...(search !== undefined && { text: search }),
      ...(isByField && { customField }),
    },
    sort: { ...sort, ...(sortBy !== undefined && { by: sortBy }) },
  };
}

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const omitUndefined = <T extends object>(given: T): WithoutUndefined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined)) as WithoutUndefined<T>;
