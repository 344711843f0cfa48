import { Arg } from 'type-graphql';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';

const hours = limits.idempotencyKeptS / 3600;

/** The `idempotencyKey` argument of every mutation that may be sent again. */
export const IdempotencyKey = () =>
  Arg('idempotencyKey', () => String, {
    nullable: true,
    description: `Makes it safe to send the mutation again when its answer was lost: under one key, 1 to ${limits.idempotencyKeyChars} characters of your choice such as a UUID, it is done once, and for ${hours} hours the first answer is given each time. What is selected below the answer's own fields may be read afresh. The same key for something else is refused with code IDEMPOTENCY_KEY_REUSED, and with code CONFLICT while the first call is still running; a call that failed may be sent again. REST has the same keys, as the header Idempotency-Key.`,
  });

export type IdempotencyKey = string | null | undefined;

export const underKey = (scope: CallScope, key: IdempotencyKey): CallScope =>
  typeof key === 'string' ? { ...scope, idempotency: { key } } : scope;
