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
  'OFFER_CLOSED',
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
  'OUTCOME_UNKNOWN',
  'INTERNAL',
] as const;

/** The bounds of a process and of a caller, by which the metrics count what was refused. */
export type Bound =
  | 'answer_memory'
  | 'answer_size'
  | 'attempts'
  | 'body'
  | 'connections'
  | 'database_connections'
  | 'database_share'
  | 'database_time'
  | 'event_loop'
  | 'exports'
  | 'headers'
  | 'password_hashes'
  | 'query'
  | 'rate_limit'
  | 'request_time'
  | 'streams';

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
  /** The bound that the call would exceed. */
  readonly bound: Bound | undefined;

  constructor(code: FailureCode, message: string, more: FailureFacts = {}) {
    const hasMore = Object.keys(more.errors ?? {}).length > limits.errorFieldsMax;
    const text = hasMore ? `${message} More fields are wrong.` : message;
    super(text, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors && boundErrors(more.errors);
    this.retryAfterS = more.retryAfterS;
    this.details = more.details;
    this.isPlanned = more.isPlanned === true;
    this.bound = more.bound;
  }
}

interface FailureFacts {
  readonly errors?: FieldErrors;
  readonly retryAfterS?: number;
  readonly details?: Record<string, unknown>;
  readonly cause?: unknown;
  readonly isPlanned?: boolean;
  readonly bound?: Bound;
}

/** Callers choose the names of unknown fields, so an error could become larger than its request. */
function boundErrors(errors: FieldErrors): FieldErrors {
  const named = Object.entries(errors).slice(0, limits.errorFieldsMax);
  return Object.fromEntries(named.map(([field, texts]) => [shorten(field), texts.slice(0, limits.listedMax)]));
}

/** Cuts a name that a caller chose. */
export function shorten(name: string): string {
  return name.length > limits.labelChars ? `${name.slice(0, limits.labelChars).toWellFormed()}…` : name;
}

export const notFound = (noun: string) => new Failure('NOT_FOUND', `No such ${noun}.`);

/** Whether the path of an address ends with a slash, so that its last part is empty. */
export const endsWithSlash = (url: string): boolean => /^[^?]*[^?/]\/+(\?|$)/.test(url);

/** Nothing is served at an address. */
export const noSuchAddress = (url: string) => {
  const advice = endsWithSlash(url) ? ' It ends with a slash: leave that out.' : '';
  return new Failure('NOT_FOUND', `This address does not exist.${advice}`);
};

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

/** So much goes on already that this call is refused. It can succeed later. */
export const overBound = (bound: Bound, message: string, retryAfterS: number) =>
  new Failure('UNAVAILABLE', message, { retryAfterS, bound });

/** A write was sent to the database, and nobody can tell whether it was stored, or whether all of it was. */
export const outcomeUnknown = (cause: unknown) =>
  new Failure(
    'OUTCOME_UNKNOWN',
    'The change may have been stored: the service lost its database meanwhile. Read before you send it again, or repeat it with the idempotency key that you sent, with which it is made once.',
    { cause },
  );

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
  /** In GraphQL, the list with which the limit is exceeded, and what to ask for in its place. */
  readonly hint: string;

  constructor(limit: AnswerLimit, max: number, hint = '') {
    const excess = `more than ${max} ${answerNouns[limit]}`;
    super('VALIDATION_FAILED', `The answer would take ${excess}: ask for less at a time.`, { bound: 'answer_size' });
    this.limit = limit;
    this.max = max;
    this.excess = excess;
    this.hint = hint;
  }
}
