import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { adminRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits } from '../config/limits.ts';
import { countOverlaps, readConflictPage, type ConflictRow } from '../db/conflicts.ts';
import { readShiftsByIds } from '../db/work-shifts.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import { closedObject, rowNumber } from '../validation/schemas.ts';
import { checkPeriod, period, periodRule } from './reports-input.ts';
import { findBrokenRules } from './staff-rules-broken.ts';

export const conflictsInput = closedObject({
  ...period,
  userId: Type.Optional(rowNumber('Lists only conflicts of the staff member with this id.')),
  ...pageNumberInput(),
});

/** Reads one page of the conflicts in a period. Each comes with its two shifts. */
export const list = operation({
  ...adminRead,
  name: 'conflicts.list',
  replica: 'snapshot',
  input: closedObject({ ...conflictsInput.properties, ...pageInput() }),
  attempts: attemptLimits.report,
  rules: [periodRule, pageRule],
  run: async (scope, input) => {
    checkPeriod(input);
    const broken = await findBrokenRules(scope, input);
    return readPage(scope, input, {
      rows: async (window) => withShifts(scope, await readConflictPage(scope.db, input, broken, window)),
      count: async () => (await countOverlaps(scope.db, input)) + broken.length,
    });
  },
});

async function withShifts({ db }: Scope, conflicts: readonly ConflictRow[]) {
  const ids = conflicts.flatMap(({ firstId, secondId }) => [firstId, secondId ?? []].flat());
  const shifts = new Map((await readShiftsByIds(db, ids)).map((shift) => [shift.id, shift]));
  return conflicts.map(({ firstId, secondId, ...conflict }) => ({
    ...conflict,
    first: shifts.get(firstId) as WorkShiftRow,
    second: secondId === null ? null : (shifts.get(secondId) as WorkShiftRow),
  }));
}
