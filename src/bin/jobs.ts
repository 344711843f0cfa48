import type { Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import type { Health } from '../health.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { watchDue } from './due-work.ts';
import { refreshStaffing } from './outdated-staffing.ts';
import { deleteExpired } from './retention.ts';

/** Starts everything that a process with jobs does beside serving. The database has to be migrated. */
export async function runJobs(
  {
    database,
    jobs,
    health,
  }: { readonly database: Database; readonly jobs: Pick<Jobs, 'start'>; readonly health: Health },
  config: Config,
  signal: AbortSignal,
): Promise<void> {
  await jobs.start();
  void deleteExpired(database, health, config, signal);
  void refreshStaffing(database, health, signal);
  void watchDue(database, health, signal);
}
