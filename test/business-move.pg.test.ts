import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../src/db/engine/open-database.ts';
import { startApp, type TestApp } from './support/app.ts';
import { configOf } from './support/config.ts';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import {
  createOddBusiness,
  exportFrom,
  importInto,
  linesIn,
  storedRows,
  withoutMove,
} from './support/moving-business.ts';

/* A business moves from PostgreSQL to the embedded database and on to another PostgreSQL, and while others write. */

let source: TestApp;
let target: TestDatabase;
let folder: string;

beforeAll(async () => {
  source = await startApp();
  target = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'callboard-embedded-'));
});

afterAll(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

test('all rows are the same on PostgreSQL, then on the embedded database, and then on another PostgreSQL', async () => {
  const { business } = await createOddBusiness(source, 7);
  const before = await storedRows(source, business.id);
  const env = { DATABASE_URL: '', DATA_DIR: folder };
  const embedded = await openDatabase(configOf(env).db);
  await embedded.migrate();
  const place = { prisma: embedded.prisma, database: { config: () => configOf(env) } };
  await importInto(place, await exportFrom(source, business.id));
  expect(withoutMove(await storedRows(place, business.id))).toEqual(before);
  const file = await exportFrom(place, business.id);
  await embedded.close();

  await importInto({ prisma: target.prisma, database: target }, file);
  const after = await storedRows({ prisma: target.prisma, database: target }, business.id);
  expect(withoutMove(after)).toEqual(before);
});

test('the file is one snapshot: what is written meanwhile is in it as a whole or not at all', async () => {
  const { prisma } = source;
  const { business } = await source.createTenant();
  const businessId = business.id;
  await prisma.$executeRawUnsafe(`INSERT INTO skill_levels (business_id, name)
    SELECT ${businessId}, 'level ' || n FROM generate_series(1, 400) n`);
  // Skill levels and custom fields are far apart in the file. Each transaction adds one of both.
  const names: string[] = [];
  const end = new AbortController();
  const writer = (async () => {
    while (!end.signal.aborted) {
      const name = `pair ${names.length}`;
      await prisma.$transaction(async (tx) => {
        await tx.skillLevel.create({ data: { businessId, name } });
        await tx.customField.create({ data: { businessId, name, type: 'text', options: [] } });
      });
      names.push(name);
    }
  })();
  const sizes: number[] = [];
  let file = '';
  while (sizes.length < 5) {
    while (names.length < 5 * (sizes.length + 1)) await wait(5);
    file = await exportFrom(source, businessId);
    const lines = linesIn(readFileSync(file));
    const pairs = (table: string) =>
      lines.filter((line) => line.startsWith(`{"${table}":`) && line.includes('"pair ')).length;
    expect(pairs('skill_levels')).toBe(pairs('custom_fields'));
    sizes.push(pairs('custom_fields'));
  }
  end.abort();
  await writer;
  expect(sizes[0]).toBeGreaterThanOrEqual(5);
  expect(sizes.at(-1)).toBeGreaterThan(sizes[0]!);
  expect(names.length).toBeGreaterThanOrEqual(sizes.at(-1)!);

  // The cursor of what the file has leads on, and the changes of the file are all there.
  const place = { prisma: target.prisma, database: target };
  await importInto(place, file);
  const moved = withoutMove(await storedRows(place, businessId));
  expect(moved['row_changes']!.filter(({ kind }) => kind === 'custom_fields')).toHaveLength(sizes.at(-1)!);
  const batches = new Set(moved['commits']!.map(({ batch }) => batch));
  for (const { batch } of moved['row_changes']!) expect(batches.has(batch)).toBe(true);
});

test('others write to the target while a business is imported, and have numbers of their own', async () => {
  const place = { prisma: target.prisma, database: target };
  const { business } = await createOddBusiness(source, 8);
  const file = await exportFrom(source, business.id);
  const other = await target.prisma.business.create({ data: { name: 'Other', plan: 'free' } });
  const ids: number[] = [];
  const end = new AbortController();
  const writer = (async () => {
    for (let n = 0; !end.signal.aborted; n += 1)
      ids.push((await target.prisma.skillLevel.create({ data: { businessId: other.id, name: `level ${n}` } })).id);
  })();
  await importInto(place, file);
  end.abort();
  await writer;
  expect(new Set(ids).size).toBe(ids.length);
  const { id } = await target.prisma.skillLevel.create({ data: { businessId: business.id, name: 'next' } });
  expect(id).toBeGreaterThan(
    Math.max(...(await storedRows(source, business.id))['skill_levels']!.map((row) => Number(row['id']))),
  );
});
