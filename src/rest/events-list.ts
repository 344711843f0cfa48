import Type, { type Static } from 'typebox';
import { EventStatus } from '../generated/prisma/enums.ts';
import { pageNumberInput } from '../paging/input.ts';
import type { PageRequest } from '../paging/pages.ts';
import { oneOf } from '../validation/schemas.ts';

/** Query parameters of a list of events in the contract. */
export const eventListQuery = Type.Object({
  status: Type.Optional(
    oneOf(Object.values(EventStatus), 'Lists only events with this status. Default: all except deleted ones.'),
  ),
  sortOrder: Type.Optional(
    Type.Unsafe<'asc' | 'desc'>({
      type: 'string',
      enum: ['asc', 'desc'],
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
