import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { isInterfaceType, isObjectType } from 'graphql';
import { nodeTypes } from '../src/fields/node-types.ts';
import { limits } from '../src/config/limits.ts';
import { encodeGlobalId } from '../src/model/global-ids.ts';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { createResourceRows, plainResources } from './support/resources.ts';
import { createScreen } from './support/screens.ts';
import { statementsSince, sqlCount } from './support/sql-watch.ts';

let tenant: Tenant;
let stranger: Tenant;
let rows: Awaited<ReturnType<typeof scene>>;

/** A row of each type that an event leads to. The client and the staff member of the tenant take part in it. */
async function scene({ business, admin, client, staff }: Tenant) {
  const event = await service.createEvent(business, { clientId: client.id, title: 'Gala' });
  const skillLevel = await service.prisma.skillLevel.create({ data: { businessId: business.id, name: 'Expert' } });
  const callTime = await service.createCallTime(event, { skillLevelId: skillLevel.id });
  const position = await service.prisma.position.findFirstOrThrow({ where: { id: callTime.positionId } });
  const shift = await service.createShift(event, staff, { positionId: position.id, callTimeId: callTime.id });
  await service.createAttendance(shift);
  const field = await service.createCustomField(business);
  await service.setCustomValue(event, field, 'Blue');
  const offer = await service.createOffer(callTime);
  await service.createRecipient(offer, await service.createUser(business, 'staff'));
  await service.createSwap(shift);
  await service.createWebhookMessage(await service.createWebhook(business));
  await createScreen(service.prisma, { business, admin });
  await service.createFeed(admin);
  await createResourceRows(service.prisma, business.id);
  await service.createHeld(staff);
  await service.createPattern(staff);
  await service.createException(staff);
  return { event, skillLevel, callTime, position, shift, field };
}

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
  stranger = await service.createTenant();
  rows = await scene(tenant);
});

const ask = async (as: string, query: string, variables: object = {}) =>
  (await service.graphql(query, { as, variables })).body;

/** The id of each row of the scene, as its type shows it, read by an admin. */
const everything = `query ($event: ID!) {
  event(id: $event) {
    __typename id
    business { __typename id }
    client { __typename id }
    callTimes { __typename id position { __typename id } }
    workShifts { __typename id attendance { __typename id } user { availability { patterns { __typename id } exceptions { __typename id } } } }
    customFields { __typename id }
  }
  customFieldDefinitions { __typename id }
  ${plainResources.map(({ list }) => `${list} { __typename id }`).join(' ')}
  userQualifications { nodes { __typename id } }
  apiKeys { __typename id }
  offerRecipients { nodes { __typename id offer { __typename id } } }
  shiftSwaps { nodes { __typename id } }
  feeds { __typename id }
  screens { __typename id }
  webhookEndpoints { __typename id messages { nodes { __typename id } } }
  auditEntries(perPage: 1) { nodes { __typename id } }
}`;

interface Shown {
  readonly __typename: string;
  readonly id: string;
}

/** Every object with an id in an answer. */
function shownIn(value: unknown): Shown[] {
  if (Array.isArray(value)) return value.flatMap(shownIn);
  if (typeof value !== 'object' || value === null) return [];
  const { __typename, id } = value as Partial<Shown>;
  return [...(__typename && id ? [{ __typename, id }] : []), ...Object.values(value).flatMap(shownIn)];
}

const readAgain = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

async function ofEveryType(): Promise<Shown[]> {
  // A log-in that fails makes an entry of the audit trail.
  await ask(tenant.as.staff, '{ apiKeys { id } }');
  const { data, errors } = await ask(tenant.as.admin, everything, { event: rows.event.uuid });
  expect(errors).toBeUndefined();
  return shownIn(data);
}

describe('an id', () => {
  test('is a global one on every type of the interface Node, and each of those is stored', () => {
    const schema = createSchema();
    const node = schema.getType('Node');
    if (!isInterfaceType(node)) throw new Error('There is no interface Node.');
    expect(
      schema
        .getPossibleTypes(node)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(nodeTypes).sort());
    const others = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.getInterfaces().includes(node) && 'id' in type.getFields(),
    );
    expect(others).toEqual([]);
  });

  test('is different for every object, and reads it again', async () => {
    const shown = await ofEveryType();
    expect(new Set(shown.map(({ __typename }) => __typename)).size).toBe(Object.keys(nodeTypes).length);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    const { data, errors } = await ask(tenant.as.admin, readAgain, { ids: shown.map(({ id }) => id) });
    expect(errors).toBeUndefined();
    expect(data.nodes).toEqual(shown);
    const one = shown.find(({ __typename }) => __typename === 'CallTime')!;
    const query =
      'query ($id: ID!) { node(id: $id) { __typename id ... on CallTime { staffNeeded event { title } } } }';
    expect((await ask(tenant.as.admin, query, { id: one.id })).data.node).toEqual({
      ...one,
      staffNeeded: 2,
      event: { title: 'Gala' },
    });
  });

  test('costs no statement, and a list of rows shows it without its other columns', async () => {
    const { uuid } = rows.event;
    const statementsOf = async (fields: string) => {
      const before = sqlCount();
      await ask(tenant.as.admin, `{ event(id: "${uuid}") { callTimes { ${fields} } } }`);
      return statementsSince(before);
    };
    const withUuid = await statementsOf('uuid');
    expect(await statementsOf('id uuid databaseId')).toEqual(withUuid);
    expect(await statementsOf('id')).toEqual(withUuid);
  });
});

describe('nodes', () => {
  test('come in the order of the ids, with null for everything that is not there', async () => {
    const gone = encodeGlobalId('Event', randomUUID());
    const event = encodeGlobalId('Event', rows.event.uuid);
    const user = encodeGlobalId('User', tenant.staff.id);
    const ids = [user, gone, event, 'nothing', '', 'x'.repeat(1000), rows.event.uuid, String(tenant.staff.id), user];
    const { data, errors } = await ask(tenant.as.admin, readAgain, { ids });
    expect(errors).toBeUndefined();
    const at = (__typename: string, id: string) => ({ __typename, id });
    expect(data.nodes).toEqual([
      at('User', user),
      null,
      at('Event', event),
      null,
      null,
      null,
      null,
      null,
      at('User', user),
    ]);
  });

  test('that a staff member or a client may not see are null', async () => {
    const hidden = await service.createEvent(tenant.business, { status: 'draft' });
    const ids = [...(await ofEveryType()).map(({ id }) => id), encodeGlobalId('Event', hidden.uuid)];
    const seenBy = async (as: string) => {
      const { data, errors } = await ask(as, readAgain, { ids });
      expect(errors).toBeUndefined();
      return (data.nodes as (Shown | null)[]).flatMap((node) => (node ? [node.__typename] : [])).sort();
    };
    expect(await seenBy(tenant.as.staff)).toEqual([
      ...['Attendance', 'AvailabilityException', 'AvailabilityPattern', 'Business', 'CallTime', 'Event'],
      ...['ShiftSwap', 'UserQualification', 'WorkShift'],
    ]);
    expect(await seenBy(tenant.as.client)).toEqual(['Business', 'CallTime', 'Event', 'User', 'WorkShift']);
    expect(await seenBy(tenant.as.key)).not.toContain('ApiKey');
  });

  test('are bounded, and cost one statement for each type', async () => {
    const id = encodeGlobalId('User', tenant.staff.id);
    const { errors } = await ask(tenant.as.admin, readAgain, { ids: Array(limits.namedItemsMax + 1).fill(id) });
    expect(errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { ids: [`must have at most ${limits.namedItemsMax} items`] },
    });
    const users = await Promise.all(Array.from({ length: 5 }, () => service.createUser(tenant.business, 'staff')));
    const statementsOf = async (people: typeof users) => {
      const before = sqlCount();
      await ask(tenant.as.admin, readAgain, { ids: people.map((user) => encodeGlobalId('User', user.id)) });
      return statementsSince(before).length;
    };
    expect(await statementsOf(users)).toBe(await statementsOf(users.slice(0, 1)));
  });
});

describe('an argument that names a row', () => {
  const titleOf = async (id: string) =>
    (await ask(tenant.as.admin, 'query ($id: ID!) { event(id: $id) { title } }', { id })).data;
  const nameOf = async (id: string) =>
    (await ask(tenant.as.admin, 'query ($id: ID!) { user(id: $id) { name } }', { id })).data;

  test("takes the row's global id, or the name that REST has for it", async () => {
    for (const id of [rows.event.uuid, encodeGlobalId('Event', rows.event.uuid), rows.event.uuid.toUpperCase()])
      expect(await titleOf(id)).toEqual({ event: { title: 'Gala' } });
    for (const id of [String(tenant.staff.id), encodeGlobalId('User', tenant.staff.id)])
      expect(await nameOf(id)).toEqual({ user: { name: tenant.staff.name } });
  });

  test('refuses every other text like an unknown row, wherever it stands', async () => {
    const unknown = await ask(tenant.as.admin, `{ user(id: "${encodeGlobalId('User', 2_000_000_000)}") { name } }`);
    expect(unknown.errors[0].extensions).toEqual({ code: 'NOT_FOUND' });
    const wrong = [
      encodeGlobalId('Position', tenant.staff.id),
      `${encodeGlobalId('User', tenant.staff.id)}=`,
      Buffer.from(`User:0${tenant.staff.id}`).toString('base64url'),
      Buffer.from(`User:${tenant.staff.id}:1`).toString('base64url'),
      Buffer.from('User:constructor').toString('base64url'),
      '0',
      '-1',
      '99999999999',
      'User',
      '',
    ];
    for (const id of wrong) {
      const { data, errors } = await ask(tenant.as.admin, 'query ($id: ID!) { user(id: $id) { name } }', { id });
      expect({ id, data, errors }).toEqual({
        id,
        data: unknown.data,
        errors: unknown.errors.map((error: object) => ({ ...error, locations: [{ line: 1, column: 20 }] })),
      });
    }
    const assign = `mutation ($user: ID!) { assignShift(input: { callTimeId: "${rows.callTime.uuid}", userId: $user }) { shift { uuid } } }`;
    const { errors } = await ask(tenant.as.admin, assign, { user: encodeGlobalId('Event', rows.event.uuid) });
    expect(errors[0].extensions).toEqual({
      code: 'VALIDATION_FAILED',
      errors: { userId: ['must be the id of a row of this type'] },
    });
    const filtered = await ask(
      tenant.as.admin,
      '{ events(filter: { clientId: "nobody", customField: { fieldId: "x", value: "y" } }) { totalCount } }',
    );
    expect(Object.keys(filtered.errors[0].extensions.errors)).toEqual([
      'filter.clientId',
      'filter.customField.fieldId',
    ]);
  });

  test('reads call times, shifts, positions, skill levels and custom fields at the root', async () => {
    const { callTime, shift, position, skillLevel, field } = rows;
    const query = `{
      callTime(id: "${encodeGlobalId('CallTime', callTime.uuid)}") { databaseId }
      workShift(id: "${shift.uuid}") { databaseId user { databaseId } }
      position(id: "${encodeGlobalId('Position', position.id)}") { databaseId title defaultPayRate payUnit version }
      skillLevel(id: ${skillLevel.id}) { databaseId name version }
      customFieldDefinition(id: "${encodeGlobalId('CustomFieldDefinition', field.uuid)}") { uuid name } }`;
    expect((await ask(tenant.as.admin, query)).data).toEqual({
      callTime: { databaseId: callTime.id },
      workShift: { databaseId: shift.id, user: { databaseId: tenant.staff.id } },
      position: {
        databaseId: position.id,
        title: position.title,
        defaultPayRate: '20.00',
        payUnit: 'HOUR',
        version: 1,
      },
      skillLevel: { databaseId: skillLevel.id, name: 'Expert', version: 1 },
      customFieldDefinition: { uuid: field.uuid, name: field.name },
    });
    const codes = async (as: string) =>
      Object.fromEntries(
        ((await ask(as, query)).errors ?? []).map(
          ({ path, extensions }: { path: string[]; extensions: { code: string } }) => [path[0], extensions.code],
        ),
      );
    const notTheirs = { position: 'FORBIDDEN', skillLevel: 'FORBIDDEN', customFieldDefinition: 'FORBIDDEN' };
    expect(await codes(tenant.as.staff)).toEqual(notTheirs);
    expect(await codes(tenant.as.client)).toEqual(notTheirs);
    expect(new Set(Object.values(await codes(stranger.as.admin)))).toEqual(new Set(['NOT_FOUND']));
  });
});

test('positions and skill levels of a call time are objects, and only admins see the default rate', async () => {
  const query = `{ event(id: "${rows.event.uuid}") {
    callTimes { position { id title payUnit defaultPayRate version } skillLevel { id name version } }
    workShifts { position { databaseId defaultPayRate } } } }`;
  const shown = (as: string) => ask(as, query).then(({ data }) => data.event);
  const position = {
    id: encodeGlobalId('Position', rows.position.id),
    title: rows.position.title,
    payUnit: 'HOUR',
    version: 1,
  };
  const skillLevel = { id: encodeGlobalId('SkillLevel', rows.skillLevel.id), name: 'Expert', version: 1 };
  for (const [as, defaultPayRate] of [
    [tenant.as.admin, '20.00'],
    [tenant.as.staff, null],
    [tenant.as.client, null],
  ] as const)
    expect(await shown(as)).toEqual({
      callTimes: [{ position: { ...position, defaultPayRate }, skillLevel }],
      workShifts: [{ position: { databaseId: rows.position.id, defaultPayRate } }],
    });
});
