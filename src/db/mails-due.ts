import type { SwapRow } from '../fields/swaps.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { EventStatus, MailKind, OfferState, ShiftStatus } from '../generated/prisma/enums.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { openBusinesses } from './businesses.ts';
import { shiftTimes } from './place-times.ts';
import { rowsOfBusiness } from './sources.ts';
import { readSwapsByUuids } from './swaps.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/* Mails that are due: who has any, what they tell of, and what becomes of them. */

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

/** A business in which there is something to do: changes behind the position of its mails, or mails that are due. */
interface MailWork {
  readonly businessId: number;
  readonly hasNews: boolean;
  readonly hasDue: boolean;
}

/** How far the mails of all businesses that are open have come. */
export interface MailBacklog {
  readonly pending: number;
  /** For how many seconds the one that waits longest has been due. */
  readonly lateS: number;
}

export async function readMailBacklog(prisma: Pick<PrismaClient, '$queryRaw'>, now: Date): Promise<MailBacklog> {
  const [row] = await prisma.$queryRaw<MailBacklog[]>(Prisma.sql`
    SELECT count(*)::int AS pending, greatest(0, extract(epoch FROM ${instant(now)} - min(m.due_at)))::float8 AS "lateS"
      FROM mails m JOIN ${openBusinesses} AS b ON b.id = m.business_id WHERE m.due_at IS NOT NULL`);
  return row!;
}

export function findMailWork(prisma: Pick<PrismaClient, '$queryRaw'>, now: Date, atMost: number): Promise<MailWork[]> {
  return prisma.$queryRaw<MailWork[]>(Prisma.sql`
    SELECT work.* FROM (
      SELECT r.business_id AS "businessId", r.revision IS DISTINCT FROM c.revision OR c.change_id IS NOT NULL AS "hasNews",
             r.business_id IN (SELECT d.business_id FROM mails d WHERE d.due_at <= ${instant(now)}) AS "hasDue"
        FROM business_revisions r LEFT JOIN mail_cursors c ON c.business_id = r.business_id
        JOIN ${openBusinesses} AS b ON b.id = r.business_id) AS work
     WHERE work."hasNews" OR work."hasDue" ORDER BY random() LIMIT ${atMost}`);
}

/** A mail to be sent, with what it tells of. Nulls stand for what it is not about. */
export interface DueMail {
  readonly businessId: number;
  readonly id: bigint;
  readonly uuid: string;
  readonly userId: number;
  readonly kind: MailKind;
  readonly occasion: string | null;
  readonly secretHash: Uint8Array | null;
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly offToken: string;
  /** Since when it is due. */
  readonly dueAt: Date;
  /** When an earlier attempt may have handed it over; null: none has. */
  readonly sentAt: Date | null;
  /** Whether the person was not told of the shift, because it was gone again before they could be. */
  readonly isUntold: boolean;
  /** Digest of what they were told of the shift last; null: nothing, or by an earlier version. */
  readonly toldHash: Uint8Array | null;
  readonly name: string;
  readonly email: string;
  readonly isUnwanted: boolean;
  readonly mailFault: string | null;
  readonly businessName: string;
  readonly timezone: string;
  /** Digest of the invitation that it was stored with, while that is open. */
  readonly invitationHash: Uint8Array | null;
  readonly offerState: OfferState | null;
  readonly expiresAt: Date | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly shiftStatus: ShiftStatus | null;
  readonly holderId: number | null;
  readonly confirmed: boolean | null;
  readonly shiftVersion: number | null;
  readonly position: string | null;
  readonly eventTitle: string | null;
  readonly eventStatus: EventStatus | null;
  readonly venueName: string | null;
  readonly room: string | null;
  readonly address: string | null;
  readonly addressLine2: string | null;
  readonly city: string | null;
  readonly eventTimezone: string | null;
  readonly startTime: WallTime | null;
  /** The start, or a time of its day while that is to be determined; null for a mail that is not about a place. */
  readonly dayTime: WallTime | null;
  readonly startsAt: Date | null;
  readonly endTime: WallTime | null;
  readonly endsAt: Date | null;
  readonly swap: SwapRow | null;
}

/** Mails `f` about the same subject as `of` that were stored before it. */
const earlierThan = (of: string, businessId: number) => Prisma.sql`
  mails f WHERE f.business_id = ${businessId} AND ${Prisma.raw(
    `f.user_id = ${of}.user_id AND f.kind = ${of}.kind AND f.subject_id = ${of}.subject_id AND f.id < ${of}.id`,
  )}`;

/**
 * Takes mails that are due, the longest waiting first, and one of each person at a time; those about one subject in their order, so that
 * what came of the earlier ones is known. Until the lease ends, nobody else takes them; if this process is killed, they are due again
 * after it.
 */
export async function takeDueMails(
  db: TenantDb,
  {
    now,
    leaseMs,
    atMost,
    except,
  }: { readonly now: Date; readonly leaseMs: number; readonly atMost: number; readonly except: readonly number[] },
): Promise<DueMail[]> {
  const { $businessId } = db;
  const wall = (column: string) => Prisma.raw(`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`);
  const mails = await rawOf(db).$queryRaw<(DueMail & { readonly swapUuid: string | null })[]>(Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT d.id, d.user_id, d.due_at, row_number() OVER (PARTITION BY d.user_id ORDER BY d.due_at, d.id) AS place FROM mails d
       WHERE d.business_id = ${$businessId} AND d.due_at <= ${instant(now)} AND NOT d.user_id = ANY(${[...except]}::int[])
         AND NOT EXISTS (SELECT 1 FROM ${earlierThan('d', $businessId)} AND f.status = 'pending')),
    taken AS (
      UPDATE mails m SET due_at = ${instant(new Date(now.getTime() + leaseMs))}, attempt_count = m.attempt_count + 1,
             off_token = coalesce(m.off_token, gen_random_uuid()), sent_at = coalesce(m.sent_at, ${instant(now)})
        FROM (SELECT d.id, d.due_at, d.sent_at FROM mails d JOIN due ON due.id = d.id AND due.place = 1
               WHERE d.business_id = ${$businessId} AND d.due_at <= ${instant(now)}
               ORDER BY d.due_at, d.id LIMIT ${atMost} FOR UPDATE OF d SKIP LOCKED) AS due
       WHERE m.business_id = ${$businessId} AND m.id = due.id
      RETURNING m.*, due.due_at AS was_due_at, due.sent_at AS was_sent_at)
    SELECT m.business_id AS "businessId", m.id, m.uuid, m.user_id AS "userId", m.kind::text AS kind, m.occasion, m.secret_hash AS "secretHash",
           m.attempt_count AS "attemptCount", m.created_at AS "createdAt", m.off_token AS "offToken",
           m.was_due_at AS "dueAt", m.was_sent_at AS "sentAt", coalesce(former.is_untold, FALSE) AS "isUntold",
           former.told_hash AS "toldHash", s.version AS "shiftVersion", u.name,
           CASE WHEN m.kind = 'password' THEN coalesce(m.occasion, u.email) ELSE u.email END AS email,
           u.deleted_at IS NOT NULL OR m.kind = ANY(u.mail_off) AS "isUnwanted", u.mail_fault AS "mailFault",
           b.name AS "businessName", b.timezone, i.secret_hash AS "invitationHash",
           r.state::text AS "offerState", coalesce(r.expires_at, w.expires_at) AS "expiresAt", r.reason, o.message, w.uuid AS "swapUuid",
           s.status::text AS "shiftStatus", s.user_id AS "holderId", s.confirmed, p.title AS position, e.title AS "eventTitle",
           e.status::text AS "eventStatus", e.venue_name AS "venueName", e.room, e.address,
           e.address_line_2 AS "addressLine2", e.city, e.timezone AS "eventTimezone",
           CASE WHEN s.id IS NOT NULL THEN ${wall('s.start_local')} WHEN NOT c.start_tbd THEN ${wall('c.start_local')} END AS "startTime",
           CASE WHEN s.id IS NOT NULL THEN s.starts_at WHEN NOT c.start_tbd THEN c.starts_at END AS "startsAt",
           CASE WHEN s.id IS NOT NULL THEN ${wall('s.end_local')} WHEN NOT c.end_tbd THEN ${wall('c.end_local')} END AS "endTime",
           ${wall(shiftTimes.startLocal)} AS "dayTime", ${Prisma.raw(shiftTimes.endsAt)} AS "endsAt"
      FROM taken m
      JOIN ${rowsOfBusiness(db, 'users', 'u')} ON u.id = m.user_id
      JOIN businesses b ON b.id = ${$businessId}
      LEFT JOIN invitations i ON i.business_id = ${$businessId} AND i.user_id = m.user_id AND i.expires_at > ${instant(now)}
           AND m.kind = 'invitation' AND i.created_at = m.created_at
      LEFT JOIN ${rowsOfBusiness(db, 'offer_recipients', 'r')} ON m.kind = 'offer' AND r.id = m.subject_id
      LEFT JOIN ${rowsOfBusiness(db, 'offers', 'o')} ON o.id = r.offer_id
      LEFT JOIN ${rowsOfBusiness(db, 'shift_swaps', 'w')} ON m.kind = 'swap' AND w.id = m.subject_id
      LEFT JOIN ${rowsOfBusiness(db, 'work_shifts', 's')} ON m.kind IN ('reminder', 'change') AND s.id = m.subject_id
      LEFT JOIN ${rowsOfBusiness(db, 'call_times', 'c')} ON c.id = r.call_time_id
      LEFT JOIN ${rowsOfBusiness(db, 'call_times', 't')} ON t.id = coalesce(r.call_time_id, s.call_time_id)
      LEFT JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = coalesce(r.event_id, s.event_id)
      LEFT JOIN ${rowsOfBusiness(db, 'positions', 'p')} ON p.id = coalesce(s.position_id, c.position_id)
      LEFT JOIN LATERAL (
        SELECT max(f.id) FILTER (WHERE f.status = 'dropped' AND f.told_hash IS NULL AND starts_with(f.occasion, 'new'))
                 > coalesce(max(f.id) FILTER (WHERE f.status <> 'dropped' OR f.told_hash IS NOT NULL), 0) AS is_untold,
               (array_agg(f.told_hash ORDER BY f.id DESC) FILTER (WHERE f.told_hash IS NOT NULL))[1] AS told_hash
          FROM ${earlierThan('m', $businessId)}) AS former ON m.kind = 'change'
     ORDER BY m.id`);
  const swaps = await readSwapsByUuids(
    db,
    mails.flatMap(({ swapUuid }) => swapUuid ?? []),
  );
  return mails.map((mail) => ({ ...mail, swap: swaps.find(({ uuid }) => uuid === mail.swapUuid) ?? null }));
}

/** What has become of a mail that was taken. */
export interface MailOutcome {
  readonly status: 'pending' | 'sent' | 'failed' | 'dropped';
  /** When a pending one is sent; null otherwise. */
  readonly dueAt: Date | null;
  /** Whether nobody tried to send it. */
  readonly isUntried?: boolean;
  /** When it was handed over; left out where it was not. */
  readonly sentAt?: Date;
  /** Whether it may have been handed over, although nobody said so. */
  readonly isUnsure?: boolean;
  readonly toldHash?: Uint8Array<ArrayBuffer> | null;
}

export async function recordMail(
  db: TenantDb,
  { id, sentAt: formerlyAt }: DueMail,
  outcome: MailOutcome,
): Promise<void> {
  const { status, dueAt, isUntried, isUnsure, toldHash, sentAt = formerlyAt } = outcome;
  const isOver = status === 'failed' || status === 'dropped';
  await db.mail.updateMany({
    where: { id, status: 'pending' },
    data: {
      ...{ status, dueAt },
      // A mail that is taken is noted as handed over, in case this process is killed; this says what came of it.
      ...(!isUnsure && { sentAt }),
      ...(isUntried && { attemptCount: { decrement: 1 } }),
      ...(isOver && { secretHash: null }),
      ...(toldHash && { toldHash }),
    },
  });
}

/**
 * Gives a mail that nobody has got a link with another secret, because the key of the earlier one is gone. Returns whether the link still
 * was to be sent.
 */
export async function replaceMailLink(
  db: TenantDb,
  { id, userId, secretHash: earlier, invitationHash }: DueMail,
  secretHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { count } = invitationHash
    ? await db.invitation.updateMany({
        where: { userId, secretHash: Buffer.from(invitationHash) },
        data: { secretHash },
      })
    : await db.mail.updateMany({ where: { id, secretHash: Buffer.from(earlier!) }, data: { secretHash } });
  return count === 1;
}

/** Keeps what a mail server said when it refused a mail to a person for good, for admins; null: it took the last one. */
export async function noteMailFault(db: TenantDb, id: number, mailFault: string | null): Promise<void> {
  await db.user.updateMany({ where: { id }, data: { mailFault } });
}
