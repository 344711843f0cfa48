import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Config } from '../../config/config.ts';
import { listenerFor, openClient } from './client.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { migrate } from './migrate.ts';
import { withMigrationLock } from './migration-lock.ts';
import { pendingMigrations } from './migrations.ts';
import { readsOf } from './reads.ts';
import { RowsClient, type RowsClientConfig } from './rows-client.ts';

export function openPostgres(url: string, config: Config['db'], hooks: DatabaseHooks): Database {
  const { connectionString, schema } = readUrl(url);
  const connection = { connectionString, connectionTimeoutMillis: config.connectTimeoutMs, keepAlive: true };
  const options: pg.PoolConfig & RowsClientConfig = {
    ...connection,
    Client: RowsClient,
    max: config.poolSize,
    statement_timeout: config.statementTimeoutMs,
    silenceMs: config.queryTimeoutMs,
    idle_in_transaction_session_timeout: config.transactionTimeoutMs,
    application_name: 'callboard',
  };
  const pool = new pg.Pool(options);
  // An idle connection that breaks is replaced at the next query. Without a listener, the event would end the process.
  pool.on('error', () => undefined);
  pool.on('release', (_error: unknown, client: pg.PoolClient) => dropUnlessIdle(client));

  const listener = listenerFor(hooks);
  const prisma = openClient(new PrismaPg(pool, schema), config, listener);
  return {
    kind: 'postgresql',
    prisma,
    read: readsOf(pool, config.prepare, listener),
    pendingMigrations: () => pendingMigrations(prisma),
    migrate: async () => {
      const pending = await pendingMigrations(prisma);
      if (pending.length === 0) return [];
      return withMigrationLock(connection, async (session) => {
        const adapter = await new PrismaPg(session, schema).connect();
        return migrate({ adapter, run: (script) => session.query(script) }, pending);
      });
    },
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ping: async () => void (await prisma.$queryRaw`SELECT 1`),
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}

/** Closes a connection that is still in a transaction: Prisma returns it to the pool even if its ROLLBACK was not answered. */
function dropUnlessIdle(pooled: pg.PoolClient) {
  const client = pooled as unknown as pg.Client;
  if (client.getTransactionStatus() !== 'I') void client.end().catch(() => undefined);
}

/**
 * Adds settings of the session to the URL. Its zone is UTC and its date style ISO, whatever the `options` of the URL say;
 * Prisma's parameter `schema` becomes the search path. PostgreSQL's JIT compiler, which makes a report of 0.1 s take 2 s, is
 * off unless the URL turns it on.
 */
function readUrl(url: string) {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema');
  const options = [
    // src/guide/performance.md#jit-off
    '-c jit=off',
    parsed.searchParams.get('options'),
    '-c timezone=UTC -c datestyle=ISO',
    schema && `-c search_path=${quote(schema)}`,
  ];
  parsed.searchParams.set('options', options.filter(Boolean).join(' '));
  parsed.searchParams.delete('schema');
  return { connectionString: parsed.href, schema: schema ? { schema } : {} };
}

/** Quotes an SQL identifier for `options`, where a space ends a word and a backslash escapes the next character. */
const quote = (name: string) => `"${name.replaceAll('"', '""').replaceAll(/[\\ ]/g, '\\$&')}"`;
