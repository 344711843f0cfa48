/** A session of PostgreSQL is not as this service needs it, and is not used. The message is for operators and tells no secret. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
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

/** The transaction lost against a concurrent one. Run again, it can succeed. */
export function isSerializationConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error)) || codeOf(error) === 'P2034';
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

/** Codes of Prisma, then codes of Node. P2028: a transaction got no connection in time, or took too long. */
const unreachableCodes = new Set(
  'P1001 P1002 P1008 P1011 P1017 P2024 P2028 P2037 EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT'.split(
    ' ',
  ),
);

/** Codes of Node and OpenSSL where TLS cannot be agreed on, or the certificate is not the right one. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/;

/** pg, its pool and PGlite throw plain errors for these. */
const unreachableMessages =
  /^(Query read timeout|The server does not support SSL connections|There was an error establishing an SSL connection|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end on the pool|PGlite is clos)/;

interface DriverError {
  readonly kind?: string;
  readonly originalCode?: string;
  readonly originalMessage?: string;
  readonly constraint?: { readonly index?: string };
}

interface PrismaError {
  readonly name?: string;
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
  const { name, meta, cause, severity, constraint } = (error ?? {}) as PrismaError;
  if (severity !== undefined)
    return { originalCode: codeOf(error), ...(constraint !== undefined && { constraint: { index: constraint } }) };
  return meta?.driverAdapterError?.cause ?? (name === 'DriverAdapterError' ? (cause as DriverError) : undefined);
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
