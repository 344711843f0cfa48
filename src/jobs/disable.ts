import type { FastifyBaseLogger } from 'fastify';
import type { Transact } from '../db/tenant.ts';
import { disableEndpoint, type DisabledReason, type EndpointKey } from '../db/webhook-delivery.ts';

const reasons: Readonly<Record<DisabledReason, string>> = {
  gone: 'its receiver answered 410 Gone',
  failing: 'it has had nothing but failures for days',
  expired: 'the change log no longer has the changes since its last message',
};

/** Disables an endpoint on behalf of the service. */
export async function disable(
  {
    transact,
    log,
    clock,
  }: { readonly transact: Transact; readonly log: FastifyBaseLogger; readonly clock: () => Date },
  { businessId, endpointId }: EndpointKey,
  reason: DisabledReason,
): Promise<void> {
  const wasEnabled = await transact((db) => disableEndpoint(db, endpointId, reason, clock()));
  if (wasEnabled) log.warn({ businessId, endpointId, reason }, `a webhook endpoint was disabled: ${reasons[reason]}`);
}
