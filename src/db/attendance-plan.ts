import { Prisma } from '../generated/prisma/client.ts';
import { actualMinutes } from './actual-hours.ts';
import { ownBusiness } from './businesses.ts';
import { joinShiftPay, shiftPay } from './pay.ts';
import { joinCallTimeOfShift, shiftTimes } from './place-times.ts';
import { lockRows, rowsOfBusiness } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** An active shift of which something is noted, with the plan that its pay follows from. */
export interface AttendedPlan {
  readonly id: number;
  readonly uuid: string;
  readonly userId: number;
  readonly name: string;
  /** Day of the start on the clocks of the event, `YYYY-MM-DD`. */
  readonly day: string;
  readonly eventUuid: string;
  readonly eventTitle: string;
  readonly isApproved: boolean;
  readonly minutes: number | null;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** The start, or an instant of its day while that is to be determined. */
  readonly sortedAt: Date;
  readonly positionId: number;
  readonly payRate: string;
  readonly payUnit: string;
}

/** Whose shifts are meant. */
export type PlansOf =
  { readonly eventId: number } | { readonly callTimeId: number } | { readonly shiftUuids: readonly string[] };

function isOf(of: PlansOf): Prisma.Sql {
  if ('eventId' in of) return Prisma.sql`s.event_id = ${of.eventId}`;
  if ('callTimeId' in of) return Prisma.sql`s.call_time_id = ${of.callTimeId}`;
  return Prisma.sql`s.uuid = ANY(${[...of.shiftUuids]}::uuid[])`;
}

/** Locks shifts: nobody checks in or out, or approves them, until the transaction ends. */
export async function lockPlans(tx: TenantDb, of: PlansOf): Promise<void> {
  const where = Prisma.sql`${isOf(of)} AND s.status = 'active'`;
  await rawOf(tx).$queryRaw(
    lockRows(tx, 'work_shifts', 's', { columns: Prisma.sql`s.id`, where, lock: 'for no key update' }),
  );
}

const isNoted = Prisma.sql`(a.checked_in_at IS NOT NULL OR a.no_show OR a.approved_at IS NOT NULL)`;

/** Whether something is noted of one of the shifts with these ids, so that it stays with its person. */
export const isAnyAttended = (db: TenantDb, shiftIds: Prisma.Sql) => Prisma.sql`EXISTS (
  SELECT 1 FROM ${rowsOfBusiness(db, 'attendance', 'a')} WHERE a.id IN (${shiftIds}) AND ${isNoted})`;

export function readAttendedPlans(db: TenantDb, of: PlansOf): Promise<AttendedPlan[]> {
  return rawOf(db).$queryRaw<AttendedPlan[]>(Prisma.sql`
    SELECT s.id, s.uuid, s.user_id AS "userId", u.name, ${Prisma.raw(shiftTimes.startLocal)}::date::text AS day, e.uuid AS "eventUuid", e.title AS "eventTitle",
           a.approved_at IS NOT NULL AS "isApproved", ${actualMinutes} AS minutes,
           s.starts_at AS "startsAt", s.ends_at AS "endsAt", ${Prisma.raw(shiftTimes.startsAt)} AS "sortedAt",
           s.position_id AS "positionId", coalesce(${Prisma.raw(shiftPay.payRate)}, former.pay_rate, p.default_pay_rate)::text AS "payRate",
           (${Prisma.raw(shiftPay.payUnit)})::text AS "payUnit"
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')}
      JOIN ${rowsOfBusiness(db, 'attendance', 'a')} ON a.id = s.id AND ${isNoted}
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
      JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = s.position_id
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = s.user_id
     CROSS JOIN ${ownBusiness(db)}
     ${joinCallTimeOfShift(db)} ${joinShiftPay(db)}
     WHERE ${isOf(of)} AND s.status = 'active'
     ORDER BY s.id`);
}
