import { PrismaPg } from '@prisma/adapter-pg';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { listenerFor, openClient } from './client.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { watchDisk, writeTemporaryFile } from './disk-watch.ts';
import { migrate } from './migrate.ts';
import { beginLocked, withoutSessionLock } from './migration-lock.ts';
import { readPending, readSchemaState } from './migrations.ts';
import { dropUnlessIdle, openPool, schemaOf } from './pool.ts';
import { isScript, runScript } from './queue-scripts.ts';
import { readsOf } from './reads.ts';

export function openPostgres(url: string, config: Config['db'], hooks: DatabaseHooks): Database {
  const pool = openPool(url, config);
  pool.on('release', dropUnlessIdle);

  const disk = watchDisk(() => writeTemporaryFile(prisma));
  const listener = listenerFor(hooks, disk);
  const prisma = openClient(new PrismaPg(pool, schemaOf(url)), config, listener, limits.shareWaitMs);
  return {
    kind: 'postgresql',
    prisma,
    read: readsOf(pool, config.prepare, listener),
    schemaState: () => readSchemaState(prisma),
    pending: () => readPending(prisma),
    migrate: async () => {
      const pending = await readPending(prisma);
      return pending.length === 0 ? [] : migrateWithoutTimeouts(url, config, pending);
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.turnsWaiting + pool.waitingCount,
    }),
    executeSql: (text, values) => (isScript(text) ? runScript(pool, text) : pool.query(text, values)),
    schema: schemaOf(url).schema ?? null,
    ping: async () => void (await prisma.$queryRaw`SELECT 1`),
    isDiskFull: disk.isFull,
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}

async function migrateWithoutTimeouts(url: string, config: Config['db'], pending: string[]): Promise<string[]> {
  const unlimited = { ...config, statementTimeoutMs: 0, transactionTimeoutMs: 0, queryTimeoutMs: 0 };
  // All statements of a transaction have to meet the same connection.
  const session = openPool(url, unlimited, { max: 1, idleTimeoutMillis: 0, application_name: 'callboard migrate' });
  try {
    const adapter = withoutSessionLock(await new PrismaPg(session, schemaOf(url)).connect());
    const run = (script: string) => session.query(script);
    return await migrate({ adapter, begin: () => beginLocked(session), run }, pending);
  } finally {
    await session.end();
  }
}
