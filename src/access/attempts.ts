import { createHash } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import type { Identity, Store } from 'graphql-rate-limit';
import type { AttemptLimit } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { idOfActor, type Actor } from './actor.ts';
import { callerAt } from './address.ts';
import type { Count, Counter, Counters } from './counters.ts';
import { emailKeyOf } from './log-in.ts';
import type { OperationRecord } from './operation-record.ts';

/** Runs an operation whose tries are limited, or refuses it. */
export type Attempt = <T>(operation: OperationRecord, input: unknown, run: () => Promise<T>) => Promise<T>;

/** A GraphQL field that is about to be resolved, with what its resolver gets. */
interface LimitedField {
  readonly parent: unknown;
  readonly args: Record<string, unknown>;
  readonly context: object;
  readonly info: GraphQLResolveInfo;
}

/**
 * Decides whether a GraphQL field may call an operation whose tries are limited, and counts the try, which the operation then
 * does not count again. Call the returned function when the field is resolved: it takes the count back if the operation was
 * not reached.
 */
export type LimitField = (operation: OperationRecord, field: LimitedField) => Promise<() => Promise<void>>;

/** All tries of one request share one of these. */
interface RequestAttempts {
  readonly attempt: Attempt;
  readonly limitField: LimitField;
}

export interface Attempts {
  of(actor: Actor, address: string): RequestAttempts;
}

interface Guard {
  readonly rule: AttemptLimit;
  readonly counter: Counter;
}

/** A try that was counted, and where. */
interface Counted extends Guard {
  readonly key: string;
}

/**
 * Limits on single operations. Over GraphQL fields graphql-rate-limit decides, with the arguments, the context and the info of
 * the field; over REST the operation does. Both count in the same place, and a count is one atomic step.
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
      const identityBy = ({ by }: AttemptLimit) =>
        by === 'value'
          ? by
          : by === 'address' || actor.kind === 'anonymous'
            ? callerAt(ip)
            : `${actor.kind}:${actor.businessId}:${idOfActor(actor)}`;
      const tried = new Set<string>();
      /** Tries that fields have counted and their operations have not reached yet, by operation. */
      const pending = new Map<string, (readonly Counted[])[]>();

      const attempt: Attempt = async (operation, input, run) => {
        const { name } = operation;
        const counted =
          pending.get(name)?.shift() ??
          (await inTurn(guardsOf(operation), (guard) => count(guard, identityBy(guard.rule), valueIn(input, guard))));
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

      const limitField: LimitField = async (operation, field) => {
        const counted = await inTurn(guardsOf(operation), (guard) => decide(guard, identityBy(guard.rule), field));
        const waiting = pending.get(operation.name) ?? [];
        pending.set(operation.name, waiting);
        waiting.push(counted);
        return async () => {
          const place = waiting.indexOf(counted);
          if (place === -1) return;
          waiting.splice(place, 1);
          for (const { counter, key } of counted) await counter.giveBack(key, 1);
        };
      };
      return { attempt, limitField };
    },
  };
}

/** The second limit counts only what the first one lets through. */
async function inTurn(guards: readonly Guard[], countBy: (guard: Guard) => Promise<Counted>): Promise<Counted[]> {
  const counted = [];
  for (const guard of guards) counted.push(await countBy(guard));
  return counted;
}

/** Whether the error tells the caller something about the try. A service that cannot answer tells nothing. */
const isAnswer = (error: unknown) =>
  error instanceof Failure && !['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'INTERNAL'].includes(error.code);

/** The value that tries are counted by; empty where all tries of a caller count together. */
function valueIn(input: unknown, { rule: { field } }: Guard): string {
  const value = field && (input as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : '';
}

/** Hashed, so that Redis holds no address and no e-mail, and keys have one length. E-mails that differ only in case are one. */
const keyOf = (identity: string, value: string) =>
  createHash('sha256')
    .update(`${identity} ${emailKeyOf(value)}`)
    .digest('base64url');

async function count({ rule, counter }: Guard, identity: string, value: string): Promise<Counted> {
  const key = keyOf(identity, value);
  const counted = await counter.add(key, 1);
  if (counted.points > rule.max) throw tooManyAttempts(counted);
  return { rule, counter, key };
}

async function decide({ rule, counter }: Guard, identity: string, field: LimitedField): Promise<Counted> {
  // Loaded at the first try: it brings about 300 modules, which would make the start slower.
  const { getGraphQLRateLimiter } = await import('graphql-rate-limit');
  const store = new AtomicStore(counter, rule.max, field.info.fieldName);
  const refusal = await getGraphQLRateLimiter({ store, identifyContext: () => identity })(field, {
    max: rule.max,
    window: `${rule.windowS}s`,
    ...(rule.field && { identityArgs: [rule.field] }),
  });
  if (refusal !== undefined) throw tooManyAttempts(store.counted);
  return { rule, counter, key: store.key };
}

const tooManyAttempts = ({ msLeft }: Count) =>
  new Failure('RATE_LIMITED', 'Too many attempts: wait before the next one.', {
    retryAfterS: Math.max(1, Math.ceil(msLeft / 1000)),
    bound: 'attempts',
  });

/**
 * The store of graphql-rate-limit. Its own stores read first and write later, and let parallel calls through: of 50 with a
 * limit of 5, all passed. Here reading the earlier calls counts one more, and what is written back is ignored.
 */
class AtomicStore implements Store {
  key = '';
  counted: Count = { points: 0, msLeft: 0 };
  private readonly counter: Counter;
  private readonly max: number;
  private readonly fieldName: string;

  constructor(counter: Counter, max: number, fieldName: string) {
    this.counter = counter;
    this.max = max;
    this.fieldName = fieldName;
  }

  /** The identity of a field is its name, and behind a colon the value that calls are counted by, if there is one. */
  async getForIdentity({ contextIdentity, fieldIdentity }: Identity): Promise<number[]> {
    this.key = keyOf(contextIdentity, fieldIdentity.slice(this.fieldName.length + 1));
    this.counted = await this.counter.add(this.key, 1);
    const earlier = Math.min(this.counted.points - 1, this.max);
    return Array<number>(Math.max(0, earlier)).fill(Date.now());
  }

  setForIdentity(): void {}
}
