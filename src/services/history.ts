import Type, { type Static } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import {
  countHistory,
  countHistoryOfParents,
  findRowWithHistory,
  historyCursorOrder,
  readHistoryOfParents,
  readHistoryPage,
  type HistoryFilter,
  type HistoryRow,
} from '../db/history.ts';
import { historyActorNames, historyKindNames, type HistoryEntry } from '../fields/history.ts';
import { invalid, notFound, type FieldErrors } from '../errors.ts';
import { memoize } from '../memoize.ts';
import { groupBy } from '../paging/group-by.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage, readPagesByParent, type ListPage, type PageRequest } from '../paging/pages.ts';
import { closedObject, idOf, instant, oneOf, optionalFields, rowNumber, text } from '../validation/schemas.ts';
import { eventParams } from './events-input.ts';
import { toHistoryEntries } from './history-entries.ts';
import { shiftParams } from './work-shifts-input.ts';

const uuid = (description: string) => Type.String({ format: 'uuid', description });

export const historyFilter = optionalFields({
  eventUuid: uuid('Lists only changes of the event with this UUID, its call times, shifts and custom field values.'),
  kind: oneOf(historyKindNames, 'Lists only changes of rows of this kind.'),
  rowUuid: uuid('Lists only changes of the row with this UUID, such as that of a work shift.'),
  rowId: rowNumber('Lists only changes of the row with this id, such as that of a user; needs the kind.'),
  actorKind: oneOf(historyActorNames, 'Lists only changes that such callers made.'),
  actorId: rowNumber('Lists only changes by the user or API key with this id.'),
  operation: text(limits.labelChars, {
    description: 'Lists only changes by this operation, such as `workShifts.update`.',
  }),
  from: instant('Lists only changes of then or later.'),
  to: instant('Lists only changes before.'),
});

type Filter = Static<typeof historyFilter>;

/** Reads one page of the history of the business, newest first. It outlives the rows that it tells of. */
export const list = operation({
  name: 'history.list',
  roles: admin,
  scopes: ['full'],
  input: closedObject({ filter: Type.Optional(historyFilter), ...pageInput() }),
  rules: [{ over: ['filter'], check: (_scope, { filter }) => findFilterFaults(filter) }, pageRule],
  run: async (scope, { filter = {}, ...request }) => {
    const errors = findFilterFaults(filter);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return readEntries(scope, await toStoredFilter(scope, filter), request);
  },
});

function findFilterFaults({ kind, rowId }: Filter = {}): FieldErrors {
  return rowId !== undefined && kind === undefined ? { 'filter.rowId': ['needs the kind of the row'] } : {};
}

/** No row has this id. */
const noRow = 0;

async function toStoredFilter({ db }: Scope, { eventUuid, ...others }: Filter): Promise<HistoryFilter> {
  return {
    ...others,
    ...(eventUuid !== undefined && { eventId: (await findRowWithHistory(db, 'events', eventUuid)) ?? noRow }),
  };
}

/** Reads one page of the history of an event, its call times, shifts and custom field values. */
export const listByEvent = variantOf(list, {
  input: closedObject({ ...eventParams.properties, ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { uuid: eventUuid, ...request }) => {
    const eventId = await findRowWithHistory(scope.db, 'events', eventUuid);
    if (eventId === null) throw notFound('event');
    return readEntries(scope, { eventId }, request);
  },
});

export const listByShift = variantOf(list, {
  input: closedObject({ ...shiftParams.properties, ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { uuid: shiftUuid, ...request }) => {
    if ((await findRowWithHistory(scope.db, 'work_shifts', shiftUuid)) === null) throw notFound('work shift');
    // Its attendance has the same UUID.
    return readEntries(scope, { rowUuid: shiftUuid }, request);
  },
});

async function readEntries({ db, pageRowsMax }: Scope, filter: HistoryFilter, request: PageRequest) {
  const page = await readPage({ pageRowsMax }, request, {
    order: historyCursorOrder,
    rows: (window) => readHistoryPage(db, filter, window),
    count: () => countHistory(db, filter),
  });
  return toEntryPage(page, await toHistoryEntries(db, page.rows));
}

/** A page of entries. Their cursors are those of the rows that they are made of. */
function toEntryPage<Row extends HistoryRow>(
  { rows, cursorOf, ...page }: ListPage<Row>,
  toEntry: (row: Row) => HistoryEntry,
): ListPage<HistoryEntry> {
  return { ...page, rows: rows.map(toEntry), cursorOf: (_entry, index) => cursorOf(rows[index]!, index) };
}

/** Reads the same page of the history of each of many events or shifts, in two statements. */
export const getPagesByParents = operation({
  name: 'history.pagesOf',
  roles: admin,
  scopes: ['full'],
  // The log is written in the transaction that raises the data version.
  replica: 'snapshot',
  isPart: true,
  input: closedObject({ parent: oneOf(['eventId', 'workShiftId']), ids: Type.Array(idOf('parent')), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { parent, ids, ...request }) => {
    const { db } = scope;
    const read: HistoryRow[] = [];
    const pages = await readPagesByParent(
      scope,
      request,
      ids,
      async (window) => {
        const rows = await readHistoryOfParents(db, parent, ids, window);
        read.push(...rows);
        const rowsOf = groupBy('parentId', rows);
        const counts = memoize(() => countHistoryOfParents(db, parent, ids));
        return (id) => ({ rows: rowsOf(id), total: async () => (await counts()).get(id) ?? 0 });
      },
      historyCursorOrder,
    );
    const toEntry = await toHistoryEntries(db, read);
    return pages.map((page) => toEntryPage(page, toEntry));
  },
});
