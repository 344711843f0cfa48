import { Arg } from 'type-graphql';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { withIdempotencyKey } from '../http/headers.ts';

const hours = limits.idempotencyKeptS / 3600;

/** The `idempotencyKey` argument of every mutation that may be sent again. */
export const IdempotencyKey = () =>
  Arg('idempotencyKey', () => String, {
    nullable: true,
    description: `Makes it safe to repeat the mutation if its answer was lost. With one key, 1 to ${limits.idempotencyKeyChars} characters of your choice such as a UUID, the mutation runs once, and for ${hours} hours every repetition returns the first answer. Nested objects may be read again. Using the key for a different mutation or input is refused with code IDEMPOTENCY_KEY_REUSED; repeating it while the first call is running, with code CONFLICT. A failed call may be repeated. REST takes the same keys in the header Idempotency-Key.`,
  });

export type IdempotencyKey = string | null | undefined;

/** The scope for a mutation with a key. The header Idempotency-Key may have given it one already. */
export function withKeyArgument(scope: CallScope, key: IdempotencyKey): CallScope {
  if (typeof key !== 'string') return scope;
  const { idempotency } = scope.call;
  if (idempotency && idempotency.key !== key)
    throw new Failure('BAD_REQUEST', 'The header Idempotency-Key and the argument idempotencyKey differ.');
  return idempotency ? scope : withIdempotencyKey(scope, { key });
}
