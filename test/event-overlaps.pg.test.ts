import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Event, User } from '../src/generated/prisma/client.ts';
import type { TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { usePair } from './support/pair.ts';
import { staffing } from './support/staffing.ts';

/* Changes of events that race with each other and with assignments, over two processes on one database. */

const [service, second] = usePair();
let bystander: pg.Client;
let tenant: Tenant;
let person: User;
let positionId: number;
const other = staffing(() => second);

beforeAll(async () => {
  bystander = new pg.Client(service.database.config().db.url!);
  await bystander.connect();
});

beforeEach(async () => {
  tenant = await service.createTenant();
  person = await service.createUser(tenant.business, 'staff');
  positionId = (await service.createPosition(tenant.business)).id;
});

afterAll(async () => {
  await bystander.end();
});

/** Makes the calls while the person is locked, and lets go once all of them wait: then they stand before the same rule. */
async function atOnce(calls: () => Promise<string>[]): Promise<string[]> {
  const observer = new pg.Client(service.database.config().db.url!);
  await observer.connect();
  try {
    await bystander.query('BEGIN');
    await bystander.query('SELECT 1 FROM users WHERE business_id = $1 AND id = $2 FOR UPDATE', [
      tenant.business.id,
      person.id,
    ]);
    const answers = calls();
    for (let waiting = 0; waiting < answers.length; await wait(10)) {
      const { rows } = await observer.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      waiting = rows[0].waiting;
    }
    await bystander.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    await observer.end();
  }
}

const put = async (on: TestApp, { uuid }: Event, body: object): Promise<string> => {
  const answer = await on.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body });
  return answer.status === 200 ? 'OK' : answer.body.code;
};

async function eventWith(more: object = {}, shift: object = {}): Promise<Event> {
  const event = await service.createEvent(tenant.business, more);
  await service.createShift(event, person, { positionId, ...shift });
  return event;
}

const countConflicts = async () => {
  const { body } = await service.graphql(
    '{ conflicts(from: "2026-12-01T00:00:00Z", to: "2026-12-12T00:00:00Z") { totalCount } }',
    { as: tenant.as.admin },
  );
  return body.data.conflicts.totalCount;
};

describe('of changes at the same moment that would book one person twice, exactly one succeeds:', () => {
  test.each<[string, () => Promise<(() => Promise<string>)[]>]>([
    [
      'two canceled events come back',
      async () => {
        const events = [await eventWith({ status: 'canceled' }), await eventWith({ status: 'canceled' })] as const;
        return [() => put(service, events[0], { status: 'active' }), () => put(second, events[1], { status: 'draft' })];
      },
    ],
    [
      'an event comes back, and the person is assigned elsewhere',
      async () => {
        const [back, free] = [await eventWith({ status: 'deleted' }), await service.createEvent(tenant.business)];
        const times = { startTime: '2026-12-05 16:00:00', endTime: '2026-12-05 20:00:00' };
        const input = { eventId: free.uuid, userId: person.id, positionId, ...times };
        return [
          () => put(service, back, { status: 'active' }),
          async () => (await other.assign(tenant.as.admin, input)).code,
        ];
      },
    ],
    [
      'two events move to zones in which their shifts overlap',
      async () => {
        // 17:00 to 19:00 UTC in New York, and 20:00 to 22:00 UTC: both move to 18:00 to 20:00 or beyond.
        const first = await eventWith({}, { start: '2026-12-05 12:00:00', end: '2026-12-05 14:00:00' });
        const next = await eventWith({}, { start: '2026-12-05 15:00:00', end: '2026-12-05 17:00:00' });
        return [
          () => put(service, first, { timezone: 'America/Denver' }),
          () => put(second, next, { timezone: 'America/Halifax' }),
        ];
      },
    ],
    [
      'an event moves, and another shift of the person moves',
      async () => {
        const moves = await eventWith({}, { start: '2026-12-05 12:00:00', end: '2026-12-05 14:00:00' });
        const stays = await service.createEvent(tenant.business);
        const shift = await service.createShift(stays, person, {
          positionId,
          start: '2026-12-05 20:00:00',
          end: '2026-12-05 21:00:00',
        });
        const input = { startTime: '2026-12-05 15:00:00', endTime: '2026-12-05 16:00:00' };
        return [
          () => put(service, moves, { timezone: 'America/Los_Angeles' }),
          async () => (await other.updateShift(tenant.as.admin, shift.uuid, input)).code,
        ];
      },
    ],
  ])('%s', async (_, prepare) => {
    const calls = await prepare();
    const codes = await atOnce(() => calls.map((call) => call()));
    expect(codes.sort()).toEqual(['CLASH', 'OK']);
    expect(await countConflicts()).toBe(0);
  });
});

test('events with the same people come back and move at once without a deadlock', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => service.createUser(tenant.business, 'staff')));
  const events: Event[] = [];
  for (let day = 1; day <= 8; day++) {
    const event = await service.createEvent(tenant.business, { status: day % 2 ? 'canceled' : 'active' });
    for (const each of day % 3 ? people : people.toReversed())
      await service.createShift(event, each, {
        positionId,
        start: `2026-12-${day + 10} 10:00:00`,
        end: `2026-12-${day + 10} 12:00:00`,
      });
    events.push(event);
  }
  const codes = await Promise.all(
    events.flatMap((event, index) => [
      put(index % 2 ? service : second, event, { status: 'active' }),
      put(index % 2 ? second : service, event, { timezone: 'America/Chicago' }),
    ]),
  );
  expect(new Set(codes)).toEqual(new Set(['OK']));
});
