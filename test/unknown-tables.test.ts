import { beforeAll, expect, test } from '@jest/globals';
import { findTriggerChanges } from '../src/bin/migration/triggers.ts';
import { useOneTenant, useService } from './support/app.ts';

/* A later version logs a table and a kind of caller that this one does not know, in the same database: while processes are replaced. */

let eventUuid: string;
let cursor: string;

const get = async (url: string) => {
  const { status, body } = await service.call('GET', url, { as: tenant.as.admin });
  expect({ url, status, body }).toMatchObject({ url, status: 200 });
  return body.data;
};

const service = useService();
const tenant = useOneTenant(service, 'enterprise');

beforeAll(async () => {
  const { prisma } = service;
  await prisma.$executeRaw`
    CREATE TABLE venues (business_id INT, id INT, event_id INT, name TEXT, user_id INT, opens_at TIMESTAMPTZ, PRIMARY KEY (business_id, id))`;
  const statements = await findTriggerChanges(
    (sql) => prisma.$queryRawUnsafe(sql),
    [
      {
        ...{ model: 'SkillLevel', table: 'venues', businessField: 'businessId', key: ['businessId', 'id'] },
        ...{ versioned: false, raisesRevision: true, logged: true, unlogged: [], followsFrom: null, triggers: {} },
        ...{ staysBehind: null, secrets: {}, globallyUnique: [], sequences: {}, texts: {} },
      },
    ],
  );
  for (const statement of statements) await prisma.$executeRawUnsafe(statement);
  const event = await service.createEvent(tenant.business, { title: 'Gala' });
  eventUuid = event.uuid;
  cursor = (await get('/v1/changes')).next_cursor;
  await prisma.$transaction([
    prisma.$executeRaw`SELECT set_config('callboard.origin', '{"kind": "robot", "id": 5, "name": "R2", "operation": "venues.move"}', TRUE)`,
    prisma.$executeRaw`INSERT INTO venues VALUES (${tenant.business.id}, 7, ${event.id}, 'Hall', ${tenant.staff.id}, '2026-12-05T18:00:00Z')`,
    prisma.$executeRaw`UPDATE venues SET name = 'Great hall'`,
    prisma.event.updateMany({ where: { id: event.id }, data: { title: 'Great gala' } }),
    prisma.$executeRaw`DELETE FROM venues`,
  ]);
});

const created = [
  { name: 'name', before: null, after: 'Hall', before_name: null, after_name: null },
  { name: 'user_id', before: null, after: expect.any(Number), before_name: null, after_name: expect.any(String) },
  { name: 'opens_at', before: null, after: expect.stringMatching(/^2026-12-05T/), before_name: null, after_name: null },
];

test('the history shows its rows plainly, with the names and values of the columns', async () => {
  const { data } = await get('/v1/history?per_page=4');
  expect(data.map(({ kind, change }: Record<string, string>) => `${kind} ${change}`)).toEqual([
    'other deleted',
    'event updated',
    'other updated',
    'other created',
  ]);
  expect(data[3]).toMatchObject({ row_id: 7, row_uuid: null, row_name: null, event_uuid: eventUuid });
  expect(data[3]).toMatchObject({ actor_kind: 'other', actor_id: 5, actor_name: 'R2', operation: 'venues.move' });
  expect(data[3].fields).toHaveLength(3);
  expect(data[3].fields).toEqual(expect.arrayContaining(created));
  expect((await get(`/v1/history/events/${eventUuid}?per_page=4`)).data).toEqual(data);
});

test('GraphQL shows the same, and both dialects filter by it', async () => {
  const query = `{ history(filter: { kind: OTHER, rowDatabaseId: 7 }) { totalCount nodes { kind actorKind rowName fields { name } } } }`;
  const { body } = await service.graphql(query, { as: tenant.as.admin });
  expect(body.errors).toBeUndefined();
  expect(body.data.history).toMatchObject({ totalCount: 3, nodes: [{ kind: 'OTHER', actorKind: 'OTHER' }, {}, {}] });
  expect((await get('/v1/history?kind=other')).total).toBe(3);
  expect((await get('/v1/history?kind=skillLevel')).total).toBe(0);
  expect((await get('/v1/history?actor_kind=other')).total).toBe(4);
});

test('what has changed leaves its rows out, and the cursor passes them', async () => {
  const seen: string[] = [];
  for (let after = cursor, hasMore = true; hasMore;) {
    const page = await get(`/v1/changes?limit=1&after=${after}`);
    seen.push(...page.changes.map(({ kind }: { kind: string }) => kind));
    [after, hasMore] = [page.next_cursor, page.has_more];
  }
  expect(seen).toEqual(['event']);
});
