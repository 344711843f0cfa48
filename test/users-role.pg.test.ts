import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { User } from '../src/generated/prisma/client.ts';
import type { Tenant } from './support/factories.ts';
import { usePair } from './support/pair.ts';
import { staffing } from './support/staffing.ts';

/* A role changes while its holder gets an event or a shift, over two processes on one database. */

const [service, second] = usePair();
let bystander: pg.Client;
let observer: pg.Client;
let tenant: Tenant;

beforeAll(async () => {
  const connect = async () => {
    const client = new pg.Client(service.database.config().db.url!);
    await client.connect();
    return client;
  };
  [bystander, observer] = [await connect(), await connect()];
});

beforeEach(async () => {
  tenant = await service.createTenant();
});

afterAll(async () => {
  await bystander.end();
  await observer.end();
});

/** Makes the calls one after the other while the user is locked: each waits before the next begins. */
async function inTurn({ id }: User, calls: (() => Promise<string>)[]): Promise<string[]> {
  await bystander.query('BEGIN');
  const lock = 'SELECT 1 FROM users WHERE business_id = $1 AND id = $2 FOR UPDATE';
  await bystander.query(lock, [tenant.business.id, id]);
  const answers = [];
  for (const call of calls) {
    answers.push(call());
    for (let waiting = 0; waiting < answers.length; await wait(10)) {
      const { rows } = await observer.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      waiting = rows[0].waiting;
    }
  }
  await bystander.query('COMMIT');
  return Promise.all(answers);
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => (status < 300 ? 'OK' : body.code!);

const changeRole = (user: User, role: string) => async () =>
  codeOf(await second.call('PUT', `/api/v1/users/${user.id}`, { as: tenant.as.admin, body: { role } }));

const newEvent = () => ({
  title: 'Gala',
  start_time: '2027-03-01 10:00:00',
  end_time: '2027-03-01 12:00:00',
  timezone: 'UTC',
  client_id: tenant.client.id,
});

/** Ways in which a client gets an event. */
const ways: Record<string, () => Promise<() => Promise<string>>> = {
  'an event is created': async () => async () =>
    codeOf(await service.call('POST', '/v1/events', { as: tenant.as.admin, body: newEvent() })),
  'an event is created under an idempotency key': async () => async () =>
    codeOf(
      await service.call('POST', '/v1/events', {
        as: tenant.as.admin,
        body: newEvent(),
        headers: { 'idempotency-key': String(tenant.business.id) },
      }),
    ),
  'an event is given to them': async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const body = { client_id: tenant.client.id };
    return async () => codeOf(await service.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body }));
  },
};

describe('while the role of a client changes', () => {
  for (const name of Object.keys(ways))
    test.each(['first', 'last'])(`${name}: no event has a client who is none (the role changes %s)`, async (order) => {
      const write = await ways[name]!();
      const change = changeRole(tenant.client, 'staff');
      const codes = await inTurn(tenant.client, order === 'first' ? [change, write] : [write, change]);
      expect(codes).toContain('OK');
      const events = await service.prisma.event.count({ where: { clientId: tenant.client.id } });
      const { role } = await service.prisma.user.findFirstOrThrow({ where: { id: tenant.client.id } });
      expect([events, role]).toEqual(events > 0 ? [1, 'client'] : [0, 'staff']);
    });

  test('a copy of their event is refused a client who is none', async () => {
    const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
    const copy = async () => {
      const { body } = await service.graphql(
        `mutation { copyEvent(id: "${event.uuid}", input: { days: 1 }) { event { uuid client { id } } } }`,
        { as: tenant.as.admin },
      );
      return body.errors?.[0].extensions.code ?? 'OK';
    };
    expect(await inTurn(tenant.client, [changeRole(tenant.client, 'staff'), copy])).toEqual(['CONFLICT', 'OK']);
    expect(await service.prisma.event.count({ where: { clientId: tenant.client.id } })).toBe(2);
  });
});

test.each(['first', 'last'])(
  'while the role of staff changes, nobody else gets a shift (the role changes %s)',
  async (order) => {
    const event = await service.createEvent(tenant.business, {
      start: '2030-01-01 10:00:00',
      end: '2030-01-01 12:00:00',
    });
    const positionId = (await service.createPosition(tenant.business)).id;
    const input = { eventId: event.uuid, positionId, userId: tenant.staff.id };
    const assign = async () => (await staffing(() => service).assign(tenant.as.admin, input)).code;
    const change = changeRole(tenant.staff, 'client');
    const codes = await inTurn(tenant.staff, order === 'first' ? [change, assign] : [assign, change]);
    expect(codes).toContain('OK');
    const shifts = await service.prisma.workShift.count({ where: { userId: tenant.staff.id } });
    const { role } = await service.prisma.user.findFirstOrThrow({ where: { id: tenant.staff.id } });
    expect([shifts, role]).toEqual(shifts > 0 ? [1, 'staff'] : [0, 'client']);
  },
);
