import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* A user keeps no event and no coming shift that their new role could not have. */

let tenant: Tenant;
let now = new Date('2026-11-20T12:00:00Z');

const service = useService({ clock: () => now });

beforeEach(async () => {
  now = new Date('2026-11-20T12:00:00Z');
  tenant = await service.createTenant();
});

interface Outcome {
  readonly code: string;
  readonly message: string;
  readonly errors: Record<string, string[]>;
  readonly details: object;
}

/** Both ways to change the role of a user. */
const dialects: Record<string, (id: number, changes: { role?: string; name?: string }) => Promise<Outcome>> = {
  REST: async (id, body) => {
    const answer = await service.call('PUT', `/api/v1/users/${id}`, { as: tenant.as.admin, body });
    const { code = 'OK', message = '', errors = {} } = answer.body;
    expect([code, answer.status]).toEqual([code, code === 'OK' ? 200 : 409]);
    return { code, message, errors, details: {} };
  },
  GraphQL: async (id, { role, ...changes }) => {
    const input = { ...changes, ...(role && { role: role.toUpperCase() }) };
    const { body } = await service.graphql(
      'mutation ($id: ID!, $input: UpdateUserInput!) { updateUser(id: $id, input: $input) { role } }',
      { as: tenant.as.admin, variables: { id, input } },
    );
    const { code = 'OK', errors = {}, ...details } = body.errors?.[0].extensions ?? {};
    return { code, message: body.errors?.[0].message ?? '', errors, details };
  },
};

const roleOf = async (id: number) => (await service.prisma.user.findFirstOrThrow({ where: { id } })).role;

describe.each(Object.keys(dialects))('a new role in %s', (name) => {
  const change = dialects[name]!;

  test.each(['staff', 'admin'])(
    '%s is refused for a client with events, until these have another client',
    async (role) => {
      const { id } = tenant.client;
      const events = [];
      for (const status of ['active', 'draft', 'canceled', 'deleted'] as const)
        events.push(await service.createEvent(tenant.business, { clientId: id, status, start: '2020-01-01 10:00:00' }));
      const refused = await change(id, { role, name: 'Not to be stored' });
      expect(refused).toMatchObject({ code: 'CONFLICT', errors: { role: [expect.stringContaining('events (4)')] } });
      expect(refused.message).toMatch(/give these another client, or none, first/);
      if (name === 'GraphQL') expect(refused.details).toEqual({ clientEvents: 4 });
      expect(await service.prisma.user.findFirst({ where: { id } })).toMatchObject({ role: 'client', version: 1 });

      const other = await service.createUser(tenant.business, 'client');
      for (const [index, { uuid }] of events.entries()) {
        const body = { client_id: index % 2 ? null : other.id };
        const { status } = await service.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body });
        expect(status).toBe(200);
      }
      expect((await change(id, { role })).code).toBe('OK');
      expect(await roleOf(id)).toBe(role);
    },
  );

  test.each(['client', 'admin'])('%s is refused for staff with shifts that have not ended', async (role) => {
    const { id } = tenant.staff;
    const period = { start: '2026-11-19 10:00:00', end: '2026-11-20 20:00:00', timezone: 'UTC' };
    const event = await service.createEvent(tenant.business, period);
    const gone = await service.createEvent(tenant.business, { ...period, status: 'canceled' });
    await service.createShift(event, tenant.staff, { start: '2026-11-20 08:00:00', end: '2026-11-20 12:00:00' });
    await service.createShift(event, tenant.staff, { status: 'canceled' });
    const running = await service.createShift(event, tenant.staff, {
      start: '2026-11-20 08:00:00',
      end: '2026-11-20 12:00:01',
    });
    const open = await service.createShift(event, tenant.staff, { start: '2026-11-19 10:00:00', end: null });
    const canceled = await service.createShift(gone, tenant.staff, { start: null, end: null });
    const refused = await change(id, { role });
    expect(refused).toMatchObject({ code: 'CONFLICT', errors: { role: [expect.stringContaining('ended (3)')] } });
    expect(refused.message).toMatch(/assign other people or cancel them first/);
    if (name === 'GraphQL') expect(refused.details).toEqual({ activeShifts: 3 });
    expect(await roleOf(id)).toBe('staff');

    const other = await service.createUser(tenant.business, 'staff');
    for (const [shift, mutation] of [
      [running, `updateShift(id: "${running.uuid}", input: { userId: ${other.id}, override: { reason: "x" } })`],
      [canceled, `cancelShift(id: "${canceled.uuid}")`],
    ] as const) {
      const { body } = await service.graphql(`mutation { ${mutation} { __typename } }`, { as: tenant.as.admin });
      expect({ shift: shift.uuid, errors: body.errors }).toEqual({ shift: shift.uuid, errors: undefined });
    }
    expect((await change(id, { role })).code).toBe('CONFLICT');
    now = event.endsAt;
    expect((await change(id, { role })).code).toBe('OK');
    expect(await service.prisma.workShift.findFirst({ where: { uuid: open.uuid } })).toEqual(open);
  });

  test('leaves other changes of such users alone, also with the role that they have', async () => {
    await service.createEvent(tenant.business, { clientId: tenant.client.id });
    await service.createShift(await service.createEvent(tenant.business), tenant.staff);
    for (const { id, role } of [tenant.client, tenant.staff])
      expect((await change(id, { role, name: 'Another name' })).code).toBe('OK');
  });

  test('is free for users without either, and counts nothing of another business', async () => {
    const stranger = await service.createTenant();
    await service.createEvent(stranger.business, { clientId: stranger.client.id });
    await service.createShift(await service.createEvent(stranger.business), stranger.staff);
    expect((await change(tenant.client.id, { role: 'staff' })).code).toBe('OK');
    expect((await change(tenant.staff.id, { role: 'client' })).code).toBe('OK');
  });
});

test('deleting a user keeps their events, and the shifts that have ended', async () => {
  const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
  const ended = { start: '2026-11-01 16:00:00', end: '2026-11-01 23:00:00' };
  const shift = await service.createShift(event, tenant.staff, ended);
  for (const { id } of [tenant.client, tenant.staff])
    expect((await service.call('DELETE', `/api/v1/users/${id}?events=keep`, { as: tenant.as.admin })).status).toBe(200);
  expect(await service.prisma.event.findFirst({ where: { id: event.id } })).toEqual(event);
  expect(await service.prisma.workShift.findFirst({ where: { uuid: shift.uuid } })).toEqual(shift);
});
