import {
  isAttended,
  isDiskFull,
  isMissingTable,
  isOutcomeUnknown,
  isSerializationConflict,
  isUnreachable,
} from '../db/engine/failures.ts';
import { limits } from '../config/limits.ts';
import { conflict, Failure, outcomeUnknown, unavailable, type FailureCode } from '../errors.ts';

/** HTTP status of each kind of failure. */
export const statusByCode = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  CLASH: 409,
  OFFER_CLOSED: 409,
  LAST_ADMIN: 409,
  CURSOR_EXPIRED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  UNAVAILABLE: 503,
  OUTCOME_UNKNOWN: 500,
  INTERNAL: 500,
} as const satisfies Record<FailureCode, number>;

const failureByStatus: Record<number, { code: FailureCode; message: string }> = {
  404: { code: 'NOT_FOUND', message: 'This address does not exist.' },
  413: { code: 'PAYLOAD_TOO_LARGE', message: 'The body is too large.' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body must be JSON, sent as application/json.' },
};

/** By the error code of Fastify. */
const failureByCode: Record<string, { code: FailureCode; message: string }> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'BAD_REQUEST', message: 'The body is empty: send a JSON object, such as {}.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'BAD_REQUEST', message: 'The body is not valid JSON.' },
};

/** Turns every error into one of our kinds. Unknown errors are masked: their text never reaches a caller. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // Checked first: the connection of a client may be reset, and so may that of the database, by errors that look alike.
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    const { code, message } = failureByCode[(error as { code?: string }).code ?? ''] ??
      failureByStatus[status] ?? { code: 'BAD_REQUEST', message: 'The request is malformed.' };
    return new Failure(code, message, { cause: error });
  }
  if (isOutcomeUnknown(error)) return outcomeUnknown(error);
  if (isAttended(error))
    return conflict(
      'Somebody has checked in for the work shift, was noted as a no-show, or was approved: its person and status stay, and of an approved one its place and times. Change its attendance first.',
    );
  if (isDiskFull(error))
    return unavailable('Nothing can be stored at the moment: a disk of the service is full.', limits.busyRetryS, error);
  if (isUnreachable(error)) return unavailable('The service cannot reach its database.', 2, error);
  if (isSerializationConflict(error)) return unavailable('Too many changes at the same time: try again.', 1, error);
  if (isMissingTable(error))
    return unavailable('The database schema is older than this version of the service.', 2, error);
  return new Failure('INTERNAL', 'An internal error occurred.', { cause: error });
}

export function failureHeaders(failure: Failure): Record<string, string> {
  const { missingScopes } = (failure.details ?? {}) as { missingScopes?: readonly string[] };
  return {
    ...(failure.retryAfterS !== undefined && { 'retry-after': String(failure.retryAfterS) }),
    ...(statusByCode[failure.code] === 401 && { 'www-authenticate': 'Bearer' }),
    ...(missingScopes && {
      // RFC 6750, section 3.1.
      'www-authenticate': `Bearer error="insufficient_scope", scope="${missingScopes.join(' ')}"`,
    }),
  };
}
