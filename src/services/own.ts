import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { limits } from '../config/limits.ts';
import { countOwnShifts, ownShiftPage } from '../db/work-shifts-own.ts';
import { readListing } from '../paging/paging.ts';
import { EventStatus, ShiftStatus } from '../generated/prisma/enums.ts';
import { closed, instant, oneOf, paging } from '../validation/schemas.ts';
import { browsing } from '../paging/browsing.ts';
import { readBrowsed } from './events-list.ts';

const statusesOf = <const T extends string>(values: readonly T[]) =>
  Type.Optional(Type.Array(oneOf(values), { maxItems: limits.filterValuesMax }));

/** A staff member's own shifts, by start. */
export const shifts = operation(
  'workShifts.listOwn',
  Type.Object(
    {
      from: Type.Optional(instant('Start, not before.')),
      to: Type.Optional(instant('Start, before.')),
      statuses: statusesOf(Object.values(ShiftStatus)),
      ...paging(),
    },
    closed,
  ),
  ({ db }, { page, perPage, ...filter }) =>
    readListing(
      { page, perPage },
      (window) => ownShiftPage(db, filter, window),
      () => countOwnShifts(db, filter),
    ),
);

/** A client's own events, by start. */
export const events = operation(
  'events.listOwn',
  Type.Object({ statuses: statusesOf(Object.values(EventStatus)), ...browsing() }, closed),
  (scope, { statuses, ...window }) => readBrowsed(scope, { filter: { ...(statuses && { statuses }) }, ...window }),
);
