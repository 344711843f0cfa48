import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config/config.ts';

/**
 * Creates the logger. Log lines contain no secrets, no stacks and no query strings, because a client may put a password
 * into an address.
 */
export function createLog({ log }: Pick<Config, 'log'>, to?: DestinationStream, fields?: () => object): Logger {
  const isPretty = !to && (log.format === 'pretty' || (log.format === 'auto' && process.stdout.isTTY));
  const options = {
    level: log.level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: serializeError, req: serializeRequest },
    ...(fields && { mixin: fields }),
    ...(isPretty && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }),
  };
  return to ? pino(options, to) : pino(options);
}

interface LoggedRequest {
  readonly method?: string;
  readonly url?: string;
  readonly host?: string;
  readonly ip?: string;
}

const serializeRequest = ({ method, url, host, ip }: LoggedRequest) => ({
  method,
  url: url?.split('?', 1)[0]?.replace(/^(\/v1\/+feeds\/).+$/, '$1…'),
  host,
  remoteAddress: ip,
});

interface LoggedError {
  readonly type: string;
  readonly code?: unknown;
  readonly message: string;
  /** The innermost stack frame in our own code, as `path:line`. */
  readonly where?: string;
  readonly cause?: LoggedError | undefined;
}

/** Recognizes errors from another realm as well, such as those of Jest's test environment. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/**
 * Serializes an error for the log. Prisma's messages start with an excerpt of the calling code, so only the last line
 * is kept.
 */
function serializeError(error: unknown): LoggedError | undefined {
  if (error === undefined || error === null) return undefined;
  if (!isError(error)) return { type: typeof error, message: 'not an error' };
  const { name, message, stack = '', cause } = error;
  const { code } = error as { code?: unknown };
  const [, where] = /\/(?:src|dist)\/([\w./-]+:\d+):\d+/.exec(stack) ?? [];
  return {
    type: error.constructor.name || name,
    ...(code !== undefined && { code }),
    message: message.trim().split('\n').at(-1) ?? '',
    ...(where !== undefined && { where }),
    ...(cause !== undefined && { cause: serializeError(cause) }),
  };
}
