import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { MailSecrets } from '../access/mail-secrets.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import {
  findMailWork,
  findRemindingBusinesses,
  noteMailFault,
  recordMail,
  takeDueMails,
  type DueMail,
  type MailOutcome,
} from '../db/mails.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import type { Health } from '../health.ts';
import { storeMailsOfChanges, storeReminders } from './mails-collect.ts';
import { quietUntil, writeMail, type MailConfig } from './mails-write.ts';
import { delayAfter, retrySchedule, type RetrySchedule } from './schedule.ts';

interface MailerParts {
  readonly database: Database;
  readonly log: FastifyBaseLogger;
  readonly health: Health;
  readonly secrets: MailSecrets;
  readonly clock: () => Date;
  readonly schedule?: RetrySchedule;
  /** How often it looks for work. */
  readonly watchMs?: number;
  /** How long the mail server may take to answer. */
  readonly attemptMs?: number;
}

export interface Mailer {
  stop(timeoutMs: number): Promise<void>;
}

/** Stores and sends mails until it is stopped. A mail is its own job: it is leased, sent, and its outcome is recorded. */
export function startMailer(config: MailConfig, parts: MailerParts): Mailer {
  const { database, log, health, secrets, clock, schedule = retrySchedule, watchMs = limits.checkMs } = parts;
  const transport = openTransport(config, parts.attemptMs ?? limits.deliveryMs);
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const bind = (businessId: number) => bindToBusiness(database.prisma, businessId);

  const sendOne = async (db: TenantDb, mail: DueMail): Promise<void> => {
    const now = clock();
    const later = quietUntil(mail, now);
    if (later) return recordMail(db, mail.id, { status: 'pending', dueAt: later, isUntried: true });
    const written = writeMail(mail, config, secrets, now);
    if (!written) return recordMail(db, mail.id, { status: 'dropped', dueAt: null });
    const refusal = await transport.sendMail(written).then(
      () => null,
      (error: SmtpError) => error,
    );
    const bounce = refusal && bounceOf(refusal);
    if (!refusal || bounce) health.regain('mail', 'send');
    else health.lose('mail', 'send', { err: refusal });
    await recordMail(db, mail.id, outcomeOf(refusal, bounce, mail.attemptCount));
    if ((!refusal || bounce) && bounce !== mail.mailFault) await noteMailFault(db, mail.userId, bounce);
  };
  const outcomeOf = (refusal: SmtpError | null, bounce: string | null, attempt: number): MailOutcome => {
    if (!refusal) return { status: 'sent', dueAt: null };
    const delayMs = bounce === null ? delayAfter(schedule, attempt, null) : null;
    return delayMs === null
      ? { status: 'failed', dueAt: null }
      : { status: 'pending', dueAt: new Date(clock().getTime() + delayMs) };
  };

  const send = async (businessId: number): Promise<void> => {
    const { db } = bind(businessId);
    // Twice as many as connections, so that none waits for the next look; and one of each person, whose server may hang.
    const free = limits.messagesAtATime - running.size;
    if (free <= 0) return;
    const keyOf = (userId: number) => `${businessId} ${userId}`;
    const except = [...running.keys()]
      .map((key) => key.split(' ').map(Number))
      .flatMap(([of, userId]) => (of === businessId ? [userId!] : []));
    for (const mail of await takeDueMails(db, { now: clock(), leaseMs: limits.leaseMs, atMost: free, except })) {
      const work = sendOne(db, mail)
        .catch((err: unknown) => log.warn({ err, businessId, mail: mail.uuid }, 'a mail could not be sent'))
        .finally(() => running.delete(keyOf(mail.userId)));
      running.set(keyOf(mail.userId), work);
    }
  };

  let remindAt = 0;
  const look = async (): Promise<void> => {
    if (performance.now() >= remindAt) {
      for (const { businessId } of await findRemindingBusinesses(database.prisma))
        await storeReminders(bind(businessId).db, clock());
      remindAt = performance.now() + Math.min(limits.jobRetryMs, 10 * watchMs);
    }
    const work = await findMailWork(database.prisma, clock(), limits.pageRows);
    for (const { businessId, hasNews } of work)
      if (hasNews) await storeMailsOfChanges(bind(businessId).transact, secrets, clock());
    for (const { businessId } of work) await send(businessId);
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let isBusy = false;
      try {
        await look();
        isBusy = running.size > 0;
        health.regain('mail', 'look');
      } catch (err) {
        health.lose('mail', 'look', { err });
      }
      // While mails are under way, it looks again as soon as one of them is done.
      const done = isBusy ? Promise.race(running.values()).then(() => wait(limits.lookGapMs)) : null;
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, stopping.signal]);
      const pause = wait(watchMs, undefined, { signal }).catch(() => undefined);
      await (done ? Promise.race([pause, done]) : pause);
      over.abort();
    }
  };
  const watching = watch();

  return {
    stop: async (timeoutMs) => {
      stopping.abort();
      await watching;
      await Promise.race([Promise.all(running.values()), wait(timeoutMs, undefined, { ref: false })]);
      // What is still under way is sent again by another process when its lease ends, with the same Message-ID.
      transport.close();
    },
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** What the server said if it refused the mail or its recipient for good. Whoever refuses the sender or the log-in refuses this service. */
function bounceOf({ responseCode = 0, command, code, response, message }: SmtpError): string | null {
  const isOurs = code === 'EAUTH' || command === 'MAIL FROM' || command === 'EHLO';
  if (responseCode < 500 || isOurs) return null;
  return (response ?? message).replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, limits.textChars);
}

function openTransport({ smtpUrl }: MailConfig, answerMs: number) {
  const { username, hostname, protocol } = new URL(smtpUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: limits.messagesAtATime / 2,
    maxMessages: Infinity,
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: Math.min(limits.connectMs, answerMs),
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password does not leave this machine unencrypted.
    ...(username !== '' && protocol === 'smtp:' && !isLocal && { requireTLS: true }),
  });
}
