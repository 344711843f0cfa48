import { createHash } from 'node:crypto';
import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { answerUnder, dropAnswers, keepAnswer, takeKey } from '../db/idempotency-keys.ts';
import { conflict, Failure } from '../errors.ts';
import { compile } from '../validation/compile.ts';
import { visibleText } from '../validation/schemas.ts';
import type { OperationName } from './policy.ts';
import type { Scope } from './scope.ts';
import { serializeAnswer, deserializeAnswer } from './serialized-answers.ts';

interface Rule {
  /** Fields of the input that are stored in no form, so that nobody can guess them. */
  readonly secrets?: readonly string[];
  /** What to say instead of the first answer, which held a secret. */
  readonly insteadOfSecret?: string;
}

/** THE table: what can be sent again under a key. */
export const repeatable = {
  'events.create': {},
  'events.copy': {},
  'callTimes.create': {},
  'workShifts.assign': {},
  'workShifts.assignMany': {},
  'positions.create': {},
  'skillLevels.create': {},
  'customFields.create': {},
  'users.create': { secrets: ['password'] },
  'apiKeys.create': {
    insteadOfSecret:
      'The API key was made by the first call, and its secret was shown once. Where that answer was lost, revoke the key and make another.',
  },
} as const satisfies Partial<Record<OperationName, Rule>>;

export const isRepeatable = (name: OperationName): name is keyof typeof repeatable => name in repeatable;

/** What a call brings along, on its scope, that may be sent again. */
export interface Idempotency {
  /** As the caller sent it. */
  readonly key: string;
  /** Told that the answer is the first one once more. */
  readonly onReplay?: () => void;
}

const parseKey = compile(
  Type.Object({
    idempotencyKey: Type.Intersect([
      visibleText(limits.idempotencyKeyChars),
      Type.String({ format: 'no-control-characters' }),
    ]),
  }),
);

/**
 * Runs what a caller may send again: under one key it is done once, and the first answer is given each time. The answer
 * is stored in the transaction that does it, so there is neither without the other; what fails stores nothing.
 */
export async function runOnce<I, R>(
  scope: Scope,
  idempotency: Idempotency | undefined,
  name: OperationName,
  input: I,
  run: (scope: Scope, input: I) => Promise<R>,
): Promise<R> {
  if (!idempotency || !isRepeatable(name)) return run(scope, input);
  const { idempotencyKey: key } = parseKey({ idempotencyKey: idempotency.key });
  const { insteadOfSecret }: Rule = repeatable[name];
  const fingerprint = fingerprintOf(name, input);
  const now = scope.clock();
  const expiry = new Date(now.getTime() - limits.idempotencyKeptS * 1000);

  const { answer, isReplay } = await scope.transaction(async (tx) => {
    if (!(await takeKey(tx.db, key)))
      throw new Failure('CONFLICT', 'The first call with this idempotency key is still running.', { retryAfterS: 1 });
    const first = await answerUnder(tx.db, key, expiry);
    if (first) {
      if (first.fingerprint !== fingerprint)
        throw new Failure('IDEMPOTENCY_KEY_REUSED', 'The idempotency key was used for something else.', {
          errors: { idempotencyKey: ['was used for another operation or other input'] },
        });
      if (insteadOfSecret !== undefined) throw conflict(insteadOfSecret);
      return { answer: deserializeAnswer(first.answer) as R, isReplay: true };
    }
    const made = await run(tx, input);
    const stored = insteadOfSecret === undefined ? serializeAnswer(made) : null;
    await keepAnswer(tx.db, { key, operation: name, fingerprint, answer: stored, createdAt: now });
    return { answer: made, isReplay: false };
  });
  if (isReplay) idempotency.onReplay?.();
  else await sweep(scope, expiry);
  return answer;
}

/** Each answer that is kept makes way for itself: so the table holds little more than a day's. */
async function sweep({ db, log }: Scope, expiry: Date): Promise<void> {
  try {
    await dropAnswers(db, expiry, limits.idempotencySweepRows);
  } catch (error) {
    log.warn({ err: error }, 'expired idempotency keys stay for now');
  }
}

/** SHA-256 of what is asked for, the same however its fields are ordered. */
function fingerprintOf(name: keyof typeof repeatable, input: unknown): string {
  const { secrets = [] }: Rule = repeatable[name];
  const open = Object.entries(input as object).filter(([field]) => !secrets.includes(field));
  return createHash('sha256')
    .update(JSON.stringify([name, ordered(Object.fromEntries(open))]))
    .digest('hex');
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([field, inner]) => [field, ordered(inner)]));
}
