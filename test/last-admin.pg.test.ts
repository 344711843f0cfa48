import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { User } from '../src/generated/prisma/client.ts';
import type { TestAnswer, TestApp } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { usePair } from './support/pair.ts';

/* Races: two processes of the service on one database, and a bystander who holds them up until they clash. */
const [service, second] = usePair();
let bystander: pg.Client;

beforeAll(async () => {
  bystander = new pg.Client(service.database.config().db.url!);
  await bystander.connect();
});

afterAll(async () => {
  await bystander.end();
});

interface Two {
  tenant: Tenant;
  one: { user: User; token: string };
  other: { user: User; token: string };
}

async function twoAdmins(): Promise<Two> {
  const tenant = await service.createTenant();
  const user = await service.createUser(tenant.business, 'admin');
  return {
    tenant,
    one: { user: tenant.admin, token: tenant.as.admin },
    other: { user, token: await service.tokenOf(user) },
  };
}

/** Lets the calls go on only once both are past the door and stand before the same rule. */
async function clash(tenant: Tenant, calls: () => Promise<TestAnswer>[]): Promise<number[]> {
  await bystander.query('BEGIN');
  await bystander.query('SELECT pg_advisory_xact_lock(1, $1)', [tenant.business.id]);
  const answers = calls();
  for (let waiting = 0; waiting < answers.length; await wait(10)) {
    const { rows } = await bystander.query(
      `SELECT count(*)::int AS waiting FROM pg_locks
        WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [tenant.business.id],
    );
    waiting = rows[0].waiting;
  }
  await bystander.query('COMMIT');
  return (await Promise.all(answers)).map(({ status }) => status).sort();
}

const remove = (app: TestApp, { id }: User, as: string) => app.call('DELETE', `/api/v1/users/${id}`, { as });
const demote = (app: TestApp, { id }: User, as: string) =>
  app.call('PUT', `/api/v1/users/${id}`, { as, body: { role: 'staff' } });

const races: Record<string, (two: Two) => Promise<TestAnswer>[]> = {
  'delete each other': ({ one, other }) => [
    remove(service, other.user, one.token),
    remove(second, one.user, other.token),
  ],
  'demote each other': ({ one, other }) => [
    demote(service, other.user, one.token),
    demote(second, one.user, other.token),
  ],
  'each resign': ({ one, other }) => [demote(service, one.user, one.token), demote(second, other.user, other.token)],
  'leave, one by deletion and one by demotion': ({ one, other }) => [
    remove(service, one.user, one.token),
    demote(second, other.user, other.token),
  ],
};

describe('when the two last admins at the same moment', () => {
  test.each(Object.keys(races))('%s, one admin is left', async (how) => {
    const two = await twoAdmins();
    expect(await clash(two.tenant, () => races[how]!(two))).toEqual([200, 409]);
    const left = await service.prisma.user.count({
      where: { businessId: two.tenant.business.id, role: 'admin', deletedAt: null },
    });
    expect(left).toBe(1);
  });
});

test('admins of different businesses do not wait for each other', async () => {
  const [held, free] = [await twoAdmins(), await twoAdmins()];
  await bystander.query('BEGIN');
  await bystander.query('SELECT pg_advisory_xact_lock(1, $1)', [held.tenant.business.id]);
  expect((await remove(service, free.other.user, free.one.token)).status).toBe(200);
  await bystander.query('COMMIT');
});

test('of many parallel users with one e-mail, in any case and in two businesses, exactly one is created', async () => {
  const casts = [await service.createTenant(), await service.createTenant()];
  for (let round = 0; round < 3; round++) {
    const email = `wanted${round}@example.com`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 ? service : second).call('POST', '/api/v1/users', {
          as: casts[index % 4 < 2 ? 0 : 1]!.as.admin,
          body: {
            email: index % 3 ? email : email.toUpperCase(),
            password: 'enough of a password',
            name: 'Robin',
            role: 'staff',
          },
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await service.prisma.user.count({ where: { emailKey: email } })).toBe(1);
  }
});

test('of two users who change to one e-mail at the same time, exactly one succeeds', async () => {
  const tenant = await service.createTenant();
  const email = 'both.want.it@example.com';
  const answers = await Promise.all(
    [tenant.staff, tenant.client].map(({ id }, index) =>
      (index ? service : second).call('PUT', `/api/v1/users/${id}`, { as: tenant.as.admin, body: { email } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
