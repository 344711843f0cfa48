import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, getNullableType, isListType, isObjectType } from 'graphql';
import { createSchema } from '../src/nouns.ts';
import { useOneTenant } from './support/app.ts';
import { usePackage } from './support/package.ts';

/* Every list that pages is a Relay connection, beside page numbers. */

let uuid: string;

const service = usePackage();
const tenant = useOneTenant(service);

beforeAll(async () => {
  const { business, staff } = tenant;
  const event = await service.createEvent(business);
  uuid = event.uuid;
  for (let index = 0; index < 5; index++) {
    await service.createCallTime(event);
    // All of them overlap.
    await service.createShift(event, staff);
    await service.setCustomValue(event, await service.createCustomField(business), `Value ${index}`);
  }
});

const schema = createSchema();
const objects = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));

test('every connection has nodes, edges, pageInfo and a total, and can be read both ways', () => {
  const connections = objects.filter(({ name }) => name.endsWith('Connection'));
  expect(connections.length).toBeGreaterThan(6);
  for (const connection of connections) {
    const { nodes, edges, pageInfo, totalCount } = connection.getFields();
    const edge = getNamedType(edges!.type);
    if (!isObjectType(edge)) throw new Error(`${connection.name} has no edges.`);
    expect(edge.name).toBe(connection.name.replace(/Connection$/, 'Edge'));
    expect(isListType(getNullableType(edges!.type))).toBe(true);
    expect(Object.keys(edge.getFields()).sort()).toEqual(['cursor', 'node']);
    expect(getNamedType(edge.getFields()['node']!.type)).toBe(getNamedType(nodes!.type));
    expect([String(pageInfo!.type), String(totalCount!.type)]).toEqual(['PageInfo!', 'Int!']);
  }
  const fields = objects.flatMap((type) => Object.values(type.getFields()));
  for (const { name, type, args } of fields.filter(({ type: of }) => connections.includes(getNamedType(of) as never)))
    expect({ name, type, args: args.map((arg) => arg.name) }).toEqual({
      name,
      type,
      args: expect.arrayContaining(['first', 'after', 'last', 'before', 'page', 'perPage']),
    });
});

const span = 'from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z"';

describe.each([
  ['callTimesConnection', () => [`event(id: "${uuid}") { list: callTimesConnection`, '} '], 'uuid', 5, 'admin'],
  ['customFieldsConnection', () => [`event(id: "${uuid}") { list: customFieldsConnection`, '} '], 'id', 5, 'admin'],
  ['workShiftsConnection', () => [`event(id: "${uuid}") { list: workShiftsConnection`, '} '], 'uuid', 5, 'admin'],
  ['conflicts', () => ['list: conflicts', '', span], 'first { uuid } second { uuid }', 10, 'admin'],
  ['myShifts', () => ['list: myShifts', ''], 'uuid', 5, 'staff'],
  ['users', () => ['list: users', ''], 'id', 3, 'admin'],
] as const)('%s', (_name, parts, item, count, who) => {
  async function read(args: string) {
    const [open = '', close = '', always = ''] = parts();
    const query = `{ ${open}(${always} ${args}) { totalCount nodes { ${item} } edges { cursor node { ${item} } }
      pageInfo { page hasNextPage hasPreviousPage startCursor endCursor } } ${close} }`;
    const { body } = await service.graphql(query, { as: tenant.as[who] });
    return { errors: body.errors, list: body.data?.event?.list ?? body.data?.list };
  }

  test('reads on behind each cursor, to the end, as by page number', async () => {
    const { list: whole } = await read('perPage: 100');
    expect(whole.nodes).toHaveLength(count);
    const seen: object[] = [];
    for (let after = '', left = count; left > 0; left -= 2) {
      const { list, errors } = await read(`first: 2${after && `, after: "${after}"`}`);
      expect(errors).toBeUndefined();
      const { nodes, edges, pageInfo, totalCount } = list;
      expect(totalCount).toBe(count);
      expect(edges.map(({ node }: { node: object }) => node)).toEqual(nodes);
      expect(pageInfo).toEqual({
        page: null,
        hasNextPage: left > 2,
        hasPreviousPage: left < count,
        startCursor: edges[0].cursor,
        endCursor: edges.at(-1).cursor,
      });
      seen.push(...nodes);
      after = pageInfo.endCursor;
    }
    expect(seen).toEqual(whole.nodes);
    // The cursor of any item leads to the next one.
    const { list: rest } = await read(`first: 100, after: "${whole.edges[0].cursor}"`);
    expect(rest.nodes).toEqual(whole.nodes.slice(1));
  });

  test.each(['x', 'W10', 'WyJwbGFjZSIsMF0', 'WyJwbGFjZSIsMS41XQ'])('refuses the cursor %s', async (after) => {
    const { errors } = await read(`first: 2, after: "${after}"`);
    expect(errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { after: ['must be a cursor of a list in this order'] },
    });
  });
});
