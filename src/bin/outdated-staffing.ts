import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { countOutdatedStaffing } from '../db/outdated-staffing.ts';
import type { Health } from '../health.ts';

/** Counts outdated staffing anew, now and again, until the signal. Reports are right without it, but slower. */
export async function refreshStaffing(
  { prisma }: Pick<Database, 'prisma'>,
  health: Health,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      let counted = 0;
      do counted = await countOutdatedStaffing(prisma, limits.batchRows);
      while (counted === limits.batchRows && !signal.aborted);
      health.regain('upkeep', 'staffing');
    } catch (err) {
      if (!signal.aborted) health.lose('upkeep', 'staffing', { err, what: 'staffing' });
    }
    await wait(limits.jobRetryMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
