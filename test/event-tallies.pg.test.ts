import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { openTestDatabase, type TestDatabase } from './support/database.ts';
import { eventChange, numbersOf, type Numbers } from './support/event-changes.ts';
import { isNightly, seedOf } from './support/share.mjs';

/* Several writers at once, each on events of its own: only what counts them could make them meet. The last only reads. */
const writerCount = 3;
const reader = writerCount;
const businessId = 7;

let database: TestDatabase;
let clients: pg.Client[];

beforeAll(async () => {
  database = await openTestDatabase();
  await database.prisma.business.create({ data: { id: businessId, name: 'Counted', plan: 'free' } });
});

afterAll(() => database.close());

beforeEach(async () => {
  clients = await Promise.all(
    Array.from({ length: writerCount + 1 }, async () => {
      const client = new pg.Client({
        connectionString: database.config().db.url!,
        options: '-c timezone=UTC -c lock_timeout=2000',
      });
      await client.connect();
      return client;
    }),
  );
});

afterEach(() => Promise.all(clients.map((client) => client.end())));

const titleOf = (writer: number) => `Of writer ${writer}`;

async function numbersSeenBy(client: pg.Client): Promise<Numbers> {
  const { rows } = await client.query<Numbers>(numbersOf(businessId));
  return rows[0]!;
}

test('in any order of parallel transactions, each sees correct counts and waits for no other', async () => {
  const begin = fc.constant('BEGIN');
  const end = fc.constantFrom('COMMIT', 'COMMIT', 'ROLLBACK');
  const step = fc.oneof(
    fc.record({
      by: fc.constant(reader),
      sql: fc.oneof(fc.constant('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'), end),
    }),
    ...clients.slice(0, writerCount).map((_, writer) =>
      fc.record({
        by: fc.constant(writer),
        sql: fc.oneof(
          { weight: 4, arbitrary: eventChange(businessId, titleOf(writer)) },
          { weight: 1, arbitrary: begin },
          { weight: 1, arbitrary: end },
        ),
      }),
    ),
  );

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const open = clients.map(() => false);
      try {
        for (const { by, sql } of steps) {
          const [begins, ends] = [sql.startsWith('BEGIN'), sql === 'COMMIT' || sql === 'ROLLBACK'];
          if (begins ? open[by] : ends && !open[by]) continue;
          if (begins || ends) open[by] = begins;
          await clients[by]!.query(sql);
          for (const client of clients) {
            const { counted, tallied } = await numbersSeenBy(client);
            expect(tallied).toEqual(counted);
          }
        }
      } finally {
        for (const client of clients) await client.query('ROLLBACK');
      }
    }),
    { numRuns: isNightly ? 40 : 12, seed: seedOf('parallel transactions on events') },
  );
});

test('parallel writers lose no count and leave no more rows than needed', async () => {
  const writing = { goesOn: true };
  const watched = (async () => {
    let looks = 0;
    for (; writing.goesOn; looks++) {
      const { counted, tallied } = await numbersSeenBy(clients[reader]!);
      expect(tallied).toEqual(counted);
    }
    return looks;
  })();
  await Promise.all(
    clients.slice(0, writerCount).map(async (client, writer) => {
      const scripts = fc.sample(
        fc.record({
          changes: fc.array(eventChange(businessId, titleOf(writer)), { minLength: 1, maxLength: 3 }),
          end: fc.constantFrom('COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK'),
        }),
        { numRuns: isNightly ? 150 : 60, seed: seedOf(`writer ${writer} of events`) },
      );
      for (const { changes, end } of scripts) for (const sql of ['BEGIN', ...changes, end]) await client.query(sql);
    }),
  );
  writing.goesOn = false;
  expect(await watched).toBeGreaterThan(10);

  const { counted, tallied } = await numbersSeenBy(clients[reader]!);
  expect(tallied).toEqual(counted);
  expect(counted).not.toBeNull();
  // Four statuses, and a transaction of three statements finds up to three rows free.
  expect(await database.prisma.eventTally.count({ where: { businessId } })).toBeLessThanOrEqual(4 * 3 * writerCount);
});
