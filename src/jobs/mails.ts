import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { MailSecrets } from '../access/mail-secrets.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import {
  findMailWork,
  noteMailFault,
  recordMail,
  replaceMailLink,
  takeDueMails,
  type DueMail,
  type MailOutcome,
} from '../db/mails-due.ts';
import { findRemindingBusinesses } from '../db/mails.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import { storeMailsOfChanges, storeReminders } from './mails-collect.ts';
import { openMailServer, type ServerParts } from './mails-server.ts';
import { quietUntil, writeMail, type MailConfig } from './mails-write.ts';
import { delayAfter, retrySchedule, type RetrySchedule } from './schedule.ts';

export interface MailerParts extends ServerParts {
  readonly database: Database;
  readonly log: FastifyBaseLogger;
  readonly secrets: MailSecrets;
  readonly clock: () => Date;
  readonly schedule?: RetrySchedule;
  /** How often it looks for work. */
  readonly watchMs?: number;
  /** Is told of each mail that is sent or given up. */
  readonly onEnded?: ((outcome: MailEnd) => void) | undefined;
}

type MailEnd = Exclude<MailOutcome['status'], 'pending'>;

export interface Mailer {
  stop(timeoutMs: number): Promise<void>;
}

/** Stores and sends mails until it is stopped. A mail is its own job: it is leased, sent, and its outcome is recorded. */
export function startMailer(config: MailConfig, parts: MailerParts): Mailer {
  const { database, log, health, secrets, clock, schedule = retrySchedule, watchMs = limits.checkMs } = parts;
  const server = openMailServer(config, parts);
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  const bind = (businessId: number) => bindToBusiness(database.prisma, businessId);

  const sendOne = async (db: TenantDb, mail: DueMail): Promise<void> => {
    const now = clock();
    const later = quietUntil(mail, now);
    if (later) return recordMail(db, mail, { status: 'pending', dueAt: later, isUntried: true });
    const { content, toldHash } = writeMail(await withLink(db, mail), config, secrets, now);
    if (!content) {
      log.info(
        { ...keyOf(mail), kind: mail.kind },
        'a mail is not sent: what it tells is over or was told, or its link is void',
      );
      return end(db, mail, 'dropped', toldHash);
    }
    const answer = await server.send(content);
    if (answer.kind === 'away') {
      // Where the server closes the line on a mail, others are to ask first.
      const dueAt = answer.onMail ? clock() : mail.dueAt;
      return recordMail(db, mail, { status: 'pending', dueAt, isUntried: true });
    }
    const { bounce, isUnsure } = answer.kind === 'refused' ? answer : { bounce: null, isUnsure: false };
    const delayMs = answer.kind === 'refused' && bounce === null ? delayAfter(schedule, mail.attemptCount, null) : null;
    if (delayMs !== null) {
      const dueAt = new Date(clock().getTime() + delayMs);
      return recordMail(db, mail, { status: 'pending', dueAt, isUnsure });
    }
    await end(db, mail, answer.kind === 'taken' ? 'sent' : 'failed', toldHash);
    if ((answer.kind === 'taken' || bounce !== null) && bounce !== mail.mailFault)
      await noteMailFault(db, mail.userId, bounce);
  };
  const end = async (db: TenantDb, mail: DueMail, status: MailEnd, toldHash: MailOutcome['toldHash'] = null) => {
    await recordMail(db, mail, { status, dueAt: null, toldHash, ...(status === 'sent' && { sentAt: clock() }) });
    parts.onEnded?.(status);
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

  const send = async (businessId: number): Promise<void> => {
    const { db } = bind(businessId);
    const free = server.places() - running.size;
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
    if (running.size === 0) await server.ask();
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
      server.close();
    },
  };
}

const keyOf = ({ businessId, uuid }: DueMail) => ({ businessId, mail: uuid });
