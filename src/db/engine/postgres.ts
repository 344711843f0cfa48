import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQuery } from '@prisma/driver-adapter-utils';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { migrate } from '../migrations/migrate.ts';
import { openMigrationSession } from '../migrations/migration-session.ts';
import { readMigrations, readPending, readSchemaState, type Migration } from '../migrations/migrations.ts';
import type { Database, DatabaseHooks } from './database.ts';
import { watchDisk, writeTemporaryFile } from './disk-watch.ts';
import { requireFit } from './fitness.ts';
import { askOn } from './outcomes.ts';
import { dropUnlessIdle, openServer, schemaOf, type Server } from './pool.ts';
import { isScript, runScript } from './queue-scripts.ts';
import { createReadOn, readsOf, snapshotsOf, statementNames } from './reads.ts';
import { listenerFor } from './statement-count.ts';
import { openClient } from './statements.ts';

export function openPostgres(url: string, config: Config['db'], hooks: DatabaseHooks): Database {
  const server = openServer(url, config);
  const { pool } = server;
  pool.on('release', dropUnlessIdle);

  const disk = watchDisk(() => writeTemporaryFile(prisma));
  const listener = listenerFor(hooks, disk);
  // The pool may be full of connections that are broken and whose outcomes are asked for.
  let asking: Server | null = null;
  const ask = askOn(() => (asking ??= openServer(url, config, { max: 1 })).pool);
  const parts = { listener, readSettings: server.settings, ask };
  const nameOf = statementNames(config);
  // The empty name prepares nothing.
  const statementNameGenerator = ({ sql, args }: SqlQuery) =>
    (args.length > 0 && server.canPrepare() && nameOf(sql)) || '';
  const adapters = new PrismaPg(pool, { ...schemaOf(url), statementNameGenerator });
  const prisma = openClient(adapters, parts, config, limits.turnWaitMs);
  const readOn = createReadOn(nameOf, listener);
  const read = readsOf(server, readOn, ask);
  return {
    kind: 'postgresql',
    prisma,
    read,
    snapshot: snapshotsOf(server, readOn),
    schemaState: async () => {
      await requireFit(prisma);
      return readSchemaState(read);
    },
    pending: async () => {
      await requireFit(prisma);
      return readPending(read);
    },
    migrate: async (onBlocked = () => undefined) => {
      await requireFit(prisma);
      const pending = await readPending(read);
      if (pending.length === 0) return [];
      await requireFit(prisma, { migrates: true });
      return migrateOnServer(url, config, await readMigrations(pending), onBlocked);
    },
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    executeSql: (text, values) =>
      isScript(text) ? runScript(server, text) : server.run((client) => client.query(text, values)),
    schema: schemaOf(url).schema ?? null,
    ping: async () => void (await prisma.$queryRaw`SELECT 1`),
    isDiskFull: disk.isFull,
    close: async () => {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
      await asking?.pool.end();
    },
  };
}

async function migrateOnServer(
  url: string,
  config: Config['db'],
  pending: readonly Migration[],
  onBlocked: (text: string) => void,
): Promise<string[]> {
  const session = openMigrationSession(url, config, onBlocked);
  try {
    return await migrate(session, pending);
  } finally {
    await session.close();
  }
}
