import Type from 'typebox';
import { operation } from '../access/operation.ts';
import type { OperationName } from '../access/policy.ts';
import type { StaffedEvent } from '../db/staffing.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { conflict } from '../errors.ts';
import { closed } from '../validation/schemas.ts';
import { eventToStaff, requireTakesPlace } from './staffing.ts';
import { expectedVersions, requireVersion } from './versions.ts';
import { shiftOrNotFound } from './work-shifts-assign.ts';
import { shiftParams } from './work-shifts-input.ts';

type Standing = Pick<WorkShiftRow, 'status' | 'confirmed'>;

/** A change that is none does nothing: it can be sent again. */
const standing = (name: OperationName, changed: (shift: WorkShiftRow, event: StaffedEvent) => Standing) =>
  operation(
    name,
    Type.Object({ ...shiftParams.properties, ...expectedVersions }, closed),
    (scope, { uuid, expectedVersions }) =>
      scope.transaction(async (tx) => {
        const event = await eventToStaff(tx, { shift: uuid });
        const shift = await shiftOrNotFound(tx, uuid);
        requireVersion(shift, expectedVersions);
        const { status, confirmed } = changed(shift, event);
        if (status === shift.status && confirmed === shift.confirmed) return shift;
        const modifiedAt = tx.clock();
        const { version } = await tx.db.workShift.update({
          where: { businessId_uuid: { businessId: tx.businessId, uuid } },
          data: { status, confirmed, modifiedAt },
          select: { version: true },
        });
        return { ...shift, status, confirmed, modifiedAt, version };
      }),
  );

export const confirm = standing('workShifts.confirm', (shift, event) => {
  requireActive(shift);
  requireTakesPlace(event);
  return { status: 'active', confirmed: true };
});

export const unconfirm = standing('workShifts.unconfirm', (shift) => {
  requireActive(shift);
  return { status: 'active', confirmed: false };
});

/** By the person, or in their name. */
export const decline = standing('workShifts.decline', canceled);

export const cancel = standing('workShifts.cancel', canceled);

/** Kept as history, as a deleted one. */
export const remove = standing('workShifts.delete', () => ({ status: 'deleted', confirmed: false }));

function canceled({ status }: WorkShiftRow): Standing {
  if (status === 'deleted') throw conflict('The work shift is deleted and cannot be canceled or declined.');
  return { status: 'canceled', confirmed: false };
}

function requireActive({ status }: WorkShiftRow): void {
  if (status !== 'active')
    throw conflict(`The work shift is ${status}: only an active shift can be confirmed or unconfirmed.`);
}
