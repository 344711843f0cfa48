import { Prisma, type Business } from '../generated/prisma/client.ts';
import { rawOf, type RawSql, type TenantDb } from './tenant.ts';

/** A business and its settings, as its admins see them. */
export type BusinessRow = Pick<
  Business,
  | 'id'
  | 'name'
  | 'plan'
  | 'timezone'
  | 'weekStart'
  | 'uniqueResourceIds'
  | 'strictQueries'
  | 'restHours'
  | 'weeklyHours'
  | 'waitlistAutoHours'
  | 'dropDeadlineHours'
  | 'adminsDrop'
  | 'reminderHours'
  | 'roundingMinutes'
  | 'roundsInFavour'
  | 'overtimeAfterHours'
  | 'printedCodes'
  | 'alwaysTellsLate'
  | 'approvesSwaps'
  | 'version'
>;

const columns = Prisma.sql`
  b.id, b.name, b.plan::text AS plan, b.timezone, b.week_start::text AS "weekStart",
  b.unique_resource_ids AS "uniqueResourceIds", b.strict_queries AS "strictQueries",
  b.rest_hours AS "restHours", b.weekly_hours AS "weeklyHours",
  b.waitlist_auto_hours AS "waitlistAutoHours", b.drop_deadline_hours AS "dropDeadlineHours", b.admins_drop AS "adminsDrop",
  b.reminder_hours AS "reminderHours",
  b.rounding_minutes AS "roundingMinutes", b.rounds_in_favour AS "roundsInFavour",
  b.overtime_after_hours AS "overtimeAfterHours", b.printed_codes AS "printedCodes",
  b.always_tells_late AS "alwaysTellsLate", b.approves_swaps AS "approvesSwaps", b.version`;

/**
 * The businesses that are not closed, as a source. Whatever finds a caller by a credential, or work for jobs, joins it, so that a closed
 * business is used by nobody and sends nothing.
 */
export const openBusinesses = Prisma.sql`(SELECT * FROM businesses WHERE closed_at IS NULL)`;
/** The same condition on a row that belongs to a business. */
export const ofOpenBusiness = { business: { closedAt: null } } as const;

/** The business of a caller as a source `b` of its settings. */
export const ownBusiness = (db: TenantDb) =>
  Prisma.sql`(SELECT * FROM businesses b WHERE b.id = ${db.$businessId}) AS b`;

/** Reads the business of a caller, locked against other changes of its settings to the end of the transaction if it is to be changed. */
export async function readBusiness(db: TenantDb, purpose?: 'toChange'): Promise<BusinessRow> {
  const lock = purpose ? Prisma.sql`FOR NO KEY UPDATE` : Prisma.empty;
  const [row] = await rawOf(db).$queryRaw<BusinessRow[]>(
    Prisma.sql`SELECT ${columns} FROM businesses b WHERE b.id = ${db.$businessId} ${lock}`,
  );
  if (!row) throw new Error('The business of a caller exists.');
  return row;
}

/**
 * Says whether the resource ids of a business must be unique, and has the trigger of its events take that over. Throws a
 * unique violation if two of them have the same one. An event that is written meanwhile waits, and then obeys.
 */
export async function setUniqueResourceIds(sql: RawSql, businessId: number, areUnique: boolean): Promise<void> {
  await sql.$executeRaw(Prisma.sql`UPDATE businesses SET unique_resource_ids = ${areUnique} WHERE id = ${businessId}`);
  await sql.$executeRaw(Prisma.sql`
    UPDATE events SET resource_id = resource_id WHERE business_id = ${businessId} AND resource_id IS NOT NULL`);
}

/** Whether resource ids must be unique. It stays so to the end of the transaction. */
export async function holdUniqueResourceIds(tx: TenantDb): Promise<boolean> {
  const [row] = await rawOf(tx).$queryRaw<{ areUnique: boolean }[]>(Prisma.sql`
    SELECT b.unique_resource_ids AS "areUnique" FROM businesses b WHERE b.id = ${tx.$businessId} FOR SHARE`);
  return row?.areUnique === true;
}

export function setOwnUniqueResourceIds(tx: TenantDb, areUnique: boolean): Promise<void> {
  return setUniqueResourceIds(rawOf(tx), tx.$businessId, areUnique);
}

/** Sets the time zone and the first day of the week of the business of a caller. */
export async function setOwnCalendar(
  tx: TenantDb,
  { timezone, weekStart }: Pick<BusinessRow, 'timezone' | 'weekStart'>,
): Promise<void> {
  await rawOf(tx).$executeRaw(Prisma.sql`
    UPDATE businesses SET timezone = ${timezone}, week_start = ${weekStart}::"Weekday" WHERE id = ${tx.$businessId}`);
}

export async function setOwnName(tx: TenantDb, name: string): Promise<void> {
  await rawOf(tx).$executeRaw(Prisma.sql`UPDATE businesses SET name = ${name} WHERE id = ${tx.$businessId}`);
}

/** Sets by which rules the staff of the caller's business get places. */
export async function setOwnStaffRules(tx: TenantDb, settings: BusinessRow): Promise<void> {
  const { restHours, weeklyHours, waitlistAutoHours, dropDeadlineHours, adminsDrop, reminderHours, approvesSwaps } =
    settings;
  await rawOf(tx).$executeRaw(Prisma.sql`
    UPDATE businesses SET rest_hours = ${restHours}, weekly_hours = ${weeklyHours}, waitlist_auto_hours = ${waitlistAutoHours},
           drop_deadline_hours = ${dropDeadlineHours}, admins_drop = ${adminsDrop}, reminder_hours = ${reminderHours}::int[],
           approves_swaps = ${approvesSwaps}
     WHERE id = ${tx.$businessId}`);
}

/** Sets by which rules the hours of the caller's business are noted and paid. */
export async function setOwnHourRules(tx: TenantDb, settings: BusinessRow): Promise<void> {
  const { roundingMinutes, roundsInFavour, overtimeAfterHours, printedCodes, alwaysTellsLate } = settings;
  await rawOf(tx).$executeRaw(Prisma.sql`
    UPDATE businesses SET rounding_minutes = ${roundingMinutes}, rounds_in_favour = ${roundsInFavour},
           overtime_after_hours = ${overtimeAfterHours}, printed_codes = ${printedCodes}, always_tells_late = ${alwaysTellsLate}
     WHERE id = ${tx.$businessId}`);
}

/** Says whether unknown query parameters of the caller's business are refused. */
export async function setOwnStrictQueries(tx: TenantDb, areStrict: boolean): Promise<void> {
  await rawOf(tx).$executeRaw(
    Prisma.sql`UPDATE businesses SET strict_queries = ${areStrict} WHERE id = ${tx.$businessId}`,
  );
}
