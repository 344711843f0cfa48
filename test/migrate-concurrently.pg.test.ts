import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { loadConfig } from '../src/config/config.ts';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { migrationNames } from '../src/db/migrations/migrations.ts';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const databaseName = `callboard_concurrently_${process.pid}`;
const server = new pg.Pool({ connectionString: serverUrl });

beforeAll(async () => {
  await server.query(`CREATE DATABASE ${databaseName}`);
});

afterAll(async () => {
  await server.query(`DROP DATABASE ${databaseName} WITH (FORCE)`);
  await server.end();
});

const open = () => {
  const url = Object.assign(new URL(serverUrl), { pathname: databaseName }).href;
  return openDatabase(loadConfig({ DATABASE_URL: url, JWT_SECRETS: `test:${'x'.repeat(32)}` }).db);
};

test('when several processes migrate a new database, each migration is applied once', async () => {
  const databases = await Promise.all([open(), open(), open(), open()]);
  try {
    const applied = await Promise.all(databases.map((database) => database.migrate()));
    expect(applied.flat().sort()).toEqual(await migrationNames());
    const rows = await databases[0]!.prisma.$queryRaw`
      SELECT migration_name AS name, finished_at IS NOT NULL AS done FROM _prisma_migrations ORDER BY migration_name`;
    expect(rows).toEqual((await migrationNames()).map((name) => ({ name, done: true })));
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
});
