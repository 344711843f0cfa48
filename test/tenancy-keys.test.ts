import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isForeignKeyViolation } from '../src/db/engine/failures.ts';
import type { Event } from '../src/generated/prisma/client.ts';
import { startApp, type TestApp } from './support/app.ts';
import type { Cast } from './support/factories.ts';
import { isLeak } from './support/sql-watch.ts';

interface Tenant extends Cast {
  events: Event[];
}

let service: TestApp;
let own: Tenant;
let foreign: Tenant;

beforeAll(async () => {
  service = await startApp();
  own = await tenant();
  foreign = await tenant();
});

afterAll(() => service.close());

/** A business whose every text says which it is. */
async function tenant(): Promise<Tenant> {
  const cast = await service.createCast();
  const mark = `of business ${cast.business.id}.`;
  const position = await service.createPosition(cast.business, { title: `Position ${mark}` });
  const field = await service.createCustomField(cast.business, { name: `Field ${mark}` });
  const events = [];
  for (let made = 0; made < 5; made++) {
    const event = await service.createEvent(cast.business, { title: `Event ${mark}` });
    await service.createCallTime(event, { positionId: position.id });
    await service.createShift(event, cast.staff, { positionId: position.id });
    await service.setCustomValue(event, field, `Value ${mark}`);
    events.push(event);
  }
  return { ...cast, events };
}

describe('the keys refuse a row that points into another business', () => {
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
    'an API key by who made it': () => service.createKey(own.business, { createdById: foreign.admin.id }),
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

test('the API answers a foreign client as it answers an unknown one', async () => {
  const create = async (clientId: number) => {
    const body = {
      title: 'Gala',
      start_time: '2026-12-31 18:00:00',
      end_time: '2026-12-31 23:00:00',
      timezone: 'Europe/London',
      client_id: clientId,
    };
    const { status, body: answer } = await service.call('POST', '/v1/events', { as: own.as.admin, body });
    return { status, answer };
  };
  const unknown = await create(2_147_483_647);
  expect(unknown).toMatchObject({ status: 422, answer: { errors: { client_id: [expect.any(String)] } } });
  expect(await create(foreign.client.id)).toEqual(unknown);
});

test('calls of two businesses that run interleaved never show each other anything', async () => {
  const query = `query ($uuid: ID!) {
    viewer { businessId }
    events(perPage: 3) { totalCount nodes { title callTimes { position } workShifts { position }
      customFields { fieldName fieldValue } } }
    event(uuid: $uuid) { title callTimes { position } }
  }`;
  const wanted = (tenant: Tenant) => `of business ${tenant.business.id}.`;
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
        viewer: { businessId: me.business.id },
        events: { totalCount: 5 },
        event: { title: `Event ${wanted(me)}`, callTimes: [{ position: `Position ${wanted(me)}` }] },
      });
      expect(rest.body.data).toMatchObject({ total: 5, last_page: 3 });
      const shown = JSON.stringify([graphql.body, rest.body]);
      // 3 and 2 events with four marked texts each, and two in the single event.
      expect(shown.split(wanted(me)).length - 1).toBeGreaterThanOrEqual(3 * 5 + 2 + 2 * 5);
      expect(shown).not.toContain(wanted(you));
    }
  }
});

describe('the watch over SQL', () => {
  test.each([
    'SELECT * FROM users',
    'SELECT "public"."users"."id" FROM "public"."users" WHERE "public"."users"."id" = $1',
    'select title from events e where e.uuid = $1',
    'SELECT 1 FROM businesses b JOIN api_keys k ON k.id = b.id WHERE b.id = $1',
    'SELECT count(*) FROM (SELECT id FROM "work_shifts" WHERE status = $1) AS counted',
    'UPDATE "public"."events" SET "title" = $1 WHERE "id" = $2',
    'UPDATE events SET business_id = $1 WHERE id = $2',
    'DELETE FROM "public"."personal_tokens" WHERE jti = $1',
    'INSERT INTO "public"."positions" ("title") VALUES ($1)',
    'INSERT INTO positions (title) SELECT title FROM positions WHERE id = $1',
    'SELECT * FROM users u JOIN personal_tokens t ON u.business_id = t.business_id AND u.id = t.user_id',
    'SELECT "users"."business_id" FROM "public"."users" ORDER BY "business_id" = $1',
  ])('reports %s', (sql) => {
    expect(isLeak(sql)).toBe(true);
  });

  test.each([
    'SELECT * FROM users WHERE business_id = $1',
    'SELECT "public"."users"."id" FROM "public"."users" WHERE ("public"."users"."business_id" = $1 AND 1=1)',
    'SELECT * FROM events e WHERE e.business_id IN ($1,$2)',
    'SELECT * FROM call_times c JOIN positions p ON p.business_id = c.business_id WHERE c.business_id = $1',
    'UPDATE "public"."events" SET "title" = $1 WHERE ("public"."events"."business_id" = $2 AND "id" = $3)',
    'DELETE FROM personal_tokens WHERE "business_id"=$1',
    'INSERT INTO "public"."positions" ("business_id","title") VALUES ($1,$2)',
    'SELECT id, name FROM businesses WHERE id = $1',
    'SELECT 1',
    'BEGIN',
  ])('lets pass %s', (sql) => {
    expect(isLeak(sql)).toBe(false);
  });
});
