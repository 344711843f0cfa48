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
  'LAST_ADMIN',
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

  constructor(
    code: FailureCode,
    message: string,
    more: { errors?: FieldErrors; retryAfterS?: number; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.errors = more.errors;
    this.retryAfterS = more.retryAfterS;
    this.details = more.details;
  }
}

export const notFound = (noun: string) => new Failure('NOT_FOUND', `No such ${noun}.`);

export const forbidden = (message = 'Your role does not allow this.') => new Failure('FORBIDDEN', message);

export const unauthenticated = (message = 'A valid bearer credential is required.') =>
  new Failure('UNAUTHENTICATED', message);

export const invalid = (errors: FieldErrors) => new Failure('VALIDATION_FAILED', 'The input is not valid.', { errors });

export const conflict = (message: string, errors?: FieldErrors) =>
  new Failure('CONFLICT', message, errors ? { errors } : {});

export const unavailable = (message: string, retryAfterS: number, cause?: unknown) =>
  new Failure('UNAVAILABLE', message, { retryAfterS, cause });
