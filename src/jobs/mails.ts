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
  replaceMailLink,
  takeDueMails,
  type DueMail,
  type MailOutcome,
} from '../db/mails.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import type { Health } from '../health.ts';
import { storeMailsOfChanges, storeReminders } from './mails-collect.ts';
import { quietUntil, writeMail, type MailConfig } from './mails-write.ts';
import { delayAfter, retrySchedule, type RetrySchedule } from './schedule.ts';

export interface MailerParts {
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
  /** The first pause while the server is away. Each further one is twice as long, up to a limit. */
  readonly pauseMs?: number;
  /** Is told of each mail that is sent or given up. */
  readonly onEnded?: ((outcome: MailEnd) => void) | undefined;
}

type MailEnd = Exclude<MailOutcome['status'], 'pending'>;

export interface Mailer {
  stop(timeoutMs: number): Promise<void>;
}

/** Stores and sends mails until it is stopped. A mail is its own job: it is leased, sent, and its outcome is recorded. */
export function startMailer(config: MailConfig, parts: MailerParts): Mailer {
  const {
    database,
    log,
    health,
    secrets,
    clock,
    schedule = retrySchedule,
    watchMs = limits.checkMs,
    pauseMs = limits.mailPauseMs,
  } = parts;
  const transport = openTransport(config, parts.attemptMs ?? limits.deliveryMs);
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const bind = (businessId: number) => bindToBusiness(database.prisma, businessId);

  const sendOne = async (db: TenantDb, mail: DueMail): Promise<void> => {
    const now = clock();
    const later = quietUntil(mail, now);
    if (later) return recordMail(db, mail.id, { status: 'pending', dueAt: later, isUntried: true });
    const written = writeMail(await withLink(db, mail), config, secrets, now);
    if (!written) {
      log.info({ ...keyOf(mail), kind: mail.kind }, 'a mail is not sent: what it tells is over, or its link is void');
      return end(db, mail, { status: 'dropped', dueAt: null });
    }
    const refusal = await transport.sendMail(written).then(
      () => null,
      (error: SmtpError) => error,
    );
    if (refusal && !(await isOfMail(refusal))) {
      holdBack(refusal);
      // Where the server closes the line on a mail, others are to ask first.
      const dueAt = refusal.responseCode === closing ? clock() : mail.dueAt;
      return recordMail(db, mail.id, { status: 'pending', dueAt, isUntried: true });
    }
    goOn();
    const bounce = refusal && bounceOf(refusal);
    await end(db, mail, outcomeOf(refusal, bounce, mail.attemptCount));
    if ((!refusal || bounce) && bounce !== mail.mailFault) await noteMailFault(db, mail.userId, bounce);
  };
  const end = async (db: TenantDb, { id }: DueMail, outcome: MailOutcome): Promise<void> => {
    await recordMail(db, id, outcome);
    if (outcome.status !== 'pending') parts.onEnded?.(outcome.status);
  };
  const outcomeOf = (refusal: SmtpError | null, bounce: string | null, attempt: number): MailOutcome => {
    if (!refusal) return { status: 'sent', dueAt: null };
    const delayMs = bounce === null ? delayAfter(schedule, attempt, null) : null;
    return delayMs === null
      ? { status: 'failed', dueAt: null }
      : { status: 'pending', dueAt: new Date(clock().getTime() + delayMs) };
  };
  /** Makes the link of a mail anew whose secret cannot be found, because JWT_SECRETS were rotated since. */
  const withLink = async (db: TenantDb, mail: DueMail): Promise<DueMail> => {
    const field = mail.kind === 'invitation' ? 'invitationHash' : 'secretHash';
    const stored = mail[field];
    if (!stored || secrets.find(mail.uuid, stored)) return mail;
    const { secretHash } = secrets.make(mail.uuid);
    if (!(await replaceMailLink(db, mail, secretHash))) return mail;
    log.info(keyOf(mail), 'the link of a mail is made anew: JWT_SECRETS lacks the secret that it was derived from');
    return { ...mail, [field]: secretHash };
  };

  // While the mail server is away or refuses this service, nothing is sent but one mail at a time that asks for it.
  let pauses = 0;
  let pausedUntil = 0;
  const holdBack = (err: Error): void => {
    health.lose('mail', 'send', { err });
    if (performance.now() < pausedUntil) return;
    pausedUntil = performance.now() + Math.min(pauseMs * 2 ** pauses, limits.mailPauseMaxMs);
    pauses += 1;
  };
  const goOn = (): void => {
    health.regain('mail', 'send');
    pauses = 0;
    pausedUntil = 0;
  };
  const places = (): number => {
    if (performance.now() < pausedUntil) return 0;
    // Twice as many as connections, so that none waits for the next look.
    return (pauses > 0 ? 1 : limits.messagesAtATime) - running.size;
  };
  /** Whether a mail was refused for what it is or whom it is for. A line that was lost is its own only if the server is there. */
  const isOfMail = ({ responseCode, command = '' }: SmtpError): Promise<boolean> | boolean =>
    responseCode ? responseCode !== closing && ofMail.includes(command) : transport.verify().catch(() => false);

  const send = async (businessId: number): Promise<void> => {
    const { db } = bind(businessId);
    const free = places();
    if (free <= 0) return;
    // One of each person, whose server may hang.
    const placeOf = (userId: number) => `${businessId} ${userId}`;
    const except = [...running.keys()]
      .map((key) => key.split(' ').map(Number))
      .flatMap(([of, userId]) => (of === businessId ? [userId!] : []));
    for (const mail of await takeDueMails(db, { now: clock(), leaseMs: limits.leaseMs, atMost: free, except })) {
      const work = sendOne(db, mail)
        .catch((err: unknown) => log.warn({ err, ...keyOf(mail) }, 'a mail could not be sent'))
        .finally(() => running.delete(placeOf(mail.userId)));
      running.set(placeOf(mail.userId), work);
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
    // No mail waits that could ask.
    if (pauses > 0 && places() > 0) await transport.verify().then(goOn, holdBack);
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let isBusy = false;
      try {
        await look();
        isBusy = running.size > 0;
        health.regain('mail_jobs', 'look');
      } catch (err) {
        health.lose('mail_jobs', 'look', { err });
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

const keyOf = ({ businessId, uuid }: DueMail) => ({ businessId, mail: uuid });

/** The answer of a server that closes the line, whatever was sent to it. */
const closing = 421;
/** The commands whose answers are about a recipient or a mail. */
const ofMail = ['RCPT TO', 'DATA'];

interface SmtpError extends Error {
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

/** What the server said if it refused the mail or its recipient for good. */
function bounceOf({ responseCode = 0, response, message }: SmtpError): string | null {
  if (responseCode < 500) return null;
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
