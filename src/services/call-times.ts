import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import { operation, variantOf } from '../access/operation.ts';
import { commonRead, eventEdit, repeatable } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import {
  callTimeByUuid,
  callTimeCursorOrder,
  countCallTimeList,
  countCallTimes,
  readCallTimePage,
  readCallTimeSlices,
  readCallTimesByIds,
  readCallTimesByUuids,
  readCallTimesOfEvents,
  type CallTimeFilter,
} from '../db/call-times.ts';
import { eventByUuid } from '../db/events.ts';
import { writePlaces } from '../db/places.ts';
import type { StaffedEvent } from '../db/staffing.ts';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { toStored } from '../fields/field-list.ts';
import { lockCatalogRow } from '../db/catalogs.ts';
import { holdPositions } from '../db/positions.ts';
import { Failure, notFound, type FieldErrors } from '../errors.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage, readPagesByParent } from '../paging/pages.ts';
import { closedObject, optionalFields, rowNumber } from '../validation/schemas.ts';
import { watchAttended, withReworked, type WithReworked } from './attendance-plan.ts';
import { callTimeChanges, callTimeInput, callTimeParams } from './call-times-input.ts';
import { callTimeIdsInput, eventIdsInput, rowsOfEventsInput, uuidsInput } from './events-input.ts';
import { takeToPosition } from './call-times-people.ts';
import { eventOrNotFound } from './events.ts';
import { isNear, outsideEvent } from './events-touch.ts';
import { changeStates } from './offers-states.ts';
import { ownPay, withoutShown, type SentPay } from './pay.ts';
import { findPeriodFaults, resolvePeriod, type Instants } from './periods.ts';
import { findRequirementFaults, setRequirements } from './requirements.ts';
import { countAssigned, lockEventToStaff, createClashFailure, requireTakesPlace } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import { sortByStart, startFilter } from './work-shifts.ts';

export const getByEvents = operation({
  ...commonRead,
  name: 'callTimes.ofEvents',
  input: rowsOfEventsInput,
  run: (scope, { eventIds, atMostEach, fields }) =>
    readCallTimesOfEvents(scope.db, eventIds, { atMostEach, shown: fields }),
});

/** How many call times each of many events has, in one statement. */
export const countByEvents = variantOf(getByEvents, {
  input: eventIdsInput,
  run: (scope, { eventIds }) => countCallTimes(scope.db, eventIds),
});

/** The call times of these ids that the caller may see, in any order, in one statement. */
export const getByIds = operation({
  ...commonRead,
  name: 'callTimes.ofIds',
  input: callTimeIdsInput,
  run: (scope, { callTimeIds }) => readCallTimesByIds(scope.db, callTimeIds),
});

type References = Pick<Static<typeof callTimeChanges>, 'positionId' | 'skillLevelId' | 'requirements'>;

const referenceRule: InputRule<References> = {
  over: ['positionId', 'skillLevelId', 'requirements'],
  check: async (scope, references) => {
    const errors: FieldErrors = {};
    await checkReferences(scope, references, errors);
    return errors;
  },
};

export const getByUuids = variantOf(getByIds, {
  input: uuidsInput,
  run: (scope, { uuids }) => readCallTimesByUuids(scope.db, uuids),
});

/** Reads one call time of an event that the caller may see. */
export const get = operation({
  ...commonRead,
  name: 'callTimes.get',
  input: callTimeParams,
  run: (scope, { uuid }) => callTimeOrNotFound(scope, uuid),
});

export const create = operation({
  ...eventEdit,
  ...repeatable,
  name: 'callTimes.create',
  input: callTimeInput,
  rules: [
    referenceRule,
    {
      over: ['eventUuid', 'startTime', 'endTime'],
      check: async (scope, { eventUuid, ...period }) => {
        const event = await eventByUuid(scope.db, eventUuid);
        return event ? findPeriodFaults(period, event.timezone) : {};
      },
    },
  ],
  run: (scope, { eventUuid, ...input }) =>
    scope.transaction(async (tx) => createOne(tx, await lockEventToStaff(tx, { event: eventUuid }), input)),
});

/** Adds a call time to an event that is locked. */
export async function createOne(
  tx: Scope,
  event: StaffedEvent,
  { override, requirements = [], ...input }: Omit<Static<typeof callTimeInput>, 'eventUuid'>,
): Promise<CallTimeRow> {
  requireTakesPlace(event);
  const errors: FieldErrors = {};
  const position = await checkReferences(tx, { ...input, requirements }, errors);
  const instants = resolvePeriod(input, event.timezone, errors);
  const overrideReason = judgePlace({ uuid: randomUUID(), ...input, ...instants }, event, override);
  const pay = await ownPay(tx, { ...input, ...instants });
  const now = tx.clock();
  const { id, uuid } = await writePlaces(tx).callTime.create({
    data: {
      payUnit: position?.payUnit ?? 'hour',
      ...toStored(callTimeFields, { ...input, ...pay }),
      businessId: tx.businessId,
      eventId: event.id,
      ...instants,
      overrideReason,
      createdAt: now,
      modifiedAt: now,
    },
    select: { id: true, uuid: true },
  });
  await setRequirements(tx, { callTimeId: id, eventId: event.id }, requirements);
  tx.record({ kind: 'callTime', id });
  return callTimeOrNotFound(tx, uuid);
}

const changeInput = closedObject({ ...callTimeParams.properties, ...versionInput, ...callTimeChanges.properties });

/** Changes only the fields that were sent. Shifts on the call time keep their own times and pay rate, and follow its position. */
export const update = operation({
  ...eventEdit,
  name: 'callTimes.update',
  input: changeInput,
  rules: [
    referenceRule,
    {
      over: ['uuid', 'startTime', 'endTime'],
      check: async (scope, { uuid, ...changes }) => {
        const callTime = await callTimeByUuid(scope.db, uuid);
        if (!callTime) return {};
        const { startTime = callTime.startTime, endTime = callTime.endTime } = changes;
        return findPeriodFaults({ startTime, endTime }, callTime.timezone);
      },
    },
  ],
  run: (scope, input) =>
    scope.transaction(async (tx) => updateOne(tx, await lockEventToStaff(tx, { callTime: input.uuid }), input)),
});

/** Changes a call time of an event that is locked. */
export async function updateOne(
  tx: Scope,
  event: StaffedEvent,
  { uuid, expectedVersions, allowOverfill = false, override, ...changes }: Static<typeof changeInput>,
): Promise<WithReworked<CallTimeRow>> {
  const callTime = await callTimeOfEvent(tx, event, uuid);
  requireVersion(callTime, expectedVersions);
  if (Object.values(changes).every((value) => value === undefined)) return callTime;
  requireTakesPlace(event);
  const attended = await watchAttended(tx, { callTimeId: callTime.id }, override);

  const errors: FieldErrors = {};
  await checkReferences(tx, changes, errors);
  const { startTime = callTime.startTime, endTime = callTime.endTime } = changes;
  const instants = resolvePeriod({ startTime, endTime }, event.timezone, errors);
  const { startTimeTbd = callTime.startTimeTbd, endTimeTbd = callTime.endTimeTbd } = changes;
  const next = { uuid, startTime, endTime, startTimeTbd, endTimeTbd, ...instants };
  const isOutside = !isNear(callTime, event) && !isNear(next, event);
  const overrideReason = isOutside ? (override?.reason ?? callTime.overrideReason) : judgePlace(next, event, override);
  if (!allowOverfill) await requireRoom(tx, callTime, changes.staffNeeded);
  const { payRate, payUnit, positionId = callTime.positionId, requirements, ...others } = changes;
  const required =
    requirements && (await setRequirements(tx, { callTimeId: callTime.id, eventId: event.id }, requirements));
  const pay = await changedPay(tx, { ...callTime, ...instants, positionId }, { payRate, payUnit });
  await takeToPosition(tx, event, callTime, { positionId, override });
  await writePlaces(tx, event.id).callTime.update({
    where: { businessId_uuid: { businessId: tx.businessId, uuid } },
    data: {
      ...toStored(callTimeFields, { ...others, positionId, ...pay }),
      ...instants,
      ...required,
      overrideReason,
      modifiedAt: tx.clock(),
    },
    select: { id: true },
  });
  tx.record({ kind: 'callTime', id: callTime.id });
  const reworked = await attended.settle();
  return withReworked(await callTimeOrNotFound(tx, uuid), reworked);
}

const removeInput = closedObject({ ...callTimeParams.properties, ...versionInput });

/**
 * Deletes a call time. It is refused while active shifts point to the call time; other shifts stay as history without
 * it. Returns the deleted row.
 */
export const remove = operation({
  ...eventEdit,
  name: 'callTimes.delete',
  input: removeInput,
  run: (scope, input) =>
    scope.transaction(async (tx) => removeOne(tx, await lockEventToStaff(tx, { callTime: input.uuid }), input)),
});

/** Deletes a call time of an event that is locked. */
export async function removeOne(
  tx: Scope,
  event: StaffedEvent,
  { uuid, expectedVersions }: Static<typeof removeInput>,
): Promise<CallTimeRow> {
  const callTime = await callTimeOfEvent(tx, event, uuid);
  requireVersion(callTime, expectedVersions);
  const activeShifts = await countAssigned(tx, callTime.id);
  if (activeShifts > 0)
    throw new Failure('CONFLICT', `The call time has active shifts (${activeShifts}): cancel or move them first.`, {
      details: { activeShifts },
    });
  const place = { eventId: event.id, callTimeId: callTime.id };
  await changeStates(tx, 'withdrawn', place, { reason: 'The call time was deleted.' });
  await writePlaces(tx, event.id).workShift.updateMany({
    where: { callTimeId: callTime.id },
    data: { callTimeId: null, modifiedAt: tx.clock() },
  });
  await writePlaces(tx, event.id).callTime.delete({
    where: { businessId_uuid: { businessId: tx.businessId, uuid } },
    select: { id: true },
  });
  tx.record({ kind: 'callTime', id: callTime.id });
  return callTime;
}

/** The own pay that a change gives to a call time: none where it sends what the call time shows already. */
async function changedPay(tx: Scope, callTime: CallTimeRow, sent: SentPay) {
  const { payRate, payUnit } = withoutShown(callTime, sent);
  if (payRate === undefined && payUnit === undefined) return {};
  if (payRate === null) return ownPay(tx, { ...callTime, payRate, payUnit });
  return { payRate: payRate ?? callTime.payRate, payUnit: payUnit ?? callTime.payUnit };
}

async function callTimeOrNotFound({ db }: Scope, uuid: string): Promise<CallTimeRow> {
  const callTime = await callTimeByUuid(db, uuid);
  if (!callTime) throw notFound('call time');
  return callTime;
}

async function callTimeOfEvent(tx: Scope, { id }: StaffedEvent, uuid: string): Promise<CallTimeRow> {
  const callTime = await callTimeOrNotFound(tx, uuid);
  if (callTime.eventId !== id) throw notFound('call time');
  return callTime;
}

/**
 * Refuses a call time on another day than its event, which it does not touch, unless the caller gives a reason. Returns the
 * reason to be stored; null where none is needed.
 */
function judgePlace(
  callTime: NewSpan,
  event: StaffedEvent,
  override: { reason: string } | null | undefined,
): string | null {
  const { startTimeTbd = false, endTimeTbd = false } = callTime;
  if (isNear({ ...callTime, startTimeTbd, endTimeTbd }, event)) return null;
  if (override) return override.reason;
  throw createClashFailure(
    [outsideEvent(callTime)],
    'The call time does not touch its event. To keep it there anyway, send an override with a reason (`override_reason` in REST).',
    {
      startTime: [
        `is beside the event, which is from ${event.startsAt.toISOString()} to ${event.endsAt.toISOString()}`,
      ],
    },
  );
}

type NewSpan = Instants & { uuid: string; startTime: string; endTime: string } & {
  startTimeTbd?: boolean | undefined;
  endTimeTbd?: boolean | undefined;
};

async function requireRoom(tx: Scope, { id, uuid, staffNeeded }: CallTimeRow, needed = staffNeeded): Promise<void> {
  if (needed >= staffNeeded) return;
  const assigned = await countAssigned(tx, id);
  if (assigned > needed)
    throw createClashFailure(
      [{ kind: 'OVERFILLED', callTimeUuid: uuid, needed, assigned }],
      'More staff are assigned than would be needed. It can be done with `allowOverfill`.',
    );
}

/**
 * Collects the errors of the ids that were sent, and returns the position. A row of another business gets the same
 * error as one that does not exist.
 */
async function checkReferences(tx: Scope, { positionId, skillLevelId, requirements }: References, errors: FieldErrors) {
  Object.assign(errors, await findRequirementFaults(tx, requirements));
  const [position] = positionId === undefined ? [] : await holdPositions(tx.db, [positionId]);
  if (positionId !== undefined && !position) errors['positionId'] = ['must be the id of a position of this business'];
  if (
    skillLevelId !== undefined &&
    skillLevelId !== null &&
    !(await lockCatalogRow(tx.db, 'SkillLevel', skillLevelId, 'toPointTo'))
  )
    errors['skillLevelId'] = ['must be the id of a skill level of this business'];
  return position;
}

export const callTimeFilter = optionalFields({
  ...startFilter('call times'),
  unfilled: Type.Boolean({
    description: 'Lists only call times of `ACTIVE` and `DRAFT` events that still lack people, or only the others.',
  }),
  positionId: rowNumber('Lists only call times of the position with this id.'),
  skillLevelId: rowNumber('Lists only call times that ask for the skill level with this id.'),
});

/** Reads one page of call times for each of many events, in one statement. */
export const getPagesByEvents = operation({
  ...commonRead,
  name: 'callTimes.pagesOfEvents',
  input: closedObject({
    ...eventIdsInput.properties,
    filter: Type.Optional(callTimeFilter),
    ...pageInput(),
  }),
  rules: [pageRule],
  run: async (scope, { eventIds, filter: asked = {}, ...request }) => {
    const filter = await findFilteredEvent(scope, asked);
    return readPagesByParent(scope, request, eventIds, (window) =>
      readCallTimeSlices(scope.db, eventIds, filter, window),
    );
  },
});

/** Reads one page of all call times that the caller may see, by start. */
export const list = variantOf(getPagesByEvents, {
  input: closedObject({ filter: Type.Optional(callTimeFilter), sort: Type.Optional(sortByStart), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { filter: asked = {}, sort = {}, ...request }) => {
    const { order = 'asc' } = sort;
    const filter = await findFilteredEvent(scope, asked);
    return readPage(scope, request, {
      order: callTimeCursorOrder(order),
      rows: (window) => readCallTimePage(scope.db, filter, window, order),
      count: () => countCallTimeList(scope.db, filter),
    });
  },
});

async function findFilteredEvent(
  scope: Scope,
  { eventUuid, ...filter }: Static<typeof callTimeFilter>,
): Promise<CallTimeFilter> {
  const event = eventUuid === undefined ? undefined : await eventOrNotFound(scope, eventUuid);
  return { ...(filter as CallTimeFilter), ...(event && { eventId: event.id }) };
}
