import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limits } from '../src/config/limits.ts';
import { isUnreachable } from '../src/db/engine/failures.ts';
import { openServer, type Server } from '../src/db/engine/pool.ts';
import { createReadOn, readsOf, type Read, snapshotsOf, statementNames } from '../src/db/engine/reads.ts';
import { countStatementsOn } from '../src/db/engine/statement-count.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';

/* Reads past Prisma give what Prisma would, and keep no more prepared on a connection than they may. */

let service: TestApp;
let server: Server;
let readOften: Read;
const heard: string[] = [];
const listener = { sent: (sql: string) => void heard.push(sql), answered: () => undefined };

beforeAll(async () => {
  service = await startApp();
  const { db } = service.database.config();
  server = openServer(db.url ?? '', db, { max: 1 });
  readOften = readsThatPrepare();
});
const readsThatPrepare = (prepare = true) => readsOf(server, createReadOn(statementNames({ prepare }), listener));
afterAll(async () => {
  await server?.pool.end();
  await service?.close();
});

const values = Prisma.sql`
  SELECT 7::int AS int, 8::bigint AS big, 1.50::numeric AS numeric, 2.5::float8 AS float, TRUE AS yes, FALSE AS no,
         'word'::text AS text, NULL::text AS nothing, '00000000-0000-4000-8000-000000000001'::uuid AS uuid,
         'active'::"EventStatus" AS status, '{"a": [1, null]}'::jsonb AS json, '\\x00ff'::bytea AS bytes,
         ARRAY['a', 'b"c', NULL]::text[] AS texts, ARRAY[1, 2]::int[] AS ints,
         '2026-02-28 23:59:59.007+00'::timestamptz(3) AS millis, '2026-11-20 17:00:00+02'::timestamptz AS whole,
         '2026-11-20 17:00:00.1+00'::timestamptz AS tenth, '0099-01-01 00:00:00+00'::timestamptz AS early,
         '2026-11-20 17:00:00'::timestamp AS local`;

// Prepared the second time.
test.each([1, 2, 3])('every type is read as Prisma reads it, run %s', async () => {
  const [row] = await readOften<Record<string, unknown>>(values);
  const [expected] = await service.prisma.$queryRaw<Record<string, unknown>[]>(values);
  expect(Object.keys(row ?? {})).toEqual(Object.keys(expected ?? {}));
  for (const [name, value] of Object.entries(expected ?? {})) {
    const plain = (it: unknown) => (it instanceof Uint8Array ? [...it] : it);
    expect([name, plain(row?.[name])]).toEqual([name, plain(value)]);
    expect([name, row?.[name]?.constructor.name.replace('Buffer', 'Uint8Array')]).toEqual([
      name,
      value?.constructor.name,
    ]);
  }
});

type Texts = [string | null, string | null, string | null];

test('texts are read correctly, however the answer is split into packets', async () => {
  const read = readsThatPrepare();
  const cell = fc.option(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('é'.repeat(50_000))));
  // Of texts that stand one above the other: the same, and some that begin with the same bytes.
  const alike = ['éa', 'é', 'éa', 'éa', 'a', 'aé', null, 'aé', '', 'é'].map((text): Texts => [text, text, 'a']);
  const row = fc.tuple(cell, cell, cell);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (sent) => {
      const rows = sent.map((cells) => cells.map((text) => text?.replaceAll('\0', '') ?? null));
      const columns = [0, 1, 2].map((column) => rows.map((cells) => cells[column] ?? null));
      const read3 = await read<{ a: string; b: string; c: string }>(Prisma.sql`
        SELECT a, b, c FROM unnest(${columns[0]}::text[], ${columns[1]}::text[], ${columns[2]}::text[]) AS sent (a, b, c)`);
      expect(read3.map(({ a, b, c }) => [a, b, c])).toEqual(rows);
    }),
    { numRuns: 60, examples: [[alike]] },
  );
});

const preparedOn = async () => {
  const { rows } = await server.pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
  return rows.length;
};

test('repeated statements are prepared, up to a limit, and all are answered', async () => {
  const read = readsThatPrepare();
  const before = await preparedOn();
  const ask = (number: number) =>
    read<{ it: number }>(Prisma.sql`SELECT ${number}::int AS ${Prisma.raw(`"it${number}"`)}`);
  await ask(0);
  expect(await preparedOn()).toBe(before);
  await ask(0);
  expect(await preparedOn()).toBe(before + 1);
  for (let number = 0; number < limits.preparedStatements + 50; number++)
    for (let time = 0; time < 2; time++) expect(await ask(number)).toEqual([{ [`it${number}`]: number }]);
  expect(await preparedOn()).toBe(before + limits.preparedStatements);
});

test('repeated statements of a transaction are prepared, too, through Prisma and past it', async () => {
  const { prisma } = service;
  const count = () =>
    prisma.$transaction(async (tx) => {
      await tx.business.count({ where: { id: 7 } });
      await tx.$queryRaw`SELECT ${8}::int AS prepared_in_a_transaction`;
      const [row] = await tx.$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM pg_prepared_statements
         WHERE statement LIKE '%FROM "public"."businesses"%$1%' OR statement LIKE '%AS prepared_in_a_transaction'`;
      return Number(row?.count);
    });
  await count();
  expect(await count()).toBe(2);
});

test('a failing statement affects no other, however often it ran before', async () => {
  const inverse = (number: number) => readOften<{ it: number }>(Prisma.sql`SELECT 6 / ${number}::int AS it`);
  for (const number of [1, 2, 3]) expect(await inverse(number)).toEqual([{ it: 6 / number }]);
  await expect(inverse(0)).rejects.toMatchObject({ code: '22012' });
  const unreadable = { toPostgres: () => raise() } as unknown as number;
  await expect(inverse(unreadable)).rejects.toThrow('not a value');
  expect(await inverse(6)).toEqual([{ it: 1 }]);
});

const raise = () => {
  throw new Error('not a value');
};

test('statements that run once do not keep others from being prepared', async () => {
  const read = readsThatPrepare();
  for (let number = 0; number < 5 * limits.preparedStatements; number++)
    await read(Prisma.sql`SELECT 1 AS ${Prisma.raw(`"once${number}"`)}`);
  const before = await preparedOn();
  for (let time = 0; time < 2; time++) await read(Prisma.sql`SELECT 1 AS "again"`);
  expect(await preparedOn()).toBe(before + 1);
});

test('nothing is prepared if that is off', async () => {
  const read = readsThatPrepare(false);
  const before = await preparedOn();
  for (let time = 0; time < 3; time++) await read(Prisma.sql`SELECT 1 AS "never"`);
  expect(await preparedOn()).toBe(before);
});

test('each statement is reported, and a cut connection counts as an unreachable database', async () => {
  const read = readsThatPrepare();
  heard.length = 0;
  const cut = read(Prisma.sql`SELECT pg_terminate_backend(pg_backend_pid())`);
  const error = await cut.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect([error instanceof Error, isUnreachable(error)]).toEqual([true, true]);
  expect(await read(Prisma.sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  expect(heard).toEqual(['SELECT pg_terminate_backend(pg_backend_pid())', 'SELECT 1 AS one']);
});

/** A request that may read so many cells. */
function requestOf(cellsMax: number) {
  const answer = {
    refusal: null as Error | null,
    cells: 0,
    takeRow: (_bytes: number, cells: number) => {
      answer.cells += cells;
      if (answer.cells > cellsMax) answer.refusal ??= new Error('too much');
      return answer.refusal === null;
    },
  };
  return { statements: 0, answer };
}

const rows = (count: number) => Prisma.sql`SELECT n, 'é' || n AS t FROM generate_series(1, ${count}::int) AS n`;

test('rows beyond the bound of a request are dropped as they arrive, which stops the server, and nothing of it is read on', async () => {
  const request = requestOf(100);
  const backend = async () => (await server.pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  const before = await backend();
  const reading = countStatementsOn(request, () => readOften(rows(10_000_000)));
  await expect(reading).rejects.toThrow('too much');
  // Nothing is looked at after the cells among which one was too many.
  expect(request.answer.cells).toBe(2 * limits.cellsAtOnce);
  await expect(countStatementsOn(request, () => readOften(rows(1)))).rejects.toThrow('too much');
  expect(await readOften(rows(1))).toEqual([{ n: 1, t: 'é1' }]);
  expect(await backend()).not.toBe(before);
});

test('a transaction goes on after rows beyond the bound', async () => {
  const readOn = createReadOn(statementNames({ prepare: true }), listener);
  const found = await server.transact({}, async (client, canPrepare) => {
    const read = readOn(client, canPrepare);
    await expect(countStatementsOn(requestOf(10), () => read(rows(1000)))).rejects.toThrow('too much');
    return countStatementsOn(requestOf(10), () => read(rows(2)));
  });
  expect(found).toEqual([
    { n: 1, t: 'é1' },
    { n: 2, t: 'é2' },
  ]);
});

test('a connection on which PostgreSQL says nothing for too long is closed, and one that rests is not', async () => {
  const { db } = service.database.config();
  const silenceMs = 2000;
  const hasty = openServer(
    db.url ?? '',
    { ...db, queryTimeoutMs: silenceMs, transactionTimeoutMs: silenceMs },
    { max: 1 },
  );
  const readOn = createReadOn(statementNames({ prepare: true }), listener);
  const pid = Prisma.sql`SELECT pg_backend_pid() AS pid`;
  const readSnapshot = snapshotsOf(hasty, readOn);
  const [first, last] = await readSnapshot(60_000, async (read) => {
    const before = await read(pid);
    await wait(silenceMs + 500);
    return [before, await read(pid)];
  });
  expect(last).toEqual(first);
  await wait(silenceMs + 500);
  const read = readsOf(hasty, readOn);
  expect(await read(pid)).toEqual(first);
  await expect(read(Prisma.sql`SELECT pg_sleep(60)`)).rejects.toThrow('The answer came too late.');
  expect(await read(pid)).not.toEqual(first);
  await hasty.pool.end();
});
