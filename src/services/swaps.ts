import Type from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminAndStaff, repeatable, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { readAttendedPlans } from '../db/attendance-plan.ts';
import { readBusiness } from '../db/businesses.ts';
import { readStarts } from '../db/place-times.ts';
import { writePlaces } from '../db/places.ts';
import { lockEvents, lockStaff, type StaffedEvent } from '../db/staffing.ts';
import {
  countSwaps,
  findSwapToTake,
  isUnderSwap,
  readSwapPage,
  readSwapsOfEvents,
  readSwapsByUuids,
  type SwapFilter,
} from '../db/swaps.ts';
import { newestFirst } from '../db/offers.ts';
import { countSwapColleagues, isSwapOption, readSwapColleagues, readSwapOptions } from '../db/swaps-options.ts';
import { seeingAll } from '../db/tenant.ts';
import { readShiftByUuid } from '../db/work-shifts.ts';
import { conflict, forbidden, invalid, notFound } from '../errors.ts';
import { inputsOf } from '../fields/field-list.ts';
import { swapFields, type SwapRow } from '../fields/swaps.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { SwapState } from '../generated/prisma/enums.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, readPage, type PageRequest } from '../paging/pages.ts';
import {
  closedObject,
  idOf,
  nullable,
  oneOf,
  optionalFields,
  rowNumber,
  uuidOf,
  visibleText,
} from '../validation/schemas.ts';
import { uuidsInput } from './events-input.ts';
import { eventOrNotFound } from './events.ts';
import { closedFailure, refuseFields, staffUserId } from './offers-answers.ts';
import { findClashesAfter } from './staff-rules.ts';
import { requireReason, requireTakesPlace } from './staffing.ts';
import { changeSwaps, swapTransitions } from './swaps-states.ts';
import { requireVersion, versionInput } from './versions.ts';
import { shiftOrNotFound } from './work-shifts-assign.ts';
import { overrideInput } from './work-shifts-input.ts';
import { findOverfilled } from './work-shifts-move.ts';

export const swapParams = closedObject({ uuid: uuidOf('swap') });
const target = closedObject({ ...swapParams.properties, ...versionInput });

const isAdmin = ({ db }: Scope): boolean => db.$visibility.of === 'business';

/** What everybody sees, in the same transaction: people swap shifts that they do not see. */
const allOf = (tx: Scope): Scope => ({ ...tx, db: seeingAll(tx.db) });

export const swapFilter = optionalFields({
  eventUuid: uuidOf('event', 'Lists only swaps of a shift at the event with this UUID.'),
  states: Type.Array(oneOf(Object.values(SwapState)), {
    maxItems: limits.namedItemsMax,
    description: 'Lists only swaps in one of these states. Default: all.',
  }),
});

const swapRead = { roles: adminAndStaff, scopes: ['read'], cacheable: true } as const;

/** Reads one page of swaps, the newest first. Staff see those that they ask for, and that ask them. */
export const list = operation({
  ...swapRead,
  name: 'swaps.list',
  input: closedObject({ filter: Type.Optional(swapFilter), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { filter: { eventUuid, ...filter } = {}, ...request }) => {
    const eventId = eventUuid === undefined ? undefined : (await eventOrNotFound(scope, eventUuid)).id;
    return readSwaps(scope, { ...filter, eventId }, request);
  },
});

const readSwaps = (scope: Scope, filter: SwapFilter, request: PageRequest) =>
  readPage<SwapRow>(scope, request, {
    order: newestFirst,
    rows: (window) => readSwapPage(scope.db, filter, window),
    count: () => countSwaps(scope.db, filter),
  });

/** Reads one page of the swaps that the calling staff member can take. */
export const listOpen = operation({
  name: 'swaps.listOpen',
  roles: { staff: 'own' },
  scopes: ['read'],
  input: closedObject(pageInput()),
  rules: [pageRule],
  run: (scope, request) =>
    readSwaps(scope, { takeableBy: { userId: staffUserId(scope), now: scope.clock() } }, request),
});

export const optionParams = closedObject({ uuid: uuidOf('work shift') });

export const optionFilter = {
  search: Type.Optional(
    visibleText(limits.textChars, { description: 'Part of the name, without regard to case and accents.' }),
  ),
};
export const optionsQuery = Type.Object({ ...optionFilter, ...pageNumberInput() });

/**
 * Reads one page of the ways in which a shift can be given away: by name, each colleague, and their next shifts. The page counts
 * colleagues, and a cursor stands for one.
 */
export const listOptions = operation({
  name: 'swaps.listOptions',
  roles: adminAndStaff,
  scopes: ['read'],
  attempts: attemptLimits.report,
  input: closedObject({ ...optionParams.properties, ...optionFilter, ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { uuid, search, ...request }) => {
    const filter = { shift: await shiftOrNotFound(scope, uuid), search, now: scope.clock() };
    const page = await readPage(scope, request, {
      rows: (window) => readSwapColleagues(scope.db, filter, window),
      count: () => countSwapColleagues(scope.db, filter),
    });
    const ids = page.rows.map(({ id }) => id);
    const rows = ids.length === 0 ? [] : await readSwapOptions(scope.db, filter, ids);
    return { ...page, rows, cursorOf: ({ id }: { id: number }) => page.cursorOf({ id }, ids.indexOf(id)) };
  },
});

export const get = operation({
  ...swapRead,
  name: 'swaps.get',
  input: swapParams,
  run: (scope, { uuid }) => swapOrNotFound(scope, uuid),
});

export const getByUuids = variantOf(get, {
  input: uuidsInput,
  run: ({ db }, { uuids }) => readSwapsByUuids(db, uuids),
});

/** Reads the swaps of the shifts of many events, at most so many of each. */
export const getByEvents = variantOf(get, {
  input: closedObject({ eventIds: Type.Array(idOf('event')), atMostEach: Type.Integer({ minimum: 1 }) }),
  run: ({ db }, { eventIds, atMostEach }) => readSwapsOfEvents(db, eventIds, atMostEach),
});

async function swapOrNotFound({ db }: Scope, uuid: string): Promise<SwapRow> {
  const [swap] = await readSwapsByUuids(db, [uuid]);
  if (!swap) throw notFound('swap');
  return swap;
}

export const requestInput = closedObject({
  shiftUuid: uuidOf('work shift'),
  otherShiftUuid: Type.Optional(
    nullable(
      Type.String({
        format: 'uuid',
        description: 'UUID of the work shift of another person that is wanted instead. Default: none, a handover.',
      }),
    ),
  ),
  toUserId: Type.Optional(
    nullable(
      rowNumber(
        'Id of the user to whom the shift is to be handed over, a staff member. Default: anybody who can work then.',
      ),
    ),
  ),
  ...inputsOf(swapFields),
});

/** Asks for a swap of a shift of the caller with that of another person, or to hand it over to one or to anybody. */
export const request = operation({
  name: 'swaps.request',
  roles: { staff: 'own' },
  scopes: ['staffing:write'],
  writes: true,
  ...repeatable,
  input: requestInput,
  run: (scope, { shiftUuid, otherShiftUuid = null, toUserId = null, message = null }) =>
    scope.transaction(async (tx) => {
      const [fromUserId, all, now] = [staffUserId(tx), allOf(tx), tx.clock()];
      if (otherShiftUuid && toUserId) throw invalid({ toUserId: ['must not be combined with otherShiftUuid'] });
      const events = await lockEvents(all.db, [], [], [shiftUuid, otherShiftUuid ?? shiftUuid]);
      const shift = await shiftOrNotFound(tx, shiftUuid);
      const other = otherShiftUuid === null ? null : await readShiftByUuid(all.db, otherShiftUuid);
      const starts = await readStarts(
        all.db,
        [shift, other].flatMap((each) => each?.id ?? []),
      );
      const isToCome = ({ id, eventId, status }: WorkShiftRow) =>
        status === 'active' && starts.get(id)! > now && eventOf({ eventId }, events).status === 'active';
      const isOption = (userId: number, shiftId: number | null) =>
        isSwapOption(all.db, { shift, now }, { userId, shiftId });
      if (otherShiftUuid !== null && !(other && (await isOption(other.userId, other.id))))
        throw invalid({ otherShiftUuid: ['must be the UUID of a shift in the swap options of this one'] });
      if (toUserId !== null && !(await isOption(toUserId, null)))
        throw invalid({ toUserId: ['must be the id of a colleague in the swap options of the shift'] });
      if (!isToCome(shift)) throw conflict('Only an active shift that is still to come can be swapped.');
      await refuseAttended(all, [shiftUuid, otherShiftUuid ?? shiftUuid]);
      if (await isUnderSwap(all.db, shift.id)) throw conflict('The work shift is under a swap already.');
      const ends = [...starts.values()].map((start) => start.getTime());
      const { id, uuid } = await tx.db.shiftSwap.create({
        data: {
          ...{
            businessId: tx.businessId,
            eventId: shift.eventId,
            workShiftId: shift.id,
            otherShiftId: other?.id ?? null,
          },
          ...{ fromUserId, toUserId: other?.userId ?? toUserId, message, expiresAt: new Date(Math.min(...ends)) },
          ...{ createdAt: now, modifiedAt: now },
        },
        select: { id: true, uuid: true },
      });
      tx.record({ kind: 'shiftSwap', id });
      return swapOrNotFound(tx, uuid);
    }),
});

const eventOf = ({ eventId }: Pick<WorkShiftRow, 'eventId'>, events: readonly StaffedEvent[]) =>
  events.find(({ id }) => id === eventId)!;

interface LockedSwap {
  readonly tx: Scope;
  readonly all: Scope;
  readonly swap: SwapRow;
  readonly events: readonly StaffedEvent[];
}

/** Changes a swap that the caller sees or can take, in one transaction that has locked the events of both shifts by id. */
function changeSwap(
  scope: Scope,
  { uuid, expectedVersions }: { uuid: string; expectedVersions?: readonly number[] | undefined },
  change: (locked: LockedSwap) => Promise<void>,
): Promise<SwapRow> {
  return scope.transaction(
    async (tx) => {
      const all = allOf(tx);
      const by = isAdmin(tx) ? null : { userId: staffUserId(tx), now: tx.clock() };
      if (by && !(await findSwapToTake(tx.db, uuid, by))) throw notFound('swap');
      const { workShiftUuid, otherShiftUuid } = await swapOrNotFound(all, uuid);
      const events = await lockEvents(all.db, [], [], [workShiftUuid, otherShiftUuid ?? workShiftUuid]);
      const swap = await swapOrNotFound(all, uuid);
      requireVersion(swap, expectedVersions);
      await change({ tx, all, swap, events });
      tx.record({ kind: 'shiftSwap', id: swap.id });
    },
    (tx) => swapOrNotFound(tx, uuid),
  );
}

/** Refuses a swap of shifts of which something is noted: they stay with their people. */
async function refuseAttended({ db }: Scope, shiftUuids: readonly string[]): Promise<void> {
  if ((await readAttendedPlans(db, { shiftUuids })).length > 0)
    throw conflict('Attendance of the shift is noted: it stays with its person.');
}

/** Refuses a change for which it is too late, or which does not fit the state. */
function requireMay({ state, expiresAt }: SwapRow, to: SwapState, now: Date): void {
  const isLate = swapTransitions[state].length > 0 && expiresAt <= now;
  if (isLate || !swapTransitions[state].includes(to)) throw closedFailure(isLate ? 'expired' : state, 'swap');
}

/** Takes a swap: the shifts change hands at once, unless an admin approves. A rule that is against it refuses it. */
export const take = operation({
  name: 'swaps.take',
  roles: { staff: 'own' },
  scopes: ['staffing:write'],
  writes: true,
  waitsInLine: true,
  input: target,
  run: (scope, input) =>
    changeSwap(scope, input, async ({ tx, all, swap, events }) => {
      const userId = staffUserId(tx);
      if (swap.fromUserId === userId) throw conflict('Somebody else has to take the swap that you ask for.');
      if (swap.toUserId === userId && (swap.state === 'taken' || swap.state === 'done')) return;
      requireMay(swap, 'taken', tx.clock());
      const taken = { tx, all, swap: { ...swap, state: 'taken', toUserId: userId } as const, events };
      const { approvesSwaps } = await readBusiness(all.db);
      const judged = await judge(taken, undefined);
      await changeSwaps(all, 'taken', { id: swap.id }, { toUserId: userId });
      if (!approvesSwaps) await complete(taken, judged);
    }),
});

/** Lets a swap that was taken take place. An admin can override rules. */
export const approve = operation({
  ...staffingEdit,
  name: 'swaps.approve',
  input: closedObject({ ...target.properties, override: Type.Optional(nullable(overrideInput)) }),
  run: (scope, { override, ...input }) =>
    changeSwap(scope, input, async (locked) => {
      if (locked.swap.state === 'done') return;
      requireMay(locked.swap, 'done', scope.clock());
      await complete(locked, await judge(locked, override));
    }),
});

/** A shift, and who gets it. */
interface Given {
  readonly shift: WorkShiftRow;
  readonly userId: number;
  /** Why the assignment stands although a rule is against it. */
  readonly overrideReason: string | null;
}

/** Judges the shifts of the new people as new assignments. Their events are locked, and the people are. */
async function judge(
  { all, swap, events }: LockedSwap,
  override: { reason: string } | null | undefined,
): Promise<Given[]> {
  const { fromUserId, toUserId, workShiftUuid, otherShiftUuid } = swap;
  const staff = await lockStaff(all.db, [fromUserId, toUserId!]);
  await refuseAttended(all, [workShiftUuid, otherShiftUuid ?? workShiftUuid]);
  if (staff.size < 2) throw conflict('A person of the swap is not a member of the staff any more.');
  const given = [
    { shift: await shiftOrNotFound(all, workShiftUuid), userId: toUserId! },
    ...(otherShiftUuid === null ? [] : [{ shift: await shiftOrNotFound(all, otherShiftUuid), userId: fromUserId }]),
  ];
  const wanted = given.map(({ shift, userId }) => {
    const { uuid, startsAt, endsAt, positionId, callTimeId } = shift;
    const event = eventOf(shift, events);
    requireTakesPlace(event);
    return { uuid, userId, startsAt, endsAt, positionId, callTimeId, event };
  });
  const { added, findClashing } = await findClashesAfter(all, wanted);
  const reason = requireReason(added, override);
  const clashing = await findClashing();
  const overfilled = await findOverfilled(
    all,
    given.map(({ shift }) => shift),
  );
  return given.map(({ shift, userId }) => {
    const { uuid, callTimeId, overrideReason } = shift;
    const kept = overfilled.has(callTimeId) ? overrideReason : null;
    return { shift, userId, overrideReason: clashing.has(uuid) ? reason : kept };
  });
}

/** Gives the shifts to their new people, confirmed and without an own rate. */
async function complete({ tx, all, swap }: LockedSwap, given: readonly Given[]): Promise<void> {
  const now = tx.clock();
  for (const { shift, userId, overrideReason } of given) {
    await writePlaces(tx, shift.eventId).workShift.update({
      where: { businessId_id: { businessId: tx.businessId, id: shift.id } },
      data: {
        ...{ userId, overrideReason, payRate: null, payUnit: null, confirmed: true, confirmedAt: now },
        ...{ dropRequestedAt: null, moveReason: null, modifiedAt: now },
      },
      select: { id: true },
    });
    tx.record({ kind: 'workShift', id: shift.id });
  }
  await changeSwaps(all, 'done', { id: swap.id });
}

/** Refuses a swap: an admin does not approve it, or the person who was asked, or took it, does not want it. */
export const refuse = operation({
  name: 'swaps.refuse',
  roles: adminAndStaff,
  scopes: ['staffing:write'],
  writes: true,
  input: closedObject({ ...target.properties, ...refuseFields }),
  run: (scope, { reason = null, ...input }) =>
    changeSwap(scope, input, async ({ tx, all, swap }) => {
      if (!isAdmin(tx) && swap.toUserId !== staffUserId(tx))
        throw forbidden('Only an admin, or the person who is asked or took it, can refuse a swap.');
      if (swap.state === 'refused') return;
      requireMay(swap, 'refused', tx.clock());
      await changeSwaps(all, 'refused', { id: swap.id }, { reason });
    }),
});

/** Takes back a swap. The person who asked can do it, or an admin for them. */
export const cancel = operation({
  name: 'swaps.cancel',
  roles: adminAndStaff,
  scopes: ['staffing:write'],
  writes: true,
  input: target,
  run: (scope, input) =>
    changeSwap(scope, input, async ({ tx, all, swap }) => {
      if (!isAdmin(tx) && swap.fromUserId !== staffUserId(tx))
        throw forbidden('Only the person who asked, or an admin, can cancel a swap.');
      if (swap.state === 'canceled') return;
      requireMay(swap, 'canceled', tx.clock());
      await changeSwaps(all, 'canceled', { id: swap.id });
    }),
});
