import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { toGraphqlErrors } from '../src/graphql/row-ids.ts';
import { createSchema } from '../src/nouns.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { callRoute, parityMap, type ParityMap } from './support/parity-map.ts';
import { twins } from './support/parity-twins.ts';
import { camelCase, type Route, type Shape } from './support/parity.ts';
import { delegateOf, inRestNames, newFields, newName, resources, type AnyResource } from './support/resources.ts';
import { takeShare } from './support/share.mjs';

/* Both dialects refuse the same with the same code and the same words: every bound of every route, one step beyond. */

let map: ParityMap;
let tenant: Tenant;
let uuid: string;

const service = useService({ env: { CALLBOARD_ANONYMOUS_PER_MINUTE: '100000' } });

beforeAll(async () => {
  map = parityMap(service.app.http.swagger(), createSchema());
  tenant = await service.createTenant();
  uuid = (await service.createEvent(tenant.business)).uuid;
});

const event = { title: 'Gala', start_time: '2027-01-01 18:00:00', end_time: '2027-01-02 02:00:00', timezone: 'UTC' };
const email = () => `${randomUUID()}@example.com`;
const user = () => ({ email: email(), name: 'Robin Fields', role: 'staff', password: 'enough of a password' });

/** Valid input for each route. */
const fine: Record<string, () => Record<string, unknown>> = {
  'tokens.login': () => ({ email: email(), password: 'x' }),
  'apiKeys.create': () => ({ name: 'Key' }),
  'apiKeys.revoke': () => ({ keyId: 'A1b2C3d4E5f6' }),
  'events.list': () => ({ custom_field_uuid: randomUUID(), custom_field_value: 'x' }),
  'events.listEarlier': () => ({}),
  'events.get': () => ({ uuid }),
  'events.getEarlier': () => ({ uuid }),
  'events.create': () => event,
  'events.update': () => ({ uuid }),
  'workShifts.listOfEvent': () => ({ event_uuid: uuid }),
  'users.list': () => ({}),
  'users.get': () => ({ id: tenant.staff.id }),
  'users.create': user,
  'users.update': () => ({ id: tenant.staff.id }),
  'users.delete': () => ({ id: tenant.client.id }),
  ...Object.fromEntries(resources.flatMap(fineOf)),
};

/** Valid input for the routes of a plain resource. Its rows do not exist, so that nothing is changed. */
function fineOf(resource: AnyResource): [string, () => Record<string, unknown>][] {
  const { get, create, update, remove } = resource.operations;
  const id = limits.int4Max;
  return [
    [get.operation.name, () => ({ id })],
    [create.operation.name, () => inRestNames(newFields(resource))],
    [update.operation.name, () => ({ id, ...newName(resource) })],
    [remove.operation.name, () => ({ id })],
  ];
}

/** Values that lie one step beyond what the shape allows. */
function beyond({ type, format, enum: values, anyOf, maxLength, minimum, maximum }: Shape, place: string): unknown[] {
  const kinds = [type].flat();
  // GraphQL refuses the whole document for a wrong enum value, a list of them, a wrong flag, an instant, or a date.
  const isRefusedWhole = values || anyOf || kinds.includes('array');
  if (isRefusedWhole || format === 'date-time' || format === 'local-date') return [];
  if (kinds.includes('number')) return maximum === undefined ? [] : [maximum + 1];
  // Others are told apart by their form, which is none in GraphQL.
  if (place === 'header') return maxLength === undefined ? [] : ['', 'é'.repeat(maxLength + 1)];
  if (kinds.includes('integer'))
    return [
      ...(minimum === undefined ? [] : [minimum - 1]),
      // Beyond 32 bits GraphQL has no Int at all.
      ...(maximum === undefined || maximum >= limits.int4Max ? [] : [maximum + 1]),
    ];
  return [
    'x',
    '',
    ' ',
    // The values stand in the document here, which may not be as long as the longest of them.
    ...(maxLength === undefined || maxLength >= limits.graphqlChars ? [] : ['é'.repeat(maxLength + 1)]),
    ...(place === 'body' ? ['a\0b'] : []),
    ...(format === 'wall-time' ? ['2027-02-30 12:00:00', '1969-12-31 23:59:59', '3000-01-01 00:00:00'] : []),
    ...(format === 'iana-zone' ? ['europe/london', '+05:00'] : []),
  ];
}

/** Removes the rows of a plain resource whose name is the value that is tried: it could be taken. */
async function removeNamed({ operationId }: Route): Promise<void> {
  const resource = resources.find(({ list }) => operationId.startsWith(`${list}.`));
  if (!resource) return;
  const where = { businessId: tenant.business.id, [resource.name]: 'x' };
  await delegateOf(service.prisma, resource).deleteMany({ where });
}

/** Returns the refusals of both dialects. Each gets its own rows, so that they do not affect each other. */
async function refusals(route: Route, broken: Record<string, unknown>) {
  const as = tenant.as.admin;
  const sent = () => ({ ...fine[route.operationId]?.(), ...broken });
  await removeNamed(route);
  const rest = (await callRoute(service, route, sent(), as)).body;
  await removeNamed(route);
  const { body } = await service.graphql(map.operationFor(route, sent()), { as });
  const [error] = body.errors ?? [];
  return {
    rest: { code: rest.code ?? 'OK', message: rest.code ? rest.message : '', errors: inGraphQl(route, rest.errors) },
    graphql: {
      code: error?.extensions.code ?? 'OK',
      message: error?.message ?? '',
      errors: error?.extensions.errors,
    },
  };
}

const inGraphQl = ({ operationId }: Route, errors?: Record<string, string[]>) =>
  errors &&
  toGraphqlErrors(
    Object.fromEntries(
      Object.entries(errors).map(([name, texts]) => [twins[operationId]?.takes?.[name] ?? camelCase(name), texts]),
    ),
  );

describe('invalid input', () => {
  test('has a valid counterpart for every route that takes input', () => {
    const taking = map.routes.filter(({ takes }) => Object.keys(takes).length > 0);
    expect(taking.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(fine).sort());
  });

  test.each(takeShare('bounds of routes', Object.keys(fine), 2))(
    'is refused in the same way by both dialects of %s',
    async (operationId) => {
      const route = map.routes.find((each) => each.operationId === operationId)!;
      let refused = 0;
      for (const [name, { shape, in: place }] of Object.entries(route.takes))
        for (const value of beyond(shape, place)) {
          // An empty address names another route.
          if (place === 'path' && value === '') continue;
          // A parameter without a value is not given in REST.
          if (place === 'query' && value === '') continue;
          const { rest, graphql } = await refusals(route, { [name]: value });
          expect({ name, value, ...graphql }).toEqual({ name, value, ...rest });
          if (rest.code !== 'OK') refused++;
        }
      expect(refused).toBeGreaterThan(0);
    },
  );

  test.each(['events.create', 'users.create', 'events.list'])('is reported completely by %s', async (operationId) => {
    const route = map.routes.find((each) => each.operationId === operationId)!;
    const sent = Object.fromEntries(
      Object.entries(route.takes).flatMap(([name, { shape, in: place }]) => {
        const [value] = beyond(shape, place).slice(-1);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const { rest, graphql } = await refusals(route, sent);
    expect(graphql).toEqual(rest);
    expect(Object.keys(rest.errors!).length).toBeGreaterThan(1);
  });
});
