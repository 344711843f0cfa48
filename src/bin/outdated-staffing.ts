import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import { noteOrigin } from '../db/change-log.ts';
import type { Database } from '../db/engine/database.ts';
import { countOutdatedStaffing, findDueRates } from '../db/outdated-staffing.ts';
import { settleRates } from '../db/positions.ts';
import { bindToBusiness, rawOf } from '../db/tenant.ts';
import type { Health } from '../health.ts';

/** Gives positions the announced rates whose day has come. Prices follow the day by themselves. */
export async function settleDueRates(prisma: Database['prisma'], now: Date): Promise<void> {
  for (const businessId of await findDueRates(prisma, now))
    await bindToBusiness(prisma, businessId).transact(async (tx) => {
      await noteOrigin(rawOf(tx), { operation: 'rates' });
      await settleRates(tx, now);
    });
}

/** Settles due rates and counts outdated staffing anew, now and again, until the signal. Reports are right without it, but slower. */
export async function refreshStaffing(
  { prisma }: Pick<Database, 'prisma'>,
  health: Health,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await settleDueRates(prisma, new Date());
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
