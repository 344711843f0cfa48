import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { readConflictPage, countConflicts, type ConflictRow } from '../db/conflicts.ts';
import { readShiftsByIds } from '../db/work-shifts.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import { closed, int4 } from '../validation/schemas.ts';
import { checkPeriod, period, periodRule } from './reports-input.ts';

export const conflictsInput = Type.Object(
  {
    ...period,
    userId: Type.Optional(int4(1, limits.int4Max, 'Lists only conflicts of the staff member with this id.')),
    ...pageNumberInput(),
  },
  closed,
);

/** Reads one page of the conflicts in a period. Each comes with its two shifts. */
export const list = operation({
  ...adminRead,
  name: 'conflicts.list',
  replica: 'snapshot',
  input: Type.Object({ ...conflictsInput.properties, ...pageInput() }, closed),
  attempts: attemptLimits.report,
  rules: [periodRule, pageRule],
  run: async (scope, input) => {
    checkPeriod(input);
    return readPage(scope, input, {
      rows: async (window) => withShifts(scope, await readConflictPage(scope.db, input, window)),
      count: () => countConflicts(scope.db, input),
    });
  },
});

async function withShifts({ db }: Scope, conflicts: readonly ConflictRow[]) {
  const ids = conflicts.flatMap(({ firstId, secondId }) => [firstId, secondId]);
  const shifts = new Map((await readShiftsByIds(db, ids)).map((shift) => [shift.id, shift]));
  return conflicts.map(({ firstId, secondId, ...conflict }) => ({
    ...conflict,
    first: shifts.get(firstId) as WorkShiftRow,
    second: shifts.get(secondId) as WorkShiftRow,
  }));
}
