import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { App } from '../app.ts';
import { limits } from '../config/limits.ts';
import { isOlderThanAYear, tzData } from '../time/tz-data.ts';
import { deriveAnew } from './retime/pass.ts';
import { sumUp, type BusinessReport } from './retime/report.ts';

/**
 * Derives the instants to come anew where they have older time zone data than this process, now and every hour, until the
 * signal. Nobody waits for it: the service answers meanwhile, with the instants as they are.
 */
export async function keepInstantsRight({ database, http }: App, signal: AbortSignal): Promise<void> {
  logTzData(http.log);
  const { version } = tzData();
  while (!signal.aborted) {
    let pauseMs: number = limits.retimeCheckMs;
    try {
      const outcome = await deriveAnew({ prisma: database.prisma, version, clock: () => new Date(), signal });
      if (outcome.kind === 'older')
        http.log.warn(
          { version, newest: outcome.newest },
          'this process has older time zone data than the database: instants that it stores can be wrong until another process derives them anew',
        );
      if (outcome.kind === 'complete') logReport(http.log, outcome.from, outcome.report);
    } catch (error) {
      pauseMs = limits.retimeRetryMs;
      if (!signal.aborted)
        http.log.warn({ err: error }, 'instants could not be derived anew: trying again in a minute');
    }
    await wait(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

function logTzData(log: FastifyBaseLogger): void {
  const { version, source, unusable } = tzData();
  for (const reason of unusable) log.debug({ reason }, 'time zone data that cannot be used');
  log.info({ version, source }, 'time zone data in force');
  if (isOlderThanAYear(version, new Date()))
    log.warn(
      { version, source },
      'the time zone data are older than a year: update tzdata, moment-timezone or Node.js',
    );
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
