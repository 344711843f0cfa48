import type { FastifyBaseLogger } from 'fastify';
import { byService } from '../access/audit.ts';
import type { Transact } from '../db/tenant.ts';
import { disableEndpoint, type DisabledReason, type EndpointKey } from '../db/webhook-delivery.ts';

const reasons: Readonly<Record<DisabledReason, string>> = {
  gone: 'its receiver answered 410 Gone',
  failing: 'it has had nothing but failures for days',
  expired: 'the change log no longer has the changes since its last message',
};

/** Disables an endpoint on behalf of the service, with an entry in the audit trail. */
export async function disable(
  {
    transact,
    log,
    clock,
  }: { readonly transact: Transact; readonly log: FastifyBaseLogger; readonly clock: () => Date },
  { businessId, endpointId }: EndpointKey,
  reason: DisabledReason,
): Promise<void> {
  const at = clock();
  const wasEnabled = await transact(async (db) => {
    const endpoint = await disableEndpoint(db, endpointId, reason, at);
    if (!endpoint) return false;
    // As in other entries about webhooks: the path of a URL may hold a credential.
    const details = { webhook: endpoint.uuid, receiver: new URL(endpoint.url).origin, reason };
    const entry = byService(businessId, 'webhooks.disable', ['webhookEndpoint', endpointId], { at, details });
    await db.auditEntry.createMany({ data: [entry] });
    return true;
  });
  if (wasEnabled) log.warn({ businessId, endpointId, reason }, `a webhook endpoint was disabled: ${reasons[reason]}`);
}
