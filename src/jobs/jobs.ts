import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { SecretBox } from '../access/secret-box.ts';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { readMailBacklog } from '../db/mails-due.ts';
import type { Health } from '../health.ts';
import type { DeliveryParts } from './deliver.ts';
import type { TargetConfig } from './targets.ts';
import type { MailSecrets } from '../access/mail-secrets.ts';
import type { Mailer, MailerParts } from './mails.ts';
import type { Worker } from './worker.ts';

/** Parts of the jobs that tests replace: times, and the edges of the process. */
export interface JobOverrides extends Partial<Pick<DeliveryParts, 'schedule' | 'attemptMs'>> {
  readonly lookUp?: TargetConfig['lookUp'];
  readonly watchMs?: number;
  readonly pauseMs?: number;
}

export interface Jobs {
  start(): Promise<void>;
  /** Ends the jobs, if they were started. */
  stop(timeoutMs: number): Promise<void>;
}

interface JobParts {
  readonly database: Database;
  readonly log: FastifyBaseLogger;
  readonly secretBox: SecretBox;
  readonly health: Health;
  readonly clock: () => Date;
  readonly onAttempt: DeliveryParts['onAttempt'];
  readonly mailSecrets: MailSecrets;
  readonly onMailEnded: MailerParts['onEnded'];
}

/** The work that a process does without being asked: the delivery of webhooks, and of mails where a server for them is set. */
export function createJobs(
  config: Pick<Config, 'env' | 'webhooks' | 'mail'>,
  parts: JobParts,
  { lookUp, ...overrides }: JobOverrides = {},
): Jobs {
  let worker: Worker | null = null;
  let mailer: Mailer | null = null;
  const stopping = new AbortController();
  return {
    async start() {
      // Imported only in processes that run jobs.
      const { startWorker } = await import('./worker.ts');
      const mails = config.mail && (await import('./mails.ts'));
      if (stopping.signal.aborted) return;
      if (config.mail && mails) {
        const { mailSecrets: secrets, onMailEnded: onEnded, ...rest } = parts;
        mailer ??= mails.startMailer(config.mail, { ...rest, ...overrides, secrets, onEnded });
      } else void warnOfMails(parts, overrides.watchMs ?? limits.jobRetryMs, stopping.signal);
      const targets = {
        allow: config.webhooks.allow,
        httpsOnly: config.env === 'production',
        ...(lookUp && { lookUp }),
      };
      worker ??= startWorker({ ...parts, ...overrides, targets });
    },
    async stop(timeoutMs) {
      stopping.abort();
      await Promise.all([worker?.stop(timeoutMs), mailer?.stop(timeoutMs)]);
    },
  };
}

/** Says once that mails wait which this process does not send. Others, which have a mail server, send theirs at once. */
async function warnOfMails({ database, log, clock }: JobParts, everyMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const backlog = await readMailBacklog(database.prisma, clock()).catch(() => null);
    if (backlog && backlog.lateS * 1000 > limits.mailPauseMs) {
      log.warn(
        backlog,
        'mails wait, and this process sends none: set SMTP_URL, MAIL_FROM and PUBLIC_URL where jobs run',
      );
      return;
    }
    await wait(everyMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
