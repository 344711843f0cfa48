import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { countOutdatedStaffing } from '../db/outdated-staffing.ts';

/** Counts outdated staffing anew, now and again, until the signal. Reports are right without it, but slower. */
export async function refreshStaffing(
  { prisma }: Pick<Database, 'prisma'>,
  log: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      let counted = 0;
      do counted = await countOutdatedStaffing(prisma, limits.outdatedStaffingEvents);
      while (counted === limits.outdatedStaffingEvents && !signal.aborted);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'outdated staffing could not be counted anew; trying again later');
    }
    await wait(limits.outdatedStaffingMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
