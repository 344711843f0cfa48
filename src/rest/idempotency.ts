import Type from 'typebox';
import { limits } from '../config/limits.ts';

const hours = limits.idempotencyKeptS / 3600;

/** Request headers of a route whose operation is idempotent. */
export const idempotencyHeaders = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.idempotencyKeyChars,
      description: `Makes it safe to repeat the request if its answer was lost. With one key of your choice, such as a UUID, the request runs once, and for ${hours} hours every repetition returns the first answer. Using the key for a different request is answered with 422 IDEMPOTENCY_KEY_REUSED; repeating it while the first request is running, with 409 and Retry-After. A failed request may be repeated.`,
    }),
  ),
};
