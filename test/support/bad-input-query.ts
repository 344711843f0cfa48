import { asked, field, given, ok, invalidFields, type BadInput, type Scene } from './bad-input.ts';
import { written } from './wire.ts';

const get = ({ tenant: { as } }: Scene, path: string) => written('GET', path, { as: as.admin });

/** Every list that has pages. */
const lists = ({ event }: Scene) => [
  '/v1/events',
  '/v1/objects/events',
  `/v1/work_shifts/event/${event.uuid}`,
  '/api/v1/users',
];

const everyList = (scene: Scene, queries: readonly string[]) =>
  lists(scene).flatMap((path) =>
    queries.map((query) => given(invalidFields(query.split(/[=[%&]/)[0] ?? ''), get(scene, `${path}?${query}`))),
  );

/** Exports that one caller may open in 15 minutes. */
const exportsMax = 30;

const pages = (...values: string[]) => values.map((value) => `page=${value}`);

export const query: readonly BadInput[] = [
  {
    title: 'page=0,-1,abc,1.5',
    cases: (scene) =>
      everyList(scene, pages('0', '-1', 'abc', '1.5', '1.0', '1e2', '0x1', '%2B1', '%201', '%D9%A3', '1%00')),
  },
  {
    title: 'page=Infinity',
    cases: (scene) => everyList(scene, pages('Infinity', '-Infinity', 'NaN', 'null', 'true', 'undefined')),
  },
  {
    title: 'page=2147483648, 9e18',
    cases: (scene) =>
      everyList(
        scene,
        pages('2147483648', '9e18', '9000000000000000000', '99999999999999999999999', '9223372036854775808'),
      ),
  },
  {
    title: 'page[]=3',
    cases: (scene) =>
      everyList(scene, ['page[]=3', 'page%5B%5D=3', 'page[a]=3', 'page=1&page=1', 'page=1&page[]=1', 'per_page[]=3']),
  },
  {
    title: 'per_page=0,101',
    cases: (scene) =>
      everyList(
        scene,
        ['0', '101', '-5', 'ten', '1.5', '2147483648'].map((size) => `per_page=${size}`),
      ),
  },
  {
    title: 'status=bogus',
    cases: (scene) =>
      ['/v1/events', '/v1/objects/events'].flatMap((path) =>
        [
          ...['bogus', 'ACTIVE', 'active,draft', 'cancelled', '%00', 'active%20'].map((value) => `status=${value}`),
          'status=active&status=draft',
          'status[]=active',
          ...['ASC', 'up', '1', 'asc,desc'].map((value) => `sort_order=${value}`),
        ].map((text) => given(invalidFields(text.split(/[=[]/)[0] ?? ''), get(scene, `${path}?${text}`))),
      ),
  },
  {
    title: 'wrong queries for CSV open no export',
    cases: ({ tenant: { as } }) =>
      Array.from({ length: exportsMax + 1 }, () =>
        given(
          invalidFields('page', 'status'),
          written('GET', '/v1/events?page=0&status=bogus', { as: as.admin, headers: { accept: 'text/csv' } }),
        ),
      ),
  },
  {
    title: 'unknown query key',
    cases: (scene) =>
      lists(scene).flatMap((path) => [
        ...['colour=red', 'perPage=0&Page=0', 'constructor=1&toString=2', '=4', '%00=1'].map((text) =>
          given({ status: 422, code: 'VALIDATION_FAILED' }, get(scene, `${path}?${text}`)),
        ),
        ...['_=1&__proto__=3', 'utm_source=mail', '&&&', 'page=&per_page='].map((text) =>
          given(ok, get(scene, `${path}?${text}`)),
        ),
      ]),
  },
  {
    title: 'negative take/skip reaching Prisma',
    cases: (scene) =>
      [
        ['events(page: -1) { nodes { id } }', 'page'],
        ['events(page: 0) { nodes { id } }', 'page'],
        ['events(perPage: -1) { nodes { id } }', 'perPage'],
        ['events(first: -1) { nodes { id } }', 'first'],
        ['events(first: 0) { nodes { id } }', 'first'],
        ['users(page: -2147483648) { nodes { id } }', 'page'],
        ['users(perPage: -15) { nodes { id } }', 'perPage'],
        [`event(id: "${scene.event.uuid}") { workShiftsConnection(perPage: -1) { nodes { id } } }`, 'perPage'],
        [`event(id: "${scene.event.uuid}") { callTimesConnection(page: -1) { nodes { id } } }`, 'page'],
      ].map(([text = '', name = '']) =>
        given(field(invalidFields(name)), asked(`{ ${text} }`, { as: scene.tenant.as.admin })),
      ),
  },
  {
    title: 'role=ADMIN filter',
    cases: (scene) =>
      ['role=ADMIN', 'role=owner', 'role=admin&role=staff', 'role[]=admin', 'role=admin%00', 'role=admin%20'].map(
        (text) => given(invalidFields('role'), get(scene, `/api/v1/users?${text}`)),
      ),
  },
];
