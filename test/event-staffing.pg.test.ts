import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { useService } from './support/app.ts';
import { isNightly, seedOf } from './support/share.mjs';
import {
  callTimeChange,
  createStaffed,
  positionChange,
  shiftChange,
  staffingOf,
  type Staffed,
  type Staffing,
} from './support/staffing-changes.ts';

/*
 * Several writers at once change the staffing of the same events, without the lock of the event that services take first:
 * the first its call times, the second what positions pay, and the others the shifts of a person each.
 */
const writerCount = 5;

let staffed: Staffed;
let userIds: number[];
let clients: pg.Client[];

const service = useService();

beforeAll(async () => {
  const tenant = await service.createTenant();
  staffed = await createStaffed(service, tenant, 2);
  userIds = [];
  for (let index = 0; index < writerCount; index++)
    userIds.push((await service.createUser(tenant.business, 'staff')).id);
});

beforeEach(async () => {
  clients = await Promise.all(
    Array.from({ length: writerCount + 1 }, async () => {
      const client = new pg.Client({ connectionString: service.database.config().db.url!, options: '-c timezone=UTC' });
      await client.connect();
      return client;
    }),
  );
});

afterEach(() => Promise.all(clients.map((client) => client.end())));

async function staffingSeenBy(client: pg.Client): Promise<Staffing> {
  const { rows } = await client.query<Staffing>(staffingOf(staffed.businessId));
  return rows[0]!;
}

function expectAgreement(staffing: Staffing): void {
  expect(staffing.stored).toEqual(staffing.counted);
  expect(staffing.storedByPosition).toEqual(staffing.countedByPosition);
  expect(staffing.storedCost).toEqual(staffing.storedCostOfPositions);
}

/** Two waited for each other, or one deleted or moved a call time to which the other pointed. */
const collisions = ['40P01', '23503'];

/** Runs a transaction; false where PostgreSQL undid it because of another one. */
async function runTransaction(client: pg.Client, statements: readonly string[]): Promise<boolean> {
  try {
    for (const sql of ['BEGIN', ...statements]) await client.query(sql);
    return true;
  } catch (error) {
    if (!collisions.includes((error as { code?: string }).code ?? '')) throw error;
    await client.query('ROLLBACK');
    return false;
  }
}

test('parallel writers of the same events lose no change, and a reader never sees staffing that does not match', async () => {
  const reader = clients[writerCount]!;
  const writing = { goesOn: true };
  const watched = (async () => {
    let looks = 0;
    for (; writing.goesOn; looks++) {
      expectAgreement(await staffingSeenBy(reader));
    }
    return looks;
  })();
  const done = await Promise.all(
    clients.slice(0, writerCount).map(async (client, writer) => {
      const changes = [callTimeChange, positionChange];
      const change = (changes[writer] ?? shiftChange)({ ...staffed, userId: userIds[writer]! });
      const scripts = fc.sample(
        fc.record({
          changes: fc.array(change, { minLength: 1, maxLength: 3 }),
          end: fc.constantFrom('COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK'),
        }),
        { numRuns: isNightly ? 100 : 40, seed: seedOf(`writer ${writer} of staffing`) },
      );
      let count = 0;
      for (const { changes, end } of scripts) if (await runTransaction(client, [...changes, end])) count++;
      return count;
    }),
  );
  writing.goesOn = false;
  expect(await watched).toBeGreaterThan(10);
  expect(Math.min(...done)).toBeGreaterThan(10);

  const staffing = await staffingSeenBy(reader);
  expectAgreement(staffing);
  expect(staffing.counted).not.toBeNull();
});
