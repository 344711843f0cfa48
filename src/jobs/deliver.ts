import type { SecretBox } from '../access/secret-box.ts';
import { limits } from '../config/limits.ts';
import type { TenantDb } from '../db/tenant.ts';
import {
  giveBackMessages,
  readReceiver,
  recordAttempt,
  takeDueMessages,
  type DueMessage,
  type RecordedAttempt,
} from '../db/webhook-delivery.ts';
import { version } from '../version.ts';
import { Abandoned, isSuccess, post, type Answer } from './post.ts';
import { delayAfter, readRetryAfter, type RetrySchedule } from './schedule.ts';
import { signMessage, webhookIdOf } from './signature.ts';
import { TargetRefused, type Target, type Targets } from './targets.ts';

type AttemptOutcome = 'delivered' | 'failed' | 'refused';

export interface DeliveryParts {
  readonly targets: Targets;
  readonly secretBox: Pick<SecretBox, 'open'>;
  readonly clock: () => Date;
  readonly schedule: RetrySchedule;
  readonly attemptMs: number;
  readonly onAttempt?: ((outcome: AttemptOutcome, durationMs: number) => void) | undefined;
}

/** The state of an endpoint after some of its messages were sent. */
export interface Sent {
  /** Messages that were tried. */
  readonly count: number;
  /** Whether the endpoint has to be disabled. */
  readonly verdict: 'gone' | 'failing' | null;
}

const nothingSent: Sent = { count: 0, verdict: null };

/** The signals of a job: the end of its time, after which it begins no attempt, and that of the process, which ends running ones. */
export interface JobSignals {
  readonly isOver: () => boolean;
  readonly abandon: AbortSignal;
}

/**
 * Sends the messages of an endpoint that are due, some at a time. Each attempt is recorded with the new state of its message; a
 * process that is killed in between sends the message again, with the same id.
 */
export async function sendDueMessages(
  parts: DeliveryParts,
  db: TenantDb,
  endpointId: number,
  signals: JobSignals,
): Promise<Sent> {
  const { clock, secretBox, targets } = parts;
  const receiver = await readReceiver(db, endpointId, clock());
  if (!receiver || signals.isOver()) return nothingSent;
  const due = await takeDueMessages(db, endpointId, {
    now: clock(),
    leaseMs: limits.leaseMs,
    atMost: limits.messagesAtATime,
  });
  if (due.length === 0) return nothingSent;

  const secrets = receiver.secrets.flatMap((sealed) => secretBox.open(sealed) ?? []);
  const target = openTarget(targets, receiver.url);
  const waiting = [...due];
  let verdict: Sent['verdict'] = null;
  const untried: bigint[] = [];
  const sendOneByOne = async () => {
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      if (signals.isOver() || verdict) untried.push(message.id);
      else {
        const attempt = await attemptMessage(parts, target, secrets, message, signals.abandon);
        if (attempt) verdict = (await record(parts, db, endpointId, message, attempt)) ?? verdict;
        else untried.push(message.id);
      }
    }
  };
  // If one fails because of the database, the others end as well before their connections are closed.
  const ends = await Promise.allSettled(Array.from({ length: limits.parallelMax }, sendOneByOne));
  if (!(target instanceof TargetRefused)) target.close();
  await giveBackMessages(db, untried, clock());
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { count: due.length - untried.length, verdict };
}

function openTarget(targets: Targets, url: string): Target | TargetRefused {
  try {
    return targets.open(url, limits.parallelMax);
  } catch (error) {
    if (error instanceof TargetRefused) return error;
    throw error;
  }
}

interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly result: Answer | Error;
}

/** Sends a message once. Null: the attempt was given up, because the process stops. */
async function attemptMessage(
  { clock, attemptMs, onAttempt }: DeliveryParts,
  target: Target | TargetRefused,
  secrets: readonly string[],
  { uuid, payload }: DueMessage,
  signal: AbortSignal,
): Promise<Attempt | null> {
  const at = clock();
  const startedAt = performance.now();
  const send = async (): Promise<Answer | Error> => {
    if (target instanceof TargetRefused) return target;
    if (secrets.length === 0) return new Error('the signing secret cannot be decrypted: its key is missing');
    const headers = {
      ...signMessage({ id: webhookIdOf(uuid), at, body: payload }, secrets),
      'content-type': 'application/json',
      'user-agent': `Callboard/${version}`,
    };
    return post(target, { headers, body: payload }, { timeoutMs: attemptMs, signal });
  };
  const result = await send().catch((error: Error) => error);
  if (result instanceof Abandoned) return null;
  const durationMs = Math.round(performance.now() - startedAt);
  onAttempt?.(outcomeOf(result), durationMs);
  return { at, durationMs, result };
}

const isError = (result: Answer | Error): result is Error => result instanceof Error;

function outcomeOf(result: Answer | Error): AttemptOutcome {
  if (isError(result)) return result instanceof TargetRefused ? 'refused' : 'failed';
  return isSuccess(result) ? 'delivered' : 'failed';
}

async function record(
  { clock, schedule }: DeliveryParts,
  db: TenantDb,
  endpointId: number,
  { id, attemptCount }: DueMessage,
  { at, durationMs, result }: Attempt,
): Promise<Sent['verdict']> {
  const isDelivered = outcomeOf(result) === 'delivered';
  const isGone = !isError(result) && result.statusCode === 410;
  const now = clock();
  const retryAfterMs = isError(result) ? null : readRetryAfter(result.retryAfter, now);
  const delayMs = isDelivered || isGone ? null : delayAfter(schedule, attemptCount + 1, retryAfterMs);
  const attempt: RecordedAttempt = {
    at,
    durationMs,
    statusCode: isError(result) ? null : result.statusCode,
    error: isDelivered ? null : isError(result) ? result.message : `status ${result.statusCode}`,
    response: isError(result) || isDelivered ? null : result.text,
    nextAttemptAt: delayMs === null ? null : new Date(now.getTime() + delayMs),
  };
  const failingSince = await recordAttempt(db, endpointId, id, attempt);
  if (isGone) return 'gone';
  const isFailing = failingSince !== null && now.getTime() - failingSince.getTime() >= schedule.failingMaxMs;
  return isFailing ? 'failing' : null;
}
