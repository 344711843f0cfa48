import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestAnswer, type TestApp } from './support/app.ts';
import { changeable, type Rows } from './support/changes.ts';
import type { Tenant } from './support/factories.ts';
import { isNightly } from './support/share.mjs';
import { sqlCount } from './support/sql-watch.ts';
import {
  createReaders,
  createNumberedRows,
  update,
  type Reader,
  type NumberedRow,
  type NumberedRowName,
  type SeenNumbers,
} from './support/numbered-rows.ts';

/* Two nodes on one database, with writers and readers at both, at random. */

/** Quiet phases, in which all nodes are compared, and the answers before each: some seconds' worth at night. */
const phases = isNightly ? 4 : 1;
const answersEach = isNightly ? 600 : 300;
/** Each kind of event must have happened more often than this. */
const enough = 5;
const enoughHits = 10;
/** Larger than every number that is committed. */
const neverSeen = 1_000_000;

let nodes: [TestApp, TestApp];
/** Computes every answer: its response cache has no memory. */
let plain: TestApp;
let tenant: Tenant;
let rows: Rows;
let numberedRows: Record<NumberedRowName, NumberedRow>;
let readers: Record<string, Reader>;

beforeAll(async () => {
  const env = { CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000000' };
  const first = await startApp({ env });
  nodes = [first, await startApp({ env, beside: first })];
  plain = await startApp({ env: { ...env, CALLBOARD_ANSWER_CACHE: '0' }, beside: first });
  tenant = await first.createTenant();
  rows = await changeable(first, tenant);
  await first.setCustomValue(rows.event, rows.customField, 'No 0');
  numberedRows = createNumberedRows(rows);
  readers = createReaders(rows);
  for (const row of Object.values(numberedRows))
    await first.prisma.$executeRawUnsafe(...update(row, tenant.business.id, row.spell(0)));
});

afterAll(async () => {
  await plain.close();
  await nodes[1].close();
  await nodes[0].close();
});

const oneOf = <T>(things: readonly T[]): T => things[Math.floor(Math.random() * things.length)]!;
const credential = () => oneOf([tenant.as.admin, tenant.as.key]);

test('no answer and no 304 is older than the writes that were committed before its request', async () => {
  const names = Object.keys(numberedRows) as NumberedRowName[];
  const zero = () => Object.fromEntries(names.map((name) => [name, 0])) as Record<NumberedRowName, number>;
  /** Numbers whose write has begun, and numbers whose write was acknowledged. */
  const [begun, done] = [zero(), zero()];
  const stale: object[] = [];
  const counts = { answers: 0, notModified: 0, writes: 0, undone: 0 };
  const { prisma } = nodes[0];
  const businessId = tenant.business.id;
  const state = { isQuiet: false, isOver: false, busy: 0, failed: 0 };

  /** Repeats the work until the test is over, except in quiet phases. */
  const repeating = async (pauseMs: number, work: () => Promise<void>) => {
    while (!state.isOver) {
      await wait(Math.random() * pauseMs);
      if (state.isQuiet) continue;
      state.busy++;
      await work().finally(() => state.busy--);
    }
  };

  const writing = (name: NumberedRowName) => async () => {
    const row = numberedRows[name];
    const statement = (number: number) => update(row, businessId, row.spell(number));
    const ways = {
      service: async (number: number) => {
        const { status, body } = await row.write(oneOf(nodes), credential(), row.spell(number));
        if (status !== 200 || body.errors) throw new Error(JSON.stringify(body));
      },
      sql: (number: number) => prisma.$executeRawUnsafe(...statement(number)),
      transaction: (number: number) =>
        prisma.$transaction(async (tx) => {
          await tx.$executeRaw`SAVEPOINT s`;
          await tx.$executeRawUnsafe(...statement(neverSeen));
          await tx.$executeRaw`ROLLBACK TO SAVEPOINT s`;
          await tx.$executeRawUnsafe(...statement(number));
          await wait(Math.random() * 20);
        }),
    };
    if (Math.random() < 0.2) {
      const undone = prisma.$transaction(async (tx) => {
        await tx.$executeRawUnsafe(...statement(neverSeen));
        await wait(Math.random() * 20);
        throw new Error('undone');
      });
      await expect(undone).rejects.toBeDefined();
      counts.undone++;
      return;
    }
    const number = begun[name] + 1;
    begun[name] = number;
    try {
      await oneOf(Object.values(ways))(number);
      done[name] = number;
      counts.writes++;
    } catch {
      // On a busy machine some writes time out; they may or may not have been committed.
      state.failed++;
    }
  };

  /** Answers that clients hold, with their entity tags. */
  const held = new Map<string, { tag: string; told: SeenNumbers }>();
  const reading = async () => {
    const way = oneOf(Object.keys(readers));
    const reader = readers[way]!;
    const as = credential();
    const key = `${way} ${as}`;
    const own = Math.random() < 0.5 ? held.get(key) : undefined;
    const before = { ...done };
    const answer = await reader.ask(oneOf(nodes), as, own ? { 'if-none-match': own.tag } : {});
    const after = { ...begun };
    if (answer.status === 503) return;
    const told = answer.status === 304 && own ? own.told : toldBy(answer, reader);
    held.set(key, { tag: String(answer.headers['etag']), told });
    counts[answer.status === 304 ? 'notModified' : 'answers']++;
    for (const [name, number] of Object.entries(told) as [NumberedRowName, number][])
      if (!(number >= before[name] && number <= after[name]))
        stale.push({ way, status: answer.status, name, number, atLeast: before[name], atMost: after[name] });
  };

  const workers = [
    ...names.map((name) => repeating(150, writing(name))),
    ...[1, 2, 3, 4].map(() => repeating(10, reading)),
  ];
  const isTold = () => stale.length > 0 || state.isOver;
  const isEnough = () => Math.min(...Object.values(counts)) > enough && hits > enoughHits;
  const all = Promise.all(workers);
  let hits = 0;
  const watching = async () => {
    for (let phase = 1; !isTold() && (phase <= phases || !isEnough()); phase++) {
      while (!isTold() && counts.answers + counts.notModified < phase * answersEach) await wait(20);
      state.isQuiet = true;
      while (state.busy > 0) await wait(5);
      hits += await compareAll();
      state.isQuiet = false;
    }
  };
  // The first failure ends all workers.
  await Promise.race([watching(), all]).finally(() => {
    state.isOver = true;
  });
  await all;

  expect(stale.slice(0, 5)).toEqual([]);
  expect(hits).toBeGreaterThan(enoughHits);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(enough);
  expect(state.failed).toBeLessThan(counts.writes / 2);
  expect(Math.max(...Object.values(begun))).toBeLessThan(neverSeen);
});

function toldBy({ status, body }: TestAnswer, { readNumbers }: Reader): SeenNumbers {
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return readNumbers(body);
}

/** Checks in a quiet phase that all nodes give the same answers. Returns the number of hits. */
async function compareAll(): Promise<number> {
  let hits = 0;
  for (const as of [tenant.as.admin, tenant.as.key])
    for (const [way, reader] of Object.entries(readers)) {
      const afresh = await reader.ask(plain, as, {});
      expect({ way, status: afresh.status }).toEqual({ way, status: 200 });
      for (const node of [...nodes, ...nodes]) {
        const before = sqlCount();
        const { body, headers } = await reader.ask(node, as, {});
        if (sqlCount() - before === 1) hits++;
        expect({ way, body, tag: headers['etag'] }).toEqual({ way, body: afresh.body, tag: afresh.headers['etag'] });
        const again = await reader.ask(node, as, { 'if-none-match': String(headers['etag']) });
        expect({ way, status: again.status }).toEqual({ way, status: 304 });
      }
    }
  return hits;
}

test('a write past the service shows at once on every node, also to clients that hold the answer before it', async () => {
  const as = tenant.as.admin;
  for (const [name, row] of Object.entries(numberedRows) as [NumberedRowName, NumberedRow][])
    for (const [way, reader] of Object.entries(readers)) {
      const before = await reader.ask(nodes[0], as, {});
      const number = reader.readNumbers(before.body)[name];
      if (number === undefined) continue;
      await nodes[0].prisma.$executeRawUnsafe(...update(row, tenant.business.id, row.spell(number + 1)));
      for (const node of nodes) {
        const { status, body } = await reader.ask(node, as, { 'if-none-match': String(before.headers['etag']) });
        expect({ way, name, status }).toEqual({ way, name, status: 200 });
        expect({ way, name, number: reader.readNumbers(body)[name] }).toEqual({ way, name, number: number + 1 });
      }
    }
});
