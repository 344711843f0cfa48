import type { Static, TSchema } from 'typebox';
import { forbidden, unauthenticated } from '../errors.ts';
import { compile } from '../validation/compile.ts';
import type { Actor } from './actor.ts';
import { isRefusal } from './audit.ts';
import { runOnce } from './idempotency.ts';
import { mayDo, type OperationName } from './policy.ts';
import type { CallScope, PublicScope, Scope } from './scope.ts';

/** Throws unless the policy lets the actor do it. */
export function authorize(actor: Actor, name: OperationName): void {
  if (mayDo(actor, name)) return;
  throw actor.kind === 'anonymous' ? unauthenticated() : forbidden();
}

/** The same for an operation that the scope is opened for; a refusal is kept in the audit trail. */
export const admit = (scope: CallScope, name: OperationName): Promise<void> =>
  keepingRefusals(scope, name, async () => authorize(scope.actor, name));

async function keepingRefusals<T>(scope: CallScope, name: OperationName, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isRefusal(error)) await scope.refused(name, error);
    throw error;
  }
}

/**
 * An operation of the service: the policy is asked, the input checked, the try counted where tries are limited, then it
 * runs. Both adapters, and other services, call what this returns; there is no way around what comes first.
 */
export function operation<S extends TSchema, R>(
  name: OperationName,
  schema: S,
  run: (scope: Scope, input: Static<S>) => Promise<R>,
): (scope: CallScope, input: Static<S>) => Promise<R> {
  const parse = compile(schema);
  return (scope, input) =>
    keepingRefusals(scope, name, async () => {
      scope.used(name);
      authorize(scope.actor, name);
      if (!isKnown(scope)) throw unauthenticated();
      const parsed = parse(input);
      return scope.attempt(name, parsed, () => runOnce(scope.during(name), scope.idempotency, name, parsed, run));
    });
}

/** An operation that needs no credential, and so gets no database. */
export function publicOperation<S extends TSchema, R>(
  name: OperationName,
  schema: S,
  run: (scope: Omit<PublicScope, 'actor' | 'attempt'>, input: Static<S>) => Promise<R>,
): (scope: CallScope, input: Static<S>) => Promise<R> {
  const parse = compile(schema);
  return async (scope, input) => {
    scope.used(name);
    authorize(scope.actor, name);
    const parsed = parse(input);
    return scope.attempt(name, parsed, () => run(scope, parsed));
  };
}

const isKnown = (scope: CallScope): scope is Scope => scope.actor.kind !== 'anonymous';
