import { beforeEach, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { asker } from './support/ask.ts';
import { password, type Tenant } from './support/factories.ts';
import { usePair } from './support/pair.ts';

/* Two processes on one database: what one is about to use, the other takes away. */
const [service, second] = usePair();
let tenant: Tenant;
const here = asker(() => service, 'mutation');
const there = asker(() => second, 'mutation');

beforeEach(async () => {
  tenant = await service.createTenant();
});

/** Codes of both calls, round by round. */
async function race(rounds: number, calls: (round: number) => Promise<Promise<{ code: string }>[]>) {
  const codes = [];
  for (let round = 0; round < rounds; round++)
    codes.push((await Promise.all(await calls(round))).map(({ code }) => code));
  return codes;
}

const setValue = `($uuid: ID!, $field: ID!, $value: String) {
  it: setCustomFieldValues(eventId: $uuid, values: [{ fieldId: $field, value: $value }]) { uuid } }`;

test('no event gets an option that is removed at the same moment', async () => {
  const changeOptions =
    '($field: ID!, $options: [String!]!) { it: updateCustomField(id: $field, input: { options: $options }) { uuid } }';
  const codes = await race(10, async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const { uuid: field } = await service.createCustomField(tenant.business, {
      type: 'select',
      options: ['Gold', 'Tin'],
    });
    return [
      here(tenant.as.admin, setValue, { uuid, field, value: 'Gold' }),
      there(tenant.as.admin, changeOptions, { field, options: ['Tin'] }),
    ];
  });
  for (const pair of codes)
    expect([
      ['OK', 'CONFLICT'],
      ['VALIDATION_FAILED', 'OK'],
    ]).toContainEqual(pair);
  const values = await service.prisma.customFieldValue.findMany({
    where: { businessId: tenant.business.id },
    include: { customField: true },
  });
  for (const { value, customField } of values) expect(customField.options).toContain(value);
});

test('a field is not deleted while a value for it is being set', async () => {
  const removeField = '($field: ID!) { it: deleteCustomField(id: $field) { uuid } }';
  const codes = await race(10, async () => {
    const { uuid } = await service.createEvent(tenant.business);
    const { uuid: field } = await service.createCustomField(tenant.business);
    return [
      here(tenant.as.admin, setValue, { uuid, field, value: 'x' }),
      there(tenant.as.admin, removeField, { field }),
    ];
  });
  for (const pair of codes)
    expect([
      ['OK', 'CONFLICT'],
      ['VALIDATION_FAILED', 'OK'],
    ]).toContainEqual(pair);
});

test('when one event is copied twice to one day, its staff is assigned to the first copy only', async () => {
  const copy = '($uuid: ID!) { it: copyEvent(id: $uuid, input: { days: 7, withShifts: true }) { event { uuid } } }';
  const other = await service.createUser(tenant.business, 'staff');
  const codes = await race(5, async (round) => {
    const day = `2026-12-${String(round + 1).padStart(2, '0')}`;
    const times = { start: `${day} 10:00:00`, end: `${day} 12:00:00` };
    const events = [
      await service.createEvent(tenant.business, times),
      await service.createEvent(tenant.business, times),
    ];
    // The same two people, named in opposite order.
    const people = [tenant.staff, other];
    for (const event of events) {
      for (const user of people) await service.createShift(event, user, times);
      people.reverse();
    }
    const [one, two] = events.map(({ uuid }) => ({ uuid }));
    return [here(tenant.as.admin, copy, one), there(tenant.as.admin, copy, two)];
  });
  for (const pair of codes) expect(pair.sort()).toEqual(['CLASH', 'OK']);
});

test('of two parallel password changes, the last successful one counts', async () => {
  const change =
    '($next: String!) { it: changePassword(input: { current: "' + password + '", next: $next }) { revoked } }';
  const nexts = ['the first of two', 'the second of two'];
  const replies = await Promise.all(
    [here, there].map((ask, index) => ask(tenant.as.staff, change, { next: nexts[index] })),
  );
  const codes = replies.map(({ code }) => code);
  expect(codes.filter((code) => code === 'OK')).toHaveLength(1);
  const holding = nexts[codes.indexOf('OK')]!;
  const body = { email: tenant.staff.email, password: holding };
  expect((await service.call('POST', '/v1/auth/login', { body })).status).toBe(200);
});

test('the limit of a catalog holds for two parallel callers', async () => {
  const names = Array.from({ length: limits.wholeListMax - 1 }, (_, index) => `Level ${index}`);
  await service.prisma.skillLevel.createMany({ data: names.map((name) => ({ businessId: tenant.business.id, name })) });
  const create = '($name: String!) { it: createSkillLevel(input: { name: $name }) { id } }';
  const [codes] = await race(1, async () => [
    here(tenant.as.admin, create, { name: 'Last' }),
    there(tenant.as.admin, create, { name: 'One more' }),
  ]);
  expect(codes!.sort()).toEqual(['CONFLICT', 'OK']);
});

test('a position is either deleted or used, never both', async () => {
  const remove = '($id: ID!) { it: deletePosition(id: $id) { id } }';
  const create = `($uuid: ID!, $id: ID!) { it: createCallTime(eventId: $uuid, input: {
    positionId: $id, staffNeeded: 1, startTime: "2026-12-05 16:00:00", endTime: "2026-12-05 20:00:00" }) { uuid } }`;
  const codes = await race(10, async () => {
    const { id } = await service.createPosition(tenant.business);
    const { uuid } = await service.createEvent(tenant.business);
    return [here(tenant.as.admin, create, { uuid, id }), there(tenant.as.admin, remove, { id })];
  });
  for (const pair of codes)
    expect([
      ['OK', 'CONFLICT'],
      ['VALIDATION_FAILED', 'OK'],
    ]).toContainEqual(pair);
});
