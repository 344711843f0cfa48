import Type, { type Static } from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import { eventByUuid } from '../db/events.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import { lockStaff, type StaffedEvent } from '../db/staffing.ts';
import { readShiftByUuid } from '../db/work-shifts.ts';
import { holdPosition } from '../db/positions.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { Failure, invalid, notFound, type FieldErrors } from '../errors.ts';
import { wallToColumn, type WallTime } from '../time/wall-clock.ts';
import { closed } from '../validation/schemas.ts';
import { findPeriodFaults, resolveOpenPeriod } from './periods.ts';
import { findClashes, lockEventToStaff, requireReason, requireTakesPlace } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import { assignInput, assignManyInput, shiftChanges, shiftParams } from './work-shifts-input.ts';

const positionRule: InputRule<{ positionId?: number | null }> = {
  over: ['positionId'],
  check: async (scope, { positionId }) => {
    const errors: FieldErrors = {};
    if (typeof positionId === 'number') await requirePosition(scope, positionId, errors);
    return errors;
  },
};

const staffRule: InputRule<{ userId?: number }> = {
  over: ['userId'],
  check: async (scope, { userId }) => {
    const errors: FieldErrors = {};
    if (userId !== undefined) await requireStaff(scope, userId, errors);
    return errors;
  },
};

const personRules = [positionRule, staffRule];

/** Assigns a staff member to an event. With a call time, fields that are not sent have the values of the call time. */
export const assign = operation({
  name: 'workShifts.assign',
  roles: admin,
  scopes: ['staffing:write'],
  writes: true,
  idempotent: true,
  input: assignInput,
  rules: [
    ...personRules,
    { over: ['eventUuid', 'callTimeUuid'], check: (_scope, target) => findTargetFaults(target) },
    {
      over: ['eventUuid', 'callTimeUuid', 'startTime', 'endTime'],
      check: async ({ db }, { eventUuid, callTimeUuid, startTime = null, endTime = null }) => {
        const event = eventUuid ? await eventByUuid(db, eventUuid) : null;
        const parent = callTimeUuid ? await callTimeByUuid(db, callTimeUuid) : event;
        return parent ? findPeriodFaults({ startTime, endTime }, parent.timezone) : {};
      },
    },
  ],
  run: (scope, input) =>
    scope.transaction(async (tx) => {
      const { event, callTime } = await targetOf(tx, input);
      requireTakesPlace(event);
      const { userId, override, payRate = null } = input;
      const positionId = input.positionId ?? callTime?.positionId;
      const startTime = input.startTime === undefined ? ownTime(callTime, 'start') : input.startTime;
      const endTime = input.endTime === undefined ? ownTime(callTime, 'end') : input.endTime;

      const errors: FieldErrors = {};
      await requirePosition(tx, positionId, errors);
      await requireStaff(tx, userId, errors);
      const instants = resolveOpenPeriod({ startTime, endTime }, event.timezone, errors);
      const { added } = await findClashes(tx, { userId, ...instants, event }, { callTime, isNew: true });
      const now = tx.clock();
      const { id, uuid } = await tx.db.workShift.create({
        data: {
          businessId: tx.businessId,
          eventId: event.id,
          callTimeId: callTime?.id ?? null,
          positionId: positionId as number,
          userId,
          ...timeColumns({ startTime, endTime }),
          ...instants,
          payRate,
          overrideReason: requireReason(added, override),
          createdAt: now,
          modifiedAt: now,
        },
        select: { id: true, uuid: true },
      });
      tx.record({ kind: 'workShift', id });
      return shiftOrNotFound(tx, uuid);
    }),
});

export type AssignOutcome = { readonly shift: WorkShiftRow } | { readonly failure: unknown };

/**
 * Assigns one after the other, each in its own transaction. In a transaction that is already open, one failure fails
 * all. After an error of the service itself, the remaining assignments are not tried.
 */
export const assignMany = operation({
  name: 'workShifts.assignMany',
  roles: admin,
  scopes: ['staffing:write'],
  writes: true,
  idempotent: true,
  input: assignManyInput,
  run: async (scope, { inputs }) => {
    const outcomes: AssignOutcome[] = [];
    let broken: AssignOutcome | undefined;
    for (const input of inputs) {
      const outcome = broken ?? (await outcomeOf(scope, input));
      if ('failure' in outcome && !isRefusal(outcome.failure)) {
        if (scope.isAtomic) throw outcome.failure;
        broken = outcome;
      }
      outcomes.push(outcome);
    }
    return outcomes;
  },
});

async function outcomeOf(scope: Scope, input: unknown): Promise<AssignOutcome> {
  try {
    return { shift: await assign(scope, input as Static<typeof assignInput>) };
  } catch (failure) {
    return { failure };
  }
}

const isRefusal = (failure: unknown) => failure instanceof Failure && failure.code !== 'UNAVAILABLE';

/**
 * Changes only the fields that were sent. The rules apply to the resulting shift. Another person, other times, or the
 * reactivation of a canceled shift require a new confirmation.
 */
export const update = operation({
  name: 'workShifts.update',
  roles: admin,
  scopes: ['staffing:write'],
  writes: true,
  input: Type.Object({ ...shiftParams.properties, ...versionInput, ...shiftChanges.properties }, closed),
  rules: [
    ...personRules,
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
  run: (scope, { uuid, expectedVersions, override, ...changes }) =>
    scope.transaction(async (tx) => {
      const event = await lockEventToStaff(tx, { shift: uuid });
      const shift = await shiftOrNotFound(tx, uuid);
      requireVersion(shift, expectedVersions);
      if (Object.values(changes).every((value) => value === undefined)) return shift;

      const { callTimeUuid, payRate, ...direct } = changes;
      const sent = Object.fromEntries(Object.entries(direct).filter(([, value]) => value !== undefined));
      const next: WorkShiftRow = { ...shift, ...sent };
      const errors: FieldErrors = {};
      const callTime = await callTimeOf(tx, event, shift, callTimeUuid, errors);
      next.callTimeId = callTime?.id ?? null;

      const active = next.status === 'active';
      const back = active && shift.status !== 'active';
      const otherPerson = next.userId !== shift.userId;
      const otherTimes = next.startTime !== shift.startTime || next.endTime !== shift.endTime;
      const overlapsAnew = active && (back || otherPerson || otherTimes);
      const fillsAnew = active && (back || next.callTimeId !== shift.callTimeId);

      if (overlapsAnew || fillsAnew) requireTakesPlace(event);
      if (next.positionId !== shift.positionId) await requirePosition(tx, next.positionId, errors);
      if (otherPerson || back) await requireStaff(tx, next.userId, errors);
      else if (overlapsAnew || fillsAnew) await lockStaff(tx.db, [next.userId]);
      const instants = resolveOpenPeriod(next, event.timezone, errors);

      let overrideReason = shift.overrideReason;
      if (overlapsAnew || fillsAnew) {
        const { added, kept } = await findClashes(
          tx,
          { uuid, userId: next.userId, ...instants, event },
          { callTime, isNew: fillsAnew, shiftId: shift.id },
        );
        // A clash that existed before the change needs no new reason.
        if (added.length > 0 || kept.length === 0) overrideReason = requireReason(added, override);
      }
      const staysConfirmed = shift.confirmed && active && !overlapsAnew;
      await tx.db.workShift.update({
        where: { businessId_uuid: { businessId: tx.businessId, uuid } },
        data: {
          userId: next.userId,
          positionId: next.positionId,
          callTimeId: next.callTimeId,
          status: next.status,
          confirmed: staysConfirmed,
          confirmedAt: staysConfirmed ? shift.confirmedAt : null,
          declinedAt: active || otherPerson ? null : shift.declinedAt,
          ...timeColumns(next),
          ...instants,
          ...(payRate !== undefined && { payRate }),
          overrideReason,
          modifiedAt: tx.clock(),
        },
        select: { id: true },
      });
      tx.record({ kind: 'workShift', id: shift.id });
      return shiftOrNotFound(tx, uuid);
    }),
});

export async function shiftOrNotFound({ db }: Scope, uuid: string): Promise<WorkShiftRow> {
  const shift = await readShiftByUuid(db, uuid);
  if (!shift) throw notFound('work shift');
  return shift;
}

type Target = Pick<Static<typeof assignInput>, 'eventUuid' | 'callTimeUuid'>;

function findTargetFaults({ eventUuid = null, callTimeUuid = null }: Target): FieldErrors {
  if (eventUuid === null && callTimeUuid === null) return { eventUuid: ['is required unless a call time is named'] };
  if (eventUuid !== null && callTimeUuid !== null) return { eventUuid: ['must not be combined with callTimeUuid'] };
  return {};
}

/** Locks the event, and reads the call time if the input names one. */
async function targetOf(tx: Scope, target: Target): Promise<{ event: StaffedEvent; callTime: CallTimeRow | null }> {
  const errors = findTargetFaults(target);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { eventUuid, callTimeUuid } = target;
  if (typeof callTimeUuid !== 'string')
    return { event: await lockEventToStaff(tx, { event: eventUuid as string }), callTime: null };
  const event = await lockEventToStaff(tx, { callTime: callTimeUuid });
  const callTime = await callTimeByUuid(tx.db, callTimeUuid);
  if (!callTime) throw notFound('call time');
  return { event, callTime };
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

async function requirePosition(tx: Scope, id: number | undefined, errors: FieldErrors): Promise<void> {
  if (id === undefined) errors['positionId'] = ['is required without a call time'];
  else if (!(await holdPosition(tx.db, id))) errors['positionId'] = ['must be the id of a position of this business'];
}

/** Locks the person. A user of another business gets the same error as one that does not exist. */
async function requireStaff(tx: Scope, userId: number, errors: FieldErrors): Promise<void> {
  const staff = await lockStaff(tx.db, [userId]);
  if (!staff.has(userId)) errors['userId'] = ['must be the id of a staff member of this business'];
}

function ownTime(callTime: CallTimeRow | null, side: 'start' | 'end'): WallTime | null {
  if (!callTime || callTime[`${side}TimeTbd`]) return null;
  return callTime[`${side}Time`];
}

const timeColumns = ({ startTime, endTime }: { startTime: WallTime | null; endTime: WallTime | null }) => ({
  startLocal: startTime === null ? null : wallToColumn(startTime),
  endLocal: endTime === null ? null : wallToColumn(endTime),
});
