import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config/config.ts';

/** Log lines hold no secret, no stack and no query: what a client puts into an address may be a password. */
export function createLog({ log }: Pick<Config, 'log'>, to?: DestinationStream, fields?: () => object): Logger {
  const isPretty = !to && (log.format === 'pretty' || (log.format === 'auto' && process.stdout.isTTY));
  const options = {
    level: log.level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: told, req: asked },
    ...(fields && { mixin: fields }),
    ...(isPretty && { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } }),
  };
  return to ? pino(options, to) : pino(options);
}

interface Asked {
  readonly method?: string;
  readonly url?: string;
  readonly host?: string;
  readonly ip?: string;
}

const asked = ({ method, url, host, ip }: Asked) => ({ method, url: url?.split('?', 1)[0], host, remoteAddress: ip });

interface Told {
  readonly type: string;
  readonly code?: unknown;
  readonly message: string;
  /** The innermost place in our own code. */
  readonly where?: string;
  readonly cause?: Told | undefined;
}

/** Also one that was made in another realm. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/** Prisma puts the caller's code before the reason, which comes last. */
function told(error: unknown): Told | undefined {
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
    ...(cause !== undefined && { cause: told(cause) }),
  };
}
