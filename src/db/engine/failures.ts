import { Failure } from '../../errors.ts';
import type { DatabaseFault } from './faults.ts';

/**
 * A session or a database of PostgreSQL is not as this service needs it, and is not used. The message is for operators, who read it
 * at `/readyz`, and tells no secret.
 */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly fault: DatabaseFault;

  constructor(message: string, { fault = 'session', ...options }: ErrorOptions & { fault?: DatabaseFault } = {}) {
    super(message, options);
    this.fault = fault;
  }
}

/** The database cannot be used as it is. The message says in one line what is wrong and what mends it, and tells no secret. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
  readonly fault: DatabaseFault;

  constructor(fault: DatabaseFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/**
 * These functions tell what an error from Prisma means. They read the SQLSTATE, which both adapters keep. Prisma's own codes
 * differ: raw queries always fail with P2010, and the adapters map different states to one code.
 */
export function isUniqueViolation(error: unknown, constraintOrField: string): boolean {
  const constraint = sqlState(error) === '23505' ? constraintOf(error) : '';
  return constraint === constraintOrField || constraint.endsWith(`_${constraintOrField}_key`);
}

/** A referenced row does not exist, or a row that others reference would be deleted (23001 from PostgreSQL 18 on). */
export function isForeignKeyViolation(error: unknown): boolean {
  return ['23503', '23001'].includes(sqlState(error));
}

export function isCheckViolation(error: unknown): boolean {
  return sqlState(error) === '23514';
}

/** A shift whose attendance is noted or approved would become another one. */
export function isAttended(error: unknown): boolean {
  return isCheckViolation(error) && constraintOf(error) === 'work_shifts_attended';
}

export function isMissingTable(error: unknown): boolean {
  return sqlState(error) === '42P01';
}

/** A table, column or function that this build expects is missing: the schema is that of an earlier version. */
export function isMissingSchema(error: unknown): boolean {
  return ['42P01', '42703', '42883', '3F000'].includes(sqlState(error));
}

/** PostgreSQL stopped a statement, for example because it ran for too long. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** A standby had to stop a statement or a session, because what it read is changed by the replay. */
export function isRecoveryConflict(error: unknown): boolean {
  return sqlState(error) === '40001' || /conflict with recovery/.test(driverError(error)?.originalMessage ?? '');
}

/**
 * Whether the error of a COMMIT says that nothing was stored: the statement was never sent, or PostgreSQL answered it. Errors of
 * connections and of a server that stops are left out, because poolers report a lost answer by them. Where the disk is full, the
 * log has not taken the end of the transaction, even if the embedded database stops because of that.
 */
export function isAnswerToCommit(error: unknown): boolean {
  if (isDiskFull(error)) return true;
  const state = sqlState(error);
  return state === '' ? (error as Error).message.endsWith('is not queryable') : !/^(08|57)/.test(state);
}

/** Nobody can tell whether a write was stored. Prisma may have left no more of our failure than its code. */
export function isOutcomeUnknown(error: unknown): boolean {
  return codeOf(error) === 'OUTCOME_UNKNOWN';
}

/** The transaction lost against a concurrent one. Run again, it can succeed. */
export function isSerializationConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error)) || codeOf(error) === 'P2034';
}

/** Others held a lock for too long, or waited for locks of this transaction. */
export function isLockConflict(error: unknown): boolean {
  return ['55P03', '40P01'].includes(sqlState(error));
}

/** The role lacks a right. */
export function isDenied(error: unknown): boolean {
  return sqlState(error) === '42501';
}

/** The database could not be reached, or not in time. The same call can succeed later. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof SessionError ||
    unreachableStates.test(sqlState(error)) ||
    unreachableKinds.has(driverError(error)?.kind ?? '') ||
    unreachableCodes.has(codeOf(error)) ||
    tlsCodes.test(codeOf(error)) ||
    (error instanceof Error && unreachableMessages.test(error.message))
  );
}

/**
 * A disk is full, or a quota is used up: that of the database, which PostgreSQL, PGlite's file system or its messages say,
 * or another one that Node writes to.
 */
export function isDiskFull(error: unknown): boolean {
  const { name, errno, message, cause } = (error ?? {}) as Error & { errno?: number };
  return (
    sqlState(error) === '53100' ||
    fullDiskCodes.has(codeOf(error)) ||
    (name === 'ErrnoError' && fullDiskNumbers.has(errno ?? 0)) ||
    // An error with a state says it there; its message may repeat what a caller sent.
    (sqlState(error) === '' && typeof message === 'string' && fullDiskMessages.test(message)) ||
    (cause !== undefined && cause !== error && isDiskFull(cause))
  );
}

const fullDiskCodes = new Set(['ENOSPC', 'EDQUOT']);
/** Numbers of the same two errors in WebAssembly. */
const fullDiskNumbers = new Set([51, 19]);
const fullDiskMessages = /No space left on device|Disk quota exceeded/i;

/** The server answers, but refuses the log-in or has no such database, so the settings are wrong. */
export function isTurnedAway(error: unknown): boolean {
  return /^(28...|3D000)$/.test(sqlState(error));
}

/**
 * Connection lost, resources exhausted, statement or idle time-out, a transaction that such a time-out has ended, server
 * stopping or starting, and a server that has become a read-only standby.
 */
const unreachableStates = /^(08...|53...|57014|57P0[1-5]|25P0[23]|25006)$/;

const unreachableKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]);

/**
 * Our own code, of which Prisma leaves no more where a statement outside a transaction got no turn, then codes of Prisma and of Node.
 * P2028: a transaction got no connection in time, or took too long.
 */
const unreachableCodes = new Set(
  'UNAVAILABLE P1001 P1002 P1008 P1011 P1017 P2024 P2028 P2037 EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT'.split(
    ' ',
  ),
);

/** Codes of Node and OpenSSL where TLS cannot be agreed on, or the certificate is not the right one. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

/** pg, its pool and PGlite throw plain errors for these. */
const unreachableMessages =
  /^(Query read timeout|The server does not support SSL connections|There was an error establishing an SSL connection|timeout exceeded when trying to connect|timeout expired|The answer came too late|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool|PGlite is clos)/;

/** Faults by the SQLSTATE or Node's code of an error, or by the message of an error that has neither. */
const faultByCode: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/^(ECONNREFUSED|ENOENT)$/, 'refused'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'unknown_host'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'unreachable'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_|INVALID_(CA|PURPOSE))|SSL/, 'tls'],
  [/^53300$/, 'too_many_connections'],
  [/^57P0[1-3]$/, 'starting_or_stopping'],
  [/^28...$|^SASL/, 'log_in_refused'],
  [/^3D000$/, 'no_database'],
  [/^42501$/, 'permission'],
  [/^25006$/, 'read_only'],
  [
    /^(57014|25P0[23]|ETIMEDOUT)$|connection timeout|timeout expired|The answer came too late|Query read timeout/,
    'no_answer',
  ],
  [/timeout exceeded when trying to connect/, 'busy'],
  [/^(08...|57P0[45]|ECONNRESET|EPIPE)$|Connection terminated|is not queryable/, 'connection_lost'],
];

export function findDatabaseFault(error: unknown): DatabaseFault {
  if (error instanceof SessionError || error instanceof UnfitDatabase) return error.fault;
  if (isDiskFull(error)) return 'disk_full';
  // The pool refuses in this way whoever has waited too long for a connection.
  if (error instanceof Failure && error.code === 'UNAVAILABLE') return 'busy';
  const text = sqlState(error) || codeOf(error) || (error instanceof Error ? error.message : '');
  return faultByCode.find(([pattern]) => pattern.test(text))?.[1] ?? 'failed';
}

interface DriverError {
  readonly kind?: string;
  readonly originalCode?: string;
  readonly originalMessage?: string;
  readonly constraint?: { readonly index?: string };
}

interface PrismaError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: DriverError } };
  readonly cause?: unknown;
  /** Only errors of pg itself have it. */
  readonly severity?: string;
  /** The name of the constraint, in an error of pg itself. */
  readonly constraint?: string;
}

/** The adapter's error. At the begin and end of a transaction, it, or pg's own error, comes without Prisma's around it. */
function driverError(error: unknown): DriverError | undefined {
  const { name, message, meta, cause, severity, constraint } = (error ?? {}) as PrismaError;
  if (severity !== undefined)
    return {
      originalCode: codeOf(error),
      originalMessage: String(message),
      ...(constraint !== undefined && { constraint: { index: constraint } }),
    };
  if (meta?.driverAdapterError?.cause) return meta.driverAdapterError.cause;
  if (name === 'DriverAdapterError') return cause as DriverError;
  // Prisma keeps the code of an error of pg, such as that of a refused connection. Its own codes begin with P1 to P6.
  const code = codeOf(error);
  return /^(?!P[1-9])(?=.*\d)[0-9A-Z]{5}$/.test(code) ? { originalCode: code } : undefined;
}

const sqlState = (error: unknown): string => driverError(error)?.originalCode ?? '';

const codeOf = (error: unknown): string => {
  const code = (error as PrismaError | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** The name of the constraint. PGlite's adapter gives the fields instead, but its message, always English, ends with the name. */
const constraintOf = (error: unknown): string => {
  const { constraint, originalMessage } = driverError(error) ?? {};
  return constraint?.index ?? /"([^"]+)"$/.exec(originalMessage ?? '')?.[1] ?? '';
};
