import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readCallTimesByUuids } from '../db/call-times.ts';
import type { ClashRow } from '../db/clashes.ts';
import { writePlaces } from '../db/places.ts';
import { countActiveShifts, lockEvents, lockStaff, type StaffedEvent } from '../db/staffing.ts';
import { readShiftsByUuids } from '../db/work-shifts.ts';
import { conflict, Failure, invalid, notFound } from '../errors.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { wallToColumn } from '../time/wall-clock.ts';
import { closedObject, nullable, rowNumber, uuidOf } from '../validation/schemas.ts';
import { watchAttended, withReworked, type Reworked, type WithReworked } from './attendance-plan.ts';
import { findClashesAfter } from './staff-rules.ts';
import { findOverfill, requireReason, requireTakesPlace } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import { moveFields, shiftParams } from './work-shifts-input.ts';
import { distinct } from './work-shifts-rules.ts';

/*
 * Moves of people between places. A person takes along their confirmation, if the times are the same, and an own pay rate. Position
 * and times are those of the new place.
 */

const toCallTime = { callTimeUuid: uuidOf('call time', 'UUID of the call time, of any event.') };

export const moveInput = closedObject({ ...toCallTime, ...moveFields });

const uuidIn = (noun: string) => Type.String({ format: 'uuid', description: `UUID of the ${noun}.` });

const expectedVersion = nullable(rowNumber('Version of the shift that the change expects. Default: not checked.'));

export const oneMove = closedObject({
  shiftUuid: uuidIn('work shift'),
  callTimeUuid: uuidIn('call time, of any event'),
  version: Type.Optional(expectedVersion),
});

export const moveManyInput = closedObject({
  moves: Type.Array(oneMove, {
    minItems: 1,
    maxItems: limits.namedItemsMax,
    description: 'The moves, each of another shift.',
  }),
  ...moveFields,
});

export const exchangeInput = closedObject({
  otherShiftUuid: uuidOf('other work shift'),
  otherVersion: Type.Optional(expectedVersion),
  ...moveFields,
});

/** Moves the person of a shift to another call time, of any event. */
export const move = operation({
  ...staffingEdit,
  name: 'workShifts.move',
  input: closedObject({ ...shiftParams.properties, ...versionInput, ...moveInput.properties }),
  run: (scope, { uuid, callTimeUuid, expectedVersions, ...how }) =>
    scope.transaction(
      (tx) => moveSet(tx, [{ uuid, callTimeUuid, expectedVersions }], how, false),
      async (tx, made) => (await readMoved(tx, made))[0]!,
    ),
});

/** Makes several moves, all or none. Clashes are judged on the result, so that people can also take each other's places. */
export const moveMany = operation({
  ...staffingEdit,
  name: 'workShifts.moveMany',
  input: moveManyInput,
  rows: { field: 'moves', count: ({ moves }) => moves.length },
  run: (scope, { moves, ...how }) => {
    if (new Set(moves.map(({ shiftUuid }) => shiftUuid.toLowerCase())).size < moves.length)
      throw invalid({ moves: ['must name each shift once'] });
    const expecting = moves.map(({ shiftUuid, callTimeUuid, version }) => ({
      uuid: shiftUuid,
      callTimeUuid,
      expectedVersions: asExpected(version),
    }));
    return scope.transaction((tx) => moveSet(tx, expecting, how, true), readMoved);
  },
});

const asExpected = (version: number | null | undefined) =>
  version === undefined || version === null ? undefined : [version];

interface Move {
  readonly uuid: string;
  readonly callTimeUuid: string;
  readonly expectedVersions: readonly number[] | undefined;
}

type How = Pick<Static<typeof moveInput>, 'override' | 'reason'>;

const readStored = ({ db }: Scope, uuids: string[]) => db.workShift.findMany({ where: { uuid: { in: uuids } } });

/** A shift with its own pay rate. What the API shows of it may be that of its call time. */
type StoredShift = Awaited<ReturnType<typeof readStored>>[number];

/** The person of a shift at another place, whose event is locked. */
interface Placed {
  readonly shift: StoredShift;
  readonly event: StaffedEvent;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly positionId: number;
  readonly callTimeId: number | null;
}

interface PlacedAt extends Placed {
  readonly callTime: CallTimeRow;
}

interface MoveOutcome {
  /** The shifts that people have now. */
  readonly uuids: readonly string[];
  readonly reworked: readonly Reworked[];
}

/** Rows are locked in the order that db/staffing.ts sets: all events, then people. */
async function moveSet(tx: Scope, moves: readonly Move[], how: How, isBatch: boolean): Promise<MoveOutcome> {
  const shiftUuids = moves.map(({ uuid }) => uuid);
  const callTimeUuids = moves.map(({ callTimeUuid }) => callTimeUuid);
  const events = await lockEvents(tx.db, [], callTimeUuids, shiftUuids);
  const shifts = await readStored(tx, shiftUuids);
  const callTimes = await readCallTimesByUuids(tx.db, callTimeUuids);
  const staff = await lockStaff(
    tx.db,
    shifts.map(({ userId }) => userId),
  );
  const all = moves.map(({ uuid, callTimeUuid, expectedVersions }, index) => {
    const nameOf = (field: string) => (isBatch ? `moves.${index}.${field}` : null);
    const shift = naming(nameOf('shiftUuid'), () => requireMovable(shifts.find(isUuid(uuid)), expectedVersions, staff));
    return naming(nameOf('callTimeUuid'), () => {
      const callTime = callTimes.find(isUuid(callTimeUuid));
      const event = events.find(({ id }) => id === callTime?.eventId);
      if (!callTime || !event) throw notFound('call time');
      requireTakesPlace(event);
      const startsAt = callTime.startTimeTbd ? null : callTime.startsAt;
      const endsAt = callTime.endTimeTbd ? null : callTime.endsAt;
      return { shift, callTime, event, startsAt, endsAt, positionId: callTime.positionId, callTimeId: callTime.id };
    });
  });
  const placed = all.filter(({ shift, callTime }) => shift.callTimeId !== callTime.id);
  const overfills = await findOverfills(tx, placed);
  const reasonFor = await settle(tx, placed, overfills, how);
  const moved = new Map<string, string>();
  const attended = await watchAttended(tx, { shiftUuids }, how.override);
  for (const each of placed)
    moved.set(each.shift.uuid, await attended.guard(storeMove(tx, each, reasonFor(each.shift), how)));
  const reworked = await attended.settle();
  return { uuids: all.map(({ shift: { uuid } }) => moved.get(uuid) ?? uuid), reworked };
}

async function readMoved(tx: Scope, { uuids, reworked }: MoveOutcome): Promise<WithReworked<WorkShiftRow>[]> {
  const rows = await readInOrder(tx, uuids);
  return rows.map((row) =>
    withReworked(
      row,
      reworked.filter(({ shiftUuid }) => shiftUuid === row.uuid),
    ),
  );
}

const isUuid = (wanted: string) => {
  const lower = wanted.toLowerCase();
  return ({ uuid }: { uuid: string }) => uuid === lower;
};

/** Names the one that is refused. A row that a list names is a fault of the input, if it is missing. */
function naming<T>(field: string | null, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (field === null || !(error instanceof Failure)) throw error;
    const code = error.code === 'NOT_FOUND' && field !== 'otherShiftUuid' ? 'VALIDATION_FAILED' : error.code;
    throw new Failure(code, error.message, { errors: { [field]: [error.message] } });
  }
}

function requireMovable(
  shift: StoredShift | undefined,
  expectedVersions: readonly number[] | undefined,
  staff: ReadonlySet<number>,
): StoredShift {
  if (!shift) throw notFound('work shift');
  requireVersion(shift, expectedVersions);
  if (shift.status !== 'active')
    throw conflict(`The work shift is ${shift.status}: only the person of an active shift can be moved.`);
  if (!staff.has(shift.userId)) throw conflict('The person of the work shift is not a member of the staff any more.');
  return shift;
}

/** The clashes of each shift whose person would be one too many on its new call time. */
async function findOverfills(tx: Scope, placed: readonly PlacedAt[]): Promise<Map<string, ClashRow[]>> {
  const ids = placed.map(({ callTime }) => callTime.id);
  const left = placed.map(({ shift }) => shift.id);
  const counts = new Map(ids.length > 0 ? await countActiveShifts(tx.db, ids, left) : []);
  const overfills = new Map<string, ClashRow[]>();
  for (const { shift, callTime } of placed) {
    const count = counts.get(callTime.id) ?? 0;
    const found = findOverfill(callTime, count);
    if (found.length > 0) overfills.set(shift.uuid, found);
    counts.set(callTime.id, count + 1);
  }
  return overfills;
}

/**
 * Refuses the clashes of people at their new places, unless an override gives a reason. An overlap that was there before is not
 * asked about. Returns what says which reason a person's shift is to have.
 */
async function settle(
  tx: Scope,
  placed: readonly Placed[],
  overfills: ReadonlyMap<string, ClashRow[]>,
  { override }: How,
): Promise<(shift: StoredShift) => string | null> {
  const after = placed.map(({ shift: { uuid, userId }, ...place }) => ({ uuid, userId, ...place }));
  const { added, findClashing } = await findClashesAfter(tx, after);
  const reason = requireReason([...overfills.values()].flat().concat(added).slice(0, limits.listedMax), override);
  const clashing = await findClashing();
  return ({ uuid, overrideReason }) => {
    if (overfills.has(uuid) || clashing.get(uuid)) return reason;
    return clashing.has(uuid) ? overrideReason : null;
  };
}

/** What a person's shift says of them at another place. */
function stateAt({ shift, startsAt, endsAt }: Placed, { reason = null }: How, modifiedAt: Date) {
  const isSame = startsAt && endsAt && +startsAt === Number(shift.startsAt) && +endsAt === Number(shift.endsAt);
  const confirmed = shift.confirmed && Boolean(isSame);
  return {
    confirmed,
    confirmedAt: confirmed ? shift.confirmedAt : null,
    dropRequestedAt: null,
    moveReason: reason,
    modifiedAt,
  };
}

/**
 * Within its event a shift only gets another call time. At another event a new shift takes its place and it becomes deleted, so
 * that a shift never leaves the event under which others know it. Returns the uuid of the shift that the person has now.
 */
async function storeMove(tx: Scope, placed: PlacedAt, overrideReason: string | null, how: How): Promise<string> {
  const { shift, callTime, startsAt, endsAt } = placed;
  const now = tx.clock();
  const data = {
    ...stateAt(placed, how, now),
    callTimeId: callTime.id,
    positionId: callTime.positionId,
    startLocal: startsAt && wallToColumn(callTime.startTime),
    endLocal: endsAt && wallToColumn(callTime.endTime),
    startsAt,
    endsAt,
    overrideReason,
  };
  const isElsewhere = callTime.eventId !== shift.eventId;
  const { moveReason, modifiedAt } = data;
  await writePlaces(tx, shift.eventId).workShift.update({
    where: { businessId_uuid: { businessId: tx.businessId, uuid: shift.uuid } },
    data: isElsewhere
      ? { status: 'deleted', confirmed: false, confirmedAt: null, dropRequestedAt: null, moveReason, modifiedAt }
      : data,
    select: { id: true },
  });
  tx.record({ kind: 'workShift', id: shift.id });
  if (!isElsewhere) return shift.uuid;
  const { userId, payRate, payUnit } = shift;
  const { id, uuid } = await writePlaces(tx).workShift.create({
    data: {
      ...data,
      uuid: randomUUID(),
      businessId: tx.businessId,
      eventId: callTime.eventId,
      userId,
      payRate,
      payUnit,
      createdAt: now,
    },
    select: { id: true, uuid: true },
  });
  tx.record({ kind: 'workShift', id });
  return uuid;
}

/** Lets two people take each other's places, or neither. Both shifts stay where they are and get the other person. */
export const exchange = operation({
  ...staffingEdit,
  name: 'workShifts.exchange',
  input: closedObject({ ...shiftParams.properties, ...versionInput, ...exchangeInput.properties }),
  run: (scope, { uuid, expectedVersions, otherShiftUuid, otherVersion, ...how }) =>
    scope.transaction(async (tx) => {
      const uuids = [uuid, otherShiftUuid];
      const events = await lockEvents(tx.db, [], [], uuids);
      const stored = await readStored(tx, uuids);
      const staff = await lockStaff(
        tx.db,
        stored.map(({ userId }) => userId),
      );
      const one = requireMovable(stored.find(isUuid(uuid)), expectedVersions, staff);
      const other = naming('otherShiftUuid', () =>
        requireMovable(stored.find(isUuid(otherShiftUuid)), asExpected(otherVersion), staff),
      );
      if (one.userId === other.userId) throw invalid({ otherShiftUuid: ['must be the shift of another person'] });
      const placed = [
        [one, other],
        [other, one],
      ].map(([shift, at]) => {
        const { eventId, startsAt, endsAt, positionId, callTimeId } = at!;
        const event = events.find(({ id }) => id === eventId)!;
        requireTakesPlace(event);
        return { shift: shift!, at: at!, event, startsAt, endsAt, positionId, callTimeId };
      });
      const reasonFor = await settle(tx, placed, new Map(), how);
      const overfilled = await findOverfilled(
        tx,
        placed.map(({ at }) => at),
      );
      for (const each of placed) {
        const { userId, payRate, payUnit } = each.shift;
        const { id, uuid: atUuid, eventId, callTimeId, overrideReason } = each.at;
        await writePlaces(tx, eventId).workShift.update({
          where: { businessId_uuid: { businessId: tx.businessId, uuid: atUuid } },
          data: {
            ...stateAt(each, how, tx.clock()),
            overrideReason: reasonFor(each.shift) ?? (overfilled.has(callTimeId) ? overrideReason : null),
            userId,
            payRate,
            payUnit,
          },
          select: { id: true },
        });
        tx.record({ kind: 'workShift', id });
      }
      return uuids;
    }, readInOrder),
});

/** The call times that have too many people, which an exchange does not change. */
export async function findOverfilled(
  tx: Scope,
  shifts: readonly Pick<StoredShift, 'callTimeId'>[],
): Promise<Set<number | null>> {
  const ids = distinct(shifts.map(({ callTimeId }) => callTimeId));
  const callTimes = await tx.db.callTime.findMany({
    where: { id: { in: ids } },
    select: { id: true, staffNeeded: true },
  });
  const counts = await countActiveShifts(tx.db, ids);
  return new Set(callTimes.flatMap(({ id, staffNeeded }) => ((counts.get(id) ?? 0) > staffNeeded ? id : [])));
}

async function readInOrder(tx: Scope, uuids: readonly string[]): Promise<WorkShiftRow[]> {
  const rows = await readShiftsByUuids(tx.db, uuids);
  return uuids.map((uuid) => rows.find(isUuid(uuid))!);
}
