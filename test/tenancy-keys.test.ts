import { beforeAll, describe, expect, test } from '@jest/globals';
import { isForeignKeyViolation } from '../src/db/engine/failures.ts';
import type { Event } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { findUnboundTables } from './support/sql-tenancy.ts';

interface TenantWithRows extends Tenant {
  events: Event[];
}

let own: TenantWithRows;
let foreign: TenantWithRows;

const service = useService();

beforeAll(async () => {
  own = await createTenantWithRows();
  foreign = await createTenantWithRows();
});

/** A business whose every text says which it is. */
async function createTenantWithRows(): Promise<TenantWithRows> {
  const tenant = await service.createTenant();
  const mark = `of business ${tenant.business.id}.`;
  const position = await service.createPosition(tenant.business, { title: `Position ${mark}` });
  const field = await service.createCustomField(tenant.business, { name: `Field ${mark}` });
  const events = [];
  for (let made = 0; made < 5; made++) {
    const event = await service.createEvent(tenant.business, { title: `Event ${mark}` });
    await service.createCallTime(event, { positionId: position.id });
    await service.createShift(event, tenant.staff, { positionId: position.id });
    await service.setCustomValue(event, field, `Value ${mark}`);
    events.push(event);
  }
  return { ...tenant, events };
}

describe('the keys refuse a row that refers to another business', () => {
  const someEvent = () => own.events[0]!;
  const foreignEvent = () => foreign.events[0]!;
  const inForeign = <T extends object>(row: T) => ({ ...row, businessId: foreign.business.id });
  const foreignPosition = () =>
    service.prisma.position.findFirstOrThrow({ where: { businessId: foreign.business.id } });
  const foreignField = () => service.createCustomField(foreign.business);

  const attempts: Record<string, () => Promise<unknown>> = {
    'an event by its client': () => service.createEvent(own.business, { clientId: foreign.client.id }),
    'a call time by its event': () => service.createCallTime({ ...foreignEvent(), businessId: own.business.id }),
    'a call time by its position': async () =>
      service.createCallTime(someEvent(), { positionId: (await foreignPosition()).id }),
    'a shift by its event': () => service.createShift({ ...foreignEvent(), businessId: own.business.id }, own.staff),
    'a shift by its staff member': () => service.createShift(someEvent(), foreign.staff),
    'a shift by its position': async () =>
      service.createShift(someEvent(), own.staff, { positionId: (await foreignPosition()).id }),
    'a shift by its call time': async () => {
      const callTime = await service.createCallTime(await service.createEvent(foreign.business, { status: 'deleted' }));
      return service.createShift(someEvent(), own.staff, { callTimeId: callTime.id });
    },
    'a custom value by its field': async () => service.setCustomValue(someEvent(), await foreignField(), 'x'),
    'a custom value by its event': async () =>
      service.setCustomValue(
        { ...foreignEvent(), businessId: own.business.id },
        await service.createCustomField(own.business),
        'x',
      ),
    'a personal token by its user': () => service.tokenOf({ ...foreign.admin, businessId: own.business.id }),
    'an API key by its creator': () => service.createKey(own.business, { createdById: foreign.admin.id }),
    'an event that moves away from its children': () =>
      service.prisma.event.update({
        where: { businessId_id: { businessId: own.business.id, id: someEvent().id } },
        data: inForeign({}),
      }),
  };

  test.each(Object.keys(attempts))('%s', async (what) => {
    const failure = await attempts[what]!().catch((error: unknown) => error);
    expect({ failure, isRefusedByKey: isForeignKeyViolation(failure) }).toMatchObject({ isRefusedByKey: true });
  });
});

test('interleaved calls of two businesses never see rows of each other', async () => {
  const query = `query ($uuid: ID!) {
    viewer { business { databaseId } }
    events(perPage: 3) { totalCount nodes { title callTimes { position { title } } workShifts { position { title } }
      customFields { fieldName fieldValue } } }
    event(id: $uuid) { title callTimes { position { title } } }
  }`;
  const wanted = (tenant: TenantWithRows) => `of business ${tenant.business.id}.`;
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const [me, you] = index % 2 ? [own, foreign] : [foreign, own];
        const uuid = me.events[index % 5]!.uuid;
        const graphql = await service.graphql(query, { as: me.as.admin, variables: { uuid } });
        const rest = await service.call('GET', '/v1/events?per_page=2', { as: me.as.key });
        return { graphql, rest, me, you };
      }),
    );
    for (const { graphql, rest, me, you } of answers) {
      expect(graphql.body.errors).toBeUndefined();
      expect(graphql.body.data).toMatchObject({
        viewer: { business: { databaseId: me.business.id } },
        events: { totalCount: 5 },
        event: { title: `Event ${wanted(me)}`, callTimes: [{ position: { title: `Position ${wanted(me)}` } }] },
      });
      expect(rest.body.data).toMatchObject({ total: 5, last_page: 3 });
      const shown = JSON.stringify([graphql.body, rest.body]);
      // 3 and 2 events with four marked texts each, and two in the single event.
      expect(shown.split(wanted(me)).length - 1).toBeGreaterThanOrEqual(3 * 5 + 2 + 2 * 5);
      expect(shown).not.toContain(wanted(you));
    }
  }
});

describe('the watcher of SQL statements', () => {
  test.each([
    ['SELECT * FROM users', ['users users']],
    ['SELECT "public"."users"."id" FROM "public"."users" WHERE "public"."users"."id" = $1', ['users users']],
    ['select title from events e where e.uuid = $1', ['events e']],
    ['SELECT id, name FROM businesses', ['businesses businesses']],
    ['SELECT count(*) FROM (SELECT id FROM "work_shifts" WHERE status = $1) AS counted', ['work_shifts work_shifts']],
    ['SELECT "users"."business_id" FROM "public"."users" ORDER BY "business_id" = $1', ['users users']],
    ['SELECT * FROM users WHERE business_id = 1', ['users users']],
    ['SELECT * FROM users WHERE business_id >= $1', ['users users']],
    ['SELECT * FROM users WHERE business_id = $1 OR id = $2', ['users users']],
    ['SELECT * FROM users WHERE NOT (business_id = $1)', ['users users']],
    ['SELECT * FROM users WHERE business_id NOT IN ($1, $2)', ['users users']],
    ['SELECT * FROM users WHERE (business_id, id) > ($1, $2)', ['users users']],
    ['SELECT * FROM users WHERE business_id IN ($1, client_id)', ['users users']],
    ['SELECT id FROM users HAVING count(*) FILTER (WHERE business_id = $1) > 0', ['users users']],
    ['SELECT * FROM users TABLESAMPLE SYSTEM (1) WHERE business_id = $1', [/^users /]],
    // Joins
    ['SELECT 1 FROM businesses b JOIN api_keys k ON k.id = b.id WHERE b.id = $1', ['api_keys k']],
    ['SELECT * FROM events e JOIN users u ON u.id = e.client_id WHERE e.business_id = $1', ['users u']],
    ['SELECT * FROM events e, users u WHERE u.id = e.client_id AND e.business_id = $1', ['users u']],
    [
      'SELECT * FROM users u JOIN personal_tokens t ON u.business_id = t.business_id AND u.id = t.user_id',
      ['users u', 'personal_tokens t'],
    ],
    [
      'SELECT * FROM events e LEFT JOIN users u ON u.id = e.client_id AND e.business_id = u.business_id AND e.business_id = $1',
      ['events e', 'users u'],
    ],
    [
      'SELECT * FROM events e RIGHT JOIN users u ON u.id = e.client_id AND u.business_id = $1 WHERE e.business_id = $1',
      ['users u'],
    ],
    ['SELECT * FROM events e FULL JOIN users u ON u.business_id = e.business_id WHERE e.business_id = $1', ['users u']],
    ['SELECT * FROM events e JOIN users u ON u.business_id = e.id WHERE e.business_id = $1', ['users u']],
    [
      'SELECT * FROM events e JOIN users u ON u.business_id = e.business_id OR e.id = u.id WHERE e.business_id = $1',
      ['users u'],
    ],
    ['SELECT * FROM events e JOIN users u USING (id) WHERE e.business_id = $1', ['users u']],
    // Queries within queries
    [
      'SELECT * FROM events e WHERE e.business_id = $1 AND EXISTS (SELECT 1 FROM users u WHERE u.id = e.id)',
      ['users u'],
    ],
    [
      'SELECT * FROM events e WHERE EXISTS (SELECT 1 FROM users u WHERE u.business_id = e.business_id AND u.business_id = $1)',
      ['events e'],
    ],
    ['SELECT (SELECT name FROM users u WHERE u.id = e.client_id) FROM events e WHERE e.business_id = $1', ['users u']],
    ['SELECT * FROM events WHERE business_id = $1 AND client_id IN (SELECT id FROM users)', ['users users']],
    ['SELECT * FROM events WHERE business_id = $1 ORDER BY (SELECT max(id) FROM users)', ['users users']],
    [
      'SELECT * FROM events WHERE business_id = (SELECT business_id FROM users WHERE id = $1)',
      ['events events', 'users users'],
    ],
    [
      'SELECT * FROM events e JOIN LATERAL (SELECT * FROM users u WHERE u.id = e.client_id) x ON TRUE WHERE e.business_id = $1',
      ['users u'],
    ],
    [
      'SELECT * FROM events e JOIN (SELECT id, 1 AS business_id FROM users) u ON u.business_id = e.business_id WHERE e.business_id = $1',
      ['users users'],
    ],
    ['SELECT id FROM events WHERE business_id = $1 UNION ALL SELECT id FROM users', ['users users']],
    [
      'SELECT * FROM (SELECT business_id FROM events UNION SELECT id FROM users) x WHERE x.business_id = $1',
      ['events events', 'users users'],
    ],
    // Common table expressions
    ['WITH x AS (SELECT * FROM events) SELECT * FROM x WHERE x.business_id = $1', ['events events']],
    [
      'WITH x AS (SELECT * FROM events WHERE business_id = $1) SELECT * FROM x JOIN users u ON u.id = x.client_id',
      ['users u'],
    ],
    ['WITH gone AS (DELETE FROM users WHERE id = $1 RETURNING business_id) SELECT 1 FROM gone', ['users users']],
    [
      'WITH RECURSIVE x AS (SELECT business_id, id FROM events WHERE business_id = $1 UNION SELECT e.business_id, e.id FROM events e JOIN x ON x.id = e.id) SELECT * FROM x',
      ['events e'],
    ],
    // Writes
    ['UPDATE "public"."events" SET "title" = $1 WHERE "id" = $2', ['events events']],
    ['UPDATE events SET business_id = $1 WHERE business_id = $2', [/^events .*moves/]],
    ['UPDATE events e SET title = u.name FROM users u WHERE u.id = e.client_id AND e.business_id = $1', ['users u']],
    [
      'UPDATE events e SET title = (SELECT name FROM users u WHERE u.id = e.client_id) WHERE e.business_id = $1',
      ['users u'],
    ],
    ['DELETE FROM "public"."personal_tokens" WHERE jti = $1', ['personal_tokens personal_tokens']],
    ['DELETE FROM events e USING users u WHERE u.id = e.client_id AND u.business_id = $1', ['events e']],
    ['INSERT INTO "public"."positions" ("title") VALUES ($1)', ['positions positions']],
    ['INSERT INTO positions (business_id, title) VALUES ($1, $2), (DEFAULT, $3)', ['positions positions']],
    [
      'INSERT INTO positions (title) SELECT title FROM positions WHERE id = $1',
      ['positions positions', 'positions positions'],
    ],
    [
      'INSERT INTO positions (business_id, title) SELECT business_id, title FROM positions WHERE id = $1',
      ['positions positions', 'positions positions'],
    ],
    [
      'INSERT INTO positions (business_id, title) SELECT $1, title FROM positions WHERE id = $2',
      ['positions positions'],
    ],
    [
      'INSERT INTO positions (business_id, title) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET title = $2',
      [/^positions .*conflict/],
    ],
    ['TRUNCATE users', [/^users /]],
  ])('reports %s', (sql, unbound) => {
    const isAsExpected = unbound.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each)));
    expect(findUnboundTables(sql).sort()).toEqual(isAsExpected.sort());
  });

  test.each([
    'SELECT * FROM users WHERE business_id = $1',
    'SELECT * FROM users WHERE $1::int4 = business_id',
    'SELECT "public"."users"."id" FROM "public"."users" WHERE ("public"."users"."business_id" = $1 AND 1=1)',
    'SELECT * FROM events e WHERE e.business_id IN ($1,$2)',
    'SELECT * FROM events e WHERE e.business_id = ANY($1::int[])',
    'SELECT * FROM events e WHERE (e.business_id, e.id) IN (($1, $2), ($1, $3))',
    'SELECT id, name FROM businesses WHERE id = $1',
    'SELECT 1',
    'BEGIN',
    "SELECT set_config('statement_timeout', $1, TRUE)",
    // Joins
    'SELECT * FROM call_times c JOIN positions p ON p.business_id = c.business_id WHERE c.business_id = $1',
    'SELECT * FROM businesses b JOIN users u ON u.business_id = b.id WHERE b.id = $1',
    'SELECT * FROM events e LEFT JOIN users u ON (u.business_id, u.id) = (e.business_id, e.client_id) WHERE e.business_id = $1',
    'SELECT * FROM events e JOIN call_times c USING (business_id) JOIN users u ON u.business_id = c.business_id AND e.business_id = $1',
    'SELECT * FROM unnest($1::int[], $2::int[]) AS w(business_id, id) JOIN users u ON u.business_id = w.business_id AND u.id = w.id',
    // Queries within queries
    'SELECT * FROM events e WHERE e.business_id = $1 AND EXISTS (SELECT 1 FROM users u WHERE u.business_id = e.business_id)',
    'SELECT (SELECT name FROM users u WHERE u.business_id = e.business_id) FROM events e WHERE e.business_id = $1',
    'SELECT * FROM events WHERE business_id = (SELECT business_id FROM users WHERE business_id = $1 LIMIT 1)',
    'SELECT * FROM events WHERE (business_id, client_id) IN (SELECT business_id, id FROM users WHERE business_id = $1)',
    'SELECT * FROM events e JOIN LATERAL (SELECT * FROM users u WHERE u.business_id = e.business_id) x ON TRUE WHERE e.business_id = $1',
    'SELECT * FROM (SELECT business_id, id FROM events) e WHERE e.business_id = $1',
    'SELECT * FROM (SELECT * FROM events UNION ALL SELECT * FROM events) e WHERE e.business_id = $1',
    'SELECT id FROM events WHERE business_id = $1 UNION ALL SELECT id FROM users WHERE business_id = $1',
    // Common table expressions
    'WITH x AS (SELECT * FROM events WHERE business_id = $1) SELECT * FROM x JOIN users u ON u.business_id = x.business_id',
    'WITH x(b, n) AS (SELECT business_id, id FROM events WHERE business_id = $1) SELECT * FROM x JOIN users u ON u.business_id = x.b',
    'WITH users AS (SELECT $1 AS id) SELECT * FROM users',
    'WITH gone AS (DELETE FROM users WHERE business_id = $1 RETURNING business_id, id) DELETE FROM api_keys k USING gone WHERE k.business_id = gone.business_id',
    'WITH RECURSIVE x AS (SELECT business_id, id FROM events WHERE business_id = $1 UNION SELECT e.business_id, e.id FROM events e JOIN x ON x.business_id = e.business_id) SELECT * FROM x',
    // Writes
    'UPDATE "public"."events" SET "title" = $1 WHERE ("public"."events"."business_id" = $2 AND "id" = $3)',
    'UPDATE events e SET title = u.name FROM users u WHERE u.business_id = e.business_id AND e.business_id = $1',
    'DELETE FROM personal_tokens WHERE "business_id"=$1',
    'DELETE FROM events e USING users u WHERE u.business_id = e.business_id AND u.business_id = $1',
    'INSERT INTO "public"."positions" ("business_id","title") VALUES ($1,$2), ($3,$4)',
    'INSERT INTO positions (business_id, title) SELECT $1, title FROM unnest($2::text[]) AS t(title)',
    'INSERT INTO positions (business_id, title) SELECT business_id, title FROM positions WHERE business_id = $1 AND id = $2',
    'INSERT INTO positions (title, business_id) VALUES ($1, $2) ON CONFLICT (business_id, title) DO UPDATE SET title = $1',
    'INSERT INTO businesses (name) VALUES ($1)',
  ])('accepts %s', (sql) => {
    expect(findUnboundTables(sql)).toEqual([]);
  });
});
