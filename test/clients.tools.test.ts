import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/*
 * Two clients as their users would have them: types generated from what the running service publishes, compiled by
 * their own compiler, run as processes of their own against the demo data.
 */

const folder = fileURLToPath(new URL('clients/', import.meta.url));
const inRoot = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const tools = join(folder, 'node_modules/.bin');

let dataDir: string;
let service: ServiceProcess;
let token: string;

/** A command in the clients' package. */
async function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const found = [tools, PATH].join(delimiter);
  const options = { cwd: folder, env: { PATH: found, HOME, ...env } };
  return promisify(execFile)(command, args, options).then(
    ({ stdout }) => ({ status: 0, stdout }),
    ({ code, stdout, stderr }) => ({ status: Number(code), stdout: `${stdout}${stderr}` }),
  );
}

async function succeed(command: string, args: readonly string[], env?: Record<string, string>): Promise<string> {
  const { status, stdout } = await run(command, args, env);
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}`);
  return stdout;
}

/** Which guide shows which client. */
const guideByClient = { graphql: 'src/guide/dashboards.md', rest: 'src/guide/integrators.md' };

/** The clients that the guides show become part of the package. */
async function writeGuideClients(origin: string): Promise<void> {
  await mkdir(join(folder, 'generated/guide'), { recursive: true });
  for (const [name, guide] of Object.entries(guideByClient)) {
    const shown = [...(await inRoot(guide)).matchAll(/```ts client\n([^]*?)```/g)].map(([, code = '']) => code);
    expect(shown).toHaveLength(1);
    const code = shown[0]!.replaceAll("'./generated/", "'../").replaceAll('http://127.0.0.1:4000', origin);
    await writeFile(join(folder, `generated/guide/${name}.ts`), code);
  }
}

const logIn = async (): Promise<string> => {
  const answer = await fetch(`${service.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@aurora.example', password: 'callboard-demo' }),
  });
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

beforeAll(async () => {
  await rm(join(folder, 'generated'), { recursive: true, force: true });
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-clients-'));
  service = await startProcess({ DATA_DIR: dataDir });
  await writeGuideClients(service.origin);
  await Promise.all([
    succeed('graphql-codegen', ['--config', 'codegen.ts']),
    succeed('openapi-typescript', [`${service.origin}/openapi.json`, '-o', 'generated/openapi.d.ts']),
    logIn().then((made) => (token = made)),
  ]);
});

afterAll(async () => {
  stopAll();
  await rm(dataDir, { recursive: true, force: true });
});

test('the schema that the types are made from is the one that the service publishes', async () => {
  const served = await (await fetch(`${service.origin}/graphql/schema.graphql`)).text();
  expect(await inRoot('schema.graphql')).toBe(served);
});

describe('with the types of the two documents', () => {
  let wrong: { status: number; stdout: string };

  beforeAll(async () => {
    [, wrong] = await Promise.all([succeed('tsc', []), run('tsc', ['-p', 'wrong'])]);
  });

  const printedBy = async (client: string) =>
    JSON.parse(
      await succeed('node', [
        `generated/js/${client}/main.js`,
        service.origin,
        'admin@aurora.example',
        'callboard-demo',
      ]),
    );

  test('the GraphQL client pages by cursor, reads a board in one round trip, creates, and acts on codes', async () => {
    const printed = await printedBy('graphql');
    expect(printed.pages).toBe(Math.ceil(printed.uuids.length / 10));
    expect(printed.pages).toBeGreaterThan(2);
    expect(new Set(printed.uuids).size).toBe(printed.uuids.length);
    expect(printed.boardRoundTrips).toBe(1);
    expect(printed.board).toMatchObject({
      __typename: 'Event',
      start: { local: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), timezone: expect.any(String) },
      labourCost: { planned: expect.stringMatching(/^\d+\.\d\d$/), currency: 'USD' },
      callTimes: expect.arrayContaining([expect.objectContaining({ coverage: expect.anything() })]),
      workShifts: expect.any(Array),
      customFields: expect.any(Array),
    });
    expect(printed.created).toMatchObject({ title: 'From the dashboard', startsAt: '2027-10-02T23:00:00.000Z' });
    expect(printed.refused).toEqual({ code: 'VALIDATION_FAILED', errors: { endTime: expect.any(Array) } });
    expect(printed.unknown).toEqual({ code: 'NOT_FOUND' });
  });

  test('the REST client lists, creates, reads, changes, explains a 422 by its type, and lists users', async () => {
    const printed = await printedBy('rest');
    expect(printed.listed).toHaveLength(5);
    expect(printed.created).toMatchObject({ title: 'From the integration', status: 'active', client_id: null });
    expect(printed.read).toMatchObject({ uuid: printed.created.uuid, start_time: '2027-10-02 18:00:00' });
    expect(printed.updated).toMatchObject({ uuid: printed.created.uuid, dress_code: 'Black tie', status: 'draft' });
    expect(printed.refused).toEqual({ status: 422, why: ['end_time must be after the start'] });
    expect(printed.users).toHaveLength(3);
    expect(printed.total).toBeGreaterThan(3);
  });

  test('the clients that the guides show do what they say', async () => {
    const [graphql, rest] = await Promise.all(
      ['graphql', 'rest'].map((name) => succeed('node', [`generated/js/generated/guide/${name}.js`], { TOKEN: token })),
    );
    // Two pages of three, joined in the client's cache.
    expect(new Set(graphql?.trim().split('\n')).size).toBe(6);
    expect(graphql).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S.* \d+$/m);
    expect(rest).toBe("{ end_time: [ 'must be after the start' ] }\n");
  });

  test.each(['graphql', 'rest'])(
    'every line that uses %s wrongly is refused by the compiler, and no other',
    async (name) => {
      const source = await readFile(join(folder, `wrong/${name}.ts`), 'utf8');
      const wrongLines = source.split('\n').flatMap((line, index) => (line.startsWith('export ') ? [index + 1] : []));
      const refused = [...wrong.stdout.matchAll(/^wrong\/(\w+)\.ts\((\d+),/gm)]
        .filter(([, file]) => file === name)
        .map(([, , line]) => Number(line));
      expect(wrong.status).not.toBe(0);
      expect(refused).toEqual(wrongLines);
    },
  );
});
