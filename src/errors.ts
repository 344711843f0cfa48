import { limits } from './config/limits.ts';

/**
 * All kinds of failures of a call. A service throws a kind; only an adapter knows its name in the protocol (a status in
 * REST, `extensions.code` in GraphQL).
 */
export const failureCodes = [
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'INVALID_CREDENTIALS',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'CONFLICT',
  'CLASH',
  'LAST_ADMIN',
  'CURSOR_EXPIRED',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'EXPECTATION_FAILED',
  'VALIDATION_FAILED',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** Messages by field, in the field names of the code that throws. `input` stands for the input as a whole. */
export type FieldErrors = Record<string, string[]>;

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly errors: FieldErrors | undefined;
  /** Whole seconds after which the caller should try again. */
  readonly retryAfterS: number | undefined;
  /** Further data for the caller, such as the clashes behind a conflict. It must be plain JSON. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  /** Whether the operator made it happen, as by a shutdown, so that nothing has failed. */
  readonly isPlanned: boolean;

  constructor(code: FailureCode, message: string, more: FailureFacts = {}) {
    const unnamed = Object.keys(more.errors ?? {}).length - limits.errorFieldsMax;
    const text = unnamed > 0 ? `${message} ${unnamed} more fields are wrong.` : message;
    super(text, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors && boundErrors(more.errors);
    this.retryAfterS = more.retryAfterS;
    this.details = more.details;
    this.isPlanned = more.isPlanned === true;
  }
}

interface FailureFacts {
  readonly errors?: FieldErrors;
  readonly retryAfterS?: number;
  readonly details?: Record<string, unknown>;
  readonly cause?: unknown;
  readonly isPlanned?: boolean;
}

/** Callers choose the names of unknown fields, so an error could become larger than its request. */
function boundErrors(errors: FieldErrors): FieldErrors {
  const named = Object.entries(errors).slice(0, limits.errorFieldsMax);
  return Object.fromEntries(named.map(([field, texts]) => [shorten(field), texts.slice(0, limits.fieldErrorsMax)]));
}

/** Cuts a name that a caller chose. */
export function shorten(name: string): string {
  return name.length > limits.errorNameChars ? `${name.slice(0, limits.errorNameChars).toWellFormed()}…` : name;
}

export const notFound = (noun: string) => new Failure('NOT_FOUND', `No such ${noun}.`);

export const forbidden = (message = 'Your role does not allow this.') => new Failure('FORBIDDEN', message);

/** The credential may not do this, although the role of its caller might. Both adapters name the scopes that it lacks. */
export const insufficientScope = (missingScopes: readonly string[]) =>
  new Failure('FORBIDDEN', `The credential lacks the scope ${missingScopes.join(' and ')}.`, {
    details: { missingScopes },
  });

export const unauthenticated = (message = 'A valid bearer credential is required.') =>
  new Failure('UNAUTHENTICATED', message);

export const invalid = (errors: FieldErrors) => new Failure('VALIDATION_FAILED', 'The input is not valid.', { errors });

/** The change log does not lead on from this cursor: its commit is too old, lost in a restore, or of another business. */
export const cursorExpired = () =>
  new Failure('CURSOR_EXPIRED', 'The cursor has expired. Read everything again, from a new cursor on.');

export const conflict = (message: string, errors?: FieldErrors) =>
  new Failure('CONFLICT', message, errors ? { errors } : {});

export const unavailable = (message: string, retryAfterS: number, cause?: unknown) =>
  new Failure('UNAVAILABLE', message, { retryAfterS, cause });

/** The process ends because its operator wants it to; another one answers. */
export const shuttingDown = () =>
  new Failure('UNAVAILABLE', 'The service is shutting down.', { retryAfterS: 2, isPlanned: true });

/** Limits of one answer: bytes of its JSON or of a page of an export, memory of the rows that are read for it, and objects. */
export type AnswerLimit = 'bytes' | 'rowBytes' | 'objects';

const answerNouns: Record<AnswerLimit, string> = {
  bytes: 'bytes',
  rowBytes: 'bytes of stored rows',
  objects: 'objects',
};

/** The answer to a read would exceed a limit. Nothing is wrong with the caller's data: they can ask for less. */
export class AnswerTooLarge extends Failure {
  readonly limit: AnswerLimit;
  readonly max: number;
  /** The limit in words: `more than 50000 objects`. */
  readonly excess: string;

  constructor(limit: AnswerLimit, max: number) {
    const excess = `more than ${max} ${answerNouns[limit]}`;
    super('VALIDATION_FAILED', `The answer would take ${excess}: ask for less at a time.`);
    this.limit = limit;
    this.max = max;
    this.excess = excess;
  }
}
