import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { RecordedChange } from '../src/access/change.ts';
import { authenticationHook, type AuthenticationParts } from '../src/http/authentication.ts';
import { createServer } from '../src/http/server.ts';
import { useService } from './support/app.ts';
import { testFields } from './support/authorization-fields.ts';
import { testNested } from './support/authorization-nested.ts';
import { configOf, mailEnv } from './support/config.ts';
import { cellsOf, createCellCheck, type Callable } from './support/matrix-cells.ts';
import { addressOf, routeRows } from './support/matrix-rows.ts';

/*
 * Every route of REST and every root field of GraphQL, called by everyone, and what hangs on the fields. All of it looks at one scene,
 * which takes seconds to make.
 */

const recorded: RecordedChange[] = [];
const service = useService({
  onRecorded: (change) => void recorded.push(change),
  env: {
    ...mailEnv(),
    TRUST_PROXY: '127.0.0.1',
    CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
    CALLBOARD_ENTERPRISE_PER_MINUTE: '100000',
  },
});

const cellCheck = createCellCheck(() => service, recorded);
const { currentScene, checkCell } = cellCheck;

const guides = readdirSync(new URL('../src/guide/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -3));

/** Addresses for browsers and probes, which need no credential. Scripts and styles are not listed. */
const publicPages = [
  '/',
  '/app',
  '/app/*',
  '/app/manifest.webmanifest',
  '/app/sw.js',
  '/board',
  '/board/',
  '/playground',
  '/schema',
  '/schema/',
  '/playground/',
  '/demo.json',
  '/robots.txt',
  '/.well-known/security.txt',
  '/favicon.svg',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/openapi.json',
  '/graphql/schema.graphql',
  '/healthz',
  '/readyz',
  '/guide',
  '/guide/',
  ...[...guides, 'security', 'glossary', 'changelog'].flatMap((name) => [`/guide/${name}`, `/guide/${name}/`]),
];

/** A stream has no end, so it is not called here. The row of `GET /v1/changes` calls the same operation. */
const finite = Object.entries(routeRows).filter(([name]) => !name.endsWith('/stream'));
const callables = finite.map(([name, row]): Callable => {
  const [method = '', template = ''] = name.split(' ');
  return {
    name,
    row,
    namesRow: template.includes('{') || row.namesRow === true,
    writes: method !== 'GET',
    ignoresCredential: row.calls.operation.writes,
    call: (target) => {
      const body = row.input?.(target);
      return { ...addressOf(name, target), ...(body && { body }) };
    },
    outcome: (status, body) =>
      status < 400
        ? 'OK'
        : `${(body as { code: string }).code}${status === statuses[(body as { code: string }).code] ? '' : status}`,
  };
});
const statuses: Record<string, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 422,
};

describe('the table of routes', () => {
  test('has a row for every route of the OpenAPI document', () => {
    const { paths } = service.app.http.swagger() as { paths: Record<string, object> };
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(Object.keys(routeRows).sort()).toEqual(documented.sort());
  });

  test('and the pages together cover every route of the running service', () => {
    const parents: string[] = [];
    const addresses = service.app.http
      .printRoutes({ commonPrefix: false })
      .split('\n')
      .flatMap((line) => {
        const [, indent = '', part] = /^([│ ]*)[└├]── (\S+) \(/.exec(line) ?? [];
        if (part === undefined) return [];
        const depth = indent.length / 4;
        parents.length = depth;
        parents.push(part);
        return [
          parents
            .join('')
            .replaceAll(/:(\w+)/g, '{$1}')
            .replace(/^\/app\*$/, '/app/*'),
        ];
      });
    const known = new Set(Object.keys(routeRows).map((route) => route.split(' ')[1]));
    const pages = addresses.filter(
      (address) => !known.has(address) && !/^\/(docs|(playground\/)?(assets|\*))(\/|$)/.test(address),
    );
    expect(addresses).toEqual(expect.arrayContaining([...known]));
    expect(new Set(pages)).toEqual(new Set(['/graphql', '/session', ...publicPages]));
  });

  test.each(publicPages)('does not apply to %s, which is public', async (url) => {
    expect((await service.app.http.inject({ url })).statusCode).toBe(200);
  });

  test('cannot be bypassed: the service does not start with a route that does not declare who may call it', async () => {
    const server = await createServer(configOf(), pino({ level: 'silent' }));
    await server.register(authenticationHook, {} as AuthenticationParts);
    server.get('/forgotten', () => 'secret');
    await expect(server.ready()).rejects.toThrow('/forgotten does not say who may call it');
  });
});

describe('in REST', () => {
  test.each(cellsOf(callables))('$name by $actor: $expected', checkCell);

  test.each(callables.filter(({ writes, row }) => !writes && row.calls.operation.roles !== 'anyone'))(
    'HEAD asks for the same credential as $name',
    async ({ call }) => {
      const { url } = call((await currentScene()).target);
      expect((await service.app.http.inject({ method: 'HEAD', url })).statusCode).toBe(401);
    },
  );

  test('a forbidden caller is refused before the body is checked', async () => {
    const { credentials } = await currentScene();
    for (const [actor, status] of [
      ['anonymous', 401],
      ['staff', 403],
    ] as const) {
      const as = credentials[actor];
      const headers = { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }) };
      const reply = await service.app.http.inject({ method: 'POST', url: '/v1/events', headers, payload: '{' });
      expect(reply.statusCode).toBe(status);
    }
  });
});

testFields(cellCheck);

describe('below the root fields', () => {
  testNested(() => service, currentScene);
});
