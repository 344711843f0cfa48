import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CallTime, Event, User } from '../src/generated/prisma/client.ts';
import { useOneTenant, useService, type TestApp } from './support/app.ts';
import { asker } from './support/ask.ts';
import { sqlCount } from './support/sql-watch.ts';

let gala: Event;
let callTime: CallTime;
let people: Record<'ana' | 'bo' | 'cy' | 'dee', User>;

/** The call time is from 16:00 to 20:00. */
const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  const { business } = tenant;
  gala = await service.createEvent(business);
  callTime = await service.createCallTime(gala, { start: '2026-12-05 16:00:00', end: '2026-12-05 20:00:00' });
  people = {
    ana: await service.createUser(business, 'staff', { name: 'Ana Öztürk', email: 'ana@bar.example' }),
    bo: await service.createUser(business, 'staff', { name: 'Bo 100%_Fit', email: 'bo@door.example' }),
    cy: await service.createUser(business, 'staff', { name: 'Cy Banana', email: 'cy@door.example' }),
    dee: await service.createUser(business, 'staff', { name: 'Dee Gone', email: 'dee@door.example' }),
  };
  await service.prisma.user.updateMany({
    where: { id: people.dee.id },
    data: { deletedAt: new Date(), emailKey: null },
  });
});

const query = asker(() => service, 'query');
const staff = async (args: string, as = tenant.as.admin) =>
  query(as, `{ it: staff${args && `(${args})`} { totalCount nodes { name } } }`);
const namesOf = async (args: string) => {
  const { code, it } = await staff(args);
  expect(code).toBe('OK');
  expect(it.totalCount).toBe(it.nodes.length);
  return it.nodes.map(({ name }: { name: string }) => name.split(' ')[0]) as string[];
};

describe('staff', () => {
  test.each([
    ['ANA', ['Ana', 'Cy']],
    ['öztürk', ['Ana']],
    ['door.EXAMPLE', ['Bo', 'Cy']],
    ['100%_', ['Bo']],
    ['%', ['Bo']],
    ['nobody', []],
  ])('are found by %j in name or e-mail, without deleted ones and other roles', async (text, names) => {
    expect(await namesOf(`search: "${text}"`)).toEqual(names);
  });

  test('are found by a position in which they have a shift', async () => {
    const { positionId } = callTime;
    const event = await service.createEvent(tenant.business, {
      start: '2027-02-05 18:00:00',
      end: '2027-02-05 23:00:00',
    });
    const then = { start: '2027-02-05 18:00:00', end: '2027-02-05 20:00:00', positionId };
    await service.createShift(event, people.ana, { ...then, status: 'canceled' });
    await service.createShift(event, people.bo, { ...then, status: 'deleted' });
    expect(await namesOf(`positionId: ${positionId}`)).toEqual(['Ana']);
    expect(await namesOf(`positionId: ${positionId}, search: "bo"`)).toEqual([]);
  });

  test.each<[string, boolean, Parameters<TestApp['createShift']>[2], Parameters<TestApp['createEvent']>[1]]>([
    ['a shift that ends when it starts', true, { start: '2026-12-05 12:00:00', end: '2026-12-05 16:00:00' }, {}],
    ['a shift that reaches into it', false, { start: '2026-12-05 12:00:00', end: '2026-12-05 16:01:00' }, {}],
    ['a shift that starts when it ends', true, { start: '2026-12-05 20:00:00', end: '2026-12-05 22:00:00' }, {}],
    ['a shift within it', false, { start: '2026-12-05 17:00:00', end: '2026-12-05 18:00:00' }, {}],
    ['a canceled shift', true, { start: '2026-12-05 17:00:00', end: '2026-12-05 18:00:00', status: 'canceled' }, {}],
    ['a shift with open times on that day', false, { start: null, end: null }, {}],
    ['a shift on a canceled event', true, { start: '2026-12-05 17:00:00' }, { status: 'canceled' }],
    ['a shift on a draft', false, { start: '2026-12-05 17:00:00' }, { status: 'draft' }],
    // 16:30 in Berlin is 10:30 in New York.
    [
      'a shift elsewhere that only clocks make look alike',
      true,
      { start: '2026-12-05 16:30:00', end: '2026-12-05 20:00:00' },
      { timezone: 'Europe/Berlin' },
    ],
  ])('with %s are free for a call time: %s', async (_what, isFree, shift, event) => {
    const person = await service.createUser(tenant.business, 'staff', { name: 'Zoe Fields' });
    await service.createShift(await service.createEvent(tenant.business, event), person, shift);
    expect(await namesOf(`freeFor: "${callTime.uuid}", search: "zoe"`)).toEqual(isFree ? ['Zoe'] : []);
    await service.prisma.workShift.deleteMany({ where: { userId: person.id } });
    await service.prisma.user.deleteMany({ where: { id: person.id } });
  });

  test('cost the same number of statements however many there are', async () => {
    const args = `first: 100, freeFor: "${callTime.uuid}", search: "person"`;
    const statements = async () => {
      const before = sqlCount();
      await staff(args);
      return sqlCount() - before;
    };
    const few = await statements();
    for (let index = 0; index < 5; index++)
      await service.createUser(tenant.business, 'staff', { name: `Person ${index}` });
    expect(await statements()).toBe(few);
  });
});

test('users are searched in the same way, whatever their role', async () => {
  const { it } = await query(
    tenant.as.admin,
    '{ it: users(search: "door.example", role: STAFF) { totalCount nodes { name } } }',
  );
  expect(it.nodes.map(({ name }: { name: string }) => name)).toEqual([people.bo.name, people.cy.name]);
  const all = await query(tenant.as.admin, `{ it: users(search: "${tenant.client.email}") { nodes { databaseId } } }`);
  expect(all.it.nodes).toEqual([{ databaseId: tenant.client.id }]);
});
