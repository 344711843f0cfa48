import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { bindToBusiness } from '../db/tenant.ts';
import { announceEnding } from '../db/user-qualifications.ts';
import { findListeningBusinesses } from '../db/webhook-delivery.ts';
import { daysFrom } from '../time/zoned-time.ts';

/** Announces what staff hold that ends soon, where somebody listens: webhooks are told of the change that this makes. */
export async function announceEndings({ prisma }: Pick<Database, 'prisma'>, now: Date): Promise<void> {
  for (const { businessId, timezone } of await findListeningBusinesses(prisma)) {
    const { transact } = bindToBusiness(prisma, businessId);
    await transact((db) => announceEnding(db, daysFrom(now, limits.expiringDays, timezone)));
  }
}
