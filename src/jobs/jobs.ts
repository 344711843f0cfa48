import type { FastifyBaseLogger } from 'fastify';
import type { SecretBox } from '../access/secret-box.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import type { Health } from '../health.ts';
import type { DeliveryParts } from './deliver.ts';
import type { TargetConfig } from './targets.ts';
import type { MailSecrets } from '../access/mail-secrets.ts';
import type { Mailer } from './mails.ts';
import type { Worker } from './worker.ts';

/** Parts of the jobs that tests replace: times, and the edges of the process. */
export interface JobOverrides extends Partial<Pick<DeliveryParts, 'schedule' | 'attemptMs'>> {
  readonly lookUp?: TargetConfig['lookUp'];
  readonly watchMs?: number;
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
}

/** The work that a process does without being asked: the delivery of webhooks, and of mails where a server for them is set. */
export function createJobs(
  config: Pick<Config, 'env' | 'webhooks' | 'mail'>,
  parts: JobParts,
  { lookUp, ...overrides }: JobOverrides = {},
): Jobs {
  let worker: Worker | null = null;
  let mailer: Mailer | null = null;
  let isStopped = false;
  return {
    async start() {
      // Imported only in processes that run jobs.
      const { startWorker } = await import('./worker.ts');
      const mails = config.mail && (await import('./mails.ts'));
      if (isStopped) return;
      if (config.mail && mails)
        mailer ??= mails.startMailer(config.mail, { ...parts, ...overrides, secrets: parts.mailSecrets });
      const targets = {
        allow: config.webhooks.allow,
        httpsOnly: config.env === 'production',
        ...(lookUp && { lookUp }),
      };
      worker ??= startWorker({ ...parts, ...overrides, targets });
    },
    async stop(timeoutMs) {
      isStopped = true;
      await Promise.all([worker?.stop(timeoutMs), mailer?.stop(timeoutMs)]);
    },
  };
}
