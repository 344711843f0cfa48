import { limits, mailsADayByPlan } from '../config/limits.ts';
import type { SwapRow } from '../fields/swaps.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { EventStatus, MailKind, OfferState, ShiftStatus } from '../generated/prisma/enums.ts';
import type { WallTime } from '../time/wall-clock.ts';
import { openBusinesses } from './businesses.ts';
import type { LogPosition } from './change-log.ts';
import { shiftTimes } from './place-times.ts';
import { rowsOfBusiness } from './sources.ts';
import { readSwapsByUuids } from './swaps.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A mail to be stored. */
export interface NewMail {
  readonly userId: number;
  readonly kind: MailKind;
  readonly subjectId?: number;
  /** Of a mail about a password: the address before, which is told that the log-in has another one. */
  readonly occasion?: string;
  readonly uuid?: string;
  readonly secretHash?: Uint8Array;
}

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

/**
 * Stores mails that are due now, and returns whom they are for. Left out are those that are stored already, those of a kind that the
 * person has switched off, those about a subject of which a mail waits that nobody has begun to send (it tells how things stand when it
 * is sent), and those beyond the limits of the plan, which count by address: a user who is deleted and made anew has no more. Links to
 * a new password, notices about the log-in and mails about swaps are counted apart: anybody can cause the first, and colleagues the
 * last, and they keep people from no other mails. Those links count by the hour for which they work, so that whoever uses them up for
 * somebody has sent them many that work.
 */
export async function storeMails(db: TenantDb, mails: readonly NewMail[], now: Date): Promise<number[]> {
  if (mails.length === 0) return [];
  const { $businessId } = db;
  const rows = mails.map(({ secretHash, ...mail }) => ({
    ...mail,
    ...(secretHash && { secretHash: Buffer.from(secretHash).toString('hex') }),
  }));
  const linkedSince = new Date(now.getTime() - limits.passwordLinkS * 1000);
  const isOfDay = Prisma.sql`d.business_id = ${$businessId} AND d.created_at > ${instant(now)} - interval '1 day'`;
  const shareOf = (mail: string) =>
    Prisma.raw(`(CASE WHEN ${mail}.kind = 'password' AND ${mail}.occasion IS NOT NULL THEN 'notice'
                     WHEN ${mail}.kind IN ('password', 'swap') THEN ${mail}.kind::text END)`);
  const stored = await rawOf(db).$queryRaw<{ userId: number }[]>(Prisma.sql`
    WITH wanted AS (
      SELECT w.*, n.place, row_number() OVER (PARTITION BY w."userId" ORDER BY n.place) AS own, ${shareOf('w')} AS share
        FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS n (mail, place),
             jsonb_to_record(n.mail) AS w (uuid uuid, "userId" int, kind "MailKind", "subjectId" int, occasion text, "secretHash" text)),
    sent AS MATERIALIZED (
      SELECT ${shareOf('d')} AS share, count(*) AS total FROM mails d WHERE ${isOfDay} GROUP BY 1)
    INSERT INTO mails (business_id, uuid, user_id, kind, email_key, subject_id, occasion, secret_hash, due_at, created_at)
    SELECT ${$businessId}::int, coalesce(w.uuid, gen_random_uuid()), u.id, w.kind, address.key, w."subjectId", w.occasion,
           decode(w."secretHash", 'hex'), ${instant(now)}, ${instant(now)}
      FROM wanted w JOIN businesses b ON b.id = ${$businessId}
      CROSS JOIN LATERAL (SELECT ${JSON.stringify(mailsADayByPlan)}::jsonb -> b.plan::text AS limits) AS plan
      LEFT JOIN sent ON sent.share IS NOT DISTINCT FROM w.share
      JOIN users u ON u.business_id = ${$businessId} AND u.id = w."userId" AND u.deleted_at IS NULL AND NOT w.kind = ANY(u.mail_off)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN w.share = 'notice' THEN lower(w.occasion COLLATE "C") ELSE u.email_key END AS key) AS address
      CROSS JOIN LATERAL (
        SELECT count(*) AS sent FROM mails d
         WHERE ${isOfDay} AND (d.email_key = address.key OR d.email_key IS NULL AND d.user_id = u.id)
           AND ${shareOf('d')} IS NOT DISTINCT FROM w.share
           AND (w.share IS DISTINCT FROM 'password' OR d.created_at > ${instant(linkedSince)})) AS own
     -- A business that has used up its mails does not keep its people from a new password.
     WHERE (w.kind = 'password' OR coalesce(sent.total, 0) + w.place <= (plan.limits ->> 'all')::int)
       AND own.sent + w.own <= CASE WHEN w.share = 'password' THEN ${limits.passwordLinksMax} ELSE (plan.limits ->> 'each')::int END
       AND NOT EXISTS (
         SELECT 1 FROM mails d WHERE d.business_id = ${$businessId} AND d.user_id = u.id AND d.kind = w.kind
            AND d.subject_id = w."subjectId" AND d.status = 'pending' AND d.attempt_count = 0)
     ORDER BY w.place
        ON CONFLICT (business_id, user_id, kind, subject_id, occasion) DO NOTHING
    RETURNING user_id AS "userId"`);
  return stored.map(({ userId }) => userId);
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
  readonly position: string | null;
  readonly eventTitle: string | null;
  readonly eventStatus: EventStatus | null;
  readonly venueName: string | null;
  readonly address: string | null;
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

/**
 * Takes mails that are due, the longest waiting first, and one of each person at a time. Until the lease ends, nobody else takes
 * them; if this process is killed, they are due again after it.
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
    WITH taken AS (
      UPDATE mails m SET due_at = ${instant(new Date(now.getTime() + leaseMs))}, attempt_count = m.attempt_count + 1,
             off_token = coalesce(m.off_token, gen_random_uuid())
        FROM (SELECT d.id, d.due_at FROM mails d
               WHERE d.business_id = ${$businessId} AND d.due_at <= ${instant(now)} AND NOT d.user_id = ANY(${[...except]}::int[])
                 AND NOT EXISTS (
                   SELECT 1 FROM mails f WHERE f.business_id = ${$businessId} AND f.user_id = d.user_id
                      AND f.due_at <= ${instant(now)} AND (f.due_at, f.id) < (d.due_at, d.id))
               ORDER BY d.due_at, d.id LIMIT ${atMost} FOR UPDATE SKIP LOCKED) AS due
       WHERE m.business_id = ${$businessId} AND m.id = due.id
      RETURNING m.*, due.due_at AS was_due_at)
    SELECT m.business_id AS "businessId", m.id, m.uuid, m.user_id AS "userId", m.kind::text AS kind, m.occasion, m.secret_hash AS "secretHash",
           m.attempt_count AS "attemptCount", m.created_at AS "createdAt", m.off_token AS "offToken",
           m.was_due_at AS "dueAt", u.name,
           CASE WHEN m.kind = 'password' THEN coalesce(m.occasion, u.email) ELSE u.email END AS email,
           u.deleted_at IS NOT NULL OR m.kind = ANY(u.mail_off) AS "isUnwanted", u.mail_fault AS "mailFault",
           b.name AS "businessName", b.timezone, i.secret_hash AS "invitationHash",
           r.state::text AS "offerState", coalesce(r.expires_at, w.expires_at) AS "expiresAt", r.reason, o.message, w.uuid AS "swapUuid",
           s.status::text AS "shiftStatus", s.user_id AS "holderId", s.confirmed, p.title AS position, e.title AS "eventTitle",
           e.status::text AS "eventStatus", e.venue_name AS "venueName", e.address, e.city, e.timezone AS "eventTimezone",
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
}

export async function recordMail(db: TenantDb, id: bigint, { status, dueAt, isUntried }: MailOutcome): Promise<void> {
  const isOver = status === 'failed' || status === 'dropped';
  await db.mail.updateMany({
    where: { id, status: 'pending' },
    data: { status, dueAt, ...(isUntried && { attemptCount: { decrement: 1 } }), ...(isOver && { secretHash: null }) },
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

/** Finds whose mails of which kind the token of a mail switches off. */
export async function findOffSubscription(
  prisma: Pick<PrismaClient, 'mail'>,
  { businessId, mailId, kind, token }: { businessId: number; mailId: bigint; kind: string; token: string },
): Promise<{ businessId: number; userId: number; kind: MailKind } | null> {
  const mail = await prisma.mail.findFirst({
    where: { businessId, id: mailId, offToken: token },
    select: { businessId: true, userId: true, kind: true },
  });
  return mail?.kind === kind ? mail : null;
}

/** Keeps what a mail server said when it refused a mail to a person for good, for admins; null: it took the last one. */
export async function noteMailFault(db: TenantDb, id: number, mailFault: string | null): Promise<void> {
  await db.user.updateMany({ where: { id }, data: { mailFault } });
}

/** Ends the links of mails to a user, or those of mails of one kind. */
export async function endMailLinks(db: TenantDb, userId: number, kind?: MailKind): Promise<void> {
  await db.mail.updateMany({
    where: { userId, ...(kind && { kind }), secretHash: { not: null } },
    data: { secretHash: null },
  });
}

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

/** Begins to tell of a business from a position on, unless that has begun already. */
export async function beginMailCursor(db: TenantDb, { revision }: LogPosition, createdAt: Date): Promise<void> {
  await db.mailCursor.createMany({ data: [{ businessId: db.$businessId, revision, createdAt }], skipDuplicates: true });
}

/** Locks the position of the mails of a business. Null: another process has it, or there is none yet. */
export async function lockMailCursor(db: TenantDb): Promise<LogPosition | null> {
  const [row] = await rawOf(db).$queryRaw<LogPosition[]>(Prisma.sql`
    SELECT c.revision, c.change_id AS "changeId" FROM mail_cursors c WHERE c.business_id = ${db.$businessId} FOR UPDATE SKIP LOCKED`);
  return row ?? null;
}

export async function setMailCursor(db: TenantDb, { revision, changeId }: LogPosition): Promise<void> {
  await db.mailCursor.updateMany({ data: { revision, changeId } });
}

/** The businesses that remind their staff. */
export function findRemindingBusinesses(
  prisma: Pick<PrismaClient, '$queryRaw'>,
): Promise<{ readonly businessId: number }[]> {
  return prisma.$queryRaw(Prisma.sql`
    SELECT c.business_id AS "businessId" FROM mail_cursors c JOIN businesses b ON b.id = c.business_id
     WHERE b.closed_at IS NULL AND cardinality(b.reminder_hours) > 0`);
}

/**
 * Finds the reminders that are due and not stored: of each shift to come, the one nearest to its start. What was due before the shift
 * was made, or before the service sent mails, is passed over. A shift that was moved has other ones.
 */
export function findDueReminders(
  db: TenantDb,
  now: Date,
  atMost: number,
): Promise<{ subjectId: number; userId: number; occasion: string }[]> {
  const { $businessId } = db;
  return rawOf(db).$queryRaw(Prisma.sql`
    SELECT s.id AS "subjectId", s.user_id AS "userId", due.occasion
      FROM businesses b JOIN mail_cursors k ON k.business_id = ${$businessId}
      JOIN ${rowsOfBusiness(db, 'work_shifts', 's')}
           ON s.starts_at > ${instant(now)}
          AND s.starts_at <= ${instant(now)} + (SELECT max(h) FROM unnest(b.reminder_hours) AS h) * interval '1 hour'
      JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
      CROSS JOIN LATERAL (
        SELECT s.starts_at - min(h) * interval '1 hour' AS at, extract(epoch FROM s.starts_at)::bigint || ' ' || min(h) AS occasion
          FROM unnest(b.reminder_hours) AS h WHERE s.starts_at - h * interval '1 hour' <= ${instant(now)}) AS due
     WHERE b.id = ${$businessId} AND s.status = 'active' AND e.status = 'active' AND due.at >= greatest(s.created_at, k.created_at)
       AND NOT EXISTS (
         SELECT 1 FROM mails m WHERE m.business_id = ${$businessId} AND m.user_id = s.user_id AND m.kind = 'reminder'
            AND m.subject_id = s.id AND m.occasion = due.occasion)
     ORDER BY s.starts_at, s.id LIMIT ${atMost}`);
}

/** The people and events of shifts: the ones of these ids, and all of these events. */
export function readShiftsToTell(
  db: TenantDb,
  ids: readonly number[],
  eventIds: readonly number[],
): Promise<{ id: number; userId: number; eventId: number; status: ShiftStatus; isDraft: boolean }[]> {
  return rawOf(db).$queryRaw(Prisma.sql`
    SELECT s.id, s.user_id AS "userId", s.event_id AS "eventId", s.status::text AS status, e.status = 'draft' AS "isDraft"
      FROM ${rowsOfBusiness(db, 'work_shifts', 's')} JOIN ${rowsOfBusiness(db, 'events', 'e')} ON e.id = s.event_id
     WHERE s.id = ANY(${[...ids]}::int[]) OR s.event_id = ANY(${[...eventIds]}::int[])`);
}

/** The offer of a link in a mail that was not used yet, to a staff member. */
interface MailedOffer {
  readonly businessId: number;
  readonly mailId: bigint;
  readonly userId: number;
  readonly recipientUuid: string;
}

/** The link names no business: its secret does. */
export async function findMailedOffer(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  secretHash: Uint8Array,
  now: Date,
): Promise<MailedOffer | null> {
  const [row] = await prisma.$queryRaw<MailedOffer[]>(Prisma.sql`
    SELECT m.business_id AS "businessId", m.id AS "mailId", m.user_id AS "userId", r.uuid AS "recipientUuid"
      FROM mails m JOIN ${openBusinesses} AS b ON b.id = m.business_id
      JOIN users u ON u.business_id = m.business_id AND u.id = m.user_id AND u.deleted_at IS NULL AND u.role = 'staff'
      JOIN offer_recipients r ON r.business_id = m.business_id AND r.id = m.subject_id AND r.user_id = m.user_id
     WHERE m.secret_hash = ${Buffer.from(secretHash)} AND m.kind = 'offer' AND m.used_at IS NULL
       AND (r.state IN ('sent', 'filled') OR r.state = 'accepted' AND r.responded_at IS NULL) AND r.expires_at > ${instant(now)}`);
  return row ?? null;
}

export async function switchMailOff(db: TenantDb, userId: number, kind: MailKind): Promise<void> {
  await db.user.updateMany({
    where: { id: userId, deletedAt: null, NOT: { mailOff: { has: kind } } },
    data: { mailOff: { push: kind } },
  });
}

/** Deletes mails of all businesses that are older than a time, at most `atMost` of them. Returns how many. */
export function deleteMailsBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  return prisma.$executeRaw(Prisma.sql`
    WITH expired AS MATERIALIZED (
      SELECT old.business_id, old.id FROM mail_cursors c
       CROSS JOIN LATERAL (
         SELECT m.business_id, m.id FROM mails m WHERE m.business_id = c.business_id AND m.created_at < ${instant(before)}
          ORDER BY m.created_at LIMIT ${atMost}) AS old
       LIMIT ${atMost})
    DELETE FROM mails m USING expired x WHERE m.business_id = x.business_id AND m.id = x.id`);
}
