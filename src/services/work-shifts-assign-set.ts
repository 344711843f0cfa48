import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { addRuleFaults, pickFaultless } from '../access/input-rules.ts';
import type { Capabilities, Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readCallTimesByUuids } from '../db/call-times.ts';
import {
  findStoredOverlaps,
  overlapBetween,
  type ClashRow,
  type JudgedShift,
  type NewShift,
  type Overlap,
} from '../db/clashes.ts';
import { writePlaces } from '../db/places.ts';
import { holdPositions } from '../db/positions.ts';
import { countActiveShifts, lockEvents, lockStaff, type StaffedEvent } from '../db/staffing.ts';
import { readShiftsByUuids } from '../db/work-shifts.ts';
import { Failure, invalid, notFound, type FieldErrors } from '../errors.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { groupBy } from '../paging/group-by.ts';
import { wallToColumn, type WallTime } from '../time/wall-clock.ts';
import { compileJudge, hasErrors, refuseFaulty } from '../validation/compile.ts';
import type { StaffingTx } from './offers-states.ts';
import { resolveOpenPeriod } from './periods.ts';
import { openRules, toBooked } from './staff-rules.ts';
import { findOverfill, requireReason, requireTakesPlace } from './staffing.ts';
import { assignInput } from './work-shifts-input.ts';
import {
  assignRules,
  findTargetFaults,
  ifAny,
  judgePayUnit,
  judgePosition,
  judgeStaff,
  distinct,
  readNamedRows,
} from './work-shifts-rules.ts';

export type AssignOutcome = { readonly shift: WorkShiftRow } | { readonly failure: unknown };

export type AssignInput = Static<typeof assignInput>;

const judge = compileJudge(assignInput);

/** Judges the inputs of assignments as a single assignment does before its transaction. */
export async function judgeAssignments(
  scope: Scope,
  inputs: readonly unknown[],
  capabilities: Capabilities,
): Promise<(AssignInput | Failure)[]> {
  const judged = inputs.map((sent) => ({ sent, verdict: judge(sent) }));
  const faulty = judged.filter(({ verdict }) => hasErrors(verdict.errors));
  const rows = await readNamedRows(
    scope,
    faulty.map(({ sent, verdict }) => pickFaultless(sent, verdict)),
  );
  const rules = assignRules(() => rows);
  for (const { sent, verdict } of faulty) await addRuleFaults(rules, sent, verdict, [scope, capabilities]);
  return advance(judged, ({ sent, verdict }) => {
    refuseFaulty(verdict);
    return sent as AssignInput;
  });
}

/**
 * Makes assignments as if each were made after those before it, in as many statements as one takes. Each has its own
 * outcome. Rows are locked in the order that db/staffing.ts sets: all events, then positions and people.
 */
export async function assignSet(
  tx: StaffingTx,
  inputs: readonly (AssignInput | Failure)[],
  confirmedAt: Date | null = null,
): Promise<AssignOutcome[]> {
  return storeShifts(tx, await judgeSet(tx, inputs), confirmedAt);
}

/** Judges assignments without making them. */
export async function judgeSet(
  tx: StaffingTx,
  inputs: readonly (AssignInput | Failure)[],
): Promise<(Settled | Failure)[]> {
  const aimed = await lockTargets(tx, inputs);
  const planned = await planShifts(tx, aimed);
  return settleClashes(tx, planned);
}

/** Takes those that are not refused yet one step on. A failure that the step throws refuses one of them. */
export function advance<A, B>(all: readonly (A | Failure)[], step: (one: A, index: number) => B): (B | Failure)[] {
  return all.map((one, index) => {
    if (one instanceof Failure) return one;
    try {
      return step(one, index);
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  });
}

export const unrefused = <A>(all: readonly (A | Failure)[]): A[] =>
  all.filter((one): one is A => !(one instanceof Failure));

/** An assignment whose event is locked and takes place. */
export interface Aimed {
  readonly input: AssignInput;
  readonly event: StaffedEvent;
  readonly callTime: TargetCallTime | null;
}

/** The call time of an assignment; it need not be stored yet. */
type TargetCallTime = Pick<CallTimeRow, 'id' | 'uuid' | 'positionId' | 'staffNeeded' | 'startTime' | 'endTime'> & {
  readonly [K in 'startTimeTbd' | 'endTimeTbd']?: boolean | undefined;
};

async function lockTargets(tx: StaffingTx, inputs: readonly (AssignInput | Failure)[]): Promise<(Aimed | Failure)[]> {
  const fit = advance(inputs, (input) => {
    const errors = findTargetFaults(input);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return input;
  });
  const eventUuids = distinct(unrefused(fit).map((input) => input.eventUuid));
  const callTimeUuids = distinct(unrefused(fit).map((input) => input.callTimeUuid));
  const events = await ifAny([...eventUuids, ...callTimeUuids], () => lockEvents(tx.db, eventUuids, callTimeUuids));
  // A call time is read once its event is locked, because until then it can change or go.
  const callTimes = await ifAny(events.length > 0 ? callTimeUuids : [], (uuids) => readCallTimesByUuids(tx.db, uuids));
  const eventsByUuid = new Map(events.map((event) => [event.uuid, event]));
  const eventsById = new Map(events.map((event) => [event.id, event]));
  const callTimesByUuid = new Map(callTimes.map((callTime) => [callTime.uuid, callTime]));
  return advance(fit, (input) => {
    const { eventUuid, callTimeUuid } = input;
    const callTime = callTimesByUuid.get(callTimeUuid?.toLowerCase() ?? '') ?? null;
    const event = callTime ? eventsById.get(callTime.eventId) : eventsByUuid.get(eventUuid?.toLowerCase() ?? '');
    if (!event) throw notFound(callTimeUuid ? 'call time' : 'event');
    requireTakesPlace(event);
    return { input, event, callTime };
  });
}

/** A shift that only a clash can still refuse. Its position is locked against deletion, and its person is locked. */
export interface Planned extends Aimed, Omit<NewShift, 'event'> {
  readonly positionId: number;
  readonly startTime: WallTime | null;
  readonly endTime: WallTime | null;
}

export async function planShifts(tx: StaffingTx, all: readonly (Aimed | Failure)[]): Promise<(Planned | Failure)[]> {
  const wanted = advance(all, (aimed) => ({
    ...aimed,
    userId: aimed.input.userId,
    positionId: aimed.input.positionId ?? aimed.callTime?.positionId,
  }));
  const positionIds = distinct(unrefused(wanted).map(({ positionId }) => positionId));
  const userIds = distinct(unrefused(wanted).map(({ userId }) => userId));
  const positions = await ifAny(positionIds, (ids) => holdPositions(tx.db, ids));
  const existing = new Set(positions.map(({ id }) => id));
  const staff = new Set(await ifAny(userIds, (ids) => lockStaff(tx.db, ids)));
  return advance(wanted, ({ input, event, callTime, userId, positionId }) => {
    const startTime = input.startTime === undefined ? ownTime(callTime, 'start') : input.startTime;
    const endTime = input.endTime === undefined ? ownTime(callTime, 'end') : input.endTime;
    const errors: FieldErrors = {};
    judgePosition(positionId, existing, errors);
    judgeStaff(userId, staff, errors);
    judgePayUnit(input.payUnit ?? null, input.payRate ?? null, errors);
    const instants = resolveOpenPeriod({ startTime, endTime }, event.timezone, errors);
    const position = { positionId: positionId as number };
    return {
      uuid: randomUUID(),
      input,
      event,
      callTime,
      userId,
      ...position,
      startTime,
      endTime,
      ...instants,
    };
  });
}

function ownTime(callTime: TargetCallTime | null, side: 'start' | 'end'): WallTime | null {
  if (!callTime || callTime[`${side}TimeTbd`]) return null;
  return callTime[`${side}Time`];
}

export interface Settled extends Planned {
  readonly overrideReason: string | null;
}

/** Judges the clashes of each shift with what is stored and with those before it that are not refused. */
async function settleClashes(tx: StaffingTx, all: readonly (Planned | Failure)[]): Promise<(Settled | Failure)[]> {
  const book = await openBook(tx, unrefused(all));
  return advance(all, (shift) => {
    const overrideReason = requireReason(book.findClashes(shift), shift.input.override);
    book.add(shift);
    return { ...shift, overrideReason };
  });
}

/** Keeps account of new shifts, one after the other, beside those that are stored. */
export async function openBook(tx: StaffingTx, shifts: Planned[]) {
  const callTimeIds = distinct(shifts.map(({ callTime }) => callTime?.id));
  const assigned = new Map(await ifAny(callTimeIds, (ids) => countActiveShifts(tx.db, ids)));
  const stored = groupBy('newUuid', await ifAny(shifts, (those) => findStoredOverlaps(tx.db, those)));
  const rules = await openRules(tx, shifts.map(toJudged));
  const added = new Map<number, Set<Planned>>();
  const ofPerson = (userId: number) => added.get(userId) ?? new Set();
  const count = ({ callTime }: Planned, by: number) => {
    if (callTime) assigned.set(callTime.id, (assigned.get(callTime.id) ?? 0) + by);
  };
  return {
    findClashes: (shift: Planned): ClashRow[] => {
      const { uuid, userId, callTime } = shift;
      const overlaps = [
        ...stored(uuid).map(({ newUuid: _new, ...overlap }) => overlap),
        ...[...ofPerson(userId)].flatMap((other) => overlapBetween(shift, other) ?? []),
      ];
      return [
        ...(callTime ? findOverfill(callTime, assigned.get(callTime.id) ?? 0) : []),
        ...overlaps.sort(byStart).slice(0, limits.listedMax),
        ...rules.judge(toBooked(toJudged(shift))),
      ];
    },
    add: (shift: Planned) => {
      added.set(shift.userId, ofPerson(shift.userId).add(shift));
      rules.add(toJudged(shift));
      count(shift, 1);
    },
    remove: (shift: Planned) => {
      if (!added.get(shift.userId)?.delete(shift)) return;
      rules.remove(shift.userId, shift.uuid);
      count(shift, -1);
    },
  };
}

const toJudged = (shift: Planned): JudgedShift => ({ ...shift, callTimeId: shift.callTime?.id ?? null });

const byStart = (a: Overlap, b: Overlap) =>
  (a.startsAt?.getTime() ?? Infinity) - (b.startsAt?.getTime() ?? Infinity) || 0;

/** Stores the shifts that are not refused, in their order. */
export async function storeShifts(
  tx: StaffingTx,
  all: readonly (Settled | Failure)[],
  confirmedAt: Date | null = null,
): Promise<AssignOutcome[]> {
  const now = tx.clock();
  const rows = unrefused(all).map((shift) => ({
    uuid: shift.uuid,
    businessId: tx.businessId,
    eventId: shift.event.id,
    callTimeId: shift.callTime?.id ?? null,
    positionId: shift.positionId,
    userId: shift.userId,
    ...timeColumns(shift),
    startsAt: shift.startsAt,
    endsAt: shift.endsAt,
    payRate: shift.input.payRate ?? null,
    payUnit: shift.input.payUnit ?? null,
    overrideReason: shift.overrideReason,
    confirmed: confirmedAt !== null,
    confirmedAt,
    createdAt: now,
    modifiedAt: now,
  }));
  if (rows.length > 0) await writePlaces(tx).workShift.createMany({ data: rows });
  const stored = await ifAny(
    rows.map(({ uuid }) => uuid),
    (uuids) => readShiftsByUuids(tx.db, uuids),
  );
  const byUuid = new Map(stored.map((shift) => [shift.uuid, shift]));
  return all.map((one) => {
    if (one instanceof Failure) return { failure: one };
    const shift = byUuid.get(one.uuid) as WorkShiftRow;
    tx.record({ kind: 'workShift', id: shift.id });
    return { shift };
  });
}

export const timeColumns = ({ startTime, endTime }: { startTime: WallTime | null; endTime: WallTime | null }) => ({
  startLocal: startTime === null ? null : wallToColumn(startTime),
  endLocal: endTime === null ? null : wallToColumn(endTime),
});
