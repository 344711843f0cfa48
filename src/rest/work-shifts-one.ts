import type { CallScope } from '../access/scope.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { answer } from './envelopes.ts';
import { OfVersion } from './versions.ts';
import { serializeFullShifts } from './work-shifts-full.ts';

/** The answer about one shift. */
export async function oneShift(scope: CallScope, row: WorkShiftRow, message?: string) {
  const serialize = await serializeFullShifts(scope, [row]);
  return new OfVersion(row, answer(serialize(row), message));
}
