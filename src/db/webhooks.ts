import type { messageStatuses } from '../fields/codes.ts';
import { allOf } from '../fields/field-list.ts';
import { webhookFields, type WebhookRow } from '../fields/webhooks.ts';
import { Prisma, type WebhookAttempt, type WebhookEndpoint, type WebhookMessage } from '../generated/prisma/client.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import type { PageWindow } from '../paging/pages.ts';
import { directionOf } from './direction.ts';
import { readRows, shownColumns } from './rows.ts';
import { rawOf, readTotal, type TenantDb } from './tenant.ts';

export const shownWebhook = allOf(webhookFields);

/** Reads the webhooks of the business, or those with some uuids, oldest first. */
export function readWebhooks(db: TenantDb, uuids?: readonly string[]): Promise<WebhookRow[]> {
  return readRows<WebhookRow>(db, 'WebhookEndpoint', shownWebhook, {
    ...(uuids && { where: Prisma.sql`t.uuid = ANY(${uuids}::uuid[])` }),
  });
}

const locked = { ...shownWebhook, revision: true, changeId: true, secret: true, previousSecret: true } as const;

export type LockedWebhook = Pick<WebhookEndpoint, keyof typeof locked>;

export async function lockWebhook(tx: TenantDb, uuid: string): Promise<LockedWebhook | null> {
  const [row] = await rawOf(tx).$queryRaw<LockedWebhook[]>(Prisma.sql`
    SELECT ${shownColumns('e', locked)} FROM webhook_endpoints e
     WHERE e.business_id = ${tx.$businessId} AND e.uuid = ${uuid}::uuid FOR UPDATE`);
  return row ?? null;
}

type MessageStatus = keyof typeof messageStatuses;

export const shownMessage = {
  id: true,
  uuid: true,
  type: true,
  payload: true,
  status: true,
  attemptCount: true,
  nextAttemptAt: true,
  createdAt: true,
  deliveredAt: true,
} as const;

export type WebhookMessageRow = Pick<WebhookMessage, keyof typeof shownMessage>;

export function readMessagesByUuids(db: TenantDb, uuids: readonly string[]): Promise<WebhookMessageRow[]> {
  return readRows<WebhookMessageRow>(db, 'WebhookMessage', shownMessage, {
    where: Prisma.sql`t.uuid = ANY(${uuids}::uuid[])`,
  });
}

export interface MessageFilter {
  readonly status?: MessageStatus | undefined;
  readonly type?: string | undefined;
}

/** Newest first. The id alone is the position, because it has more digits than the id of a cursor. */
export const messageOrder: CursorOrder<Pick<WebhookMessageRow, 'id'>> = {
  by: 'message',
  direction: 'desc',
  positionOf: ({ id }) => ({ value: String(id), id: 1 }),
  isValue: isMessageId,
};

/** Oldest first, for messages that are sent again. */
export const resendOrder: typeof messageOrder = { ...messageOrder, by: 'resent', direction: 'asc' };

function isMessageId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}

const messageColumns = shownColumns('m', { ...shownMessage, endpointId: true });

const conditions = (
  db: TenantDb,
  endpointId: number | Prisma.Sql,
  { status, type }: MessageFilter,
): Prisma.Sql => Prisma.sql`
  m.business_id = ${db.$businessId} AND m.endpoint_id = ${endpointId}
  ${status === undefined ? Prisma.empty : Prisma.sql`AND m.status = ${status}`}
  ${type === undefined ? Prisma.empty : Prisma.sql`AND m.type = ${type}`}`;

/** Reads one page of the messages of a webhook, newest first. */
export function readMessagePage(
  db: TenantDb,
  endpointId: number,
  filter: MessageFilter,
  window: PageWindow,
): Promise<WebhookMessageRow[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'desc');
  return rawOf(db).$queryRaw<WebhookMessageRow[]>(Prisma.sql`
    SELECT ${messageColumns}
      FROM webhook_messages m
     WHERE ${conditions(db, endpointId, filter)}
       ${after ? Prisma.sql`AND m.id ${beyond} ${after.value}::bigint` : Prisma.empty}
     ORDER BY m.id ${direction} LIMIT ${limit} OFFSET ${offset}`);
}

export type MessageOfWebhook = WebhookMessageRow & Pick<WebhookMessage, 'endpointId'>;

/** Reads the same window of the messages of each of many webhooks, webhook by webhook, newest first. */
export function readMessagesOfWebhooks(
  db: TenantDb,
  endpointIds: readonly number[],
  filter: MessageFilter,
  window: PageWindow,
): Promise<MessageOfWebhook[]> {
  const { limit, offset = 0, after } = window;
  const { direction, beyond } = directionOf(window, 'desc');
  return rawOf(db).$queryRaw<MessageOfWebhook[]>(Prisma.sql`
    SELECT page.* FROM unnest(${endpointIds}::int[]) AS asked (id)
     CROSS JOIN LATERAL (
       SELECT ${messageColumns} FROM webhook_messages m
        WHERE ${conditions(db, Prisma.sql`asked.id`, filter)}
          ${after ? Prisma.sql`AND m.id ${beyond} ${after.value}::bigint` : Prisma.empty}
        ORDER BY m.id ${direction} LIMIT ${limit} OFFSET ${offset}) AS page
     ORDER BY page."endpointId", page.id ${direction}`);
}

export async function countMessagesOfWebhooks(
  db: TenantDb,
  endpointIds: readonly number[],
  filter: MessageFilter,
): Promise<Map<number, number>> {
  const rows = await rawOf(db).$queryRaw<{ id: number; total: number }[]>(Prisma.sql`
    SELECT asked.id, counted.total FROM unnest(${endpointIds}::int[]) AS asked (id)
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS total FROM webhook_messages m WHERE ${conditions(db, Prisma.sql`asked.id`, filter)}) AS counted`);
  return new Map(rows.map(({ id, total }) => [id, total]));
}

export type AttemptRow = Omit<WebhookAttempt, 'businessId' | 'id'>;

/** Reads the attempts of many messages, newest first, at most so many of each. */
export function readAttempts(db: TenantDb, messageIds: readonly bigint[], atMostEach: number): Promise<AttemptRow[]> {
  return rawOf(db).$queryRaw<AttemptRow[]>(Prisma.sql`
    SELECT newest.* FROM unnest(${messageIds.map(String)}::bigint[]) AS asked (id)
     CROSS JOIN LATERAL (
       SELECT t.message_id AS "messageId", t.at, t.status_code AS "statusCode", t.duration_ms AS "durationMs", t.error, t.response
         FROM webhook_attempts t
        WHERE t.business_id = ${db.$businessId} AND t.message_id = asked.id
        ORDER BY t.id DESC LIMIT ${atMostEach}) AS newest`);
}

export function countMessages(db: TenantDb, endpointId: number, filter: MessageFilter): Promise<number> {
  return readTotal(
    db,
    Prisma.sql`SELECT count(*)::int AS total FROM webhook_messages m WHERE ${conditions(db, endpointId, filter)}`,
  );
}

/** The messages to send again: those made since a time, behind a message, with a status. Pending ones are sent anyway. */
export interface ResendChoice {
  readonly since: Date;
  readonly after?: string | undefined;
  readonly status?: 'delivered' | 'failed' | undefined;
  readonly atMost: number;
}

/** Makes messages of a webhook pending again, oldest first. Returns their ids in that order. */
export async function resendMessages(
  db: TenantDb,
  endpointId: number,
  { since, after, status, atMost }: ResendChoice,
  now: Date,
): Promise<bigint[]> {
  const rows = await rawOf(db).$queryRaw<{ id: bigint }[]>(Prisma.sql`
    UPDATE webhook_messages r SET ${pendingAt(now)}
      FROM (SELECT m.id FROM webhook_messages m
             WHERE ${conditions(db, endpointId, { status })} AND m.status <> 'pending'
               AND m.created_at >= ${since.toISOString()}::timestamptz
               ${after === undefined ? Prisma.empty : Prisma.sql`AND m.id > ${after}::bigint`}
             ORDER BY m.id LIMIT ${atMost} FOR UPDATE) AS chosen
     WHERE r.business_id = ${db.$businessId} AND r.id = chosen.id
    RETURNING r.id`);
  return rows.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
}

/** Makes one message pending again, whatever its status. Null if there is none. */
export async function resendMessage(
  db: TenantDb,
  { uuid, endpointUuid }: { readonly uuid: string; readonly endpointUuid?: string | undefined },
  now: Date,
): Promise<{ endpointId: number } | null> {
  const [row] = await rawOf(db).$queryRaw<{ endpointId: number }[]>(Prisma.sql`
    UPDATE webhook_messages r SET ${pendingAt(now)}
      FROM webhook_endpoints e
     WHERE r.business_id = ${db.$businessId} AND r.uuid = ${uuid}::uuid
       AND e.business_id = r.business_id AND e.id = r.endpoint_id
       ${endpointUuid === undefined ? Prisma.empty : Prisma.sql`AND e.uuid = ${endpointUuid}::uuid`}
    RETURNING r.endpoint_id AS "endpointId"`);
  return row ?? null;
}

/** A message that is sent again has all of its attempts before it. */
const pendingAt = (now: Date): Prisma.Sql =>
  Prisma.sql`status = 'pending', attempt_count = 0, next_attempt_at = ${now.toISOString()}::timestamptz, delivered_at = NULL`;
