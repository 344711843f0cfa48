import { setTimeout as wait } from 'node:timers/promises';
import type { App } from '../app.ts';
import { limits } from '../config/limits.ts';
import { deleteAuditEntriesBefore } from '../db/audit-entries.ts';

const dayMs = 86_400_000;

/**
 * Deletes audit entries older than the given number of days, now and every hour, in statements of bounded size, until
 * the signal.
 */
export async function keepAuditTrailShort({ database, http }: App, days: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      let deleted = 0;
      do {
        const before = new Date(Date.now() - days * dayMs);
        deleted = await deleteAuditEntriesBefore(database.prisma, before, limits.auditPruneRows);
      } while (deleted === limits.auditPruneRows && !signal.aborted);
    } catch (error) {
      if (!signal.aborted)
        http.log.warn({ err: error }, 'old audit entries could not be deleted; trying again in an hour');
    }
    await wait(limits.auditPruneMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
