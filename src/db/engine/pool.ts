import type { ConnectionOptions } from 'node:tls';
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import type { DatabaseTls } from '../../config/database-url.ts';
import type { ServerClient } from './connection.ts';
import { RowsClient, type RowsClientConfig } from './rows-client.ts';
import { sessionSettings, type SessionSettings } from './session-settings.ts';
import { prepareSession } from './session.ts';
import { SharedPool } from './shared-pool.ts';

/** Opens a pool whose sessions all have the settings that the SQL of this service relies on. Businesses share its connections. */
export function openPool(url: string, config: Config['db'], own: pg.PoolConfig = {}): SharedPool {
  const { connectionString, schema, options } = readUrl(url);
  const settings = sessionSettings(config, { schema, options });
  const poolOptions: pg.PoolConfig & RowsClientConfig = {
    connectionString,
    ssl: config.tls ? tlsOptions(config.tls) : false,
    connectionTimeoutMillis: config.connectTimeoutMs,
    keepAlive: true,
    Client: RowsClient,
    max: config.poolSize,
    silenceMs: config.queryTimeoutMs,
    application_name: 'callboard',
    // oxlint-disable-next-line typescript/no-misused-promises -- The pool waits for it, whatever its type says.
    onConnect: async (client) => prepareInTime(client as unknown as ServerClient, settings, config.connectTimeoutMs),
    ...own,
  };
  const pool = new SharedPool(poolOptions, {
    total: poolOptions.max ?? config.poolSize,
    share: config.share,
    waitMs: config.connectTimeoutMs,
  });
  // An idle connection that breaks is replaced at the next query. Without a listener, the event would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** The pool itself waits for as long as it takes. */
async function prepareInTime(client: ServerClient, settings: SessionSettings, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(new Error('timeout expired')), timeoutMs);
  try {
    await prepareSession(client, settings);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes an object of its own, because pg changes it. */
function tlsOptions({ verifies, ...certificates }: DatabaseTls): ConnectionOptions {
  return {
    ...certificates,
    rejectUnauthorized: verifies !== 'nothing',
    ...(verifies === 'chain' && { checkServerIdentity: () => undefined }),
  };
}

/** Takes Prisma's parameter `schema` out of the URL, because pg would not know it. */
export function readUrl(url: string) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema');
  const options = parsed.searchParams.get('options');
  parsed.searchParams.delete('schema');
  return { connectionString: parsed.href, schema, options };
}

export function schemaOf(url: string): { schema?: string } {
  const { schema } = readUrl(url);
  return schema ? { schema } : {};
}

/** Closes a connection that is still in a transaction: Prisma returns it to the pool even if its ROLLBACK was not answered. */
export function dropUnlessIdle(_error: unknown, pooled: object): void {
  const client = pooled as pg.Client;
  if (client.getTransactionStatus() !== 'I') void client.end().catch(() => undefined);
}
