import { readFileSync } from 'node:fs';
import { describe, expect, test, beforeAll } from '@jest/globals';
import type { TSchema } from 'typebox';
import { registeredOperations } from '../src/access/operation-record.ts';
import { snakeCase } from '../src/rest/dialect.ts';
import { useService } from './support/app.ts';
import { fieldRows, routeRows } from './support/matrix-rows.ts';
import { routesOf, type Route } from './support/parity.ts';
import { resources } from './support/resources.ts';

/* What GraphQL can read or write, REST can, and the other way round: both call the same operations with the same input. */

let routes: Route[];

const service = useService();

beforeAll(() => {
  routes = routesOf(service.app.http.swagger());
});

const namesIn = (rows: typeof routeRows) => new Set(Object.values(rows).map(({ calls }) => calls.operation.name));
const inRest = namesIn(routeRows);
const inGraphQl = namesIn(fieldRows);

/** Operations that no route or no root field calls by itself, by reason. */
const withinAnswers: Readonly<Record<string, readonly string[]>> = {
  'rows within larger answers of both': [
    ...['callTimes.ofEvents', 'workShifts.ofEvents', 'events.ofIds', 'coverage.ofEvents', 'coverage.ofCallTimes'],
    ...['labourCost.ofEvents', 'labourCost.ofCallTimes', 'callTimes.ofIds', 'workShifts.listsOf'],
    'users.getLogIns',
    ...resources.flatMap(({ operations: { get, getByIds } }) =>
      getByIds.operation === get.operation ? [] : [getByIds.operation.name],
    ),
  ],
  'the people behind rows: GraphQL shows them within its answers, REST names them by id': ['users.ofIds'],
  'pages of values within one answer of GraphQL: REST gives all values of an event at once': [
    'customFields.pagesOfEvents',
  ],
  'the history of rows within one answer of GraphQL: REST has a route for each': ['history.pagesOf'],
  'what many people can and hold, and what many call times require, within one answer of GraphQL: REST has a route for each':
    [...['availability.ofUsers', 'userQualifications.ofUsers', 'requirements.ofCallTimes']],
  'messages and attempts of many webhooks within one answer of GraphQL: REST has a route for those of one': [
    ...['webhooks.messagePagesOf', 'webhooks.attemptsOf'],
  ],
  'snapshots of CSV exports in both': ['exports.open'],
  'the calendar of a feed, whose address calendar programs have': ['feeds.use'],
  'the cookie of the pages, which counts at `/session` alone': ['sessions.use', 'sessions.revokeKept'],
};

/** Operations that only routes of REST call by themselves. */
const onlyRoutes: Readonly<Record<string, readonly string[]>> = {
  'reads of the contract, for admins: `event` of GraphQL is for every role, and has its shifts': [
    ...['events.get', 'workShifts.listOfEvent'],
  ],
  'what GraphQL reads within its answers': [
    ...['customFields.valuesOfEvents', 'attendance.get'],
    ...['webhooks.listMessages', 'webhooks.listAttempts'],
  ],
};

/** Operations that only root fields of GraphQL call by themselves. */
const onlyFields: Readonly<Record<string, readonly string[]>> = {
  'any rows by their global ids, which REST does not have': ['nodes.ofIds'],
};

const listed = (table: Readonly<Record<string, readonly string[]>>) => Object.values(table).flat();

describe('every operation', () => {
  test('behind a root field of GraphQL is behind a route of REST, or listed', () => {
    expect([...inGraphQl].filter((name) => !inRest.has(name))).toEqual(listed(onlyFields));
  });

  test('behind a route of REST is behind a root field of GraphQL, or listed', () => {
    expect([...inRest].filter((name) => !inGraphQl.has(name)).sort()).toEqual(listed(onlyRoutes).sort());
  });

  test('of the service is behind both, or listed', () => {
    const others = registeredOperations().filter(({ name }) => !inRest.has(name) && !inGraphQl.has(name));
    expect(others.map(({ name }) => name)).toEqual(listed(withinAnswers).sort());
  });
});

/** Names that REST has for parts of an input, by the path in it. */
const renamed: Readonly<Record<string, string>> = {
  expectedVersions: 'If-Match',
  mustExist: 'If-Match',
  statuses: 'status',
  'filter.statuses': 'status',
  'filter.states': 'state',
  'filter.text': 'search',
  'filter.customField.fieldUuid': 'custom_field_uuid',
  'filter.customField.value': 'custom_field_value',
  'sort.by': 'sort_by',
  'sort.order': 'sort_order',
};

/** Names of a row in an address, where the input of the operation calls it something else. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  uuid: ['event_uuid'],
  eventUuid: ['uuid'],
  userId: ['id'],
  id: ['keyId', 'feedId'],
  eventIds: ['event_uuid', 'uuid'],
  callTimeIds: ['uuid'],
  ids: ['uuid', 'event_uuid', 'call_time_uuid', 'user_id'],
};

/** Parts of an input that REST has no use for, by reason. */
const notTaken: Readonly<Record<string, readonly string[]>> = {
  'pages have numbers; an export in CSV reads behind cursors by itself': [
    'first',
    'after',
    'last',
    'before',
    'withTotal',
  ],
  'the header If-None-Match, which reads take as well': ['mustBeNew'],
  'a list of one parent needs no kind of parent and no bound for each': ['parent', 'atMostEach'],
};

/** The paths of an input; a list of values is one path. */
function pathsOf(schema: TSchema, path = ''): string[] {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  if (!properties) return [path];
  return Object.entries(properties).flatMap(([name, inner]) => pathsOf(inner, path ? `${path}.${name}` : name));
}

const namesFor = (path: string): string[] => {
  if (renamed[path] !== undefined) return [renamed[path]];
  const own = snakeCase(path.startsWith('filter.') ? path.slice('filter.'.length) : path.replaceAll('.', '_'));
  return [own, ...(addresses[path] ?? [])];
};

test.each([...inRest].sort())('REST takes every input of %s', (name) => {
  const { input } = registeredOperations().find((record) => record.name === name)!;
  const own = Object.entries(routeRows).filter(([, { calls }]) => calls.operation.name === name);
  const taken = new Set(
    own.flatMap(([route]) => Object.keys(routes.find(({ method, path }) => `${method} ${path}` === route)!.takes)),
  );
  const paths = pathsOf(input).filter((path) => path !== '' && !listed(notTaken).includes(path));
  for (const path of paths)
    expect({ path, names: namesFor(path), isTaken: namesFor(path).some((each) => taken.has(each)) }).toMatchObject({
      isTaken: true,
    });
});

test('every route beyond the contract is marked as an extension and has a tag, and no other is marked', () => {
  const beyond = routes.filter(({ isExtension }) => isExtension).map(({ method, path }) => `${method} ${path}`);
  expect(beyond.length).toBe(routes.length - contract.length);
  expect(beyond.filter((route) => contract.includes(route))).toEqual([]);
});

test('the guide for integrators names every route beyond the contract', () => {
  const guide = readFileSync(new URL('../src/guide/integrators.md', import.meta.url), 'utf8');
  const beyond = routes.filter(({ isExtension }) => isExtension);
  expect(
    beyond.map(({ path }) => path).filter((path) => !new RegExp(`${escape(path)}(?![/\\w{])`).test(guide)),
  ).toEqual([]);
});

const escape = (text: string) => text.replaceAll(/[{}]/g, '\\$&');

/** The routes of the contract. */
const contract = [
  'POST /v1/auth/login',
  'GET /v1/tokens/business',
  'DELETE /v1/tokens/business',
  'DELETE /v1/tokens/business/{keyId}',
  'DELETE /v1/tokens/personal',
  'DELETE /v1/tokens/personal/all',
  'GET /v1/events',
  'POST /v1/events',
  'GET /v1/events/{uuid}',
  'PUT /v1/events/{uuid}',
  'GET /v1/objects/events',
  'GET /v1/objects/events/{uuid}',
  'GET /v1/work_shifts/event/{event_uuid}',
  'GET /api/v1/users',
  'POST /api/v1/users',
  'GET /api/v1/users/{id}',
  'PUT /api/v1/users/{id}',
  'DELETE /api/v1/users/{id}',
];
