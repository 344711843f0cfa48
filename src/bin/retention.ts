import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { deleteTriesBefore } from '../db/attendance.ts';
import { deleteAuditEntriesBefore } from '../db/audit-entries.ts';
import { deleteCommitsBefore } from '../db/change-log.ts';
import type { Database } from '../db/engine/database.ts';
import { deleteFeedsBefore } from '../db/feeds.ts';
import { deleteMailsBefore } from '../db/mails.ts';
import { deleteOffersBefore } from '../db/offers.ts';
import { deleteSwapsBefore } from '../db/swaps.ts';
import { deleteWebhookMessagesBefore } from '../db/webhook-delivery.ts';
import type { Health } from '../health.ts';

const dayMs = 86_400_000;

/** Rows that are kept for a number of days. */
interface Kept {
  readonly what: string;
  readonly days: number;
  /** Deletes at most so many rows that are older than a time, and returns how many. */
  readonly deleteBefore: typeof deleteAuditEntriesBefore;
}

/** Deletes what is older than the configuration keeps, now and every hour, in statements of bounded size, until the signal. */
export async function deleteExpired(
  { prisma }: Pick<Database, 'prisma'>,
  health: Health,
  { audit, changeLog, webhooks }: Pick<Config, 'audit' | 'changeLog' | 'webhooks'>,
  signal: AbortSignal,
): Promise<void> {
  const all: readonly Kept[] = [
    { what: 'audit entries', days: audit.days, deleteBefore: deleteAuditEntriesBefore },
    { what: 'old offers', days: audit.days, deleteBefore: deleteOffersBefore },
    { what: 'old swaps', days: audit.days, deleteBefore: deleteSwapsBefore },
    { what: 'entries of the change log', days: changeLog.days, deleteBefore: deleteCommitsBefore },
    { what: 'webhook messages', days: webhooks.days, deleteBefore: deleteWebhookMessagesBefore },
    { what: 'wrong codes', days: limits.keptDays, deleteBefore: deleteTriesBefore },
    { what: 'feeds of deleted users', days: limits.keptDays, deleteBefore: deleteFeedsBefore },
    { what: 'mails', days: limits.keptDays, deleteBefore: deleteMailsBefore },
  ];
  while (!signal.aborted) {
    for (const { what, days, deleteBefore } of all)
      try {
        let deleted = 0;
        do {
          const before = new Date(Date.now() - days * dayMs);
          deleted = await deleteBefore(prisma, before, limits.batchRows);
        } while (deleted === limits.batchRows && !signal.aborted);
        health.regain('upkeep', what);
      } catch (err) {
        if (!signal.aborted) health.lose('upkeep', what, { err, what });
      }
    await wait(limits.housekeepingMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
