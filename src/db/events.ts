import { limits } from '../config/limits.ts';
import type { eventSortKeys } from '../fields/codes.ts';
import { eventFields, type EventRow } from '../fields/events.ts';
import type { NewRowOf } from '../fields/field-list.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CursorOrder, CursorPosition } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { isInstant } from '../time/instants.ts';
import { type ChangeOrigin, noteOriginWith } from './change-log.ts';
import { type EventFilter, hasOnlyStatuses, matching, plannedForFilter } from './events-filter.ts';
import { columnsOf, newRow } from './fields.ts';
import { insertRow, lockVisibleEvents, rowsOfBusiness, visibleEvents } from './sources.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';
import { heldClient } from './users.ts';

const columns = columnsOf(eventFields, 'e', {});

/** A new event. By default, texts are null, times are not to be determined later, and the status is active. */
export type NewEvent = Omit<NewRowOf<typeof eventFields, EventRow>, 'modifiedAt'>;

/**
 * Stores an event and returns its row, in one statement that notes its origin; null, and nothing is stored, if its client is
 * none any more.
 */
export async function insertEvent(db: TenantDb, event: NewEvent, origin: ChangeOrigin): Promise<EventRow | null> {
  const { clientId = null } = event;
  const client = clientId === null ? undefined : heldClient(db, clientId);
  const [row] = await rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    ${insertRow(db, 'events', 'e', newRow(eventFields, { ...event, modifiedAt: event.createdAt }), noteOriginWith(origin, client))}
    RETURNING ${columns(db)}`);
  return row ?? null;
}

/**
 * Reads one page of events in an order. The rows before a page that is asked for by number are skipped in an index:
 * only the rows of the page itself are fetched, by their ids.
 */
export function readEventPage(
  db: TenantDb,
  filter: EventFilter,
  sort: EventSort,
  { limit, offset = 0, after, isReverse = false }: PageWindow,
): Promise<EventRow[]> {
  const read = isReverse ? reverseOf(sort) : sort;
  const found = Prisma.sql`
      FROM ${visibleEvents(db)}
     WHERE ${matching(db, filter)} ${after ? Prisma.sql`AND ${behind(read, after)}` : Prisma.empty}
     ORDER BY ${orderBy(read)}
     LIMIT ${limit}`;
  const page =
    offset === 0
      ? Prisma.sql`SELECT ${columns(db)} ${found}`
      : Prisma.sql`
    SELECT ${columns(db)} FROM ${visibleEvents(db)}
     WHERE e.id = ANY(ARRAY(SELECT e.id ${found} OFFSET ${offset}))
     ORDER BY ${orderBy(read)}`;
  return rawOf(db).$queryRaw<EventRow[]>(plannedForFilter(filter, page));
}

/** Whether tallies have the number of the events. */
function isCounted(db: TenantDb, filter: EventFilter): boolean {
  return db.$visibility.of === 'business' && hasOnlyStatuses(filter);
}

/**
 * Counts events. The number for a whole business is the sum of its tallies, because a count would take longer the more
 * events there are.
 */
export function countEvents(db: TenantDb, filter: EventFilter): Promise<number> {
  return readTotal(
    db,
    isCounted(db, filter)
      ? Prisma.sql`
    SELECT coalesce(sum(e.delta), 0)::int AS total FROM ${rowsOfBusiness(db, 'event_tallies', 'e')} WHERE ${matching(db, filter)}`
      : plannedForFilter(
          filter,
          Prisma.sql`SELECT count(*)::int AS total FROM ${visibleEvents(db)} WHERE ${matching(db, filter)}`,
        ),
  );
}

/** Builds a statement that reads an event that the caller may see. */
export function selectEventByUuid(db: TenantDb, uuid: string): Prisma.Sql {
  return Prisma.sql`SELECT ${columns(db)} FROM ${visibleEvents(db)} WHERE e.uuid = ${uuid}::uuid`;
}

export async function eventByUuid(
  db: TenantDb,
  uuid: string,
  lock: 'none' | 'forUpdate' = 'none',
): Promise<EventRow | null> {
  const [row] = await rawOf(db).$queryRaw<EventRow[]>(
    lock === 'forUpdate'
      ? lockVisibleEvents(db, {
          columns: columns(db),
          where: Prisma.sql`e.uuid = ${uuid}::uuid`,
          lock: 'for update',
        })
      : selectEventByUuid(db, uuid),
  );
  return row ?? null;
}

/** Locks the event that has a unique resource id. A deleted one has none. */
export async function lockEventByResourceId(tx: TenantDb, resourceId: string): Promise<EventRow | null> {
  const [row] = await rawOf(tx).$queryRaw<EventRow[]>(
    lockVisibleEvents(tx, {
      columns: columns(tx),
      where: Prisma.sql`e.unique_resource_id = ${resourceId}`,
      lock: 'for update',
    }),
  );
  return row ?? null;
}

/** Returns those of some resource ids that other events must not have. */
export async function findTakenResourceIds(db: TenantDb, resourceIds: readonly string[]): Promise<string[]> {
  const rows = await rawOf(db).$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT e.unique_resource_id AS id FROM ${visibleEvents(db)}
     WHERE e.unique_resource_id = ANY(${resourceIds}::text[])`);
  return rows.map(({ id }) => id);
}

/** Reads events that the caller may see by their uuids, whatever their status, in any order. */
export function readEventsByUuids(db: TenantDb, uuids: readonly string[]): Promise<EventRow[]> {
  return rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    SELECT ${columns(db)} FROM ${visibleEvents(db)} WHERE e.uuid = ANY(${uuids}::uuid[])`);
}

/** Reads events that the caller may see, whatever their status, in any order. */
export function readEventsByIds(db: TenantDb, ids: readonly number[]): Promise<EventRow[]> {
  return rawOf(db).$queryRaw<EventRow[]>(Prisma.sql`
    SELECT ${columns(db)} FROM ${visibleEvents(db)} WHERE e.id = ANY(${ids}::int[])`);
}

type EventSortBy = keyof typeof eventSortKeys;

/**
 * The order of a list of events: by a key, then by id in the same direction, so that no event appears twice or is
 * missing over the pages.
 */
export interface EventSort {
  readonly by: EventSortBy;
  readonly order: 'asc' | 'desc';
}

interface Key {
  readonly column: Prisma.Sql;
  readonly type: Prisma.Sql;
  /** The value of an event in the form that a cursor holds. */
  readonly valueOf: (event: EventRow) => string;
  readonly isValue: (value: string) => boolean;
}

const instant = (column: Prisma.Sql, at: (event: EventRow) => Date): Key => ({
  column,
  type: Prisma.sql`timestamptz`,
  valueOf: (event) => at(event).toISOString(),
  isValue: isInstant,
});

const keys: Record<EventSortBy, Key> = {
  start: instant(Prisma.sql`e.starts_at`, ({ startsAt }) => startsAt),
  title: {
    column: Prisma.sql`e.title`,
    type: Prisma.sql`text`,
    valueOf: ({ title }) => title,
    isValue: (value) => value.isWellFormed() && !value.includes('\0') && value.length <= 2 * limits.textChars,
  },
  created: instant(Prisma.sql`e.created_at`, ({ createdAt }) => createdAt),
  modified: instant(Prisma.sql`e.modified_at`, ({ modifiedAt }) => modifiedAt),
};

function orderBy({ by, order }: EventSort): Prisma.Sql {
  const direction = order === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  return Prisma.sql`${keys[by].column} ${direction}, e.id ${direction}`;
}

/** An order read from its end. */
const reverseOf = ({ by, order }: EventSort): EventSort => ({ by, order: order === 'asc' ? 'desc' : 'asc' });

/** Builds the condition that an event comes after a position in the order. */
function behind({ by, order }: EventSort, { value, id }: CursorPosition): Prisma.Sql {
  const { column, type } = keys[by];
  const beyond = order === 'asc' ? Prisma.sql`>` : Prisma.sql`<`;
  return Prisma.sql`(${column}, e.id) ${beyond} (${value}::${type}, ${id}::int)`;
}

export function eventCursorOrder({ by, order }: EventSort): CursorOrder<EventRow> {
  const { valueOf, isValue } = keys[by];
  return { by, direction: order, positionOf: (event) => ({ value: valueOf(event), id: event.id }), isValue };
}
