import { createHash } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import type { Identity, Store } from 'graphql-rate-limit';
import { attemptLimits, type AttemptLimit } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import type { Actor } from './actor.ts';
import { callerAt } from './address.ts';
import type { Count, Counter, Counters } from './counters.ts';
import { emailKeyOf } from './log-in.ts';
import type { OperationName } from './policy.ts';

/** Runs an operation that can be tried only so often, or refuses it. All of one request's tries share one of these. */
export type Attempt = <T>(name: OperationName, input: unknown, run: () => Promise<T>) => Promise<T>;

export interface Attempts {
  of(actor: Actor, address: string): Attempt;
}

const rules: Partial<Record<OperationName, readonly AttemptLimit[]>> = attemptLimits satisfies Partial<
  Record<OperationName, readonly AttemptLimit[]>
>;

interface Guard {
  readonly rule: AttemptLimit;
  readonly counter: Counter;
}

/**
 * Limits on single operations, held where both dialects pass. graphql-rate-limit decides, on a store of ours in which
 * reading is counting: its own ones read, then write, and let parallel calls through.
 */
export function createAttempts(counters: Counters): Attempts {
  const guards = new Map<string, readonly Guard[]>(
    Object.entries(rules).map(([name, limits]) => [
      name,
      limits.map((rule, index) => ({ rule, counter: counters.counter(`attempts:${name}:${index}`, rule.windowS) })),
    ]),
  );
  return {
    of(actor, ip) {
      const address = callerAt(ip);
      const caller = actor.kind === 'anonymous' ? address : `${actor.kind}:${actor.businessId}:${idOf(actor)}`;
      const tried = new Set<OperationName>();
      return async (name, input, run) => {
        const limited = guards.get(name);
        if (!limited) return run();
        const counted = [];
        for (const guard of limited)
          counted.push(await count(guard, name, guard.rule.by === 'address' ? address : caller, input));
        // A request that tries again, as GraphQL lets it by aliases, pays for all but its first try whatever comes of it.
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

/** Whether the caller was told something about what was tried; a service that cannot answer tells nothing. */
const isAnswer = (error: unknown) =>
  error instanceof Failure && error.code !== 'UNAVAILABLE' && error.code !== 'INTERNAL';

async function count({ rule, counter }: Guard, name: OperationName, contextIdentity: string, input: unknown) {
  // At the first try, because it brings some 300 modules that a start would wait for.
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

/** An e-mail is one in any case of its letters. */
function identifying(input: unknown, { field }: AttemptLimit): Record<string, string> {
  const value = field && (input as Record<string, unknown>)[field];
  return typeof value === 'string' && field ? { [field]: emailKeyOf(value) } : {};
}

/** To ask how many calls there were is to count one more; what graphql-rate-limit would write back is not needed. */
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
    // Hashed: what is kept elsewhere shows no address and no e-mail, and has one length.
    this.key = createHash('sha256').update(`${contextIdentity} ${fieldIdentity}`).digest('base64url');
    this.counted = await this.counter.add(this.key, 1);
    const earlier = Math.min(this.counted.points - 1, this.rule.max);
    return Array<number>(Math.max(0, earlier)).fill(Date.now());
  }

  setForIdentity(): void {}
}
