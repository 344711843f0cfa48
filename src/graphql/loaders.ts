import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { nullIfForbidden } from '../services/parts.ts';
import { shownFields } from './shown-fields.ts';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { mapPlainModels } from '../fields/catalogs.ts';
import type { RecipientRow } from '../fields/offers.ts';
import type { EventWithLists } from '../services/events-with-lists.ts';
import { groupBy } from '../paging/group-by.ts';
import * as attendance from '../services/attendance.ts';
import * as availability from '../services/availability.ts';
import * as businesses from '../services/businesses.ts';
import * as callTimes from '../services/call-times.ts';
import { plainOperations } from '../services/catalogs-plain.ts';
import * as coverage from '../services/coverage.ts';
import * as customFieldValues from '../services/custom-field-values.ts';
import * as events from '../services/events.ts';
import * as history from '../services/history.ts';
import * as labourCost from '../services/labour-cost.ts';
import * as nodes from '../services/nodes.ts';
import * as offers from '../services/offers.ts';
import { positions } from '../services/positions.ts';
import * as requirements from '../services/requirements.ts';
import * as userQualifications from '../services/user-qualifications.ts';
import * as swaps from '../services/swaps.ts';
import * as users from '../services/users.ts';
import * as webhookMessages from '../services/webhooks-messages.ts';
import * as workShifts from '../services/work-shifts.ts';

/** All DataLoaders of a request: a batch is one service call, which is one SQL statement. */
export const createLoaders = (scope: CallScope) => ({
  businessById: rowsById(async () => {
    const business = await nullIfForbidden(businesses.get(scope, {}));
    return business && [business];
  }),
  eventById: rowsById((eventIds) => events.getByIds(scope, { eventIds })),
  callTimeById: rowsById((callTimeIds) => callTimes.getByIds(scope, { callTimeIds })),
  userById: rowsById((userIds) => nullIfForbidden(users.getByIds(scope, { userIds }))),
  logInByUserId: rowsById((userIds) => nullIfForbidden(users.getLogIns(scope, { userIds }))),
  attendanceById: rowsById((ids) => nullIfForbidden(attendance.getByIds(scope, { ids }))),
  offerById: rowsById((ids) => nullIfForbidden(offers.getByIds(scope, { ids }))),
  recipientsOf: {
    offerId: recipientsOf(scope, 'offerId'),
    eventId: recipientsOf(scope, 'eventId'),
    callTimeId: recipientsOf(scope, 'callTimeId'),
  },
  swapsByEventId: lists('eventId', (eventIds) => nullIfForbidden(swaps.getByEvents(scope, { eventIds, atMostEach }))),
  attendanceByEventId: lists('eventId', (eventIds) =>
    nullIfForbidden(attendance.getByEvents(scope, { eventIds, atMostEach })),
  ),
  eventByUuid: rowsByUuid((uuids) => events.getByUuids(scope, { uuids })),
  workShiftByUuid: rowsByUuid((uuids) => workShifts.getByUuids(scope, { uuids })),
  availabilityByUserId: new DataLoader<number, availability.Availability | null>(async (userIds) => {
    const found = await nullIfForbidden(availability.getByUsers(scope, { userIds: [...userIds] }));
    return found ?? userIds.map(() => null);
  }),
  positionById: rowsById((ids) => positions.getByIds(scope, { ids })),
  plainRowById: mapPlainModels(({ model }) => rowsById((ids) => plainOperations[model].getByIds(scope, { ids }))),
  nodeByGlobalId: new DataLoader<string, nodes.AnyNode | null>((ids) => nodes.getByIds(scope, { ids: [...ids] }), {
    maxBatchSize: limits.namedItemsMax,
  }),
  callTimesByEventId: showing((info) => {
    const { CallTime: fields } = shownFields(info);
    return lists('eventId', (eventIds) => callTimes.getByEvents(scope, { eventIds, atMostEach, fields }));
  }),
  workShiftsByEventId: showing((info) => {
    const { WorkShift: fields } = shownFields(info);
    return lists('eventId', (eventIds) => workShifts.getByEvents(scope, { eventIds, atMostEach, fields }));
  }),
  customFieldsByEventId: lists('eventId', (eventIds) =>
    nullIfForbidden(customFieldValues.getByEvents(scope, { eventIds, atMostEach })),
  ),
  workShiftsByCallTimeId: lists('callTimeId', (ids) =>
    workShifts.getByParents(scope, { parent: 'callTimeId', ids, atMostEach }),
  ),
  workShiftsByUserId: lists('userId', (ids) => workShifts.getByParents(scope, { parent: 'userId', ids, atMostEach })),
  callTimePagesByEventId: pages((eventIds, page: Asked<typeof callTimes.getPagesByEvents>) =>
    callTimes.getPagesByEvents(scope, { eventIds, ...page }),
  ),
  customFieldPagesByEventId: pages((eventIds, page: Asked<typeof customFieldValues.getPagesByEvents>) =>
    nullIfForbidden(customFieldValues.getPagesByEvents(scope, { eventIds, ...page })),
  ),
  workShiftPagesByEventId: pages((ids, page: Asked<typeof workShifts.getPagesByParents>) =>
    workShifts.getPagesByParents(scope, { parent: 'eventId', ids, ...page }),
  ),
  workShiftPagesByCallTimeId: pages((ids, page: Asked<typeof workShifts.getPagesByParents>) =>
    workShifts.getPagesByParents(scope, { parent: 'callTimeId', ids, ...page }),
  ),
  workShiftPagesByUserId: pages((ids, page: Asked<typeof workShifts.getPagesByParents>) =>
    workShifts.getPagesByParents(scope, { parent: 'userId', ids, ...page }),
  ),
  messagePagesByWebhookId: pages((ids, page: Asked<typeof webhookMessages.getPagesByWebhooks>) =>
    nullIfForbidden(webhookMessages.getPagesByWebhooks(scope, { ids, ...page })),
  ),
  attemptsByMessageId: new DataLoader((messageIds: readonly bigint[]) =>
    webhookMessages.getAttemptsByMessages(scope, { messageIds: [...messageIds] }),
  ),
  historyPagesByEventId: pages((ids, page: Asked<typeof history.getPagesByParents>) =>
    nullIfForbidden(history.getPagesByParents(scope, { parent: 'eventId', ids, ...page })),
  ),
  historyPagesByShiftId: pages((ids, page: Asked<typeof history.getPagesByParents>) =>
    nullIfForbidden(history.getPagesByParents(scope, { parent: 'workShiftId', ids, ...page })),
  ),
  requirementsByCallTimeId: lists('callTimeId', (callTimeIds) =>
    nullIfForbidden(requirements.getByCallTimes(scope, { callTimeIds })),
  ),
  qualificationsByUserId: lists('userId', (userIds) =>
    nullIfForbidden(userQualifications.getByUsers(scope, { userIds })),
  ),
  coverageByEventId: rowsById((eventIds) => nullIfForbidden(coverage.getByEvents(scope, { eventIds }))),
  coverageByCallTimeId: rowsById((callTimeIds) => nullIfForbidden(coverage.getByCallTimes(scope, { callTimeIds }))),
  labourCostByEventId: rowsById((eventIds) => nullIfForbidden(labourCost.getByEvents(scope, { eventIds }))),
  labourCostByCallTimeId: rowsById((callTimeIds) => nullIfForbidden(labourCost.getByCallTimes(scope, { callTimeIds }))),
});

export type Loaders = ReturnType<typeof createLoaders>;

/** Rows that are read of a plain list: one more than it may have, which shows that it has too many. */
export const atMostEach = limits.wholeListMax + 1;

/** Makes a loader when it is first asked for. Its rows have the fields that the operation shows. */
const showing = <Loader>(make: (info: GraphQLResolveInfo) => Loader) => {
  let loader: Loader | undefined;
  return (info: GraphQLResolveInfo): Loader => (loader ??= make(info));
};

/**
 * Makes a loader of plain lists: a batch reads the lists of many parents. Only a list that is too long gets an error.
 */
const lists = <Parent extends string, Row extends Readonly<Record<Parent, number | null>>>(
  parent: Parent,
  load: (ids: number[]) => Promise<Row[] | null>,
) =>
  new DataLoader<number, Row[] | null>(async (ids) => {
    const rows = await load([...ids]);
    if (rows === null) return ids.map(() => null);
    const listOf = groupBy(parent, rows);
    return ids.map((id) => shortEnough(listOf(id)));
  });

const shortEnough = <Row>(rows: Row[]): Row[] | Failure => (rows.length < atMostEach ? rows : tooLong());

const tooLong = () =>
  new Failure(
    'BAD_REQUEST',
    `The list has more than ${limits.wholeListMax} items: read it page by page, through the connection of its name.`,
  );

/** Hands the loaders the lists that were read with their event. Those that were not read are undefined. */
export function primeLists(loaders: Loaders, info: GraphQLResolveInfo, { event, ...read }: EventWithLists): void {
  if (read.callTimes) loaders.callTimesByEventId(info).prime(event.id, shortEnough(read.callTimes));
  if (read.workShifts) loaders.workShiftsByEventId(info).prime(event.id, shortEnough(read.workShifts));
  if (read.customFields !== undefined)
    loaders.customFieldsByEventId.prime(event.id, read.customFields && shortEnough(read.customFields));
}

/** Arguments of a page of a nested list. */
type Asked<Read> = Read extends (scope: CallScope, input: infer Input) => unknown
  ? Pick<Input, Extract<keyof Input, 'filter' | 'sort' | 'page' | 'perPage' | 'first' | 'after' | 'last' | 'before'>>
  : never;

/**
 * Makes loaders of pages: there is one loader for each distinct page, and its batch reads this page of many parents'
 * lists.
 */
const pages = <Ask, Shown>(load: (ids: number[], asked: Ask) => Promise<Shown[] | null>) => {
  const loaders = new Map<string, DataLoader<number, Shown | null>>();
  return (asked: Ask) => {
    const key = JSON.stringify(asked);
    const known = loaders.get(key);
    if (known) return known;
    const loader = new DataLoader<number, Shown | null>(async (ids) => {
      return (await load([...ids], asked)) ?? ids.map(() => null);
    });
    loaders.set(key, loader);
    return loader;
  };
};

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it keeps the names of the parents.
const recipientsOf = <Parent extends 'offerId' | 'eventId' | 'callTimeId'>(scope: CallScope, parent: Parent) =>
  lists<Parent, RecipientRow>(parent, (ids) =>
    nullIfForbidden(offers.getRecipientsByParents(scope, { parent, ids, atMostEach })),
  );

/** Makes a loader of rows by UUID. One without a row gives null. */
const rowsByUuid = <Row extends { uuid: string }>(load: (uuids: string[]) => Promise<Row[]>) =>
  new DataLoader<string, Row | null>(async (uuids) => {
    const rows = new Map((await load([...uuids])).map((row) => [row.uuid, row]));
    return uuids.map((uuid) => rows.get(uuid) ?? null);
  });

/** Makes a loader of rows by id. An id without a row gives null. */
const rowsById = <Row extends { id: number }>(load: (ids: number[]) => Promise<Row[] | null>) =>
  new DataLoader<number, Row | null>(async (ids) => {
    const rows = new Map(((await load([...ids])) ?? []).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id) ?? null);
  });
