import { operation, variantOf } from '../access/operation.ts';
import { repeatable, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { writePlaces } from '../db/places.ts';
import { holdPositions } from '../db/positions.ts';
import { lockStaff, type StaffedEvent } from '../db/staffing.ts';
import { readShiftByUuid } from '../db/work-shifts.ts';
import { Failure, notFound, type FieldErrors } from '../errors.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { closedObject, manyInputs } from '../validation/schemas.ts';
import { watchAttended, withReworked, type WithReworked } from './attendance-plan.ts';
import { runInTurn } from './in-turn.ts';
import { withoutShown, type SentPay } from './pay.ts';
import { findPeriodFaults, resolveOpenPeriod } from './periods.ts';
import { findClashes, lockEventToStaff, requireReason, requireTakesPlace } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import {
  assignSet,
  judgeAssignments,
  timeColumns,
  type AssignInput,
  type AssignOutcome,
} from './work-shifts-assign-set.ts';
import { assignInput, shiftChanges, shiftParams } from './work-shifts-input.ts';
import { assignRules, judgePayUnit, judgePosition, judgeStaff, personRules } from './work-shifts-rules.ts';

/** Assigns a staff member to an event. With a call time, fields that are not sent have the values of the call time. */
export const assign = operation({
  ...staffingEdit,
  ...repeatable,
  name: 'workShifts.assign',
  input: assignInput,
  rules: assignRules(),
  run: (scope, input) =>
    scope.transaction(async (tx) => {
      const [outcome] = await assignSet(tx, [input]);
      if (outcome && 'shift' in outcome) return outcome.shift;
      throw outcome?.failure;
    }),
});

/** Makes all assignments in one transaction. An error of the service itself fails all of them. */
const assignTogether = variantOf(assign, {
  input: manyInputs,
  run: async (scope, { inputs }, capabilities): Promise<AssignOutcome[]> => {
    const judged = await judgeAssignments(scope, inputs, capabilities);
    if (judged.every((one) => one instanceof Failure)) return judged.map((failure) => ({ failure }));
    let isReady = false;
    try {
      return await scope.transaction(async (tx) => {
        isReady = false;
        const outcomes = await assignSet(tx, judged);
        isReady = true;
        return outcomes;
      });
    } catch (error) {
      if (scope.isAtomic || !isReady) throw error;
      // The commit failed. Its error says whether the shifts may be stored, so they are not tried again here.
      return judged.map((one) => ({ failure: one instanceof Failure ? one : error }));
    }
  },
});

/**
 * Makes several assignments, each as if it were made after those before it: a refused one does not affect the others.
 * In a transaction that is already open, an error of the service itself fails all. Otherwise they are made one by one
 * after such an error, so that each has an outcome of its own; after the next one, the remaining ones are not tried.
 */
export const assignMany = operation({
  ...staffingEdit,
  ...repeatable,
  name: 'workShifts.assignMany',
  input: manyInputs,
  rows: { field: 'inputs', count: ({ inputs }) => inputs.length },
  run: async (scope, { inputs }) => {
    try {
      return await assignTogether(scope, { inputs });
    } catch (error) {
      if (scope.isAtomic) throw error;
      return runInTurn(inputs, async (input) => ({ shift: await assign(scope, input as AssignInput) }));
    }
  },
});

/**
 * Changes only the fields that were sent. The rules apply to the resulting shift. Another person, other times, or the
 * reactivation of a canceled shift require a new confirmation.
 */
export const update = operation({
  ...staffingEdit,
  name: 'workShifts.update',
  input: closedObject({ ...shiftParams.properties, ...versionInput, ...shiftChanges.properties }),
  rules: [
    ...personRules(),
    {
      over: ['uuid', 'startTime', 'endTime'],
      check: async (scope, { uuid, ...changes }) => {
        const shift = await readShiftByUuid(scope.db, uuid);
        if (!shift) return {};
        const { startTime = shift.startTime, endTime = shift.endTime } = changes;
        return findPeriodFaults({ startTime, endTime }, shift.timezone);
      },
    },
  ],
  run: (scope, { uuid, expectedVersions, override, ...changes }): Promise<WithReworked<WorkShiftRow>> =>
    scope.transaction(async (tx) => {
      const event = await lockEventToStaff(tx, { shift: uuid });
      const shift = await shiftOrNotFound(tx, uuid);
      requireVersion(shift, expectedVersions);
      if (Object.values(changes).every((value) => value === undefined)) return shift;
      const attended = await watchAttended(tx, { shiftUuids: [uuid] }, override);

      const { callTimeUuid, payRate, payUnit, ...direct } = changes;
      const sent = Object.fromEntries(Object.entries(direct).filter(([, value]) => value !== undefined));
      const next: WorkShiftRow = { ...shift, ...sent };
      const errors: FieldErrors = {};
      const callTime = await callTimeOf(tx, event, shift, callTimeUuid, errors);
      next.callTimeId = callTime?.id ?? null;

      const active = next.status === 'active';
      const back = active && shift.status !== 'active';
      const otherPerson = next.userId !== shift.userId;
      const otherTimes = next.startTime !== shift.startTime || next.endTime !== shift.endTime;
      const isOtherWork = next.positionId !== shift.positionId;
      const overlapsAnew = active && (back || otherPerson || otherTimes);
      const fillsAnew = active && (back || next.callTimeId !== shift.callTimeId);

      const isJudged = overlapsAnew || fillsAnew || (active && isOtherWork);
      if (isJudged) requireTakesPlace(event);
      if (isOtherWork) {
        const held = await holdPositions(tx.db, [next.positionId]);
        judgePosition(next.positionId, new Set(held.map(({ id }) => id)), errors);
      }
      if (otherPerson || isJudged) {
        const staff = await lockStaff(tx.db, [next.userId]);
        if (otherPerson || back) judgeStaff(next.userId, staff, errors);
      }
      const pay = changedPay(shift, { payRate, payUnit }, errors);
      const instants = resolveOpenPeriod(next, event.timezone, errors);

      let overrideReason = shift.overrideReason;
      if (isJudged) {
        const { added, kept } = await findClashes(
          tx,
          { uuid, userId: next.userId, ...instants, event, positionId: next.positionId, callTimeId: next.callTimeId },
          { callTime, isNew: fillsAnew, shiftId: shift.id },
        );
        // A clash that existed before the change needs no new reason.
        if (added.length > 0 || kept.length === 0) overrideReason = requireReason(added, override);
      }
      const staysConfirmed = shift.confirmed && active && !overlapsAnew;
      const write = writePlaces(tx, event.id).workShift.update({
        where: { businessId_uuid: { businessId: tx.businessId, uuid } },
        data: {
          userId: next.userId,
          positionId: next.positionId,
          callTimeId: next.callTimeId,
          status: next.status,
          confirmed: staysConfirmed,
          confirmedAt: staysConfirmed ? shift.confirmedAt : null,
          declinedAt: active || otherPerson ? null : shift.declinedAt,
          ...((!active || otherPerson || otherTimes) && { dropRequestedAt: null }),
          ...timeColumns(next),
          ...instants,
          ...pay,
          overrideReason,
          cancelReason: active ? null : shift.cancelReason,
          modifiedAt: tx.clock(),
        },
        select: { id: true },
      });
      await attended.guard(write);
      tx.record({ kind: 'workShift', id: shift.id });
      const reworked = await attended.settle();
      return withReworked(await shiftOrNotFound(tx, uuid), reworked);
    }),
});

/** The own pay that a change gives to a shift: none where it sends what the shift shows already. */
function changedPay(shift: WorkShiftRow, sent: SentPay, errors: FieldErrors) {
  const { payRate, payUnit } = withoutShown(shift, sent);
  if (payRate === null) return { payRate: null, payUnit: null };
  judgePayUnit(payUnit ?? null, payRate ?? shift.payRate, errors);
  if (payRate === undefined && payUnit === undefined) return {};
  return { payRate: payRate ?? shift.payRate, payUnit: payUnit ?? shift.payUnit };
}

export async function shiftOrNotFound({ db }: Scope, uuid: string): Promise<WorkShiftRow> {
  const shift = await readShiftByUuid(db, uuid);
  if (!shift) throw notFound('work shift');
  return shift;
}

/** Reads the call time that the shift will fill: the one in the input or else the one that it has. */
async function callTimeOf(
  tx: Scope,
  event: StaffedEvent,
  { callTimeId }: WorkShiftRow,
  sent: string | null | undefined,
  errors: FieldErrors,
) {
  if (sent === null || (sent === undefined && callTimeId === null)) return null;
  const callTime = await tx.db.callTime.findFirst({
    where: { eventId: event.id, ...(sent === undefined ? { id: callTimeId as number } : { uuid: sent }) },
    select: { id: true, uuid: true, staffNeeded: true },
  });
  if (!callTime) errors['callTimeUuid'] = ['must be the UUID of a call time of the same event'];
  return callTime;
}
