import Type, { type Static, type TSchema } from 'typebox';
import { operation } from '../access/operation.ts';
import { type Roles, admin, adminAndStaff, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readStarts } from '../db/place-times.ts';
import { writePlaces } from '../db/places.ts';
import type { StaffedEvent } from '../db/staffing.ts';
import { isUnderSwap } from '../db/swaps.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { conflict } from '../errors.ts';
import { closedObject } from '../validation/schemas.ts';
import { runInTurn } from './in-turn.ts';
import { lockEventToStaff, requireTakesPlace } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import type { AssignOutcome } from './work-shifts-assign-set.ts';
import { shiftOrNotFound } from './work-shifts-assign.ts';
import { cancelFields, shiftParams } from './work-shifts-input.ts';

type ShiftState = Pick<WorkShiftRow, 'status' | 'confirmed' | 'declinedAt' | 'cancelReason'> &
  Partial<Pick<WorkShiftRow, 'dropRequestedAt'>>;

const target = closedObject({ ...shiftParams.properties, ...versionInput });
const cancelInput = closedObject({ ...target.properties, ...cancelFields });

type NextState<Input> = (
  shift: WorkShiftRow,
  at: Date,
  event: StaffedEvent,
  input: Input,
  tx: Scope,
) => ShiftState | Promise<ShiftState>;

/** Makes an operation that changes the state of a shift. A shift that has the state already stays as it is, so the call can be repeated. */
const changeState = <S extends TSchema>(
  facts: { readonly name: string; readonly roles: Exclude<Roles, 'anyone'>; readonly input: S },
  nextState: NextState<Static<S>>,
) =>
  operation({
    ...facts,
    scopes: ['staffing:write'],
    writes: true,
    run: (scope, input) =>
      scope.transaction(async (tx) => {
        const { uuid, expectedVersions } = input as Static<typeof target>;
        const event = await lockEventToStaff(tx, { shift: uuid });
        const shift = await shiftOrNotFound(tx, uuid);
        requireVersion(shift, expectedVersions);
        const modifiedAt = tx.clock();
        const next = await nextState(shift, modifiedAt, event, input, tx);
        const { status, confirmed, declinedAt, cancelReason } = next;
        const dropRequestedAt = status === 'active' ? (next.dropRequestedAt ?? null) : null;
        const isSame =
          status === shift.status &&
          confirmed === shift.confirmed &&
          cancelReason === shift.cancelReason &&
          dropRequestedAt === shift.dropRequestedAt;
        if (isSame) return shift;
        if (confirmed && !shift.confirmed && (shift.endsAt === null || shift.endsAt > modifiedAt))
          await requirePerson(tx, shift);
        const confirmedAt = confirmed ? (shift.confirmed ? shift.confirmedAt : modifiedAt) : null;
        const detail = { confirmed, confirmedAt, declinedAt, cancelReason, dropRequestedAt, modifiedAt };
        const { version, canceledAt } = await writePlaces(tx, event.id).workShift.update({
          where: { businessId_uuid: { businessId: tx.businessId, uuid } },
          data: status === shift.status ? detail : { ...detail, status },
          select: { version: true, canceledAt: true },
        });
        tx.record({ kind: 'workShift', id: shift.id });
        return { ...shift, ...detail, status, version, canceledAt: canceledAt ?? declinedAt };
      }),
  });

export const confirm = changeState(
  { name: 'workShifts.confirm', roles: adminAndStaff, input: target },
  (shift, _at, event) => {
    requireActive(shift);
    requireTakesPlace(event);
    const { dropRequestedAt } = shift;
    return { status: 'active', confirmed: true, declinedAt: null, cancelReason: null, dropRequestedAt };
  },
);

/** Takes back the confirmation of a shift. Its person gives it back by that. */
export const unconfirm = changeState(
  { name: 'workShifts.unconfirm', roles: adminAndStaff, input: target },
  (shift, at, _event, _input, tx) => {
    requireActive(shift);
    const { dropRequestedAt } = shift;
    return givenBack(tx, shift, at, {
      status: 'active',
      confirmed: false,
      declinedAt: null,
      cancelReason: null,
      dropRequestedAt,
    });
  },
);

const giveBack: NextState<unknown> = async (shift, at, _event, _input, tx) => {
  await requireNoSwap(tx, shift);
  return givenBack(tx, shift, at, declined(shift, at));
};

/** Declines a shift: its place is free. Its person can do it, as they drop it, or an admin for them. */
export const decline = changeState({ name: 'workShifts.decline', roles: adminAndStaff, input: target }, giveBack);

/** Drops a shift of the caller, which is declined, or behind the deadline asks an admin, who cancels it or refuses. */
export const drop = changeState({ name: 'workShifts.drop', roles: adminAndStaff, input: target }, giveBack);

/** Takes back the request to drop a shift, or refuses it. */
export const keep = changeState(
  { name: 'workShifts.keep', roles: adminAndStaff, input: target },
  ({ status, confirmed, declinedAt, cancelReason }) => ({ status, confirmed, declinedAt, cancelReason }),
);

/** One that is canceled already was not declined. */
const declined = (shift: WorkShiftRow, at: Date): ShiftState => ({
  ...canceled(shift),
  declinedAt: shift.status === 'canceled' ? shift.declinedAt : at,
});

async function requireNoSwap({ db }: Scope, { id, status }: WorkShiftRow): Promise<void> {
  if (status === 'active' && (await isUnderSwap(db, id)))
    throw conflict('The work shift is under a swap: cancel or refuse the swap first.');
}

/**
 * Judges whether people give a shift of theirs back by themselves, in whatever words: not from its start on, and behind the deadline of
 * the business only by asking an admin. One that they have not confirmed, or not since it has changed, was never promised.
 */
async function givenBack(tx: Scope, shift: WorkShiftRow, at: Date, next: ShiftState): Promise<ShiftState> {
  if (shift.status !== 'active' || tx.db.$visibility.of === 'business') return next;
  const leftMs = (await readStarts(tx.db, [shift.id])).get(shift.id)!.getTime() - at.getTime();
  if (leftMs <= 0)
    throw conflict('The work shift has started: its person cannot give it back any more. An admin can cancel it.');
  const { dropDeadlineHours, adminsDrop } = tx.actor;
  const isEarly = !adminsDrop && (dropDeadlineHours === null || leftMs >= dropDeadlineHours * 3_600_000);
  if (isEarly || !shift.confirmed) return next;
  const { status, confirmed, declinedAt, cancelReason } = shift;
  return { status, confirmed, declinedAt, cancelReason, dropRequestedAt: shift.dropRequestedAt ?? at };
}

/** Cancels a shift, with a reason or without. Repeated with another reason, it changes the reason. */
export const cancel = changeState(
  { name: 'workShifts.cancel', roles: admin, input: cancelInput },
  (shift, _at, _event, { reason }) => ({ ...canceled(shift), cancelReason: reason ?? shift.cancelReason }),
);

export const manyShifts = {
  shiftUuids: Type.Array(Type.String(), {
    maxItems: limits.namedItemsMax,
    description: 'UUIDs of the work shifts.',
  }),
};
const countNamed = {
  field: 'shiftUuids',
  count: ({ shiftUuids }: { shiftUuids: readonly string[] }) => shiftUuids.length,
};

/** Confirms several shifts, one after the other: a refused one does not affect the others. */
export const confirmMany = operation({
  ...staffingEdit,
  name: 'workShifts.confirmMany',
  input: closedObject(manyShifts),
  rows: countNamed,
  run: (scope, { shiftUuids }): Promise<AssignOutcome[]> =>
    runInTurn(shiftUuids, async (uuid) => ({ shift: await confirm(scope, { uuid }) })),
});

/** Cancels several shifts for the same reason, or without one. */
export const cancelMany = operation({
  ...staffingEdit,
  name: 'workShifts.cancelMany',
  input: closedObject({ ...manyShifts, ...cancelFields }),
  rows: countNamed,
  run: (scope, { shiftUuids, ...how }): Promise<AssignOutcome[]> =>
    runInTurn(shiftUuids, async (uuid) => ({ shift: await cancel(scope, { uuid, ...how }) })),
});

/** Marks a shift as deleted. The row stays as history. */
export const remove = changeState(
  { name: 'workShifts.delete', roles: admin, input: target },
  ({ declinedAt, cancelReason }) => ({
    status: 'deleted',
    confirmed: false,
    declinedAt,
    cancelReason,
  }),
);

function canceled({ status, declinedAt, cancelReason }: WorkShiftRow): ShiftState {
  if (status === 'deleted') throw conflict('The work shift is deleted and cannot be canceled or declined.');
  return { status: 'canceled', confirmed: false, declinedAt, cancelReason };
}

/** Nobody confirms for a person who has left. */
async function requirePerson(tx: Scope, { userId }: WorkShiftRow): Promise<void> {
  if ((await tx.db.user.count({ where: { id: userId, deletedAt: null } })) === 0)
    throw conflict('The person of the work shift is deleted: assign somebody else, or cancel the shift.');
}

function requireActive({ status }: WorkShiftRow): void {
  if (status !== 'active')
    throw conflict(`The work shift is ${status}: only an active shift can be confirmed or unconfirmed.`);
}
