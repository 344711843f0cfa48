import type { Static, TSchema } from 'typebox';
import type { CredentialScope } from '../config/credential-scopes.ts';
import type { AttemptLimit } from '../config/limits.ts';
import { isDiskFull, isOutcomeUnknown, isUnreachable } from '../db/engine/failures.ts';
import { Failure, forbidden, outcomeUnknown, unauthenticated } from '../errors.ts';
import { compile, compileJudge, hasErrors, refuseFaulty } from '../validation/compile.ts';
import { type Actor, mayCall, requireScopes } from './actor.ts';
import { isRefusal } from './audit.ts';
import { runOnce } from './idempotency.ts';
import { addRuleFaults, type InputRule } from './input-rules.ts';
import { registerOperation, type IdempotencyRule, type OperationRecord } from './operation-record.ts';
import type { Roles } from './permissions.ts';
import type { CallScope, Capabilities, PublicCall, PublicCapabilities, Scope } from './scope.ts';

/** A function that callers reach through REST or GraphQL. It carries its record. */
export interface Operation<S extends TSchema, R> {
  (scope: CallScope, input: Static<S>): Promise<R>;
  readonly operation: OperationRecord;
}

interface ReadFacts {
  readonly writes?: never;
  readonly cacheable?: true;
  readonly replica?: OperationRecord['replica'];
  readonly isPart?: true;
  readonly isFree?: true;
  readonly isLight?: true;
}

interface WriteFacts {
  readonly writes: true;
  readonly audited?: true;
  readonly waitsInLine?: true;
  readonly idempotent?: true | IdempotencyRule;
  readonly isLight?: true;
}

/**
 * Facts that a module declares about its operation. `OperationRecord` describes each of them. A fact that is left out
 * is false or empty.
 */
interface Facts {
  readonly name: string;
  readonly attempts?: readonly AttemptLimit[];
}

/** The scopes that the credential needs. 'none' opens the operation to every credential of its roles, however narrow. */
interface Needs<S extends CredentialScope> {
  readonly scopes: readonly [S, ...S[]] | 'none';
}

export type KnownFacts = Facts &
  ((ReadFacts & Needs<CredentialScope>) | (WriteFacts & Needs<Exclude<CredentialScope, 'read'>>)) & {
    readonly roles: Exclude<Roles, 'anyone'>;
    /** An API key has the rights of an admin, except where this says false. */
    readonly apiKey?: false;
  };

type PublicFacts = Facts &
  (ReadFacts | WriteFacts) & { readonly roles: 'anyone'; readonly apiKey?: never; readonly scopes?: never };

/** Most operations need their scope and their input alone. */
interface Runs<S extends TSchema, R, P = undefined> {
  readonly input: S;
  /** Rules that `run` applies, said here as well so that their faults are reported together with those of the schema. */
  readonly rules?: readonly InputRule<Static<S>>[];
  /** Throws where the caller may not do what the input asks for. A stored answer is not given either. */
  readonly permit?: (scope: Scope, input: Static<S>) => void;
  /** Scopes that the credential needs in addition where the input asks for more. */
  readonly moreScopes?: {
    readonly scopes: readonly CredentialScope[];
    readonly when: (input: Static<S>) => boolean;
  };
  /** The rows that the input asks for, where the rate limit counts them, and the field that has them. */
  readonly rows?: { readonly field: string; readonly count: (input: Static<S>) => number };
  /** Work that would hold up others while it has a connection. It is done without one, and `run` gets its result. */
  readonly prepare?: (scope: Scope, input: Static<S>, capabilities: Capabilities) => Promise<P>;
  readonly run: (scope: Scope, input: Static<S>, capabilities: Capabilities, prepared: P) => Promise<R>;
}

interface RunsPublicly<S extends TSchema, R> {
  readonly input: S;
  readonly run: (capabilities: PublicCapabilities, input: Static<S>) => Promise<R>;
}

/**
 * Makes an operation: the permission is checked, the input parsed, the try counted where tries are limited, then it runs.
 * REST, GraphQL and other services call the returned function, so nothing can skip these steps. An operation that is
 * open to anyone gets no scope, and so no database.
 */
export function operation<S extends TSchema, R>(spec: PublicFacts & RunsPublicly<S, R>): Operation<S, R>;
export function operation<S extends TSchema, R, P = undefined>(spec: KnownFacts & Runs<S, R, P>): Operation<S, R>;
export function operation<S extends TSchema, R, P>(
  spec: (PublicFacts & RunsPublicly<S, R>) | (KnownFacts & Runs<S, R, P>),
): Operation<S, R> {
  const record = registerOperation(recordOf(spec));
  return spec.roles === 'anyone' ? publicCall(record, spec) : knownCall(record, spec);
}

/** Makes a second function of an operation, with an input and a result of its own and the same record. */
export function variantOf<S extends TSchema, R>(
  { operation: record }: { readonly operation: OperationRecord },
  runs: Runs<S, R>,
): Operation<S, R> {
  return knownCall(record, runs);
}

/** A variant of an operation that is open to anyone: the tries of both count together. */
export function publicVariantOf<S extends TSchema, R>(
  { operation: record }: { readonly operation: OperationRecord },
  runs: RunsPublicly<S, R>,
): Operation<S, R> {
  return publicCall(record, runs);
}

function recordOf(
  facts: (PublicFacts | KnownFacts) & {
    readonly input: TSchema;
    readonly moreScopes?: Pick<OperationRecord, 'scopes'>;
  },
): OperationRecord {
  const { name, roles, scopes = 'none', attempts = [], input } = facts;
  const { audited, idempotent, waitsInLine } = facts.writes ? facts : {};
  const { cacheable, replica, isPart, isFree } = facts.writes ? {} : facts;
  return Object.freeze({
    name,
    roles,
    apiKey: (roles === 'anyone' || 'admin' in roles) && facts.apiKey !== false,
    scopes: scopes === 'none' ? [] : scopes,
    moreScopes: facts.moreScopes?.scopes ?? [],
    writes: facts.writes === true,
    waitsInLine: waitsInLine === true,
    cacheable: cacheable === true,
    replica: replica ?? (cacheable ? 'snapshot' : 'never'),
    audited: audited === true,
    idempotent: idempotent === true ? {} : (idempotent ?? null),
    attempts,
    isPart: isPart === true,
    isFree: isFree === true,
    isLight: facts.isLight === true,
    input,
  });
}

function knownCall<S extends TSchema, R, P>(
  record: OperationRecord,
  { input, rules = [], moreScopes, permit, rows, prepare, run }: Runs<S, R, P>,
): Operation<S, R> {
  const judge = compileJudge(input);
  const admitInput = async (own: Scope, sent: unknown): Promise<Static<S>> => {
    const verdict = judge(sent);
    if (rules.length > 0 && hasErrors(verdict.errors))
      await addRuleFaults(rules, sent, verdict, [own, own.call.capabilities]);
    refuseFaulty(verdict);
    const parsed = sent as Static<S>;
    if (moreScopes?.when(parsed)) requireScopes(own.actor.scopes, moreScopes.scopes);
    permit?.(own, parsed);
    if (rows) await own.call.payForRows(rows.count(parsed), rows.field);
    return parsed;
  };
  return carrying(record, (scope, sent) =>
    keepRefusals(scope, record, () =>
      countWrite(scope.call, record, async () => {
        scope.call.used(record);
        authorize(scope.actor, record);
        if (!isKnown(scope)) throw unauthenticated();
        const { attempt, idempotency, isRehearsal, isDryRun, capabilities } = scope.call;
        const admitted = prepare && (await admitInput(scope, sent));
        const prepared = (prepare && (await prepare(scope, admitted as Static<S>, capabilities))) as P;
        return scope.call.inTurn(record, async (own) => {
          const parsed = admitted ?? (await admitInput(own, sent));
          return attempt(record, parsed, () => {
            const runIn = (chosen: Scope) => run(chosen, parsed, capabilities, prepared);
            if (isRehearsal && record.writes) return rehearse(own, runIn);
            if (isDryRun && record.writes) return rollBack(own, runIn);
            const { idempotent } = record;
            if (idempotent && idempotency)
              return runOnce(own, idempotency, { name: record.name, idempotent }, parsed, runIn);
            const onReplica = record.replica === 'snapshot' ? own.call.onReplica : null;
            return onReplica ? onReplica(record, runIn) : runIn(own);
          });
        });
      }),
    ),
  );
}

function publicCall<S extends TSchema, R>(
  record: OperationRecord,
  { input, run }: RunsPublicly<S, R>,
): Operation<S, R> {
  const parse = compile(input);
  return carrying(record, (scope, sent) =>
    countWrite(scope.call, record, async () => {
      const { actor, call } = scope;
      call.used(record);
      authorize(actor, record);
      const parsed = parse(sent);
      return call.attempt(record, parsed, () => run(call.capabilities, parsed));
    }),
  );
}

/** Ends a rehearsal in which the write would have been made. */
export class Rehearsed extends Error {}

/** Runs a write and rolls it back: only its refusals count, such as that there is no such row. */
async function rehearse<R>(scope: Scope, run: (scope: Scope) => Promise<R>): Promise<never> {
  await rollBack(scope, run);
  throw new Rehearsed();
}

/** Runs a write, rolls it back, and returns its result. */
async function rollBack<R>(scope: Scope, run: (scope: Scope) => Promise<R>): Promise<R> {
  const undone = new Error('The transaction of a write that is only tried is rolled back.');
  let result: { readonly made: R } | undefined;
  try {
    await scope.transaction(async (tx) => {
      result = { made: await run(tx) };
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return result!.made;
}

/** The scope for a call that only finds out whether the caller could make it: its writes are rolled back. */
export function rehearsing(scope: CallScope): CallScope {
  return isKnown(scope) ? { ...scope, call: { ...scope.call, isRehearsal: true } } : scope;
}

/** Attaches the record, and its name for stack traces: they show `positions.create` instead of an anonymous function. */
const carrying = <S extends TSchema, R>(
  record: OperationRecord,
  call: (scope: CallScope, input: Static<S>) => Promise<R>,
): Operation<S, R> =>
  Object.defineProperties(call, { name: { value: record.name }, operation: { value: record } }) as Operation<S, R>;

/** Throws unless the actor may call the operation. A refusal is kept in the audit trail. */
export function admit(scope: CallScope, record: OperationRecord): Promise<void> {
  return keepRefusals(scope, record, async () => authorize(scope.actor, record));
}

function authorize(actor: Actor, record: OperationRecord): void {
  if (!mayCall(actor, record)) throw actor.kind === 'anonymous' ? unauthenticated() : forbidden();
  if (actor.kind !== 'anonymous') requireScopes(actor.scopes, record.scopes);
}

async function keepRefusals<T>(scope: CallScope, record: OperationRecord, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isRefusal(error)) await scope.call.refused(record, error);
    throw error;
  }
}

/** Counts a write that was made. One of which a part was committed before the service failed has an unknown outcome. */
async function countWrite<T>(
  { writes, isDryRun }: PublicCall,
  record: OperationRecord,
  run: () => Promise<T>,
): Promise<T> {
  const before = writes.count;
  try {
    const result = await run();
    if (record.writes && !isDryRun) writes.count++;
    return result;
  } catch (error) {
    const failure = writes.count > before && isTemporary(error) ? outcomeUnknown(error) : error;
    if (isOutcomeUnknown(failure)) writes.count++;
    throw failure;
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof Failure ? error.code === 'UNAVAILABLE' : isUnreachable(error) || isDiskFull(error);

const isKnown = (scope: CallScope): scope is Scope => scope.actor.kind !== 'anonymous';
