import { expect } from '@jest/globals';
import {
  asked,
  badRequest,
  graphqlError,
  given,
  methodNotAllowed,
  unsupportedType,
  type BadInput,
  type Case,
  type Scene,
  type Verdict,
} from './bad-input.ts';
import { written } from './wire.ts';

const parse = graphqlError('GRAPHQL_PARSE_FAILED');
const validation = graphqlError('GRAPHQL_VALIDATION_FAILED');
const input = graphqlError('BAD_USER_INPUT');

const refusing = ({ tenant: { as } }: Scene, verdict: Verdict, ...queries: string[]): Case[] =>
  queries.map((query) =>
    given(verdict, asked(query, { as: as.admin }), ({ body }) => expect(body.data).toBeUndefined()),
  );

const body = (scene: Scene, value: unknown, headers: Record<string, string> = {}) =>
  written('POST', '/graphql', { as: scene.tenant.as.admin, body: value, headers });

export const graphql: readonly BadInput[] = [
  {
    title: 'syntax error',
    cases: (scene) =>
      refusing(
        scene,
        parse,
        '{',
        '}',
        '{ viewer { name }',
        'query',
        '{ viewer(: 1) }',
        '{ "x" }',
        '\u0000',
        '{ a: }',
        '}{',
        '"""',
        '{ viewer @ }',
        '{ £ }',
      ),
  },
  {
    title: 'unknown field',
    cases: (scene) => [
      ...refusing(
        scene,
        validation,
        '{ nothing }',
        '{ viewer { nme } }',
        '{ viewer }',
        '{ viewer { name { x } } }',
        'mutation { createNothing { uuid } }',
        '{ events(colour: 1) { nodes { id } } }',
        '{ viewer { ... on Nothing { x } } }',
        'query ($x: Nothing) { viewer { name } }',
        'fragment f on Viewer { name }',
      ),
      ...refusing(scene, badRequest, ''),
      ...refusing(scene, parse, ' ', '# nothing', '\ufeff'),
    ],
  },
  {
    title: 'array batch',
    cases: (scene) =>
      [[], [{ query: '{ __typename }' }], [{ query: '{ __typename }' }, { query: '{ __typename }' }], [[]]].map(
        (sent) => given(badRequest, body(scene, sent)),
      ),
  },
  {
    title: 'GET mutation',
    cases: ({ tenant: { as } }) =>
      ['mutation { logout { revoked } }', 'mutation { __typename }', 'subscription { revision }'].map((text) =>
        given(
          { status: 405, headers: { allow: 'POST' } },
          written('GET', `/graphql?query=${encodeURIComponent(text)}`, {
            as: as.admin,
            headers: { 'apollo-require-preflight': '1' },
          }),
        ),
      ),
  },
  {
    title: 'GET without preflight header',
    cases: ({ tenant: { as } }) => [
      // As a browser sends it for a page of another site.
      ...[
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', 'content-type': 'text/plain' },
        { origin: 'https://elsewhere.example' },
      ].map((headers) => given(badRequest, written('GET', '/graphql?query={__typename}', { headers }))),
      ...[
        { 'sec-fetch-site': 'cross-site', 'apollo-require-preflight': '1' },
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        {},
      ].map((headers) => given({ status: 200 }, written('GET', '/graphql?query={__typename}', { headers }))),
      // No browser sends a credential without a preflight.
      ...[{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }, {}].map((headers) =>
        given({ status: 200 }, written('GET', '/graphql?query={__typename}', { as: as.admin, headers })),
      ),
      given(badRequest, written('GET', '/graphql', { as: as.admin })),
      given(methodNotAllowed('GET, HEAD, POST'), written('DELETE', '/graphql', { as: as.admin })),
    ],
  },
  {
    title: 'text/plain or form POST',
    cases: (scene) =>
      (
        [
          ['text/plain', '{"query":"{ __typename }"}'],
          ['application/x-www-form-urlencoded', 'query={__typename}'],
          ['multipart/form-data; boundary=b', '--b--'],
          ['application/graphql', '{ __typename }'],
        ] as const
      ).map(([type, text]) => given(unsupportedType, body(scene, text, { 'content-type': type }))),
  },
  {
    title: 'variables "x"; query 1; unknown operationName',
    cases: (scene) => [
      ...[
        { query: '{ __typename }', variables: 'x' },
        { query: '{ __typename }', variables: [1] },
        { query: '{ __typename }', variables: 1 },
        { query: 1 },
        { query: null },
        { query: ['{ __typename }'] },
        { query: '{ __typename }', operationName: 1 },
        { query: '{ __typename }', extensions: 'x' },
        {},
        null,
        'x',
        1,
      ].map((sent) => given(badRequest, body(scene, JSON.stringify(sent)))),
      ...[
        { query: 'query a { __typename }', operationName: 'b' },
        { query: 'query a { __typename }', operationName: '' },
        { query: '{ __typename }', operationName: '' },
        { query: 'query a { __typename } query b { __typename }' },
        { query: 'query a { __typename }', operationName: '__proto__' },
      ].map((sent) => given(graphqlError('OPERATION_RESOLUTION_FAILURE'), body(scene, sent))),
    ],
  },
  {
    title: 'Int 2^31 or 1.5',
    cases: (scene) => {
      const by = 'query ($n: Int) { events(page: $n) { nodes { id } } }';
      return [
        ...[2_147_483_648, -2_147_483_649, 1.5, '1', true, [1], {}, 1e300].map((n) =>
          given(input, asked(by, { as: scene.tenant.as.admin, variables: { n } })),
        ),
        given(input, body(scene, JSON.stringify({ query: by }).replace(/\}$/, ',"variables":{"n":1e400}}'))),
        given(input, asked('query ($n: ID!) { user(id: $n) { name } }', { as: scene.tenant.as.admin, variables: {} })),
        given(
          input,
          asked('query ($n: ID!) { user(id: $n) { name } }', { as: scene.tenant.as.admin, variables: { n: null } }),
        ),
        ...refusing(
          scene,
          validation,
          ...['2147483648', '1.5', '1E2', '1.0', '"1"', 'true', 'ONE'].map(
            (n) => `{ events(page: ${n}) { nodes { id } } }`,
          ),
        ),
        ...refusing(scene, validation, '{ events(filter: { statuses: [BOGUS] }) { nodes { id } } }'),
        ...refusing(scene, parse, '{ events(page: 01) { nodes { id } } }', '{ events(page: 1a) { nodes { id } } }'),
        given(
          input,
          asked(
            'query ($i: CreateEventInput!) { __typename }'
              .replace('query', 'mutation')
              .replace('__typename', 'createEvent(input: $i) { id }'),
            { as: scene.tenant.as.admin, variables: { i: { colour: 'red' } } },
          ),
        ),
      ];
    },
  },
  {
    title: 'subscription',
    cases: (scene) => [
      ...refusing(scene, { status: 406, code: 'NOT_ACCEPTABLE' }, 'subscription { revision }'),
      ...refusing(scene, validation, 'subscription { viewer { name } }', 'subscription { nothing }'),
    ],
  },
];
