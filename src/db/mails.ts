import { limits, mailsADayByPlan } from '../config/limits.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import type { MailKind } from '../generated/prisma/enums.ts';
import { openBusinesses } from './businesses.ts';
import type { LogPosition } from './change-log.ts';
import { rowsOfBusiness } from './sources.ts';
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

/** Ends the links of mails to a user, or those of mails of one kind. */
export async function endMailLinks(db: TenantDb, userId: number, kind?: MailKind): Promise<void> {
  await db.mail.updateMany({
    where: { userId, ...(kind && { kind }), secretHash: { not: null } },
    data: { secretHash: null },
  });
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
 * was made, or before the service sent mails, is passed over, and so is what another reminder of the same start tells from then on,
 * such as one that waited for the morning. A shift that was moved has other ones.
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
        SELECT s.starts_at - min(h) * interval '1 hour' AS at, extract(epoch FROM s.starts_at)::bigint || ' ' AS start,
               extract(epoch FROM s.starts_at)::bigint || ' ' || min(h) AS occasion
          FROM unnest(b.reminder_hours) AS h WHERE s.starts_at - h * interval '1 hour' <= ${instant(now)}) AS due
     WHERE b.id = ${$businessId} AND s.status = 'active' AND e.status = 'active' AND due.at >= greatest(s.created_at, k.created_at)
       AND NOT EXISTS (
         SELECT 1 FROM mails m WHERE m.business_id = ${$businessId} AND m.user_id = s.user_id AND m.kind = 'reminder'
            AND m.subject_id = s.id AND (m.occasion = due.occasion OR starts_with(m.occasion, due.start)
                AND (m.status = 'pending' OR m.status = 'sent' AND coalesce(m.sent_at, m.created_at) >= due.at)))
     ORDER BY s.starts_at, s.id LIMIT ${atMost}`);
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
