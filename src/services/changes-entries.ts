import type { Scope } from '../access/scope.ts';
import type { LoggedChange } from '../db/change-log.ts';
import { readRowsOfEvents, readVisibleEventIds } from '../db/changes.ts';
import type { TenantDb } from '../db/tenant.ts';
import { mapPlainKinds } from '../fields/catalogs.ts';
import { changeKindNames, type ChangeKind, type ChangeOp } from '../fields/change-kinds.ts';
import { kindOf, mayReadKind, readRowsOfKind, type RowName } from './changes-rows.ts';
import { readSight, type Sight } from './changes-sight.ts';

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
  // Requirements change together with the row of their position or call time, which the log has as well.
  for (const change of changes.filter(({ table }) => table !== 'requirements')) touch(touchedBy(change));
  const eventIds = [...new Set(changes.flatMap(({ eventId }) => eventId ?? []))];
  const sight = await readSight(scope.db, changes, eventIds);
  for (const row of await listAppeared(scope.db, changes, sight)) touch(row);
  const ofKinds: ChangedRow[][] = [];
  for (const kind of changeKindNames.filter((each) => mayReadKind(scope, each))) {
    const rows = [...touched.values()].filter((row) => row.kind === kind);
    ofKinds.push(await toEntries(scope, kind, rows, sight));
  }
  return [
    ...ofKinds.flat().filter(({ op }) => op === 'changed'),
    ...ofKinds.toReversed().flatMap((entries) => entries.filter(({ op }) => op !== 'changed')),
  ];
}

function touchedBy(change: LoggedChange): TouchedRow {
  const { table, rowId, uuid, eventId } = change;
  const kind = kindOf(table);
  return table === 'custom_field_values'
    ? { kind, id: eventId!, uuid: null, eventId, changes: [change] }
    : { kind, id: rowId, uuid, eventId, changes: [change] };
}

/** Rows to be listed if they are visible, although the log does not name them. */
async function listAppeared(
  db: TenantDb,
  changes: readonly LoggedChange[],
  { appeared }: Sight,
): Promise<TouchedRow[]> {
  const eventIds = [...appeared];
  const rows = eventIds.length === 0 ? [] : await readRowsOfEvents(db, eventIds);
  // A client sees the people of their shifts.
  const people =
    db.$visibility.of === 'client' ? changes.flatMap(({ after }) => (after?.['user_id'] as number) ?? []) : [];
  return [
    ...eventIds.map((id) => ({ kind: 'event' as const, id, uuid: null, eventId: id, changes: [] })),
    ...rows.map((row) => ({ ...row, changes: [] })),
    ...people.map((id) => ({ kind: 'user' as const, id, uuid: null, eventId: null, changes: [] })),
  ];
}

async function toEntries(
  scope: Scope,
  kind: ChangeKind,
  touched: readonly TouchedRow[],
  sight: Sight,
): Promise<ChangedRow[]> {
  if (touched.length === 0) return [];
  const rowOf = await readRowsOfKind(scope, kind, touched);
  // The tombstone of an event stands for its call times, and for the shifts of a client.
  const visibleEvents =
    kind === 'callTime' || (kind === 'workShift' && scope.db.$visibility.of === 'client')
      ? new Set(await readVisibleEventIds(scope.db, [...new Set(touched.flatMap(({ eventId }) => eventId ?? []))]))
      : null;
  return touched.flatMap((each): ChangedRow[] => {
    const row = rowOf(each);
    const uuid = each.uuid ?? sight.uuids.get(each.id) ?? null;
    const names = { kind, id: each.id, uuid: kind === 'event' || each.uuid !== null ? uuid : null };
    const op = row && !wasDeleted(each, row) ? 'changed' : findLoss(scope.db, each, row, sight);
    if (op === 'changed') return [{ ...names, op, row }];
    return op === null || visibleEvents?.has(each.eventId!) === false ? [] : [{ ...names, op, row: null }];
  });
}

/**
 * How a caller who does not see all rows loses one of a kind. `sight`: as their sight of its event says. Columns: staff whom one of
 * them names lose it when it goes. `catalog`: whoever reads rows of the kind sees all of them, except that screens see none. `never`:
 * nothing is told.
 */
const losses: Readonly<Record<ChangeKind, 'sight' | 'catalog' | 'never' | readonly PersonColumn[]>> = {
  position: 'catalog',
  ...mapPlainKinds(() => 'catalog' as const),
  user: 'never',
  availabilityPattern: ['user_id'],
  availabilityException: ['user_id'],
  userQualification: ['user_id'],
  customField: 'never',
  event: 'sight',
  callTime: 'sight',
  workShift: 'sight',
  // Whoever loses a shift is told by that.
  attendance: 'never',
  offerRecipient: ['user_id'],
  shiftSwap: ['from_user_id', 'to_user_id'],
};
type PersonColumn = 'user_id' | 'from_user_id' | 'to_user_id';

/** Whether who sees rows of a kind depends on events and shifts. */
export const followsSight = (kind: ChangeKind): boolean => losses[kind] === 'sight';

/** How the caller lost a row that they do not see now; null if they never saw it, which is told by nothing. */
function findLoss({ $visibility }: TenantDb, each: TouchedRow, row: object | null, { lost }: Sight): ChangeOp | null {
  if (lost === null) return row || each.changes.length > 0 ? (wasDeleted(each, row) ? 'deleted' : 'left') : null;
  const loss = losses[each.kind];
  if (loss === 'never') return null;
  if (loss === 'sight') return lost.get(`${each.kind} ${each.id}`) ?? null;
  if (loss === 'catalog') return $visibility.of !== 'screen' && each.changes.length > 0 ? 'deleted' : null;
  if ($visibility.of !== 'staff') return null;
  const { userId } = $visibility;
  return each.changes.some(({ before }) => loss.some((column) => before?.[column] === userId)) ? 'deleted' : null;
}

/** Events and shifts are deleted by their status, users by a stamp, other rows for good. */
function wasDeleted({ kind, changes }: TouchedRow, row: object | null): boolean {
  if (row && 'status' in row) return row.status === 'deleted';
  const own = changes.filter(({ table }) => table !== 'custom_field_values');
  const last = own.findLast(
    ({ after }) => after?.['status'] !== undefined || after?.['deleted_at'] !== undefined,
  )?.after;
  if (kind === 'user') return (last?.['deleted_at'] ?? null) !== null;
  return last?.['status'] === 'deleted' || own.some(({ change }) => change === 'delete');
}
