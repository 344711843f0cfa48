import { expect } from '@jest/globals';
import { limits } from '../../src/config/limits.ts';
import {
  asked,
  badRequest,
  created,
  given,
  tooLarge,
  newEvent,
  ok,
  unsupportedType,
  unauthenticated,
  invalidFields,
  type BadInput,
  type Scene,
} from './bad-input.ts';
import { written } from './wire.ts';

/** The body as it is, to every surface that takes one. */
const everywhere = ({ tenant: { as, staff }, event }: Scene, body: string, headers: Record<string, string> = {}) =>
  (
    [
      ['POST', '/v1/events'],
      ['PUT', `/v1/events/${event.uuid}`],
      ['POST', '/api/v1/users'],
      ['PUT', `/api/v1/users/${staff.id}`],
      ['POST', '/v1/tokens/business'],
      ['POST', '/v1/auth/login'],
    ] as const
  ).map(([method, path]) => written(method, path, { as: as.admin, body, headers }));

const isLogIn = (wire: string): boolean => wire.startsWith('POST /v1/auth/login ');

const json = (fields: object): string => JSON.stringify({ ...newEvent, ...fields });

/** A good event, but for what is put in as JSON as it stands. */
const withRaw = (name: string, raw: string): string => json({}).replace(/\}$/, `,"${name}":${raw}}`);

const post = ({ tenant: { as } }: Scene, body: unknown) => written('POST', '/v1/events', { as: as.admin, body });
const put = ({ tenant: { as }, event }: Scene, body: unknown) =>
  written('PUT', `/v1/events/${event.uuid}`, { as: as.admin, body });

const textFields = ['title', 'timezone', 'start_time', 'venue_name', 'description', 'private_notes', 'zip', 'latitude'];

export const body: readonly BadInput[] = [
  {
    title: 'empty body, JSON type',
    cases: (scene) => [
      ...everywhere(scene, '').map((wire) => given(badRequest, wire)),
      given(badRequest, written('POST', '/graphql', { as: scene.tenant.as.admin, body: '' })),
    ],
  },
  {
    title: '"{"',
    cases: (scene) =>
      [
        '{',
        '{"title":',
        '{"title":"x"',
        '{"title":"x"}}',
        '{title:"x"}',
        "{'title':'x'}",
        '{"a":1,}',
        '\u0001',
        '{"a":NaN}',
        '{"a":01}',
        '{"a":"\n"}',
      ]
        .flatMap((text) => [
          ...everywhere(scene, text),
          written('POST', '/graphql', { as: scene.tenant.as.admin, body: text }),
        ])
        .map((wire) => given(badRequest, wire)),
  },
  {
    title: 'null, [], "x"',
    cases: (scene) =>
      ['null', '[]', '"x"', '1', 'true', '[{}]'].flatMap((text) =>
        everywhere(scene, text).map((wire) => given(invalidFields('input'), wire)),
      ),
  },
  {
    title: 'text/plain; no type',
    cases: (scene) =>
      ['text/plain', '', 'application/xml', 'text/json', 'application/jsonp', 'json'].flatMap((type) => [
        ...everywhere(scene, json({}), { 'content-type': type }).map((wire) => given(unsupportedType, wire)),
        given(
          unsupportedType,
          asked('{ __typename }', { as: scene.tenant.as.admin, headers: { 'content-type': type } }),
        ),
      ]),
  },
  {
    title: '"application/json\\tx" (CVE-2026-25223)',
    cases: (scene) =>
      ['application/json\tx', 'application/json x', 'application/json,text/plain', 'application/json/x'].flatMap(
        (type) => everywhere(scene, json({}), { 'content-type': type }).map((wire) => given(unsupportedType, wire)),
      ),
  },
  {
    title: 'urlencoded, multipart',
    cases: (scene) =>
      (
        [
          ['application/x-www-form-urlencoded', 'title=x&timezone=UTC'],
          ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--b--'],
        ] as const
      ).flatMap(([type, text]) => [
        ...everywhere(scene, text, { 'content-type': type }).map((wire) => given(unsupportedType, wire)),
        given(
          unsupportedType,
          written('POST', '/graphql', { as: scene.tenant.as.admin, body: text, headers: { 'content-type': type } }),
        ),
      ]),
  },
  {
    title: 'over bodyLimit',
    cases: (scene) => [
      ...everywhere(scene, json({ description: 'x'.repeat(263_000) })).map((wire) => given(tooLarge, wire)),
      given(tooLarge, asked(`{ __typename }${' '.repeat(263_000)}`, { as: scene.tenant.as.admin })),
      // Said to be long, and never sent.
      given(
        tooLarge,
        written('POST', '/v1/events', {
          as: scene.tenant.as.admin,
          body: '{',
          headers: { 'content-length': '900000000' },
        }),
      ),
    ],
  },
  {
    title: 'chunked over limit',
    cases: ({ tenant: { as } }) =>
      ['/v1/events', '/graphql', '/api/v1/users'].map((path) => {
        const head = written('POST', path, {
          as: as.admin,
          body: '',
          headers: { 'content-length': '', 'transfer-encoding': 'chunked', connection: '' },
        });
        const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
        return given({ ...tooLarge, closes: true }, head + chunk.repeat(6));
      }),
  },
  {
    title: '__proto__ / constructor.prototype keys',
    cases: (scene) =>
      [
        '{"__proto__":{"role":"admin"}}',
        '{"\\u005f_proto__":{}}',
        '{"__proto__":null}',
        '{"constructor":{"prototype":{"role":"admin"}}}',
        '{"title":{"__proto__":{}}}',
        '[{"__proto__":{}}]',
      ].flatMap((text) =>
        [...everywhere(scene, text), written('POST', '/graphql', { as: scene.tenant.as.admin, body: text })].map(
          (wire) => given(badRequest, wire),
        ),
      ),
  },
  {
    title: 'duplicate keys',
    cases: (scene) => [
      given(created, post(scene, withRaw('title', '"The last"')), ({ body: { data } }) =>
        expect(data.title).toBe('The last'),
      ),
      given(invalidFields('title'), post(scene, withRaw('title', '""'))),
    ],
  },
  {
    title: 'fields that REST renames or passes to the operation itself',
    cases: (scene) => [
      ...['uuid', 'expectedVersions', 'expected_versions', 'startTime', 'unknown key: title'].map((name) =>
        given(invalidFields(name), put(scene, { [name]: [1] })),
      ),
      ...['id', 'expectedVersions'].map((name) =>
        given(
          invalidFields(name),
          written('PUT', `/api/v1/users/${scene.tenant.staff.id}`, { as: scene.tenant.as.admin, body: { [name]: 1 } }),
        ),
      ),
    ],
  },
  {
    title: 'a malformed id beside a wrong body',
    cases: ({ tenant: { as } }) => [
      given(invalidFields('title'), written('PUT', '/v1/events/x', { as: as.admin, body: { title: 1 } })),
      given(invalidFields('name'), written('PUT', '/api/v1/users/0', { as: as.admin, body: { name: 1 } })),
    ],
  },
  {
    title: 'BOM + JSON',
    cases: (scene) => [
      given(created, post(scene, `\uFEFF${json({})}`)),
      given(ok, written('POST', '/graphql', { body: '\uFEFF{"query":"{ __typename }"}' })),
      given(badRequest, post(scene, '\uFEFF')),
    ],
  },
  {
    title: '10,000-deep arrays',
    cases: (scene) =>
      [10_000, 120_000].flatMap((depth) => {
        const deep = '['.repeat(depth) + ']'.repeat(depth);
        return [
          ...everywhere(scene, deep).map((wire) =>
            // A log-in comes without a credential, or does not use it.
            given(isLogIn(wire) && deep.length > limits.anonymousBodyBytes ? tooLarge : invalidFields('input'), wire),
          ),
          given(invalidFields('title'), put(scene, `{"title":${deep}}`)),
          given(invalidFields('client_id'), put(scene, `{"client_id":${deep.replace('[]', '[1E2]')}}`)),
          given(badRequest, put(scene, '['.repeat(depth))),
          given(invalidFields('a'), put(scene, '{"a":'.repeat(depth / 4) + '1' + '}'.repeat(depth / 4))),
          given(badRequest, written('POST', '/graphql', { as: scene.tenant.as.admin, body: deep })),
        ];
      }),
  },
  {
    title: '1e400, -0, 1E2 for an int',
    cases: (scene) =>
      [
        '1e400',
        '-1e400',
        '-0',
        '-0.0',
        '1E2',
        '1e0',
        '100e-2',
        '1.0',
        '1.00000000000000000001',
        '1.5',
        '-1',
        '0',
        '1e-400',
        '2147483648',
        '9007199254740993',
      ].flatMap((number) => [
        given(invalidFields('client_id'), post(scene, withRaw('client_id', number))),
        given(
          invalidFields('client_id'),
          put(scene, `{ "description" : "1E2, \\"-0\\" \\\\", "client_id" :${number}}`),
        ),
        given(invalidFields('title'), put(scene, `{"title":${number}}`)),
      ]),
  },
  {
    title: '\\u0000 in any string',
    cases: (scene) => [
      ...['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00\\ud800'].flatMap((text) =>
        textFields.flatMap((name) => [
          given(invalidFields(name), put(scene, `{"${name}":"${text}"}`)),
          given(invalidFields(name), post(scene, json({ [name]: 0 }).replace(`"${name}":0`, `"${name}":"${text}"`))),
        ]),
      ),
      ...['email', 'name', 'role'].map((name) =>
        given(
          invalidFields(name),
          written('PUT', `/api/v1/users/${scene.tenant.staff.id}`, {
            as: scene.tenant.as.admin,
            body: { [name]: 'a\0b' },
          }),
        ),
      ),
      given(
        invalidFields('name'),
        written('POST', '/v1/tokens/business', { as: scene.tenant.as.admin, body: { name: 'a\0b' } }),
      ),
      given(
        invalidFields('email', 'password'),
        written('POST', '/v1/auth/login', { body: { email: 'a\0@b.cc', password: 'a\0b' } }),
      ),
    ],
  },
  {
    title: 'unknown field',
    cases: (scene) =>
      ['colour', 'Title', 'startTime', '', 'constructor', 'toString', '__proto', 'a.b', '0', 'title ', '🎪'].flatMap(
        (name) => [
          given(invalidFields(name || 'input'), put(scene, { [name]: 'x' })),
          given(invalidFields(name || 'input'), post(scene, { ...newEvent, [name]: null })),
          given(
            invalidFields(name || 'input'),
            written('PUT', `/api/v1/users/${scene.tenant.staff.id}`, {
              as: scene.tenant.as.admin,
              body: { [name]: 'x' },
            }),
          ),
        ],
      ),
  },
  {
    title: 'GET with body',
    cases: (scene) => [
      ...['{"title":1}', '{', '\0', 'x'.repeat(5000)].map((text) =>
        given(ok, written('GET', '/v1/events', { as: scene.tenant.as.admin, body: text })),
      ),
      given(unauthenticated, written('GET', '/v1/events', { body: '{' })),
      given(ok, written('HEAD', '/healthz', { body: '{' })),
      given(ok, written('GET', '/healthz', { body: '{', headers: { 'content-type': 'text/plain' } })),
    ],
  },
];
