import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType, type GraphQLNamedType } from 'graphql';
import { runProbe, type Probe } from '../../src/bin/isolation/probe.ts';
import {
  buildDocument,
  isId,
  buildSelection,
  buildVariables,
  findPaths,
  type SchemaField,
} from '../../src/bin/isolation/documents.ts';
import { collectIds, graphqlProbes, createPlaceFinder, readAll, findReads } from '../../src/bin/isolation/graphql.ts';
import { Ids, type Id } from '../../src/bin/isolation/ids.ts';
import type { Instance } from '../../src/bin/isolation/instance.ts';
import { findLists, readList, restProbes, readRoutes } from '../../src/bin/isolation/rest.ts';
import type { NodeType } from '../../src/fields/node-types.ts';
import { encodeGlobalId } from '../../src/model/global-ids.ts';
import type { TestApp } from './app.ts';
import type { Tenant } from './factories.ts';
import {
  hiddenFields,
  isFollowed,
  nestedCells,
  nestedRoots,
  ofStaff,
  rootTypes,
  schema,
  type Role,
} from './nested-fields.ts';
import { createScreen } from './screens.ts';
import { takeShare } from './share.mjs';
import { bytesOf, digestsOf, type MatrixScene } from './matrix.ts';

/* Every field below the root that leads to rows, followed by each role; and every argument, with ids of the other business. */

let scene: MatrixScene;
let service: TestApp;
/** Board tokens of screens without a filter. */
const screens = new Map<Tenant, string>();

const credentialOf = (role: Role, tenant: Tenant): string =>
  role === 'screen' ? screens.get(tenant)! : tenant.as[role];

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

/** Declares the tests of what hangs on root fields. They come last: nothing puts back what they add. */
export function testNested(app: () => TestApp, currentScene: () => Promise<MatrixScene>): void {
  beforeAll(async () => {
    service = app();
    scene = await currentScene();
    const { prisma } = service;
    for (const tenant of [scene.own, scene.other]) {
      const { id: positionId } = await prisma.position.findFirstOrThrow({ where: { businessId: tenant.business.id } });
      await createScreen(prisma, tenant, { clientId: tenant.client.id, positionId });
      screens.set(tenant, (await createScreen(prisma, tenant)).token);
    }
  });

  describe('a field below the root', () => {
    test('is followed from every type that has rows', () => {
      const followed = new Set(nestedCells.map(({ name }) => name));
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
      for (const name of Object.values(hiddenFields).flat()) expect([...followed]).toContain(name);
    });

    // All at night.
    test.each(takeShare('nested fields', nestedCells, 3))(
      '$name shows the $role what is in reach, and no row of another business',
      async ({ role, name, way }) => {
        const { own, other } = scene;
        const { ids, isThere, errors } = await follow(way, role, own);
        expect(errors).toBeUndefined();
        const isHidden = (role === 'staff' || role === 'client') && hiddenFields[role].includes(name);
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
        ...graphqlProbes(schema, idsOfA, idsOfB, ({ name }) => nestedRoots.admin(name)),
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
          /(^|[a-z])(Uu|u)?[iI]d$/.test(field.name) &&
          !isId(field) &&
          !['resourceId', 'requestId'].includes(field.name),
      )
      .map(({ type, field }) => `${type.name}.${field.name}`);
    expect(unread).toEqual([]);
  });
}
