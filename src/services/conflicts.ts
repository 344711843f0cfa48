import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { conflictPage, countConflicts } from '../db/conflicts.ts';
import { shiftsByIds, type WorkShiftRow } from '../db/work-shifts.ts';
import { readListing } from '../paging/paging.ts';
import { closed, int4, paging } from '../validation/schemas.ts';
import { checkPeriod, period } from './reports-input.ts';

/** A page of the conflicts of a time, each with its two shifts. */
export const list = operation(
  'conflicts.list',
  Type.Object({ ...period, userId: Type.Optional(int4(1)), ...paging() }, closed),
  async (scope, { page, perPage, ...filter }) => {
    checkPeriod(filter);
    const listing = await readListing(
      { page, perPage },
      (window) => conflictPage(scope.db, filter, window),
      () => countConflicts(scope.db, filter),
    );
    const ids = listing.rows.flatMap(({ firstId, secondId }) => [firstId, secondId]);
    const shifts = new Map((await shiftsByIds(scope.db, ids)).map((shift) => [shift.id, shift]));
    return {
      ...listing,
      rows: listing.rows.map(({ firstId, secondId, ...conflict }) => ({
        ...conflict,
        first: shifts.get(firstId) as WorkShiftRow,
        second: shifts.get(secondId) as WorkShiftRow,
      })),
    };
  },
);
