import { Prisma } from '../generated/prisma/client.ts';
import type { CacheableTable } from './registry.ts';
import { isAboutText, isSameFolded } from './searched-text.ts';
import type { TenantDb } from './tenant.ts';
import type { ScreenFilter } from './visibility.ts';

/*
 * The only file of db/ that names the tables which queries read. Queries take what stands after FROM or JOIN from here:
 * it is already bound to the business and, in the sources named visible, to the rows that the caller may see. So no
 * query has to repeat these conditions, and a test refuses the name of a table in any other file. A source is a
 * subquery of one table, which PostgreSQL pulls up into the query around it, so the plan is that of the plain table.
 * Sources that stand for a noun have a fixed alias: `e` events, `c` call times, `s` work shifts, `u` users.
 */

/** Tables that queries read. */
export type TenantTable = CacheableTable;

const table = (name: TenantTable) => Prisma.raw(name);

/** A subquery of a table under an alias, bound to the business and to one more condition. */
const bound = (db: TenantDb, name: TenantTable, alias: string, condition: Prisma.Sql = Prisma.empty) => {
  const as = Prisma.raw(alias);
  return Prisma.sql`(SELECT * FROM ${table(name)} ${as} WHERE ${as}.business_id = ${db.$businessId} ${condition}) AS ${as}`;
};

/**
 * All rows of the business, also those that the caller may not see. It serves tables without a rule of visibility, counts and
 * rules that hold over the whole business, and rows joined to visible ones. In all other cases, nothing of such a row may be
 * shown to the caller.
 */
export function rowsOfBusiness(db: TenantDb, name: TenantTable, alias: string): Prisma.Sql {
  return bound(db, name, alias);
}

/** Events `e` that the caller may see. Drafts and deleted events are for admins. */
export function visibleEvents(db: TenantDb): Prisma.Sql {
  return bound(db, 'events', 'e', eventsCondition(db));
}

/** Call times `c` of visible events, joined to their events `e`. */
export function visibleCallTimes(db: TenantDb): Prisma.Sql {
  return Prisma.sql`${bound(db, 'call_times', 'c', callTimesCondition(db))} JOIN ${visibleEvents(db)} ON e.id = c.event_id`;
}

/** Work shifts `s` that the caller may see, joined to their events `e`: staff see their own, clients the active ones. */
export function visibleShifts(db: TenantDb): Prisma.Sql {
  return Prisma.sql`${bound(db, 'work_shifts', 's', shiftsCondition(db))} JOIN ${visibleEvents(db)} ON e.id = s.event_id`;
}

/**
 * Custom field values `v` of visible events. An admin sees all values of the business, so the events are not looked up.
 */
export function visibleCustomFieldValues(db: TenantDb): Prisma.Sql {
  return db.$visibility.of === 'business'
    ? rowsOfBusiness(db, 'custom_field_values', 'v')
    : Prisma.sql`${bound(db, 'custom_field_values', 'v', valuesCondition(db))} JOIN ${visibleEvents(db)} ON e.id = v.event_id`;
}

/** Users `u` that the caller may see: clients see themselves and who works at their events, staff only themselves. */
export function visibleUsers(db: TenantDb): Prisma.Sql {
  return bound(db, 'users', 'u', usersCondition(db));
}

/** What people have said of their availability, `a`, as far as the caller may see it. */
export const visibleAvailability = (
  db: TenantDb,
  name: 'availability_patterns' | 'availability_exceptions',
): Prisma.Sql => rowsOfPeople(db, name, 'a');

/** Held qualifications `h` that the caller may see. */
export const visibleUserQualifications = (db: TenantDb): Prisma.Sql => rowsOfPeople(db, 'user_qualifications', 'h');

/** Rows that belong to a person: staff see their own, and clients and screens none. */
function rowsOfPeople(db: TenantDb, name: TenantTable, alias: string): Prisma.Sql {
  const { $visibility } = db;
  if ($visibility.of === 'business') return rowsOfBusiness(db, name, alias);
  const condition =
    $visibility.of === 'staff'
      ? Prisma.sql`AND ${Prisma.raw(alias)}.user_id = ${$visibility.userId}`
      : Prisma.sql`AND FALSE`;
  return bound(db, name, alias, condition);
}

/** Parts of people in offers, `r`: staff see their own, and only admins those of others. */
export function visibleRecipients(db: TenantDb): Prisma.Sql {
  const { $visibility } = db;
  const own = $visibility.of === 'staff' ? Prisma.sql`AND r.user_id = ${$visibility.userId}` : Prisma.sql`AND FALSE`;
  return bound(db, 'offer_recipients', 'r', $visibility.of === 'business' ? Prisma.empty : own);
}

/** Swaps `w` of shifts: staff see those that they ask for, or that ask them, and only admins those of others. */
export function visibleSwaps(db: TenantDb): Prisma.Sql {
  const { $visibility } = db;
  if ($visibility.of === 'business') return rowsOfBusiness(db, 'shift_swaps', 'w');
  const own =
    $visibility.of === 'staff'
      ? Prisma.sql`AND (w.from_user_id = ${$visibility.userId} OR w.to_user_id = ${$visibility.userId})`
      : Prisma.sql`AND FALSE`;
  return bound(db, 'shift_swaps', 'w', own);
}

/** Events whose rows are read: by their ids, or the visible row `event` of the query around. */
export type AskedEvents = readonly number[] | 'event';

interface Rows {
  readonly order: Prisma.Sql;
  readonly where?: Prisma.Sql;
  readonly atMostEach?: number | undefined;
}

/**
 * The first rows of each of some events, in an order, as a subquery that PostgreSQL reads before it joins anything to
 * it. Events that the caller cannot see have no rows. For admins, who see all events of the business, the events are
 * not looked up. For clients they are looked up first, because there are few; for staff last, because few shifts of an
 * event are their own.
 */
export function rowsOfVisibleEvents(
  db: TenantDb,
  name: 'call_times' | 'work_shifts' | 'custom_field_values',
  alias: string,
  events: AskedEvents,
  { order, where = Prisma.empty, atMostEach }: Rows,
): Prisma.Sql {
  const as = Prisma.raw(alias);
  const areOwn = name === 'work_shifts' && db.$visibility.of === 'staff';
  const asked =
    events === 'event'
      ? Prisma.sql`(SELECT event.id) AS asked`
      : db.$visibility.of === 'business' || areOwn
        ? Prisma.sql`unnest(${events}::int[]) AS asked (id)`
        : Prisma.sql`(SELECT e.id FROM ${visibleEvents(db)} WHERE e.id = ANY(${events}::int[])) AS asked`;
  return Prisma.sql`${asked}
     CROSS JOIN LATERAL (
           SELECT * FROM ${table(name)} ${as}
            WHERE ${as}.business_id = ${db.$businessId} AND ${as}.event_id = asked.id
              ${conditionOn[name](db)} ${where}
            ORDER BY ${order} ${atMostEach === undefined ? Prisma.sql`OFFSET 0` : Prisma.sql`LIMIT ${atMostEach}`}) AS ${as}
     ${areOwn && events !== 'event' ? Prisma.sql`JOIN (SELECT e.id FROM ${visibleEvents(db)}) AS seen ON seen.id = ${as}.event_id` : Prisma.empty}`;
}

/** Conditions on the rows of visible events, each with the alias of its noun. */
const conditionOn = {
  call_times: callTimesCondition,
  work_shifts: shiftsCondition,
  custom_field_values: valuesCondition,
} as const;

/** Condition on events `e`. Like those below, it begins with AND. */
function eventsCondition(db: TenantDb): Prisma.Sql {
  const { $visibility } = db;
  switch ($visibility.of) {
    case 'business':
      return Prisma.empty;
    case 'client':
      return Prisma.sql`AND e.client_id = ${$visibility.userId} AND e.status IN ('active', 'canceled')`;
    case 'screen':
      return Prisma.sql`AND e.status = 'active' ${screenEvents(db, $visibility.filter)}`;
    case 'staff':
      return Prisma.sql`AND e.status IN ('active', 'canceled') AND EXISTS (
        SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'own')}
         WHERE own.event_id = e.id AND own.user_id = ${$visibility.userId} AND own.status <> 'deleted')`;
  }
}

/** The filter of a screen as conditions on events `e`. */
function screenEvents(db: TenantDb, { clientId, positionId, city, text }: ScreenFilter): Prisma.Sql {
  const given = [
    clientId !== null && Prisma.sql`e.client_id = ${clientId}`,
    positionId !== null && hasPosition(db, positionId),
    city !== null && isSameFolded('e.city', city),
    text !== null && isAboutText(text),
  ].filter((condition) => condition !== false);
  return given.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(given, ' AND ')}`;
}

/** Condition on events `e`: one of their call times or active shifts has this position. */
export function hasPosition(db: TenantDb, positionId: number): Prisma.Sql {
  return Prisma.sql`(EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'call_times', 'f')}
     WHERE f.event_id = e.id AND f.position_id = ${positionId}) OR EXISTS (
    SELECT 1 FROM ${rowsOfBusiness(db, 'work_shifts', 'f')}
     WHERE f.event_id = e.id AND f.status = 'active' AND f.position_id = ${positionId}))`;
}

/** Condition on the call times `c` of visible events: a screen of one position sees only those of that position. */
function callTimesCondition({ $visibility }: TenantDb): Prisma.Sql {
  if ($visibility.of !== 'screen' || $visibility.filter.positionId === null) return Prisma.empty;
  return Prisma.sql`AND c.position_id = ${$visibility.filter.positionId}`;
}

/** Condition on the custom field values of visible events: they are not for screens. */
function valuesCondition({ $visibility }: TenantDb): Prisma.Sql {
  return $visibility.of === 'screen' ? Prisma.sql`AND FALSE` : Prisma.empty;
}

/** Condition on the shifts `s` of visible events. */
function shiftsCondition({ $visibility }: TenantDb): Prisma.Sql {
  switch ($visibility.of) {
    case 'business':
      return Prisma.empty;
    case 'screen': {
      const { positionId } = $visibility.filter;
      return Prisma.sql`AND s.status = 'active' ${positionId === null ? Prisma.empty : Prisma.sql`AND s.position_id = ${positionId}`}`;
    }
    case 'client':
      return Prisma.sql`AND s.status = 'active'`;
    case 'staff':
      return Prisma.sql`AND s.user_id = ${$visibility.userId} AND s.status <> 'deleted'`;
  }
}

/** Condition on users `u`. */
function usersCondition(db: TenantDb): Prisma.Sql {
  const { $visibility } = db;
  switch ($visibility.of) {
    case 'business':
      return Prisma.empty;
    case 'client':
      return Prisma.sql`AND (u.id = ${$visibility.userId} OR EXISTS (
        SELECT 1 FROM ${visibleShifts(db)} WHERE s.user_id = u.id))`;
    case 'staff':
      return Prisma.sql`AND u.id = ${$visibility.userId}`;
    // The names of people stand in their shifts.
    case 'screen':
      return Prisma.sql`AND FALSE`;
  }
}

/** Strengths of row locks. Each lock lasts to the end of the transaction. */
const locks = {
  /** Locks against every change, and against new rows that point to the row. */
  'for update': Prisma.sql`FOR UPDATE`,
  'for no key update': Prisma.sql`FOR NO KEY UPDATE`,
  'for share': Prisma.sql`FOR SHARE`,
  /** Locks against deletion only. */
  'for key share': Prisma.sql`FOR KEY SHARE`,
} as const;

export type Lock = keyof typeof locks;

interface Locked {
  readonly columns: Prisma.Sql;
  readonly where: Prisma.Sql;
  readonly lock: Lock;
}

/**
 * Builds a statement that reads and locks rows of the business, by id. PostgreSQL does not pull up a subquery whose
 * rows are locked, so the table stands in the statement itself.
 */
export function lockRows(tx: TenantDb, name: TenantTable, alias: string, locked: Locked): Prisma.Sql {
  return lockWhere(tx, name, alias, locked, Prisma.empty);
}

/** Builds a statement that reads and locks events `e` which the caller may see. */
export function lockVisibleEvents(tx: TenantDb, locked: Locked): Prisma.Sql {
  return lockWhere(tx, 'events', 'e', locked, eventsCondition(tx));
}

function lockWhere(
  tx: TenantDb,
  name: TenantTable,
  alias: string,
  { columns, where, lock }: Locked,
  visible: Prisma.Sql,
): Prisma.Sql {
  const as = Prisma.raw(alias);
  return Prisma.sql`
    SELECT ${columns} FROM ${table(name)} ${as} WHERE ${as}.business_id = ${tx.$businessId} AND ${where} ${visible}
     ORDER BY ${as}.id ${locks[lock]} OF ${as}`;
}

/**
 * Builds the beginning of a statement that inserts one row into the business, or none where the query `whileThere` has
 * no row.
 */
export function insertRow(
  db: TenantDb,
  name: TenantTable,
  alias: string,
  { columns, values }: { columns: Prisma.Sql; values: Prisma.Sql },
  whileThere?: Prisma.Sql,
): Prisma.Sql {
  const into = Prisma.sql`INSERT INTO ${table(name)} AS ${Prisma.raw(alias)} (business_id, ${columns})`;
  return whileThere
    ? Prisma.sql`${into} SELECT ${db.$businessId}, ${values} FROM (${whileThere}) AS there`
    : Prisma.sql`${into} VALUES (${db.$businessId}, ${values})`;
}

/** Builds the beginning of a statement that inserts the rows of a query into the business. */
export function insertRows(
  db: TenantDb,
  name: TenantTable,
  { columns, rows }: { columns: Prisma.Sql; rows: Prisma.Sql },
): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO ${table(name)} (business_id, ${columns}) SELECT ${db.$businessId}::int, added.* FROM (${rows}) AS added`;
}

/** Builds a statement that changes rows of the business. */
export function updateRows(
  db: TenantDb,
  name: TenantTable,
  alias: string,
  { set, from = Prisma.empty, where }: { set: Prisma.Sql; from?: Prisma.Sql; where: Prisma.Sql },
): Prisma.Sql {
  const as = Prisma.raw(alias);
  return Prisma.sql`UPDATE ${table(name)} AS ${as} SET ${set} ${from} WHERE ${as}.business_id = ${db.$businessId} AND ${where}`;
}
