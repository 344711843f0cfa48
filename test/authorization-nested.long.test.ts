import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType, type GraphQLNamedType, type GraphQLObjectType } from 'graphql';
import { runProbe, type Probe } from '../src/bin/isolation/probe.ts';
import {
  buildDocument,
  isId,
  buildSelection,
  buildVariables,
  findPaths,
  type SchemaField,
} from '../src/bin/isolation/documents.ts';
import { collectIds, graphqlProbes, createPlaceFinder, readAll, findReads } from '../src/bin/isolation/graphql.ts';
import { Ids, type Id } from '../src/bin/isolation/ids.ts';
import type { Instance } from '../src/bin/isolation/instance.ts';
import { findLists, readList, restProbes, readRoutes } from '../src/bin/isolation/rest.ts';
import type { NodeType } from '../src/fields/node-types.ts';
import { encodeGlobalId } from '../src/model/global-ids.ts';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { createScreen } from './support/screens.ts';
import { bytesOf, createMatrixScene, digestsOf, type MatrixScene } from './support/matrix.ts';

/* Every field below the root that leads to rows, followed by each role; and every argument, with ids of the other business. */

let scene: MatrixScene;
/** Board tokens of screens without a filter. */
const screens = new Map<Tenant, string>();

// Far more calls than a business makes in a minute.
const service = useService({ env: { CALLBOARD_ENTERPRISE_PER_MINUTE: '100000' } });

beforeAll(async () => {
  scene = await createMatrixScene(service);
  const { prisma } = service;
  for (const tenant of [scene.own, scene.other]) {
    const { id: positionId } = await prisma.position.findFirstOrThrow({ where: { businessId: tenant.business.id } });
    await createScreen(prisma, tenant, { clientId: tenant.client.id, positionId });
    screens.set(tenant, (await createScreen(prisma, tenant)).token);
  }
});

const schema = createSchema();
type Role = 'admin' | 'key' | 'staff' | 'client' | 'screen';
const roles: readonly Role[] = ['admin', 'key', 'staff', 'client', 'screen'];

const credentialOf = (role: Role, tenant: Tenant): string =>
  role === 'screen' ? screens.get(tenant)! : tenant.as[role];

/** Staff take places by them, so nobody else may. */
const ofStaff: readonly string[] = [
  ...['openCallTimes', 'claimCallTime', 'POST /v1/open_call_times/{uuid}/actions/claim'],
  ...['openSwaps', 'requestSwap', 'takeSwap', 'POST /v1/shift_swaps', 'POST /v1/shift_swaps/{uuid}/actions/take'],
];

/** The lists that each role starts from. */
const roots: Record<Role, (name: string) => boolean> = {
  // `viewer` would be the shortest way to users: to an admin, who works no shifts, or from a key to nobody.
  // `screens` and `feeds` would be the shortest way to clients, who work no shifts either: they are followed by themselves.
  admin: (name) => !name.startsWith('my') && !['viewer', 'screens', 'feeds', ...ofStaff].includes(name),
  key: (name) =>
    !name.startsWith('my') && !['viewer', 'screens', 'feeds', 'apiKeys', 'auditEntries', ...ofStaff].includes(name),
  staff: (name) => ['myShifts', 'viewer', 'openCallTimes'].includes(name),
  client: (name) => ['myEvents', 'viewer'].includes(name),
  screen: (name) => name === 'myScreenBoard',
};

/** Fields of objects that hold no row of a business: how a list is paged, how a time is told. */
const plain = new Set(['PageInfo', 'ZonedTime']);

const isFollowed = (field: SchemaField): boolean => {
  const type = getNamedType(field.type);
  return isObjectType(type) && !plain.has(type.name);
};

/** The ways to the types below a list that takes the id of a row. */
function pathsOfList(list: 'candidates' | 'swapOptions'): [GraphQLNamedType, SchemaField[]][] {
  const way = [schema.getQueryType()!.getFields()[list]!];
  const typeOf = ({ type }: SchemaField) => getNamedType(type);
  const below = (name: string, upper: SchemaField[]): [GraphQLNamedType, SchemaField[]] => {
    const field = (typeOf(upper.at(-1)!) as GraphQLObjectType).getFields()[name]!;
    return [typeOf(field), [...upper, field]];
  };
  const nodes = below('nodes', way);
  return [[typeOf(way[0]!), way], nodes, below('edges', way)];
}

/** Every object field that a role can come to, with its way there. */
const stepsOf = (role: Role) =>
  [
    ...findPaths(schema, ({ name }) => roots[role](name)),
    ...(role === 'admin'
      ? ['screens', 'feeds'].flatMap((root) => [...findPaths(schema, ({ name }) => name === root)].slice(0, 1))
      : []),
    ...(role === 'admin' || role === 'key' ? [...pathsOfList('candidates'), ...pathsOfList('swapOptions')] : []),
  ].flatMap(([type, way]) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter(isFollowed)
          .map((field) => ({ name: `${type.name}.${field.name}`, way: [...way, field] }))
      : [],
  );

/** The history is for admins. */
const history = [
  ...['Event.history', 'WorkShift.history', 'HistoryEntryConnection.nodes', 'HistoryEntryConnection.edges'],
  ...['HistoryEntryEdge.node', 'HistoryEntry.fields', 'HistoryEntry.event'],
];

/** Fields that give nothing, though the role can come to them and there is something. All others give what is in reach. */
const hidden: Record<'staff' | 'client', readonly string[]> = {
  staff: [
    ...history,
    'Event.client',
    'Event.coverage',
    'CallTime.coverage',
    'Event.labourCost',
    'CallTime.labourCost',
    'Position.rates',
    'Event.customFields',
    'Event.customFieldsConnection',
    'CustomFieldValueConnection.nodes',
    'CustomFieldValueConnection.edges',
    'CustomFieldValueEdge.node',
    'Attendance.approvedBy',
  ],
  client: [
    ...history,
    'WorkShift.attendance',
    'Attendance.user',
    'Attendance.approvedBy',
    'Event.labourCost',
    'CallTime.labourCost',
    'Position.rates',
    'Event.customFields',
    'Event.customFieldsConnection',
    'CustomFieldValueConnection.nodes',
    'CustomFieldValueConnection.edges',
    'CustomFieldValueEdge.node',
    // The shortest way leads to the clients themselves, who work no shifts.
    'User.shifts',
    'User.shiftsConnection',
    // What somebody holds, and when they can work, is for admins and for themselves.
    'User.qualifications',
    'UserQualification.user',
    'UserQualification.qualification',
    'User.availability',
    'Availability.patterns',
    'Availability.exceptions',
    'Availability.contradictedShifts',
    'AvailabilityPattern.user',
    'AvailabilityException.user',
  ],
};

const rootTypes: readonly unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

const cells = roles.flatMap((role) => stepsOf(role).map((step) => ({ role, ...step })));

/** The id of a call time of the business for `candidates`, of a shift that can be swapped for `swapOptions`. */
async function argumentsOf({ name, args }: SchemaField, { business }: Tenant): Promise<Record<string, unknown>> {
  const where = { businessId: business.id };
  const { callTime, workShift } = service.prisma;
  if (name === 'candidates')
    return buildVariables(args, new Map([['callTimeId', (await callTime.findFirstOrThrow({ where })).uuid]]));
  if (name !== 'swapOptions') return buildVariables(args, new Map());
  const { uuid } = await workShift.findFirstOrThrow({ where: { ...where, startLocal: new Date('2990-02-08T10:00Z') } });
  return buildVariables(args, new Map([['shiftId', uuid]]));
}

async function follow(
  way: readonly SchemaField[],
  role: Role,
  tenant: Tenant,
): Promise<{ ids: Ids; isThere: boolean; errors: unknown }> {
  const field = way.at(-1)!;
  const chain = await Promise.all(
    way.map(async (each) => ({ field: each, variables: await argumentsOf(each, tenant) })),
  );
  const { query, variables } = buildDocument('query', chain, buildSelection(field.type, { depth: 1, perPage: 5 }));
  const { body } = await service.graphql(query, { as: credentialOf(role, tenant), variables });
  const ids = new Ids();
  if (body.data) collectIds(body.data, schema.getQueryType()!, ids);
  const values = way.reduce<unknown[]>((at, { name }) => at.flatMap((value) => below(value, name)), [body.data]);
  return { ids, isThere: values.some(isSomething), errors: body.errors };
}

const below = (value: unknown, name: string): unknown[] =>
  [(value as Record<string, unknown> | null)?.[name]].flat().filter((each) => each !== null && each !== undefined);
function isSomething(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { nodes } = value as { nodes?: unknown[] };
  return nodes ? nodes.length > 0 : Object.values(value).some((inner) => inner !== null);
}

/** Ids by type that a role may see at all, worked out from the rows. */
async function inReach(role: Role): Promise<Map<string, Set<Id>>> {
  const { own } = scene;
  const where = { businessId: own.business.id };
  const ids = (type: NodeType, rows: { id: number; uuid?: string }[]) =>
    new Set<Id>(rows.flatMap(({ id, uuid }) => [id, ...(uuid ? [uuid] : []), encodeGlobalId(type, uuid ?? id)]));
  const [events, callTimes, shifts, users] = [
    await service.prisma.event.findMany({ where }),
    await service.prisma.callTime.findMany({ where }),
    await service.prisma.workShift.findMany({ where }),
    await service.prisma.user.findMany({ where }),
  ];
  const people: Record<Role, (id: number) => boolean> = {
    admin: () => true,
    key: () => true,
    staff: (id) => id === own.staff.id,
    client: (id) => id === own.client.id || id === own.staff.id,
    screen: () => false,
  };
  return new Map([
    ['Event', ids('Event', events)],
    ['CallTime', ids('CallTime', callTimes)],
    ['WorkShift', ids('WorkShift', shifts)],
    [
      'User',
      ids(
        'User',
        users.filter(({ id }) => people[role](id)),
      ),
    ],
  ]);
}

/** Numbers of rows of any kind: those of different kinds can be the same. */
const ofAnyKind = 'HistoryEntry.rowDatabaseId';

const rowTypes = ['Event', 'CallTime', 'WorkShift', 'User'];

describe('a field below the root', () => {
  test('is followed from every type that has rows', () => {
    const followed = new Set(cells.map(({ name }) => name));
    const made = new Set(Object.values(schema.getMutationType()!.getFields()).map(({ type }) => getNamedType(type)));
    const read = (type: GraphQLNamedType) =>
      isObjectType(type) && !type.name.startsWith('__') && !isMadeAlone(type, made);
    const all = Object.values(schema.getTypeMap())
      .filter(read)
      .filter((type) => !rootTypes.includes(type))
      .flatMap((type) =>
        isObjectType(type)
          ? Object.values(type.getFields())
              .filter(isFollowed)
              .map(({ name }) => `${type.name}.${name}`)
          : [],
      );
    expect([...followed].sort()).toEqual(all.sort());
    for (const name of Object.values(hidden).flat()) expect([...followed]).toContain(name);
  });

  test.each(cells)(
    '$name shows the $role what is in reach, and no row of another business',
    async ({ role, name, way }) => {
      const { own, other } = scene;
      const { ids, isThere, errors } = await follow(way, role, own);
      expect(errors).toBeUndefined();
      const isHidden = (role === 'staff' || role === 'client') && hidden[role].includes(name);
      expect({ name, isThere: isThere || nowhere.test(name) }).toEqual({
        name,
        isThere: !isHidden || nowhere.test(name),
      });
      const reach = await inReach(role);
      const theirs = (await follow(way, role, other)).ids;
      for (const place of ids.places()) {
        const [type = '', field = ''] = place.split('.');
        if (rowTypes.includes(type) && /^u?u?id$/.test(field))
          for (const id of ids.at(place))
            expect({ place, id, isInReach: reach.get(type)!.has(id) }).toEqual({ place, id, isInReach: true });
        if (place !== ofAnyKind)
          for (const id of ids.at(place))
            expect({ place, id, isShared: theirs.has(place, id) }).toEqual({ place, id, isShared: false });
      }
    },
  );
});

/** Types that have no rows in the scene. Without a cursor, nothing has changed. */
const nowhere = /^(AuditEntr|ChangePage|CoverageReport|LabourCostReport|CallTime\.skillLevel$)/;

/** A type that is only ever given by what makes it. */
function isMadeAlone(type: GraphQLNamedType, made: Set<GraphQLNamedType>): boolean {
  const isRead = [...findPaths(schema, () => true).keys()].includes(type);
  return (
    !isRead &&
    (made.has(type) ||
      type.name.startsWith('AssignShift') ||
      ['Clash', 'FieldError', 'CreateError'].includes(type.name))
  );
}

describe('an argument that takes an id', () => {
  const instanceOf = (as: string): Instance => {
    let calls = 0;
    const call: Instance['call'] = async ({ method, path, body }) => {
      calls++;
      const bytes = await bytesOf(
        service,
        { method, url: path, ...(body !== undefined && { body: body as object }) },
        as,
      );
      const [status, , text] = JSON.parse(bytes) as [number, unknown, string];
      return { status, bytes, body: JSON.parse(text) as unknown };
    };
    const query: Instance['query'] = async (text, variables = {}) =>
      (await call({ method: 'POST', path: '/graphql', body: { query: text, variables } })).body as never;
    return { call, query, calls: () => calls };
  };

  test('answers an id of another business like an unknown id, in every route and field', async () => {
    const { own, other } = scene;
    const [a, b, staff] = [own.as.admin, other.as.admin, other.as.staff].map(instanceOf) as [
      Instance,
      Instance,
      Instance,
    ];
    const [idsOfA, idsOfB] = [new Ids(), new Ids()];
    const routes = readRoutes(service.app.http.swagger());
    for (const [instance, ids] of [
      [a, idsOfA],
      [b, idsOfB],
    ] as const) {
      for (const route of findLists(routes)) await readList(instance, route, ids);
      for (const field of findReads(schema)) await readAll(instance, field, 4, ids);
    }
    const attempts: Probe[] = [
      ...restProbes(routes, idsOfA, idsOfB, createPlaceFinder(schema, idsOfA)),
      ...graphqlProbes(schema, idsOfA, idsOfB, ({ name }) => roots.admin(name)),
    ];
    expect(attempts.length).toBeGreaterThan(70);
    const before = await digestsOf(service, [own]);
    const otherwise: string[] = [];
    for (const attempt of attempts) {
      const { verdict, detail, target, argument } = await runProbe(
        ofStaff.includes(attempt.target) ? staff : b,
        attempt,
      );
      if (verdict !== 'isolated') otherwise.push(`${target} ${argument}: ${verdict}, ${detail}`);
    }
    expect(otherwise).toEqual([]);
    expect(await digestsOf(service, [own])).toEqual(before);
  });
});

test('every id of a row has a type that the matrix recognizes as an id', () => {
  const unread = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ type, field })) : []))
    .filter(
      ({ field }) =>
        /(^|[a-z])(Uu|u)?[iI]d$/.test(field.name) && !isId(field) && !['resourceId', 'requestId'].includes(field.name),
    )
    .map(({ type, field }) => `${type.name}.${field.name}`);
  expect(unread).toEqual([]);
});
