import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import { closeForgotten, findUnclosed } from '../db/attendance.ts';
import { readBusiness } from '../db/businesses.ts';
import { noteOrigin } from '../db/change-log.ts';
import type { Database } from '../db/engine/database.ts';
import { findDueOffers } from '../db/offers.ts';
import { lockEvent } from '../db/staffing.ts';
import { bindToBusiness, rawOf } from '../db/tenant.ts';
import type { Health } from '../health.ts';
import { settleEvent } from '../services/settlement.ts';
import { changeSwaps } from '../services/swaps-states.ts';

/** Ends the offers and swaps whose time is over, gives the places that they held to others, and asks the next people. One transaction an event. */
export async function settleDueOffers(prisma: Database['prisma'], now: Date): Promise<number> {
  const due = await findDueOffers(prisma, now, limits.pageRows);
  for (const { businessId, eventId } of due)
    await bindToBusiness(prisma, businessId).transact(async (db) => {
      await noteOrigin(rawOf(db), { operation: 'offers' });
      if (!(await lockEvent(db, { id: eventId }))) return;
      const actor = await readBusiness(db);
      const tx = { db, businessId, actor, clock: () => now, record: () => undefined };
      await settleEvent(tx, eventId);
      await changeSwaps(tx, 'expired', { eventId, expiresAt: { lte: now } });
    });
  return due.length;
}

/** Closes check-outs that were forgotten, hours after the planned end. One transaction a business. */
export async function closeDueAttendance(prisma: Database['prisma'], now: Date): Promise<number> {
  const due = await findUnclosed(prisma, now);
  let closed = 0;
  for (const businessId of due)
    await bindToBusiness(prisma, businessId).transact(async (db) => {
      await noteOrigin(rawOf(db), { operation: 'attendance' });
      closed += await closeForgotten(db, now);
    });
  return closed;
}

const dueWork = { offers: settleDueOffers, attendance: closeDueAttendance };

/**
 * Settles due offers and closes forgotten check-outs, now and again, until the signal. An answer that comes too late is refused
 * without it.
 */
export async function watchDue(
  { prisma }: Pick<Database, 'prisma'>,
  health: Health,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const [what, settle] of Object.entries(dueWork))
      try {
        await settle(prisma, new Date());
        health.regain('upkeep', what);
      } catch (err) {
        if (!signal.aborted) health.lose('upkeep', what, { err, what });
      }
    await wait(limits.offersLookMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
