import { createHash } from 'node:crypto';
import Type from 'typebox';
import { limits } from '../config/limits.ts';
import { readAnswer, deleteAnswers, storeAnswer, takeKey, type StoredAnswer } from '../db/idempotency-keys.ts';
import { conflict, Failure } from '../errors.ts';
import { compile } from '../validation/compile.ts';
import { visibleText } from '../validation/schemas.ts';
import type { Actor } from './actor.ts';
import type { KeyedDigests } from './keyed-digests.ts';
import type { IdempotencyRule, OperationRecord } from './operation-record.ts';
import type { Idempotency, Scope } from './scope.ts';
import { serializeAnswer, deserializeAnswer } from './serialized-answers.ts';

const parseKey = compile(
  Type.Object({
    idempotencyKey: Type.Intersect([
      visibleText(limits.idempotencyKeyChars),
      Type.String({ format: 'no-control-characters' }),
    ]),
  }),
);

/**
 * Runs an operation that may be retried: under one key it runs once, and every call gets the first answer. The answer is
 * stored in the transaction of the change, so neither exists without the other; a call that fails stores nothing.
 */
export async function runOnce<R>(
  scope: Scope,
  idempotency: Idempotency,
  { name, idempotent: rule }: Pick<OperationRecord, 'name'> & { readonly idempotent: IdempotencyRule },
  input: unknown,
  run: (scope: Scope) => Promise<R>,
): Promise<R> {
  const { idempotencyKey: key } = parseKey({ idempotencyKey: idempotency.key });
  const fingerprints = fingerprintsOf([name, ordered(input), ...ownerOf(scope.actor)], rule, scope.call.keyedDigests);
  const [fingerprint = ''] = fingerprints;
  const now = scope.clock();
  const expiry = new Date(now.getTime() - limits.idempotencyKeptS * 1000);

  const { answer, isReplay } = await scope.transaction(async (tx) => {
    if (!(await takeKey(tx.db, key)))
      throw new Failure('CONFLICT', 'The first call with this idempotency key is still running.', { retryAfterS: 1 });
    const first = await readAnswer(tx.db, key, expiry);
    if (first) return { answer: replay(first, fingerprints, rule) as R, isReplay: true };
    const made = await run(tx);
    const stored = rule.insteadOfSecret === undefined ? serializeAnswer(made) : null;
    await storeAnswer(tx.db, { key, operation: name, fingerprint, answer: stored, createdAt: now });
    return { answer: made, isReplay: false };
  });
  if (isReplay) idempotency.onReplay?.();
  else await sweep(scope, expiry);
  return answer;
}

/** The stored answer. Throws where the key was used for something else, or where the answer held a secret. */
function replay(first: StoredAnswer, fingerprints: readonly string[], { insteadOfSecret }: IdempotencyRule): unknown {
  if (!fingerprints.includes(first.fingerprint))
    throw new Failure('IDEMPOTENCY_KEY_REUSED', 'The idempotency key was used for something else.', {
      errors: { idempotencyKey: ['was used for another operation or other input'] },
    });
  if (insteadOfSecret !== undefined) throw conflict(insteadOfSecret);
  return deserializeAnswer(first.answer);
}

/** Deletes some expired answers for each one that is stored, so that the table holds little more than one day. */
async function sweep({ db, call: { log } }: Scope, expiry: Date): Promise<void> {
  try {
    await deleteAnswers(db, expiry, limits.idempotencySweepRows);
  } catch (error) {
    log.warn({ err: error }, 'expired idempotency keys stay for now');
  }
}

/** Admins and API keys may all do the same; of everybody else, an answer is for its own caller alone. */
const ownerOf = (actor: Actor): string[] =>
  actor.kind === 'user' && actor.role !== 'admin' ? [`${actor.role}:${actor.userId}`] : [];

/**
 * The digests of a call that a stored one may equal; the first is stored. The order of the fields does not
 * matter. Input with a secret, such as a password, has keyed digests: with another secret it is other input, and nobody
 * can find out the secret from what is stored.
 */
function fingerprintsOf(
  call: readonly unknown[],
  { secrets = [] }: IdempotencyRule,
  keyedDigests: KeyedDigests,
): readonly string[] {
  const text = JSON.stringify(call);
  return secrets.length > 0 ? keyedDigests(text) : [createHash('sha256').update(text).digest('hex')];
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([field, inner]) => [field, ordered(inner)]));
}
