import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { App } from '../app.ts';
import { limits } from '../config/limits.ts';
import { findOtherZones, isOlderThanAYear, tzData } from '../time/tz-data.ts';
import { deriveAnew } from './retime/pass.ts';
import { sumUp, type BusinessReport } from './retime/report.ts';

/**
 * Derives the instants to come anew where they have older time zone data than this process, now and every hour, until the
 * signal. Nobody waits for it: the service answers meanwhile, with the instants as they are.
 */
export async function keepInstantsRight({ database, http, health }: App, signal: AbortSignal): Promise<void> {
  void logTzData(http.log);
  const { version } = tzData();
  while (!signal.aborted) {
    let pauseMs: number = limits.housekeepingMs;
    try {
      const outcome = await deriveAnew({ prisma: database.prisma, version, clock: () => new Date(), signal });
      if (outcome.kind === 'older') health.lose('time_zone_data', 'retime', { version, newest: outcome.newest });
      else health.regain('time_zone_data', 'retime');
      if (outcome.kind === 'complete') logReport(http.log, outcome.from, outcome.report);
      health.regain('upkeep', 'instants');
    } catch (err) {
      pauseMs = limits.jobRetryMs;
      if (!signal.aborted) health.lose('upkeep', 'instants', { err, what: 'instants' });
    }
    await wait(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

async function logTzData(log: FastifyBaseLogger): Promise<void> {
  const { version, source } = tzData();
  const runtime = process.versions.tz ?? '';
  log.info({ version, source, runtime }, 'time zone data in force');
  const now = new Date();
  if (isOlderThanAYear(version, now))
    log.warn({ version, source }, 'the time zone data are older than a year: update moment-timezone');
  // Versions such as 2026f are ordered as texts. An older runtime is no reason to act: its data are not used.
  if (runtime <= version) return;
  const zones = await findOtherZones([now.getUTCFullYear(), now.getUTCFullYear() + 1]);
  log.warn({ version, runtime, zones }, 'Node.js has newer time zone data: update moment-timezone');
}

function logReport(log: FastifyBaseLogger, from: string | null, report: readonly BusinessReport[]): void {
  const { version: to } = tzData();
  for (const { id: businessId, zones } of report)
    for (const { zone, changed, problems, problemExamples } of zones)
      if (problems === 0) log.info({ businessId, zone, changed }, 'instants derived anew');
      else
        log.warn(
          { businessId, zone, changed, problems, problemExamples },
          'instants derived anew, except for times that need a decision: see `callboard retime --dry-run`',
        );
  log.info({ from, to, ...sumUp(report) }, 'the instants to come agree with the time zone data in force');
}
