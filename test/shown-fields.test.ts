import { beforeAll, expect, test } from '@jest/globals';
import { getNamedType, isLeafType, isObjectType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* Rows are read as far as a query asks for them: whatever is asked alone is the same as among all else. */

const schema = createSchema();
const lists = { CallTime: 'callTimes', WorkShift: 'workShifts' } as const;
type Listed = keyof typeof lists;
const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

/** The field, with all the leaves of what it gives, and of what those pages hold. */
function asked(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return field.name;
  const { nodes, ...others } = type.getFields();
  const leaves = Object.values(others).filter(
    ({ type: inner, args }) => isLeafType(getNamedType(inner)) && !args.length,
  );
  return `${field.name} { ${[...leaves.map(({ name }) => name), ...(nodes ? [asked(nodes)] : [])].join(' ')} }`;
}

const cases = (Object.keys(lists) as Listed[]).flatMap((type) =>
  Object.values(typeOf(type).getFields()).map((field) => [type, field.name, asked(field)] as const),
);

let tenant: Tenant;
let uuid: string;
const whole: Partial<Record<Listed, Record<string, unknown>[]>> = {};

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0', CALLBOARD_ENTERPRISE_PER_MINUTE: '100000' } });

beforeAll(async () => {
  tenant = await service.createTenant('enterprise');
  const position = await service.createPosition(tenant.business);
  const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
  uuid = event.uuid;
  const callTime = await service.createCallTime(event, {
    positionId: position.id,
    notesForStaff: 'Side door.',
    dressCode: 'Black',
  });
  await service.createShift(event, tenant.staff, { positionId: position.id, callTimeId: callTime.id });
  for (const type of Object.keys(lists) as Listed[])
    whole[type] = await read(type, Object.values(typeOf(type).getFields()).map(asked).join(' '));
});
async function read(type: Listed, fields: string, as = tenant.as.admin): Promise<Record<string, unknown>[]> {
  const query = `query ($uuid: ID!) { event(id: $uuid) { list: ${lists[type]} { ${fields} } } }`;
  const { body } = await service.graphql(query, { as, variables: { uuid } });
  expect(body.errors).toBeUndefined();
  return body.data.event.list as Record<string, unknown>[];
}

test.each(cases)('%s.%s', async (type, name, fields) => {
  expect(whole[type]).toHaveLength(1);
  expect(await read(type, fields)).toEqual([{ [name]: whole[type]?.[0]?.[name] }]);
});

test('fragments, aliases and types in several places are included', async () => {
  const query = `
    query ($uuid: ID!) {
      event(id: $uuid) {
        workShifts { ...Names }
        callTimes { at: startTime workShifts { first: firstName ... on WorkShift { event { callTimes { payRate } } } } }
      }
    }
    fragment Names on WorkShift { name: lastName start { local timezone } }`;
  const { body } = await service.graphql(query, { as: tenant.as.admin, variables: { uuid } });
  expect(body.errors).toBeUndefined();
  const [shift] = whole.WorkShift ?? [];
  const [callTime] = whole.CallTime ?? [];
  const { local, timezone } = shift!['start'] as { local: string; timezone: string };
  expect(body.data.event).toEqual({
    workShifts: [{ name: shift?.['lastName'], start: { local, timezone } }],
    callTimes: [
      {
        at: callTime?.['startTime'],
        workShifts: [{ first: shift?.['firstName'], event: { callTimes: [{ payRate: callTime?.['payRate'] }] } }],
      },
    ],
  });
});

test('asking for fewer fields never shows a caller more', async () => {
  expect(await read('CallTime', 'payRate notesForStaff', tenant.as.staff)).toEqual([
    { payRate: null, notesForStaff: 'Side door.' },
  ]);
  expect(await read('CallTime', 'payRate notesForStaff', tenant.as.client)).toEqual([
    { payRate: null, notesForStaff: null },
  ]);
  expect(await read('WorkShift', 'payRate overrideReason', tenant.as.client)).toEqual([
    { payRate: null, overrideReason: null },
  ]);
});
