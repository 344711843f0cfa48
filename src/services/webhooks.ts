import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { operation, variantOf } from '../access/operation.ts';
import { admin, webhookEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readLogEnd } from '../db/change-log.ts';
import { lockInBusiness } from '../db/lock.ts';
import { lockWebhook, readWebhooks, shownWebhook, type LockedWebhook } from '../db/webhooks.ts';
import type { WebhookRow } from '../fields/webhooks.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { closedObject, noInput } from '../validation/schemas.ts';
import { uuidsInput } from './events-input.ts';
import { newWebhook, webhookChanges, webhookParams } from './webhooks-input.ts';

/** Facts about a webhook for the audit trail. The path and the query of its URL may hold a credential of the receiver. */
export const webhookDetails = ({ uuid, url }: Pick<WebhookRow, 'uuid' | 'url'>) => ({
  webhook: uuid,
  receiver: new URL(url).origin,
});

/** Lists the webhooks of the business, oldest first. */
export const list = operation({
  name: 'webhooks.list',
  roles: admin,
  scopes: ['webhooks'],
  input: noInput,
  run: ({ db }) => readWebhooks(db),
});

export const getByUuids = variantOf(list, {
  input: uuidsInput,
  run: ({ db }, { uuids }) => readWebhooks(db, uuids),
});

export const get = operation({
  name: 'webhooks.get',
  roles: admin,
  scopes: ['webhooks'],
  input: webhookParams,
  run: ({ db }, { uuid }) => webhookOrNotFound(db, uuid),
});

export async function webhookOrNotFound(db: Scope['db'], uuid: string): Promise<WebhookRow> {
  const [row] = await readWebhooks(db, [uuid]);
  if (!row) throw notFound('webhook');
  return row;
}

/** Makes a secret in the form of Standard Webhooks. */
export const generateSecret = (): string => `whsec_${randomBytes(limits.secretBytes).toString('base64')}`;

/**
 * Creates a webhook, which gets what changes from now on. Only this answer and that of a rotation hold the secret, so it is shown once.
 */
export const create = operation({
  ...webhookEdit,
  name: 'webhooks.create',
  idempotent: {
    insteadOfSecret:
      'The webhook was made by the first call, and its secret was shown once. Where that answer was lost, rotate the secret.',
  },
  input: newWebhook,
  rules: [
    { over: ['url'], check: (_scope, { url }, { findWebhookUrlFaults }) => urlErrors(url, findWebhookUrlFaults) },
  ],
  run: async (scope, { url, description = '', types = [] }, { sealSecret, findWebhookUrlFaults }) => {
    refuseUrl(url, findWebhookUrlFaults);
    const secret = generateSecret();
    const webhook = await scope.transaction(async (tx) => {
      const { db, businessId } = tx;
      await lockInBusiness(db, 'catalog');
      if ((await db.webhookEndpoint.count()) >= limits.receiversMax)
        throw conflict(`A business can have at most ${limits.receiversMax} webhooks.`);
      const now = tx.clock();
      const made = await db.webhookEndpoint.create({
        data: {
          businessId,
          url,
          description,
          types,
          secret: sealSecret(secret),
          ...(await readLogEnd(db)),
          createdAt: now,
          updatedAt: now,
        },
        select: shownWebhook,
      });
      tx.record({ kind: 'webhookEndpoint', id: made.id, details: { ...webhookDetails(made), types } });
      return made;
    });
    return { webhook, secret };
  },
});

type FindFaults = (url: string) => string[];

function urlErrors(url: string | undefined, findFaults: FindFaults): { url?: string[] } {
  const faults = url === undefined ? [] : findFaults(url);
  return faults.length > 0 ? { url: faults } : {};
}

function refuseUrl(url: string | undefined, findFaults: FindFaults): void {
  const errors = urlErrors(url, findFaults);
  if (errors.url) throw invalid({ url: errors.url });
}

/** Changes only the fields that were sent. Messages that are stored already go to the new URL as well. */
export const update = operation({
  ...webhookEdit,
  name: 'webhooks.update',
  input: closedObject({ ...webhookParams.properties, ...webhookChanges.properties }),
  rules: [
    { over: ['url'], check: (_scope, { url }, { findWebhookUrlFaults }) => urlErrors(url, findWebhookUrlFaults) },
  ],
  run: (scope, { uuid, url, description, types }, { findWebhookUrlFaults }) => {
    refuseUrl(url, findWebhookUrlFaults);
    const changes = {
      ...(url !== undefined && { url }),
      ...(description !== undefined && { description }),
      ...(types !== undefined && { types }),
    };
    return changeWebhook(scope, uuid, (before) =>
      Object.keys(changes).length === 0 ? null : { changes, details: differencesOf(before, changes) },
    );
  },
});

const differencesOf = (before: WebhookRow, { url, description, types }: Partial<WebhookRow>) => ({
  ...(url !== undefined && { receiver: { from: new URL(before.url).origin, to: new URL(url).origin } }),
  ...(description !== undefined && { description: { from: before.description, to: description } }),
  ...(types !== undefined && { types: { from: before.types, to: types } }),
});

/** A change of the columns of a webhook, and what the audit trail keeps of it beside the webhook itself. */
interface WebhookChange {
  readonly changes: Partial<Omit<LockedWebhook, 'id' | 'uuid' | 'createdAt' | 'updatedAt'>>;
  readonly details?: Readonly<Record<string, string | string[] | boolean | { from: unknown; to: unknown }>>;
}

/** Locks a webhook and changes it, and returns it as it is then. Null, and values that it has, leave it as it was. */
export function changeWebhook(
  scope: Scope,
  uuid: string,
  decide: (before: LockedWebhook, tx: Scope) => WebhookChange | null | Promise<WebhookChange | null>,
): Promise<WebhookRow> {
  return scope.transaction(async (tx) => {
    const before = await lockedWebhook(tx, uuid);
    const change = await decide(before, tx);
    if (change && !isDeepStrictEqual({ ...before, ...change.changes }, before)) {
      await tx.db.webhookEndpoint.updateMany({
        where: { id: before.id },
        data: { ...change.changes, updatedAt: tx.clock() },
      });
      const details = { ...webhookDetails(before), ...(change.details as object) };
      tx.record({ kind: 'webhookEndpoint', id: before.id, details });
    }
    return webhookOrNotFound(tx.db, uuid);
  });
}

export async function lockedWebhook(tx: Scope, uuid: string): Promise<LockedWebhook> {
  const row = await lockWebhook(tx.db, uuid);
  if (!row) throw notFound('webhook');
  return row;
}

/** Deletes a webhook with its messages, and returns its last state. */
export const remove = operation({
  ...webhookEdit,
  name: 'webhooks.delete',
  input: webhookParams,
  run: (scope, { uuid }) =>
    scope.transaction(async (tx) => {
      const { id } = await lockedWebhook(tx, uuid);
      const last = await webhookOrNotFound(tx.db, uuid);
      await tx.db.webhookEndpoint.deleteMany({ where: { id } });
      tx.record({ kind: 'webhookEndpoint', id, details: webhookDetails(last) });
      return last;
    }),
});
