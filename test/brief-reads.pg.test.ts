import type { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { asBriefRead } from '../src/db/brief-reads.ts';
import { readCallTimesOfEvents } from '../src/db/call-times.ts';
import { readCustomFieldValuesOfEvents } from '../src/db/custom-field-values.ts';
import { QueryBatch } from '../src/db/engine/query-batch.ts';
import { readsOf, type Read } from '../src/db/engine/reads.ts';
import { RowsClient } from '../src/db/engine/rows-client.ts';
import { SharedPool } from '../src/db/engine/shared-pool.ts';
import { countStatementsOn } from '../src/db/engine/statement-count.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { readActiveShiftsOfEvents } from '../src/db/work-shifts.ts';
import { Prisma } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import { children, ownFields } from './support/event-dialects.ts';

/* Brief statements that a request sends at the same moment share one round trip, and are planned for good. */

let service: TestApp;
let pool: SharedPool;
let read: Read;
const listener = { sent: () => undefined, answered: () => undefined };

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
  const connectionString = service.database.config().db.url ?? '';
  pool = new SharedPool(
    { connectionString, Client: RowsClient, max: 1, options: '-c timezone=UTC' },
    { total: 1, share: 1, waitMs: 10_000 },
  );
  pool.on('error', () => undefined);
  read = readsOf(pool, true, listener);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await pool?.end();
  await service?.close();
});

const inRequest = <T>(run: () => T): T => countStatementsOn({ statements: 0 }, run);
const inverse = (number: number) => read<{ it: number }>(asBriefRead(Prisma.sql`SELECT 6 / ${number}::int AS it`));
const series = (last: number) =>
  read<{ n: number; t: string }>(
    asBriefRead(Prisma.sql`SELECT n, 'é' || n AS t FROM generate_series(1, ${last}::int) AS n`),
  );

/** How many answers the server ended, each of which is a round trip. */
async function countingRoundTrips(run: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const { connection } = client as unknown as { connection: EventEmitter };
  client.release();
  let count = 0;
  const add = () => void count++;
  connection.on('readyForQuery', add);
  await run();
  connection.off('readyForQuery', add);
  return count;
}

test('brief statements of one request share a round trip, prepared or not', async () => {
  const together = () => inRequest(() => Promise.all([inverse(2), series(3), inverse(3), series(0)]));
  await together();
  // The texts are named from now on: they are prepared, then known with the descriptions of their rows.
  for (let time = 0; time < 3; time++) {
    const roundTrips = await countingRoundTrips(async () => {
      expect(await together()).toEqual([[{ it: 3 }], [1, 2, 3].map((n) => ({ n, t: `é${n}` })), [{ it: 2 }], []]);
    });
    expect(roundTrips).toBe(1);
  }
});

test('requests do not share a round trip, nor do statements outside of one', async () => {
  const apart = () => Promise.all([inRequest(() => inverse(1)), inRequest(() => inverse(2)), inverse(3), inverse(6)]);
  expect(await countingRoundTrips(apart)).toBe(4);
});

test('a statement that fails takes those behind it with it, and no other', async () => {
  const outcomes = await inRequest(() => Promise.allSettled([inverse(1), inverse(0), inverse(2), series(1)]));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(outcomes[0]).toMatchObject({ value: [{ it: 6 }] });
  for (const outcome of outcomes.slice(1)) expect(outcome).toMatchObject({ reason: { code: '22012' } });
  expect(await inRequest(() => Promise.all([inverse(3), series(1)]))).toEqual([[{ it: 2 }], [{ n: 1, t: 'é1' }]]);
});

test('a statement that was not read because of another one is prepared later', async () => {
  const late = () => read<{ late: number }>(asBriefRead(Prisma.sql`SELECT ${1}::int AS late`));
  await late();
  await inRequest(() => Promise.allSettled([inverse(0), late()]));
  for (let time = 0; time < 3; time++)
    expect(await inRequest(() => Promise.all([inverse(6), late()]))).toEqual([[{ it: 1 }], [{ late: 1 }]]);
});

test('a value that cannot be sent fails its own statement only', async () => {
  const unreadable = {
    toPostgres: () => {
      throw new Error('not a value');
    },
  } as unknown as number;
  const outcomes = await inRequest(() => Promise.allSettled([inverse(1), inverse(unreadable), series(1)]));
  expect(outcomes).toMatchObject([
    { value: [{ it: 6 }] },
    { reason: { message: 'not a value' } },
    { value: [{ n: 1, t: 'é1' }] },
  ]);
  expect(await inRequest(() => Promise.all([inverse(6), inverse(2)]))).toEqual([[{ it: 1 }], [{ it: 3 }]]);
});

test('a request that has read too much gets no more rows', async () => {
  const tooMuch = new Error('too much');
  const rowsMax = 1000;
  let rows = 0;
  const answer = {
    get refusal() {
      return rows > rowsMax ? tooMuch : null;
    },
    takeRow: () => ++rows <= rowsMax,
    giveBack: () => void rows--,
  };
  const outcomes = await countStatementsOn({ statements: 0, answer }, () =>
    Promise.allSettled([series(2), series(1_000_000), series(1)]),
  );
  expect(outcomes).toMatchObject([{ value: [{ n: 1 }, { n: 2 }] }, { reason: tooMuch }, { reason: tooMuch }]);
  expect(await inRequest(() => Promise.all([inverse(6), series(0)]))).toEqual([[{ it: 1 }], []]);
});

test('a page and its total come together, and so do the children of a few events', async () => {
  const tenant = await service.createTenant();
  const event = await service.createEvent(tenant.business);
  await service.createCallTime(event);
  const other = await service.createEvent(tenant.business);
  const submit = jest.spyOn(QueryBatch.prototype, 'submit');
  const asked = async (call: () => Promise<{ status: number }>) => {
    for (let time = 0; time < 2; time++) await call();
    submit.mockClear();
    expect((await call()).status).toBe(200);
    return submit.mock.calls.length;
  };
  const one = `{ event(id: "${other.uuid}") { ${ownFields} ${children} } }`;
  expect(await asked(() => service.graphql(one, { as: tenant.as.admin }))).toBe(1);
  expect(await asked(() => service.call('GET', `/v1/events/${event.uuid}`, { as: tenant.as.admin }))).toBe(1);
  const list = () => service.call('GET', '/v1/events?status=active&per_page=100', { as: tenant.as.admin });
  expect(await asked(list)).toBe(2);
  for (let count = 2; count <= limits.briefReadEvents; count++) await service.createEvent(tenant.business);
  expect(await asked(list)).toBe(1);
});

test('the children of one event are planned five times on a connection, and never again', async () => {
  const tenant = await service.createTenant();
  const { id } = await service.createEvent(tenant.business);
  const { db } = bindToBusiness(service.prisma, tenant.business.id, { of: 'business' }, read);
  const plans = async () => {
    const { rows } = await pool.query<{ statement: string; planned: string }>(
      `SELECT statement, custom_plans AS planned FROM pg_prepared_statements WHERE statement ~ 'call_times|work_shifts|field_values'`,
    );
    return rows.map(({ planned }) => Number(planned));
  };
  for (let time = 0; time < 20; time++)
    await inRequest(() =>
      Promise.all([
        readCallTimesOfEvents(db, [id], { atMostEach: 501 }),
        readActiveShiftsOfEvents(db, [id], { atMostEach: 501 }),
        readCustomFieldValuesOfEvents(db, [id], 501),
      ]),
    );
  expect(await plans()).toEqual([5, 5, 5]);
});
