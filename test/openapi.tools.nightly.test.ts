import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rolldown } from 'rolldown';
import { writeBrunoCollection } from './openapi/bruno-collection.ts';
import type { TestApp } from './support/app.ts';
import { logIn, sendableOperations, startExampleApp } from './support/example-scene.ts';
import { convertToPostman, requestsOf } from './support/postman.ts';

/* The OpenAPI document as its users' tools read it: linters, generators of clients, and collections of requests. */

const folder = fileURLToPath(new URL('openapi/', import.meta.url));
const generated = join(folder, 'generated');
const require = createRequire(new URL('openapi/package.json', import.meta.url));

let service: TestApp;
let origin: string;
let document: object;

const run = promisify(execFile);

/** Runs a tool of the package. A tool that fails throws with all that it has printed. */
async function runTool(name: string, args: readonly string[], cwd = folder): Promise<string> {
  const { HOME = '', PATH = '' } = process.env;
  const env = {
    HOME,
    PATH,
    CI: 'true',
    DO_NOT_TRACK: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  const tool = join(folder, 'node_modules/.bin', name);
  try {
    return (await run(tool, args, { cwd, env, maxBuffer: 50_000_000 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error });
  }
}

beforeAll(async () => {
  service = await startExampleApp();
  origin = await service.app.http.listen({ host: '127.0.0.1', port: 0 });
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated, { recursive: true });
  const text = await (await fetch(`${origin}/openapi.json`)).text();
  document = JSON.parse(text) as object;
  await writeFile(join(generated, 'openapi.json'), text);
});

afterAll(() => service.close());

describe('linters find nothing', () => {
  test('Redocly, with its recommended rules', async () => {
    const report = await runTool('redocly', [
      'lint',
      'generated/openapi.json',
      '--extends=recommended',
      // An event's own address has a fixed word where others have its uuid, and routers take the fixed one.
      '--skip-rule=no-ambiguous-paths',
      '--format=json',
    ]);
    const { totals, problems } = JSON.parse(report) as { totals: object; problems: object[] };
    expect({ totals, problems }).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  test('Spectral, with its rules for OpenAPI', async () => {
    await writeFile(join(generated, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
    const args = ['lint', 'generated/openapi.json', '--ruleset=generated/spectral.yaml', '--format=json', '--quiet'];
    expect(JSON.parse(await runTool('spectral', args))).toEqual([]);
  });
});

test('a Bruno collection that is made of the document runs, from the log-in to the last deletion', async () => {
  const collection = join(generated, 'bruno');
  const count = await writeBrunoCollection(document, collection);
  const report = join(generated, 'bruno.json');
  const args = ['run', '-r', '--env', 'local', '--env-var', `baseUrl=${origin}`, '--reporter-json', report];
  await runTool('bru', args, collection).catch((error: unknown) => error);
  const results = (JSON.parse(await readFile(report, 'utf8')) as BrunoReport[]).flatMap((each) => each.results);
  const failed = results.filter(({ assertionResults }) => assertionResults.some(({ status }) => status !== 'pass'));
  expect(failed.map(({ test: { filename }, response: { status, data } }) => ({ filename, status, data }))).toEqual([]);
  expect(results).toHaveLength(count);
  expect(count).toBeGreaterThanOrEqual(sendableOperations(document).length);
});

interface BrunoReport {
  readonly results: readonly {
    readonly test: { readonly filename: string };
    readonly response: { readonly status: number; readonly data: unknown };
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

describe('generated clients compile under strict, and take the tour of the README', () => {
  const clients = {
    'hey-api': [
      'openapi-ts',
      '-i',
      './generated/openapi.json',
      '-o',
      'generated/hey-api',
      '-c',
      '@hey-api/client-fetch',
    ],
    orval: ['orval', '-i', './generated/openapi.json', '-o', 'generated/orval/api.ts', '--client', 'fetch'],
    'swagger-typescript-api': [
      ...['swagger-typescript-api', 'generate', '--path', 'generated/openapi.json'],
      ...['--output', 'generated/swagger-typescript-api', '--name', 'api.ts'],
    ],
  };

  beforeAll(async () => {
    await Promise.all(Object.values(clients).map(([tool = '', ...args]) => runTool(tool, args)));
    await runTool('tsc', ['-p', '.']);
  });

  // openapi-typescript is tried in clients.tools.test.ts, together with openapi-fetch.
  test.each(Object.keys(clients))('%s', async (name) => {
    const bundle = await rolldown({ cwd: folder, input: `tours/${name}.ts`, platform: 'node', logLevel: 'silent' });
    const file = join(generated, `tour-${name}.mjs`);
    await bundle.write({ file, format: 'esm' });
    await bundle.close();
    const { stdout } = await run(process.execPath, [file, origin]);
    expect(JSON.parse(stdout)).toEqual({
      listed: 2,
      created: 'active',
      read: '2027-10-02 18:00:00',
      updated: ['draft', 'Black tie'],
      refused: { status: 422, errors: { end_time: ['must be after the start'] } },
    });
  });
});

test('the bodies and rows of a Postman collection that is converted from the document are accepted', async () => {
  const fresh = await startExampleApp();
  const requests = requestsOf(await convertToPostman(require, document));
  let as = '';
  const refused: unknown[] = [];
  for (const { id, method, path, example, url } of sendableOperations(document)) {
    const request = requests.find((each) => each.method === method && each.template === path);
    if (!request) throw new Error(`The collection has no ${method} ${path}.`);
    const caller = example?.caller;
    const own = caller === undefined ? undefined : await logIn(fresh, caller);
    // The conversion asks for optional things as well: what is needed is in the address of the example.
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const send = () =>
      fresh.call(method, request.path + search, {
        as: own ?? as,
        ...(request.body !== undefined && { body: request.body }),
      });
    let answer = await send();
    if (answer.status === 401) {
      const first = requests.find((each) => each.template === '/v1/auth/login');
      as = String((await fresh.call('POST', '/v1/auth/login', { body: first?.body })).body.data.access_token);
      answer = await send();
    }
    if (answer.status >= 300) refused.push({ id, path: request.path, sent: request.body, answer: answer.body });
  }
  expect(refused).toEqual([]);
  await fresh.close();
});
