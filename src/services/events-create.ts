import { randomUUID } from 'node:crypto';
import { addRuleFaults, type InputRule } from '../access/input-rules.ts';
import type { Capabilities, Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { holdUniqueResourceIds } from '../db/businesses.ts';
import { holdCatalogRows } from '../db/catalogs.ts';
import type { ClashRow } from '../db/clashes.ts';
import { findTakenResourceIds, readEventsByUuids } from '../db/events.ts';
import { writePlaces } from '../db/places.ts';
import { holdPositions } from '../db/positions.ts';
import { holdClients } from '../db/users.ts';
import { Failure, invalid, type FieldErrors } from '../errors.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { eventFields, type EventRow } from '../fields/events.ts';
import { toStored } from '../fields/field-list.ts';
import { compileJudge, hasErrors, refuseFaulty } from '../validation/compile.ts';
import { resourceIdTaken } from './businesses.ts';
import { describePersonClash } from './events-clashes.ts';
import { createEventInput, type CreateEventInput } from './events-input.ts';
import { isNear, outsideEvent } from './events-touch.ts';
import { resolveWallTime } from '../time/wall-clock.ts';
import { ownPay } from './pay.ts';
import { findPeriodFaults, resolvePeriod } from './periods.ts';
import { createClashFailure } from './staffing.ts';
import { advance, openBook, planShifts, storeShifts, unrefused, type Planned } from './work-shifts-assign-set.ts';
import { distinct, ifAny, judgePosition, judgeStaff, readNamedRows } from './work-shifts-rules.ts';

/* Stores new events with their call times and people: each event whole or not at all, and many in as many statements as one. */

const judge = compileJudge(createEventInput);

export type CreateOutcome = { readonly event: EventRow } | { readonly failure: Failure };

/** Counts the rows that an input asks for, which nothing has judged yet. */
export function countRows(input: unknown): number {
  const { callTimes } = (input ?? {}) as { callTimes?: unknown };
  return 1 + listOf(callTimes).reduce((sum: number, callTime) => sum + 1 + countPeople(callTime), 0);
}

/** Whether an input that nothing has judged yet assigns people. */
export function assignsPeople(input: unknown): boolean {
  const { callTimes } = (input ?? {}) as { callTimes?: unknown };
  return listOf(callTimes).some((callTime) => countPeople(callTime) > 0);
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const countPeople = (callTime: unknown): number =>
  listOf(((callTime ?? {}) as { people?: unknown } | null)?.people).length;

/** The rules that need no stored row. */
export const newEventRules: readonly InputRule<CreateEventInput>[] = [
  {
    over: ['startTime', 'endTime', 'timezone'],
    check: (_scope, { timezone, ...period }) => findPeriodFaults(period, timezone),
  },
  {
    over: ['callTimes', 'timezone'],
    check: (_scope, { callTimes = [], timezone }) => ({
      ...findTooManyPeople(callTimes),
      ...Object.assign(
        {},
        ...callTimes.map((callTime, at) => within(`callTimes.${at}`, findPeriodFaults(callTime, timezone))),
      ),
    }),
  },
];

/** The rule of the rows that call times and their people name. */
export const newChildrenRule: InputRule<CreateEventInput> = {
  over: ['callTimes'],
  check: async (scope, { callTimes = [] }) => {
    const people = callTimes.flatMap((callTime) => callTime.people ?? []);
    const { positionIds, staffIds } = await readNamedRows(scope, [...callTimes, ...people]);
    const levelIds = distinct(callTimes.map(({ skillLevelId }) => skillLevelId));
    const levels = new Set(await ifAny(levelIds, (ids) => holdCatalogRows(scope.db, 'SkillLevel', ids)));
    const errors: FieldErrors = {};
    for (const [at, callTime] of callTimes.entries()) {
      Object.assign(errors, findReferenceFaults(`callTimes.${at}`, callTime, positionIds, levels));
      for (const [place, { userId, positionId }] of (callTime.people ?? []).entries()) {
        const found: FieldErrors = {};
        judgeStaff(userId, staffIds, found);
        judgePosition(positionId ?? callTime.positionId, positionIds, found);
        Object.assign(errors, within(`callTimes.${at}.people.${place}`, found));
      }
    }
    return errors;
  },
};

function findReferenceFaults(
  path: string,
  { positionId, skillLevelId = null }: Pick<NewCallTimes[number], 'positionId' | 'skillLevelId'>,
  positions: { has: (id: number) => boolean },
  levels: ReadonlySet<number>,
): FieldErrors {
  const errors: FieldErrors = {};
  if (!positions.has(positionId)) errors[`${path}.positionId`] = ['must be the id of a position of this business'];
  if (skillLevelId !== null && !levels.has(skillLevelId))
    errors[`${path}.skillLevelId`] = ['must be the id of a skill level of this business'];
  return errors;
}

type NewCallTimes = NonNullable<CreateEventInput['callTimes']>;

function findTooManyPeople(callTimes: NewCallTimes): FieldErrors {
  const people = callTimes.reduce((sum, callTime) => sum + countPeople(callTime), 0);
  return people > limits.eventPeopleMax
    ? { callTimes: [`must have at most ${limits.eventPeopleMax} people together`] }
    : {};
}

const within = (path: string, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [`${path}.${field}`, texts]));

/** Judges inputs as that of a single event is judged, except that many wrong ones are not held against stored rows. */
export async function judgeEvents(
  scope: Scope,
  inputs: readonly unknown[],
  capabilities: Capabilities,
  rules = newEventRules,
): Promise<(CreateEventInput | Failure)[]> {
  const judged = inputs.map((sent) => ({ sent, verdict: judge(sent) }));
  for (const { sent, verdict } of judged)
    if (hasErrors(verdict.errors)) await addRuleFaults(rules, sent, verdict, [scope, capabilities]);
  return advance(judged, ({ sent, verdict }) => {
    refuseFaulty(verdict);
    return sent as CreateEventInput;
  });
}

/**
 * Stores new events as if each came after those before it. A refused one does not affect the others. What they point to is
 * locked in the order that db/staffing.ts sets; nobody else knows the new events yet.
 */
export async function createSet(tx: Scope, inputs: readonly (CreateEventInput | Failure)[]): Promise<CreateOutcome[]> {
  const drafts = await draftEvents(tx, inputs);
  const planned = await planPeople(tx, drafts);
  const settled = await settleEvents(tx, planned);
  return storeEvents(tx, settled);
}

/** Throws the failure of an outcome. */
export function oneEventOf(outcome: CreateOutcome | undefined): EventRow {
  if (outcome && 'event' in outcome) return outcome.event;
  throw outcome?.failure;
}

async function draftEvents(tx: Scope, inputs: readonly (CreateEventInput | Failure)[]) {
  const sent = unrefused(inputs);
  const callTimes = sent.flatMap((input) => input.callTimes ?? []);
  const clients = new Set(
    await ifAny(distinct(sent.map(({ clientId }) => clientId)), (ids) => holdClients(tx.db, ids)),
  );
  const held = await ifAny(distinct(callTimes.map(({ positionId }) => positionId)), (ids) => holdPositions(tx.db, ids));
  const positions = new Map(held.map((position) => [position.id, position]));
  const levelIds = distinct(callTimes.map(({ skillLevelId }) => skillLevelId));
  const levels = new Set(await ifAny(levelIds, (ids) => holdCatalogRows(tx.db, 'SkillLevel', ids)));
  const now = tx.clock();
  const stamps = { businessId: tx.businessId, createdAt: now, modifiedAt: now };
  const paid = new Map<object, object>();
  for (const { callTimes: listed = [], timezone } of sent)
    for (const callTime of listed) {
      const at = callTime.payUnit && resolveWallTime(callTime.startTime, timezone);
      if (at && 'at' in at && positions.has(callTime.positionId))
        paid.set(callTime, await ownPay(tx, { ...callTime, startsAt: at.at }));
    }
  // The rows have no numbers yet. Negative ones tell call times of the set from each other and from stored ones.
  let number = 0;
  return advance(inputs, ({ callTimes: listed = [], override, ...input }) => {
    const errors = findTooManyPeople(listed);
    const { clientId = null } = input;
    if (clientId !== null && !clients.has(clientId))
      errors['clientId'] = ['must be the id of a client of this business'];
    for (const [at, callTime] of listed.entries()) {
      const path = `callTimes.${at}`;
      Object.assign(errors, findReferenceFaults(path, callTime, positions, levels));
      Object.assign(errors, within(path, findPeriodFaults(callTime, input.timezone)));
    }
    const instants = resolvePeriod(input, input.timezone, errors);
    const row = { ...toStored(eventFields, input), ...instants, ...stamps, uuid: randomUUID() };
    const { status = 'active', title, timezone } = input;
    const days = { startDay: input.startTime.slice(0, 10), endDay: input.endTime.slice(0, 10) };
    const event = { id: --number, uuid: row.uuid, title, status, timezone, ...instants, ...days };
    return {
      row,
      event,
      override: override ?? null,
      callTimes: listed.map((listedOne) => {
        const { people = [], ...callTime } = listedOne;
        const times = resolvePeriod(callTime, timezone);
        const uuid = randomUUID();
        const payUnit = positions.get(callTime.positionId)?.payUnit ?? 'hour';
        return {
          row: {
            payUnit,
            ...toStored(callTimeFields, { ...callTime, ...paid.get(listedOne) }),
            ...times,
            ...stamps,
            uuid,
          },
          filled: { ...callTime, ...times, id: --number, uuid },
          people,
        };
      }),
    };
  });
}

type Draft = Exclude<Awaited<ReturnType<typeof draftEvents>>[number], Failure>;

interface PlannedEvent extends Draft {
  readonly shifts: readonly { readonly path: string; readonly shift: Planned }[];
}

/** Plans the shifts of all events together, and refuses an event with a wrong one. */
async function planPeople(tx: Scope, drafts: readonly (Draft | Failure)[]): Promise<(PlannedEvent | Failure)[]> {
  const aimed = unrefused(drafts).flatMap((draft) =>
    draft.callTimes.flatMap(({ filled, people }, at) =>
      people.map((person, place) => ({
        draft,
        path: `callTimes.${at}.people.${place}`,
        input: { ...person, override: draft.override },
        event: draft.event,
        callTime: filled,
      })),
    ),
  );
  const planned = await planShifts(tx, aimed);
  const placed = aimed.map(({ draft, path }, index) => ({ draft, path, shift: planned[index]! }));
  const ofDraft = new Map<Draft, typeof placed>(unrefused(drafts).map((draft) => [draft, []]));
  for (const each of placed) ofDraft.get(each.draft)!.push(each);
  return advance(drafts, (draft) => {
    const errors: FieldErrors = {};
    const shifts = ofDraft.get(draft)!.flatMap(({ path, shift }) => {
      if (!(shift instanceof Failure)) return { path, shift };
      Object.assign(errors, within(path, shift.errors ?? {}));
      return [];
    });
    if (hasErrors(errors)) throw invalid(errors);
    return { ...draft, shifts };
  });
}

interface SettledEvent extends PlannedEvent {
  /** Reason for the override of each shift and each call time that needs one. */
  readonly reasons: ReadonlyMap<object, string>;
}

/** Judges the resource ids and clashes of each event with what is stored, and with the events before it that are not refused. */
async function settleEvents(tx: Scope, all: readonly (PlannedEvent | Failure)[]): Promise<(SettledEvent | Failure)[]> {
  const resourceIds = distinct(unrefused(all).map(({ row }) => row.resourceId));
  const areUnique = resourceIds.length > 0 && (await holdUniqueResourceIds(tx.db));
  const taken = new Set(areUnique ? await findTakenResourceIds(tx.db, resourceIds) : []);
  const book = await openBook(
    tx,
    unrefused(all).flatMap(({ shifts }) => shifts.map(({ shift }) => shift)),
  );
  return advance(all, (planned) => {
    const { row, shifts, override } = planned;
    if (taken.has(row.resourceId ?? '')) throw resourceIdTaken();
    const clashes: FoundClashes[] = planned.callTimes.flatMap(({ filled }, at) => {
      const { startTimeTbd = false, endTimeTbd = false } = filled;
      if (isNear({ ...filled, startTimeTbd, endTimeTbd }, planned.event)) return [];
      return { path: `callTimes.${at}.startTime`, of: filled, found: [outsideEvent(filled)] };
    });
    for (const { path, shift } of shifts) {
      const found = book.findClashes(shift);
      if (found.length > 0) clashes.push({ path: `${path}.userId`, of: shift, found });
      book.add(shift);
    }
    if (clashes.length > 0 && !override) {
      for (const { shift } of shifts) book.remove(shift);
      throw refuseClashes(planned.event, clashes);
    }
    if (areUnique && row.resourceId) taken.add(row.resourceId);
    return { ...planned, reasons: new Map(clashes.map(({ of }) => [of, override?.reason ?? ''])) };
  });
}

interface FoundClashes {
  readonly path: string;
  /** The shift or call time that clashes. */
  readonly of: object;
  readonly found: readonly ClashRow[];
}

function refuseClashes({ uuid }: { uuid: string }, clashes: readonly FoundClashes[]): Failure {
  const isWithin = (clash: ClashRow) => 'eventUuid' in clash && clash.eventUuid === uuid;
  return createClashFailure(
    clashes
      .flatMap(({ found }) => found)
      .slice(0, limits.listedMax)
      // The event and what it brings are not stored, so nobody could look them up.
      .map((clash): ClashRow => {
        if (!('eventUuid' in clash)) return { ...clash, callTimeUuid: null };
        return isWithin(clash) ? { ...clash, shiftUuid: null, eventUuid: null } : clash;
      }),
    'The call times or their people break a rule. To store them anyway, send an override with a reason (`override_reason` in REST).',
    Object.fromEntries(
      clashes.map(({ path, found }) => [
        path,
        found.map((clash) =>
          isWithin(clash) && clash.kind !== 'SHORT_REST' ? 'would be booked twice at this event' : describeClash(clash),
        ),
      ]),
    ),
  );
}

function describeClash(clash: ClashRow): string {
  if (clash.kind === 'OUTSIDE_EVENT') return 'is beside the event, which it does not touch';
  return clash.kind === 'OVERFILLED'
    ? `would be one more than the ${clash.needed} that the call time needs`
    : describePersonClash(clash);
}

async function storeEvents(tx: Scope, all: readonly (SettledEvent | Failure)[]): Promise<CreateOutcome[]> {
  const named = { id: true, uuid: true } as const;
  const wanted = unrefused(all);
  // Another transaction can have taken a resource id meanwhile. Its event is left out, and so is what belongs to this one.
  const events = await ifAny(wanted, (those) =>
    writePlaces(tx).event.createManyAndReturn({
      data: those.map(({ row }) => row),
      skipDuplicates: true,
      select: named,
    }),
  );
  const eventIds = new Map(events.map(({ id, uuid }) => [uuid, id]));
  const made = wanted.filter(({ row }) => eventIds.has(row.uuid));
  const idOf = ({ uuid }: { uuid: string }) => eventIds.get(uuid)!;
  const rows = made.flatMap(({ event, callTimes, reasons }) =>
    callTimes.map(({ row, filled }) => ({
      ...row,
      eventId: idOf(event),
      overrideReason: reasons.get(filled) ?? null,
    })),
  );
  const callTimes = await ifAny(rows, (data) => writePlaces(tx).callTime.createManyAndReturn({ data, select: named }));
  const callTimeIds = new Map(callTimes.map(({ id, uuid }) => [uuid, id]));
  for (const { id } of events) tx.record({ kind: 'event', id });
  for (const { id } of callTimes) tx.record({ kind: 'callTime', id });
  // Nothing is offered yet at a new event.
  await storeShifts(
    { ...tx, unsettled: null },
    made.flatMap(({ shifts, reasons }) =>
      shifts.map(({ shift }) => ({
        ...shift,
        event: { ...shift.event, id: idOf(shift.event) },
        callTime: shift.callTime && { ...shift.callTime, id: callTimeIds.get(shift.callTime.uuid)! },
        overrideReason: reasons.get(shift) ?? null,
      })),
    ),
  );
  const stored = await ifAny([...eventIds.keys()], (uuids) => readEventsByUuids(tx.db, uuids));
  const byUuid = new Map(stored.map((event) => [event.uuid, event]));
  return all.map((one) => {
    if (one instanceof Failure) return { failure: one };
    const event = byUuid.get(one.row.uuid);
    return event ? { event } : { failure: resourceIdTaken() };
  });
}
