import { expect } from '@jest/globals';
import { badRequest, given, methodNotAllowed, notFound, ok, unsupportedType, type BadInput } from './bad-input.ts';
import { written } from './wire.ts';

const line = (text: string, ...headers: string[]) => [text, ...headers, '', ''].join('\r\n');
const malformed = { ...badRequest, closes: true };

/** A client hello of TLS 1.2, as far as it matters. */
const hello = Buffer.from('16030100c6010000c20303' + '5a'.repeat(32) + '20' + 'a5'.repeat(32), 'hex');

export const http: readonly BadInput[] = [
  {
    title: 'HTTP/1.1 without Host',
    cases: ({ tenant: { as } }) => [
      given(badRequest, line('GET /v1/events HTTP/1.1', 'Connection: close')),
      given(badRequest, written('GET', '/v1/events', { as: as.admin, headers: { host: '' } })),
      given(badRequest, written('GET', '/graphql?query={__typename}', { as: as.admin, headers: { host: '' } })),
      given(badRequest, written('GET', '/api/v1/users', { as: as.admin, headers: { host: '' } })),
    ],
  },
  {
    title: 'Host empty, "a b", "%%%" on /graphql',
    cases: ({ tenant: { as } }) =>
      ['/graphql?query={__typename}', '/v1/events', '/healthz'].flatMap((path) => [
        ...['', 'a b', '%%%', 'a/b', 'a?b', 'a#b', 'me@a', 'a:b', 'a:70000', '[::1', 'é', '<script>'].map((host) =>
          given(badRequest, line(`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close')),
        ),
        given(badRequest, written('GET', path, { as: as.admin, headers: { host: ['a.example', 'b.example'] } })),
      ]),
  },
  {
    title: 'CL+TE together; two Content-Lengths',
    cases: ({ tenant: { as } }) =>
      [
        ['Content-Length: 5', 'Transfer-Encoding: chunked'],
        ['Transfer-Encoding: chunked', 'Content-Length: 5'],
        ['Content-Length: 5', 'Content-Length: 6'],
        ['Content-Length: 5', 'Content-Length: 5'],
        ['Content-Length: -1'],
        ['Content-Length: 5, 6'],
        ['Content-Length: 99999999999999999999999'],
        ['Transfer-Encoding: gzip'],
        ['Transfer-Encoding: gzip, chunked'],
        ['Transfer-Encoding : chunked'],
      ].map((headers) => {
        const credential = `Authorization: Bearer ${as.admin}`;
        const type = 'Content-Type: application/json';
        return given(
          malformed,
          `${line('POST /v1/events HTTP/1.1', 'Host: localhost', credential, type, ...headers)}0\r\n\r\n`,
        );
      }),
  },
  {
    title: '20 KB header',
    cases: () =>
      ['/v1/events', '/graphql', `/v1/events?x=${'x'.repeat(20_000)}`].map((path) =>
        given(
          { status: 431, code: 'HEADERS_TOO_LARGE', closes: true },
          line(`GET ${path} HTTP/1.1`, 'Host: localhost', `X-Long: ${'x'.repeat(20_000)}`).replace(
            '/graphql ',
            '/v1/nothing ',
          ),
        ),
      ),
  },
  {
    title: 'method FOO',
    cases: () => [
      ...['FOO /v1/events HTTP/1.1', 'get /v1/events HTTP/1.1', 'GET /v1/events HTTP/9.9'].map((first) =>
        given(malformed, line(first, 'Host: localhost')),
      ),
      given(malformed, line('CONNECT localhost:80 HTTP/1.1', 'Host: localhost')),
      given(malformed, line('GET /v1/ev ents HTTP/1.1', 'Host: localhost')),
      given(malformed, line('GET /v1/events HTTP/1.1', 'Host: localhost', 'No colon')),
      given(malformed, line('GET /v1/events HTTP/1.1', 'Host: localhost', 'X: a\0b')),
      given(malformed, 'GET /v1/events HTTP/1.1\nHost: localhost\n\n'),
    ],
  },
  {
    title: 'TRACE /v1/events',
    cases: ({ tenant: { as } }) => [
      given(methodNotAllowed('GET, HEAD, POST'), written('TRACE', '/v1/events', { as: as.admin })),
      given(methodNotAllowed('GET, HEAD, POST'), written('TRACE', '/graphql')),
    ],
  },
  {
    title: 'PATCH /v1/events (wrong verb)',
    cases: ({ tenant: { as }, event }) => [
      ...['PATCH', 'PUT', 'DELETE', 'PROPFIND', 'SEARCH', 'LINK', 'M-SEARCH', 'PURGE'].map((verb) =>
        given(methodNotAllowed('GET, HEAD, POST'), written(verb, '/v1/events', { as: as.admin })),
      ),
      given(
        methodNotAllowed('GET, HEAD, POST'),
        written('PATCH', '/v1/events', { as: as.admin, body: { title: 'x' } }),
      ),
      given(methodNotAllowed('GET, HEAD, PUT, DELETE'), written('PATCH', `/v1/events/${event.uuid}`, { as: as.admin })),
      given(methodNotAllowed('GET, HEAD, PUT, DELETE'), written('PATCH', '/api/v1/users/1', { as: as.admin })),
      given(methodNotAllowed('POST'), written('GET', '/v1/auth/login')),
      given(methodNotAllowed('GET, HEAD, POST'), written('PUT', '/graphql', { as: as.admin })),
      given(methodNotAllowed('GET, HEAD'), written('POST', '/healthz', { body: {} })),
    ],
  },
  {
    title: 'trailing slash, //, upper-case path',
    cases: ({ tenant: { as }, event }) =>
      [
        '/v1/events/',
        '//v1/events',
        '/v1//events',
        '/V1/events',
        '/v1/Events',
        '/v1/events;a=b',
        '/v1/../v1/events',
        '/v1/%2e%2e/v1/events',
        '/v1%2Fevents',
        '/v1/events%2F',
        '/API/v1/users',
        '/api/v1/users/',
        '/GraphQL',
        `/v1/events/${event.uuid}/`,
        `/v1/events//${event.uuid}`,
        '/',
      ].map((path) =>
        path === '/' ? given(ok, written('GET', path)) : given(notFound, written('GET', path, { as: as.admin })),
      ),
  },
  {
    title: '/%E0%A4%A',
    cases: ({ tenant: { as } }) =>
      [
        '/%E0%A4%A',
        '/v1/events/%E0%A4%A',
        '/v1/events/%',
        '/v1/events/%zz',
        '/api/v1/users/%E0%A4%A',
        '/graphql/%E0%A4%A',
      ].map((path) => given(badRequest, written('GET', path, { as: as.admin }))),
  },
  {
    title: '%00 in path',
    cases: ({ tenant: { as }, event }) =>
      [
        '/v1/events/a%00b',
        `/v1/events/${event.uuid}%00`,
        '/v1/events%00',
        '/%00',
        '/api/v1/users/1%00',
        '/v1/work_shifts/event/%00',
        '/graphql%00',
        '/graphql/schema.graphql%00',
        '/guide/%00',
        '/docs%00',
        '/playground/%00',
        '/readyz%00?x=1',
      ].map((path) => given(notFound, written('GET', path, { as: as.admin }))),
  },
  {
    title: 'path param 101+ chars',
    cases: ({ tenant: { as } }) =>
      [100, 101, 150, 1001, 5000].flatMap((length) => [
        given(notFound, written('GET', `/v1/events/${'a'.repeat(length)}`, { as: as.admin })),
        given(notFound, written('PUT', `/v1/events/${'a'.repeat(length)}`, { as: as.admin, body: {} })),
        given(notFound, written('GET', `/api/v1/users/${'9'.repeat(length)}`, { as: as.admin })),
        given(notFound, written('DELETE', `/v1/tokens/business/${'a'.repeat(length)}`, { as: as.admin })),
      ]),
  },
  {
    title: 'Expect: foo',
    cases: ({ tenant: { as } }) =>
      ['/v1/events', '/graphql', '/api/v1/users'].map((path) =>
        given(
          { status: 417, code: 'EXPECTATION_FAILED', closes: true },
          written('POST', path, { as: as.admin, headers: { expect: 'foo', connection: '' }, body: { title: 'x' } }),
        ),
      ),
  },
  {
    title: 'Content-Encoding: gzip body',
    cases: ({ tenant: { as } }) =>
      ['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown'].flatMap((encoding) =>
        ['/v1/events', '/graphql', '/api/v1/users', '/v1/auth/login'].map((path) =>
          given(
            unsupportedType,
            written('POST', path, { as: as.admin, headers: { 'content-encoding': encoding }, body: { title: 'x' } }),
          ),
        ),
      ),
  },
  {
    title: 'HTTP/1.0, no Host',
    cases: ({ tenant: { as } }) => [
      given(ok, line('GET /v1/events HTTP/1.0', `Authorization: Bearer ${as.admin}`)),
      given(ok, line('GET /healthz HTTP/1.0')),
      given(ok, line('GET /graphql?query={__typename} HTTP/1.0', 'Apollo-Require-Preflight: 1'), ({ body }) =>
        expect(body).toEqual({ data: { __typename: 'Query' } }),
      ),
      given(badRequest, line('GET /healthz HTTP/1.0', 'Host: a b')),
    ],
  },
  {
    title: 'Accept: application/xml',
    cases: ({ tenant: { as }, event }) =>
      ['application/xml', 'text/html', 'application/json;q=0', 'image/*'].flatMap((accept) => [
        ...['/v1/events', `/v1/events/${event.uuid}`, '/api/v1/users'].map((path) =>
          given({ status: 406, code: 'NOT_ACCEPTABLE' }, written('GET', path, { as: as.admin, headers: { accept } })),
        ),
        given(
          { status: 406, code: 'NOT_ACCEPTABLE' },
          written('POST', '/v1/events', { as: as.admin, headers: { accept }, body: {} }),
        ),
      ]),
  },
  {
    title: 'TLS hello/garbage on port',
    cases: () => [
      given(malformed, hello),
      given(malformed, Buffer.from([0, 1, 2, 3, 255, 254])),
      given(malformed, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      given(malformed, 'SSH-2.0-client\r\n'),
      given(malformed, '*1\r\n$4\r\nPING\r\n'),
      given(malformed, '\r\n\r\nhello\r\n\r\n'),
    ],
  },
];
