import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { binary } from './support/cluster.ts';
import { configOf } from './support/config.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { digestOf } from './support/digest.ts';
import { createFactories } from './support/factories.ts';
import { createLoadScene } from './support/load.ts';
import { databasePrefix, serverUrl, urlOf } from './support/template.ts';

/* A backup of PostgreSQL as src/guide/operators.md says it: by pg_dump and pg_restore. */

let source: TestDatabase;
let folder: string;
const name = `${databasePrefix}${randomUUID().slice(0, 8)}`;

beforeAll(async () => {
  source = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'callboard-pgdump-'));
  await createLoadScene(createFactories(source.prisma, source.config(), () => new Date()));
});

afterAll(async () => {
  await source.close();
  await rm(folder, { recursive: true, force: true });
});

const onDatabase = async (url: string, sql: string): Promise<object[]> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
};

test('pg_restore restores every row of a pg_dump, and the service can read and write it', async () => {
  const from = source.config().db.url ?? '';
  const file = join(folder, 'callboard.dump');
  execFileSync(binary('pg_dump'), ['--format=custom', `--file=${file}`, from]);
  await onDatabase(serverUrl ?? '', `CREATE DATABASE ${name}`);
  execFileSync(binary('pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${urlOf(name)}`, file]);

  const before = await digestOf((sql) => onDatabase(from, sql));
  expect(Object.keys(before).length).toBeGreaterThan(10);
  expect(await digestOf((sql) => onDatabase(urlOf(name), sql))).toEqual(before);

  const config = configOf({ DATABASE_URL: urlOf(name) });
  const restored = await openDatabase(config.db);
  expect((await restored.schemaState()).pending).toEqual([]);
  // Ids go on where they were.
  await createLoadScene(createFactories(restored.prisma, config, () => new Date()));
  expect(await restored.prisma.event.count()).toBe(6);
  await restored.close();
});
