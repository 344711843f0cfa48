import type { Scope } from '../access/scope.ts';
import type { LoggedChange } from '../db/change-log.ts';
import {
  readEventAccess,
  readRowsOfEvents,
  readShiftIdsOfUser,
  readVisibleEventIds,
  type EventAccess,
} from '../db/changes.ts';
import type { TenantDb } from '../db/tenant.ts';
import { changeKinds, type ChangeKind, type ChangeOp } from '../fields/change-kinds.ts';
import { kindOfTable, mayReadKind, readRowsOfKind, type RowName } from './changes-rows.ts';

/** A changed row. `row` is the row as it is now; null unless `op` is `changed`. */
export interface ChangedRow extends RowName {
  readonly kind: ChangeKind;
  readonly op: ChangeOp;
  readonly row: object | null;
}

/** A row that the log names, with its changes; it has none if it is listed because its event came into sight. */
interface TouchedRow extends RowName {
  readonly kind: ChangeKind;
  readonly eventId: number | null;
  readonly changes: LoggedChange[];
}

/** Turns changes of the log into one entry a row: rows as they are now, parents first, then tombstones, children first. */
export async function toChangedRows(scope: Scope, changes: readonly LoggedChange[]): Promise<ChangedRow[]> {
  const touched = new Map<string, TouchedRow>();
  const touch = (row: TouchedRow) => {
    const known = touched.get(`${row.kind} ${row.id}`);
    if (known) known.changes.push(...row.changes);
    else touched.set(`${row.kind} ${row.id}`, row);
  };
  for (const change of changes) touch(touchedBy(change));
  const sight = await readSight(scope.db, changes, [...touched.values()]);
  for (const row of sight.mayAppear) touch(row);
  const ofKinds = await Promise.all(
    changeKinds
      .filter((kind) => mayReadKind(scope, kind))
      .map((kind) =>
        toEntries(
          scope,
          kind,
          [...touched.values()].filter((row) => row.kind === kind),
          sight,
        ),
      ),
  );
  return [
    ...ofKinds.flat().filter(({ op }) => op === 'changed'),
    ...ofKinds.toReversed().flatMap((entries) => entries.filter(({ op }) => op !== 'changed')),
  ];
}

function touchedBy(change: LoggedChange): TouchedRow {
  const { table, rowId, uuid, eventId } = change;
  const kind = kindOfTable[table];
  return table === 'custom_field_values'
    ? { kind, id: eventId!, uuid: null, eventId, changes: [change] }
    : { kind, id: rowId, uuid, eventId, changes: [change] };
}

/** What the log does not say about what a caller saw before and sees now. */
interface Sight {
  readonly events: ReadonlyMap<number, EventAccess>;
  /** Shifts of this staff member among the touched ones, visible or not. */
  readonly ownShiftIds: ReadonlySet<number>;
  /** Events that the caller may have begun or ceased to see with these changes. */
  readonly reconsidered: ReadonlySet<number>;
  /** Rows to be listed if they are visible, although the log does not name them. */
  readonly mayAppear: readonly TouchedRow[];
}

async function readSight(
  db: TenantDb,
  changes: readonly LoggedChange[],
  touched: readonly TouchedRow[],
): Promise<Sight> {
  const { $visibility } = db;
  const eventIds = [...new Set(touched.flatMap(({ eventId }) => eventId ?? []))];
  const shiftIds = touched.filter(({ kind }) => kind === 'workShift').map(({ id }) => id);
  const [events, own] = await Promise.all([
    eventIds.length === 0 ? [] : readEventAccess(db, eventIds),
    $visibility.of === 'staff' && shiftIds.length > 0 ? readShiftIdsOfUser(db, shiftIds, $visibility.userId) : [],
  ]);
  const known = { events: new Map(events.map((event) => [event.id, event])), ownShiftIds: new Set(own) };
  const reconsidered = new Set(
    changes.filter((change) => changesSight(db, change, known)).map(({ eventId }) => eventId!),
  );
  const rows = reconsidered.size === 0 ? [] : await readRowsOfEvents(db, [...reconsidered]);
  const people =
    $visibility.of === 'client' ? changes.flatMap(({ after }) => (after?.['user_id'] as number) ?? []) : [];
  return {
    ...known,
    reconsidered,
    mayAppear: [
      ...[...reconsidered].map((id) => ({ kind: 'event' as const, id, uuid: null, eventId: id, changes: [] })),
      ...rows.map((row) => ({ ...row, changes: [] })),
      // A client sees the people of their shifts.
      ...people.map((id) => ({ kind: 'user' as const, id, uuid: null, eventId: null, changes: [] })),
    ],
  };
}

/**
 * Whether the caller may have begun or ceased to see the event of a change with it. A restored event counts for admins too, because
 * its tombstone stood for all its rows.
 */
function changesSight(
  { $visibility }: TenantDb,
  { table, rowId, before, after }: LoggedChange,
  { events, ownShiftIds }: Pick<Sight, 'events' | 'ownShiftIds'>,
): boolean {
  const { of } = $visibility;
  if (table === 'events') {
    if (before?.['status'] === 'deleted') return true;
    if (of === 'business') return false;
    const isOfClient = [before, after].some(
      (values) => of === 'client' && values?.['client_id'] === $visibility.userId,
    );
    return isOfClient || (before?.['status'] !== undefined && events.get(rowId)?.isOwn === true);
  }
  if (table !== 'work_shifts' || of !== 'staff') return false;
  if (before?.['user_id'] === $visibility.userId) return true;
  return (
    ownShiftIds.has(rowId) && [before, after].some((values) => values && ('user_id' in values || 'status' in values))
  );
}

async function toEntries(
  scope: Scope,
  kind: ChangeKind,
  touched: readonly TouchedRow[],
  sight: Sight,
): Promise<ChangedRow[]> {
  if (touched.length === 0) return [];
  const rowOf = await readRowsOfKind(scope, kind, touched);
  const visibleEvents = new Set(
    kind === 'callTime' || kind === 'workShift'
      ? await readVisibleEventIds(scope.db, [...new Set(touched.flatMap(({ eventId }) => eventId ?? []))])
      : [],
  );
  return touched.flatMap((each): ChangedRow[] => {
    const row = rowOf(each);
    const isDeleted = wasDeleted(each, row);
    const uuid = each.uuid ?? sight.events.get(each.id)?.uuid ?? null;
    const names = { kind, id: each.id, uuid: kind === 'event' || each.uuid !== null ? uuid : null };
    if (row && !isDeleted) return [{ ...names, op: 'changed', row }];
    return row || wasVisible(scope.db, each, sight, visibleEvents)
      ? [{ ...names, op: isDeleted ? 'deleted' : 'left', row: null }]
      : [];
  });
}

/** Events and shifts are deleted by their status, users by a stamp, other rows for good. */
function wasDeleted({ kind, changes }: TouchedRow, row: object | null): boolean {
  if (row && 'status' in row) return row.status === 'deleted';
  const last = changes.findLast(
    ({ after }) => after?.['status'] !== undefined || after?.['deleted_at'] !== undefined,
  )?.after;
  if (kind === 'user') return (last?.['deleted_at'] ?? null) !== null;
  return last?.['status'] === 'deleted' || changes.some(({ change }) => change === 'delete');
}

/** Whether the caller may have seen a row that they do not see now. What was never theirs leaves no tombstone. */
function wasVisible(
  { $visibility }: TenantDb,
  { kind, id, eventId, changes }: TouchedRow,
  { reconsidered, ownShiftIds }: Sight,
  visibleEvents: ReadonlySet<number>,
): boolean {
  if ($visibility.of === 'business') return changes.length > 0;
  if ($visibility.of === 'screen') return false;
  switch (kind) {
    case 'position':
    case 'skillLevel':
      return changes.length > 0;
    case 'event':
      return reconsidered.has(id);
    // The tombstone of an event stands for its call times and shifts.
    case 'callTime':
      return visibleEvents.has(eventId!);
    case 'workShift':
      return $visibility.of === 'client'
        ? visibleEvents.has(eventId!)
        : ownShiftIds.has(id) || changes.some(({ before }) => before?.['user_id'] === $visibility.userId);
    default:
      return false;
  }
}
