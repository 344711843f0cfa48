import type { disabledReasons } from '../fields/codes.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { openBusinesses } from './businesses.ts';
import type { LogPosition } from './change-log.ts';
import { rawOf, type TenantDb } from './tenant.ts';

export type DisabledReason = Exclude<keyof typeof disabledReasons, 'caller'>;

export interface EndpointKey {
  readonly businessId: number;
  readonly endpointId: number;
}

const instant = (at: Date) => Prisma.sql`${at.toISOString()}::timestamptz`;

/**
 * Finds the endpoints of all businesses that have something to do: changes behind their position, or messages that are due. Those
 * whose messages have waited longest come first.
 */
export function findEndpointsWithWork(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  now: Date,
  atMost: number,
): Promise<EndpointKey[]> {
  // Each commit raises the revision of its business, so the log ends there.
  return prisma.$queryRaw<EndpointKey[]>(Prisma.sql`
    SELECT e.business_id AS "businessId", e.id AS "endpointId"
      FROM webhook_endpoints e JOIN business_revisions r ON r.business_id = e.business_id
      JOIN ${openBusinesses} AS b ON b.id = e.business_id
      LEFT JOIN LATERAL (
        SELECT d.next_attempt_at FROM webhook_messages d
         WHERE d.business_id = e.business_id AND d.endpoint_id = e.id AND d.next_attempt_at <= ${instant(now)}
         ORDER BY d.next_attempt_at LIMIT 1) AS due ON TRUE
     WHERE e.disabled_at IS NULL
       AND (r.revision > e.revision OR e.change_id IS NOT NULL OR due.next_attempt_at IS NOT NULL)
     ORDER BY due.next_attempt_at NULLS LAST, e.business_id, e.id LIMIT ${atMost}`);
}

/** The businesses that have an enabled endpoint, and their zones. */
export function findListeningBusinesses(
  prisma: Pick<PrismaClient, '$queryRaw'>,
): Promise<{ businessId: number; timezone: string }[]> {
  return prisma.$queryRaw(Prisma.sql`
    SELECT b.id AS "businessId", b.timezone FROM businesses b
     WHERE EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.business_id = b.id AND e.disabled_at IS NULL) AND b.closed_at IS NULL
     ORDER BY b.id`);
}

/** An endpoint as a reader of the change log. */
export interface ReadingEndpoint {
  readonly uuid: string;
  readonly types: readonly string[];
  readonly position: LogPosition;
}

/** Locks an enabled endpoint for the transaction. Null if it is disabled, deleted, or locked by another process. */
export async function lockEndpoint(db: TenantDb, endpointId: number): Promise<ReadingEndpoint | null> {
  const [row] = await rawOf(db).$queryRaw<(LogPosition & Omit<ReadingEndpoint, 'position'>)[]>(Prisma.sql`
    SELECT e.uuid, e.types, e.revision, e.change_id AS "changeId" FROM webhook_endpoints e
     WHERE e.business_id = ${db.$businessId} AND e.id = ${endpointId} AND e.disabled_at IS NULL
       FOR UPDATE SKIP LOCKED`);
  if (!row) return null;
  const { uuid, types, revision, changeId } = row;
  return { uuid, types, position: { revision, changeId } };
}

/** Stores messages of an endpoint, due now, and moves its position behind the changes that they are made of. */
export async function storeMessages(
  db: TenantDb,
  endpointId: number,
  messages: readonly { readonly type: string; readonly payload: string }[],
  { revision, changeId }: LogPosition,
  now: Date,
): Promise<void> {
  const { $businessId } = db;
  const types = messages.map(({ type }) => type);
  const payloads = messages.map(({ payload }) => payload);
  await rawOf(db).$executeRaw(Prisma.sql`
    WITH stored AS (
      INSERT INTO webhook_messages (business_id, endpoint_id, type, payload, created_at, next_attempt_at)
      SELECT ${$businessId}::int, ${endpointId}::int, m.type, m.payload, ${instant(now)}, ${instant(now)}
        FROM unnest(${types}::text[], ${payloads}::text[]) WITH ORDINALITY AS m (type, payload, place) ORDER BY m.place)
    UPDATE webhook_endpoints SET revision = ${revision}, change_id = ${changeId}
     WHERE business_id = ${$businessId} AND id = ${endpointId}`);
}

/** Where an enabled endpoint receives its messages, and the encrypted secrets that sign them. */
export interface Receiver {
  readonly url: string;
  readonly secrets: readonly string[];
}

export async function readReceiver(db: TenantDb, endpointId: number, now: Date): Promise<Receiver | null> {
  const [row] = await rawOf(db).$queryRaw<{ url: string; secret: string; previous: string | null }[]>(Prisma.sql`
    SELECT e.url, e.secret, CASE WHEN e.previous_secret_expires_at > ${instant(now)} THEN e.previous_secret END AS previous
      FROM webhook_endpoints e
       JOIN ${openBusinesses} AS b ON b.id = e.business_id
     WHERE e.business_id = ${db.$businessId} AND e.id = ${endpointId} AND e.disabled_at IS NULL`);
  return row ? { url: row.url, secrets: [row.secret, ...(row.previous === null ? [] : [row.previous])] } : null;
}

export interface DueMessage {
  readonly id: bigint;
  readonly uuid: string;
  readonly type: string;
  readonly payload: string;
  readonly attemptCount: number;
}

/**
 * Takes messages that are due, the longest waiting first. Until the lease ends, nobody else takes them; if this process is
 * killed, they are due again after it.
 */
export async function takeDueMessages(
  db: TenantDb,
  endpointId: number,
  { now, leaseMs, atMost }: { readonly now: Date; readonly leaseMs: number; readonly atMost: number },
): Promise<DueMessage[]> {
  const until = new Date(now.getTime() + leaseMs);
  const rows = await rawOf(db).$queryRaw<(DueMessage & { readonly due: Date })[]>(Prisma.sql`
    UPDATE webhook_messages m SET next_attempt_at = ${instant(until)}
      FROM (SELECT d.id, d.next_attempt_at AS due FROM webhook_messages d
             WHERE d.business_id = ${db.$businessId} AND d.endpoint_id = ${endpointId} AND d.next_attempt_at <= ${instant(now)}
             ORDER BY d.next_attempt_at, d.id LIMIT ${atMost} FOR UPDATE SKIP LOCKED) AS taken
     WHERE m.business_id = ${db.$businessId} AND m.id = taken.id
    RETURNING m.id, m.uuid, m.type, m.payload, m.attempt_count AS "attemptCount", taken.due`);
  return rows.sort((a, b) => a.due.getTime() - b.due.getTime() || Number(a.id - b.id));
}

/** Makes taken messages due again that nobody tried to send. */
export async function giveBackMessages(db: TenantDb, ids: readonly bigint[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await rawOf(db).$executeRaw(Prisma.sql`
    UPDATE webhook_messages SET next_attempt_at = ${instant(now)}
     WHERE business_id = ${db.$businessId} AND id = ANY(${ids.map(String)}::bigint[]) AND status = 'pending'`);
}

/** One try to deliver a message, and what follows from it. */
export interface RecordedAttempt {
  readonly at: Date;
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** Why it failed; null: it succeeded. */
  readonly error: string | null;
  readonly response: string | null;
  /** When the message is sent again; null: never. */
  readonly nextAttemptAt: Date | null;
}

/**
 * Stores an attempt with the new state of its message and of the endpoint, in one statement. Returns since when the endpoint has had
 * nothing but failures. Null: since never, or the endpoint is gone.
 */
export async function recordAttempt(
  db: TenantDb,
  endpointId: number,
  messageId: bigint,
  { at, statusCode, durationMs, error, response, nextAttemptAt }: RecordedAttempt,
): Promise<Date | null> {
  const { $businessId } = db;
  const isDelivered = error === null;
  const status = isDelivered ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending';
  const next = nextAttemptAt === null ? Prisma.sql`NULL::timestamptz` : instant(nextAttemptAt);
  // A failure does not undo the success of another process that took the message after this one had lost it.
  const isFinal = Prisma.sql`m.status = 'delivered' AND ${!isDelivered}`;
  const [row] = await rawOf(db).$queryRaw<{ failingSince: Date | null }[]>(Prisma.sql`
    WITH tried AS (
      UPDATE webhook_messages m
         SET attempt_count = m.attempt_count + 1,
             status = CASE WHEN ${isFinal} THEN m.status ELSE ${status} END,
             next_attempt_at = CASE WHEN ${isFinal} THEN NULL ELSE ${next} END,
             delivered_at = CASE WHEN ${isDelivered} THEN ${instant(at)} ELSE m.delivered_at END
       WHERE m.business_id = ${$businessId} AND m.id = ${messageId}
      RETURNING m.business_id, m.id),
    noted AS (
      INSERT INTO webhook_attempts (business_id, message_id, at, status_code, duration_ms, error, response)
      SELECT t.business_id, t.id, ${instant(at)}, ${statusCode}::int, ${durationMs}::int, ${error}::text, ${response}::text
        FROM tried t)
    UPDATE webhook_endpoints e
       SET failing_since = CASE WHEN ${isDelivered} THEN NULL ELSE coalesce(e.failing_since, ${instant(at)}) END
     WHERE e.business_id = ${$businessId} AND e.id = ${endpointId} AND (NOT ${isDelivered} OR e.failing_since IS NOT NULL)
    RETURNING e.failing_since AS "failingSince"`);
  return row?.failingSince ?? null;
}

/** Disables an endpoint and returns it. Null if it is disabled already, or deleted. */
export async function disableEndpoint(
  db: TenantDb,
  endpointId: number,
  reason: DisabledReason,
  now: Date,
): Promise<{ uuid: string; url: string } | null> {
  const [row] = await rawOf(db).$queryRaw<{ uuid: string; url: string }[]>(Prisma.sql`
    UPDATE webhook_endpoints SET disabled_at = ${instant(now)}, disabled_reason = ${reason}, updated_at = ${instant(now)}
     WHERE business_id = ${db.$businessId} AND id = ${endpointId} AND disabled_at IS NULL
    RETURNING uuid, url`);
  return row ?? null;
}

/** How far the delivery to the endpoints of all businesses has come. */
export interface WebhookBacklog {
  /** Messages of enabled endpoints that are not delivered and have not failed for good. */
  readonly pending: number;
  /** For how many seconds the one that waits longest has been due. */
  readonly lateS: number;
  readonly enabled: number;
  /** Endpoints that were not disabled by callers. */
  readonly disabled: number;
}

export async function readWebhookBacklog(prisma: Pick<PrismaClient, '$queryRaw'>, now: Date): Promise<WebhookBacklog> {
  const [row] = await prisma.$queryRaw<WebhookBacklog[]>(Prisma.sql`
    SELECT coalesce(sum(waiting.messages) FILTER (WHERE e.disabled_at IS NULL), 0)::int AS pending,
           greatest(0, extract(epoch FROM ${instant(now)} - min(waiting.due) FILTER (WHERE e.disabled_at IS NULL)))::float8 AS "lateS",
           (count(*) FILTER (WHERE e.disabled_at IS NULL))::int AS enabled,
           (count(*) FILTER (WHERE e.disabled_reason <> 'caller'))::int AS disabled
      FROM webhook_endpoints e JOIN ${openBusinesses} AS b ON b.id = e.business_id
      LEFT JOIN LATERAL (
        SELECT count(*) AS messages, min(m.next_attempt_at) AS due FROM webhook_messages m
         WHERE m.business_id = e.business_id AND m.endpoint_id = e.id AND m.next_attempt_at IS NOT NULL) AS waiting ON TRUE`);
  return row!;
}

/** Deletes messages of all businesses that are older than a time, at most `atMost` of them, with their attempts. Returns how many. */
export function deleteWebhookMessagesBefore(prisma: PrismaClient, before: Date, atMost: number): Promise<number> {
  // Messages of an endpoint have ids in the order of their times, so those to delete are the first ones.
  return prisma.$executeRaw(Prisma.sql`
    WITH expired AS MATERIALIZED (
      SELECT old.* FROM webhook_endpoints e
       CROSS JOIN LATERAL (
         SELECT f.business_id, f.id FROM (
           SELECT m.business_id, m.id, m.created_at FROM webhook_messages m
            WHERE m.business_id = e.business_id AND m.endpoint_id = e.id ORDER BY m.id LIMIT ${atMost}) AS f
          WHERE f.created_at < ${instant(before)}) AS old
       LIMIT ${atMost})
    DELETE FROM webhook_messages m USING expired x WHERE m.business_id = x.business_id AND m.id = x.id`);
}

/** The encrypted secrets of an endpoint. */
export interface SealedSecrets {
  readonly secret: string;
  readonly previousSecret: string | null;
}

interface StoredSecrets extends SealedSecrets {
  readonly businessId: number;
  readonly id: number;
}

/** Reads the encrypted secrets of endpoints of all businesses, behind one of them. */
export function readSealedSecrets(
  prisma: PrismaClient,
  after: { readonly businessId: number; readonly id: number },
  atMost: number,
): Promise<StoredSecrets[]> {
  return prisma.$queryRaw<StoredSecrets[]>(Prisma.sql`
    SELECT e.business_id AS "businessId", e.id, e.secret, e.previous_secret AS "previousSecret" FROM webhook_endpoints e
     WHERE (e.business_id, e.id) > (${after.businessId}, ${after.id}) ORDER BY e.business_id, e.id LIMIT ${atMost}`);
}

/** Replaces the encrypted secrets of an endpoint, unless they were rotated meanwhile. Returns whether it did. */
export async function replaceSealedSecrets(
  prisma: PrismaClient,
  { businessId, id, secret, previousSecret }: StoredSecrets,
  anew: SealedSecrets,
): Promise<boolean> {
  const where = { businessId, id, secret, previousSecret };
  const { count } = await prisma.webhookEndpoint.updateMany({ where, data: { ...anew } });
  return count > 0;
}
