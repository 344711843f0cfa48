import { createHash } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import type { Identity, Store } from 'graphql-rate-limit';
import type { AttemptLimit } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import type { Actor } from './actor.ts';
import { callerAt } from './address.ts';
import type { Count, Counter, Counters } from './counters.ts';
import { emailKeyOf } from './log-in.ts';
import type { OperationRecord } from './operation-record.ts';

/** Runs an operation whose tries are limited, or refuses it. All tries of one request share one `Attempt`. */
export type Attempt = <T>(operation: OperationRecord, input: unknown, run: () => Promise<T>) => Promise<T>;

export interface Attempts {
  of(actor: Actor, address: string): Attempt;
}

interface Guard {
  readonly rule: AttemptLimit;
  readonly counter: Counter;
}

/**
 * Limits on single operations, checked where REST and GraphQL meet. graphql-rate-limit decides, on our own store, in which
 * a read also counts: its own stores read first and write later, and let parallel calls through.
 */
export function createAttempts(counters: Counters): Attempts {
  const guards = new Map<string, readonly Guard[]>();
  const guardsOf = ({ name, attempts }: OperationRecord): readonly Guard[] => {
    const known = guards.get(name);
    if (known) return known;
    const made = attempts.map((rule, index) => ({
      rule,
      counter: counters.counter(`attempts:${name}:${index}`, rule.windowS),
    }));
    guards.set(name, made);
    return made;
  };
  return {
    of(actor, ip) {
      const address = callerAt(ip);
      const caller = actor.kind === 'anonymous' ? address : `${actor.kind}:${actor.businessId}:${idOf(actor)}`;
      const tried = new Set<string>();
      return async (operation, input, run) => {
        if (operation.attempts.length === 0) return run();
        const { name } = operation;
        const counted = [];
        for (const guard of guardsOf(operation))
          counted.push(await count(guard, name, guard.rule.by === 'address' ? address : caller, input));
        // GraphQL aliases allow several tries in one request: all but the first count, whether they succeed or not.
        const isFirst = !tried.has(name);
        tried.add(name);
        const forgivable = isFirst ? counted.filter(({ rule }) => rule.of === 'failures') : [];
        try {
          const result = await run();
          for (const { rule, counter, key } of forgivable)
            await (rule.by === 'caller' || rule.field ? counter.forget(key) : counter.giveBack(key, 1));
          return result;
        } catch (error) {
          if (!isAnswer(error)) for (const { counter, key } of forgivable) await counter.giveBack(key, 1);
          throw error;
        }
      };
    },
  };
}

const idOf = (actor: Exclude<Actor, { kind: 'anonymous' }>) => (actor.kind === 'user' ? actor.userId : actor.keyId);

/** Whether the error tells the caller something about the try. A service that cannot answer tells nothing. */
const isAnswer = (error: unknown) =>
  error instanceof Failure && error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL';

async function count({ rule, counter }: Guard, name: string, contextIdentity: string, input: unknown) {
  // Loaded at the first try: it brings about 300 modules, which would make the start slower.
  const { getGraphQLRateLimiter } = await import('graphql-rate-limit');
  const store = new AtomicStore(counter, rule);
  const decide = getGraphQLRateLimiter({ store, identifyContext: () => contextIdentity });
  const refusal = await decide(
    { parent: null, args: identifying(input, rule), context: {}, info: { fieldName: name } as GraphQLResolveInfo },
    { max: rule.max, window: `${rule.windowS}s`, ...(rule.field && { identityArgs: [rule.field] }) },
  );
  if (refusal !== undefined)
    throw new Failure('RATE_LIMITED', 'Too many attempts: wait before the next one.', {
      retryAfterS: Math.max(1, Math.ceil(store.counted.msLeft / 1000)),
    });
  return { rule, counter, key: store.key };
}

/** The field that tries are counted by. E-mail addresses that differ only in case count as one. */
function identifying(input: unknown, { field }: AttemptLimit): Record<string, string> {
  const value = field && (input as Record<string, unknown>)[field];
  return typeof value === 'string' && field ? { [field]: emailKeyOf(value) } : {};
}

/** A store in which reading the number of earlier calls counts one more. What graphql-rate-limit writes back is ignored. */
class AtomicStore implements Store {
  key = '';
  counted: Count = { points: 0, msLeft: 0 };
  private readonly counter: Counter;
  private readonly rule: AttemptLimit;

  constructor(counter: Counter, rule: AttemptLimit) {
    this.counter = counter;
    this.rule = rule;
  }

  async getForIdentity({ contextIdentity, fieldIdentity }: Identity): Promise<number[]> {
    // Hashed, so that Redis holds no address and no e-mail, and keys have one length.
    this.key = createHash('sha256').update(`${contextIdentity} ${fieldIdentity}`).digest('base64url');
    this.counted = await this.counter.add(this.key, 1);
    const earlier = Math.min(this.counted.points - 1, this.rule.max);
    return Array<number>(Math.max(0, earlier)).fill(Date.now());
  }

  setForIdentity(): void {}
}
