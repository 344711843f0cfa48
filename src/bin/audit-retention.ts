import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../app.ts';
import { limits } from '../config/limits.ts';
import { deleteAuditEntriesBefore } from '../db/audit-entries.ts';

const dayMs = 86_400_000;

/** Deletes what is older than so many days, now and every hour, in statements of a bounded size. Ends with the signal. */
export async function keepAuditTrailShort({ database, http }: App, days: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      let deleted = 0;
      do {
        const before = new Date(Date.now() - days * dayMs);
        deleted = await deleteAuditEntriesBefore(database.prisma, before, limits.auditPruneRows);
      } while (deleted === limits.auditPruneRows && !signal.aborted);
    } catch (error) {
      if (!signal.aborted) http.log.warn({ err: error }, 'old entries of the audit trail stay for now');
    }
    await wait(limits.auditPruneMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
