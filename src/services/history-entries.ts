import type { HistoryRow } from '../db/history.ts';
import { columnOf, kindsByTable, type LoggedTable } from '../db/registry.ts';
import { readRowNames, type NamedRow } from '../db/row-names.ts';
import type { TenantDb } from '../db/tenant.ts';
import { attendanceFields } from '../fields/attendance.ts';
import { callTimeFields } from '../fields/call-times.ts';
import { eventFields } from '../fields/events.ts';
import type { FieldKind, FieldList } from '../fields/field-list.ts';
import {
  historyActorNames,
  type HistoryChange,
  type HistoryEntry,
  type HistoryField,
  type HistoryValue,
} from '../fields/history.ts';
import { recipientFields } from '../fields/offers.ts';
import { swapFields } from '../fields/swaps.ts';
import { userFields } from '../fields/users.ts';
import { workShiftFields } from '../fields/work-shifts.ts';
import { instantInZone } from '../time/zoned-time.ts';
import type { WallTime } from '../time/wall-clock.ts';

/** Describes the changes of a page: with the names of fields in the API, and those of rows as they are now. */
export async function toHistoryEntries<Row extends HistoryRow>(
  db: TenantDb,
  rows: readonly Row[],
): Promise<(row: Row) => HistoryEntry> {
  const nameOf = await readRowNames(db, rows.flatMap(namedRows));
  return (row) => ({
    at: row.at,
    atEvent: row.timezone === null ? null : instantInZone(row.at, row.timezone),
    actorKind: row.actorKind === null ? null : (historyActorNames.find((kind) => kind === row.actorKind) ?? 'other'),
    actorId: row.actorId,
    actorName: row.actorName,
    operation: row.operation,
    requestId: row.requestId,
    revision: String(row.revision),
    kind: kindsByTable.get(row.table) ?? 'other',
    rowId: row.rowId,
    rowUuid: row.uuid,
    rowName: isKnown(row.table) ? nameOf({ table: row.table, id: row.rowId }) : null,
    eventId: row.eventId,
    eventUuid: row.eventUuid,
    eventTitle: row.eventTitle,
    change: changeOf(row),
    fields: fieldsOf(row, nameOf),
  });
}

const isKnown = (table: string): table is LoggedTable => kindsByTable.has(table);

/** Users keep their row when they are deleted. */
function changeOf({ change, after }: HistoryRow): HistoryChange {
  if (change === 'insert') return 'created';
  const isDeleted = change === 'delete' || (after?.['deleted_at'] ?? null) !== null;
  return isDeleted ? 'deleted' : 'updated';
}

type ShownKind = FieldKind | 'customFieldType';

interface Shown {
  readonly name: string;
  readonly kind: ShownKind | null;
}

/** Fields of rows without a field list: the first ones, and those whose values have a form of their own. */
const catalogFields = (kinds: Readonly<Record<string, ShownKind>>): ReadonlyMap<string, Shown> =>
  new Map(Object.entries(kinds).map(([name, kind]) => [columnOf(name), { name, kind }]));

const shownOfList = (list: FieldList): ReadonlyMap<string, Shown> =>
  new Map(
    Object.entries(list)
      .filter(([, { isJoined }]) => !isJoined)
      .map(([name, { kind, stored = name }]) => [columnOf(stored), { name, kind }]),
  );

/** Fields by the columns that hold them. A column without a field keeps its own name, and its value as it is. */
const shownByTable: { readonly [table: string]: ReadonlyMap<string, Shown> } = {
  events: shownOfList(eventFields),
  call_times: shownOfList(callTimeFields),
  work_shifts: shownOfList(workShiftFields),
  users: shownOfList(userFields),
  offer_recipients: shownOfList(recipientFields),
  attendance: shownOfList(attendanceFields),
  shift_swaps: shownOfList(swapFields),
  positions: catalogFields({
    ...({ title: 'text', defaultPayRate: 'money', payUnit: 'payUnit' } as const),
    ...({ billRate: 'money', billUnit: 'payUnit', announcedRates: 'text' } as const),
  }),
  custom_fields: catalogFields({ name: 'text', type: 'customFieldType' }),
} satisfies Partial<Record<LoggedTable, unknown>>;

/** Columns that say which row it is and when it was made, as the entry itself does; and those made of others. */
const unshown = new Set(
  'id uuid event_id custom_field_id created_at deleted_at first_name last_name requirements_version'.split(' '),
);

/** Instants that follow from wall-clock times. They are shown only if they alone change, as with the zone of an event. */
const derivedFrom: Readonly<Record<string, string>> = { starts_at: 'start_local', ends_at: 'end_local' };

/** Tables of the rows that ids refer to, by column. */
const tableOfReference: Readonly<Record<string, LoggedTable>> = {
  client_id: 'users',
  approved_by_id: 'users',
  user_id: 'users',
  position_id: 'positions',
  skill_level_id: 'skill_levels',
  qualification_id: 'qualifications',
  call_time_id: 'call_times',
  work_shift_id: 'work_shifts',
  other_shift_id: 'work_shifts',
  from_user_id: 'users',
  to_user_id: 'users',
};

const enums: ReadonlySet<ShownKind | null> = new Set([
  'eventStatus',
  'shiftStatus',
  'payUnit',
  'role',
  'claims',
  'offerState',
  'attendanceSource',
  'swapState',
  'customFieldType',
]);

/** Columns in the order in which the API shows their fields. */
function shownColumns({ table, before, after }: HistoryRow): string[] {
  const values = { ...before, ...after };
  const columns = new Set([...(shownByTable[table]?.keys() ?? []), ...Object.keys(values)]);
  return [...columns].filter((column) => {
    if (unshown.has(column) || (derivedFrom[column] ?? '') in values) return false;
    // A new or a deleted row has all of its columns. Those without a value say nothing.
    return (before?.[column] ?? null) !== null || (after?.[column] ?? null) !== null;
  });
}

/** The rows of an entry whose names it shows: its own, and those that its values refer to. */
function namedRows(row: HistoryRow): NamedRow[] {
  const references = shownColumns(row).flatMap((column) => [
    referenceTo(column, row.before?.[column]),
    referenceTo(column, row.after?.[column]),
  ]);
  const { table, rowId: id } = row;
  return [isKnown(table) ? { table, id } : null, ...references].filter((each) => each !== null);
}

function referenceTo(column: string, value: unknown): NamedRow | null {
  const table = tableOfReference[column];
  return table && typeof value === 'number' ? { table, id: value } : null;
}

function fieldsOf(row: HistoryRow, nameOf: (row: NamedRow) => string | null): HistoryField[] {
  const { table, before, after } = row;
  const nameIn = (column: string, value: unknown) => {
    const reference = referenceTo(column, value);
    return reference && nameOf(reference);
  };
  return shownColumns(row).map((column) => {
    const { name, kind } = shownByTable[table]?.get(column) ?? { name: camelCase(column), kind: null };
    return {
      name,
      isEnum: enums.has(kind),
      before: valueOf(kind, before?.[column]),
      after: valueOf(kind, after?.[column]),
      beforeName: nameIn(column, before?.[column]),
      afterName: nameIn(column, after?.[column]),
    };
  });
}

const camelCase = (column: string) => column.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** A value of the log, where JSON has the forms of the database, as the API writes it. */
function valueOf(kind: ShownKind | null, value: unknown): HistoryValue {
  if (value === null || value === undefined) return null;
  if (kind === 'wallTime') return toWallTime(value as string);
  if (kind === 'instant') return new Date(value as string).toISOString();
  if (kind === 'money') return Number(value).toFixed(2);
  return value as HistoryValue;
}

/** `2026-12-31T18:30:00` -> `2026-12-31 18:30:00`. */
const toWallTime = (value: string): WallTime => value.slice(0, 19).replace('T', ' ');
