import type { FastifyBaseLogger } from 'fastify';
import { limits } from './config/limits.ts';

/** Parts without which the service goes on: what the log says of the loss, what follows until it is over, and what the log says then. */
const texts = {
  redis: [
    'Redis does not answer',
    'each process counts rate limits and log-in attempts by itself, and live updates come up to a third of a second later',
    'Redis answers again',
  ],
  webhook_secrets: [
    'signing secrets of webhooks cannot be decrypted, because their key is not in CALLBOARD_WEBHOOK_KEYS or JWT_SECRETS',
    'no message is sent to these endpoints; add the key again, or have the secrets rotated',
    'all signing secrets of webhooks can be decrypted again',
  ],
  mail: [
    'mails cannot be handed over: the mail server does not answer, or refuses this service',
    'they wait, and are sent again later',
    'mails are handed over again',
  ],
  mail_jobs: [
    'mails that wait cannot be read from the database, or changes be told by new ones',
    'they wait, and are sent when it answers again',
    'mails that wait can be read again',
  ],
  jobs: ['webhooks are not delivered', 'messages wait in the database', 'webhooks are delivered again'],
  upkeep: [
    'the upkeep of the database has failed',
    'old entries stay, staffing is read more slowly, or instants follow older rules of time zones; it is tried again',
    'the upkeep of the database works again',
  ],
  time_zone_data: [
    'this process has older time zone data than the database',
    'instants that it stores can be wrong until another process derives them anew; update the data, and restart it',
    'this process has the time zone data of the database again',
  ],
} as const;

export type Part = keyof typeof texts;
export const parts = Object.keys(texts) as readonly Part[];

export interface Health {
  /** Notes that something cannot use this part. `facts` stand in the line of the log. */
  lose(part: Part, by: string, facts?: object, level?: 'warn' | 'error'): void;
  /** Notes that it can again. */
  regain(part: Part, by: string): void;
  missing(): { readonly part: Part; readonly message: string }[];
}

/**
 * Knows what a process goes on without. However much depends on a part, the log has one line when it is lost, and one when all of it
 * is back. A loss that is over within a moment has none.
 */
export function createHealth(log: FastifyBaseLogger): Health {
  const losses = new Map<Part, Set<string>>();
  const announcing = new Map<Part, NodeJS.Timeout>();
  const messageOf = (part: Part) => `${texts[part][0]}: ${texts[part][1]}`;
  return {
    lose(part, by, facts = {}, level = 'warn') {
      const known = losses.get(part);
      if (known) return void known.add(by);
      losses.set(part, new Set([by]));
      const announce = () => {
        announcing.delete(part);
        log[level]({ part, ...facts }, messageOf(part));
      };
      if (level === 'error') announce();
      else announcing.set(part, setTimeout(announce, limits.settleMs).unref());
    },
    regain(part, by) {
      const known = losses.get(part);
      known?.delete(by);
      if (known?.size !== 0) return;
      losses.delete(part);
      clearTimeout(announcing.get(part));
      if (!announcing.delete(part)) log.warn({ part }, texts[part][2]);
    },
    missing: () => [...losses.keys()].map((part) => ({ part, message: messageOf(part) })),
  };
}
