import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bundleRelay, copyWithoutSettings, createStaffedEvent, readActiveEvents } from './support/dashboards.ts';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';
import { takeShare } from './support/share.mjs';

/*
 * Clients as their users would have them: types generated from what the running service publishes, compiled by their
 * own compilers, run as processes of their own against the demo data.
 */

const folder = fileURLToPath(new URL('clients/', import.meta.url));
const inRoot = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const tools = join(folder, 'node_modules/.bin');

/** Libraries that a dashboard is built on: one of them, all at night. */
const libraries = takeShare('libraries of dashboards', ['relay', 'apollo', 'urql'], 3);
const isRelayTried = libraries.includes('relay');

let dataDir: string;
let service: ServiceProcess;
let token: string;

/** A command in the clients' package. */
async function run(command: string, args: readonly string[], env: Record<string, string> = {}, cwd = folder) {
  const { PATH = '', HOME = '' } = process.env;
  const found = [tools, PATH].join(delimiter);
  const options = { cwd, env: { PATH: found, HOME, ...env } };
  return promisify(execFile)(command, args, options).then(
    ({ stdout }) => ({ status: 0, stdout }),
    ({ code, stdout, stderr }) => ({ status: Number(code), stdout: `${stdout}${stderr}` }),
  );
}

async function succeed(
  command: string,
  args: readonly string[],
  env?: Record<string, string>,
  cwd?: string,
): Promise<string> {
  const { status, stdout } = await run(command, args, env, cwd);
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}`);
  return stdout;
}

/** The client that the guide for integrators shows becomes part of the package. */
async function writeGuideClient(origin: string): Promise<void> {
  const guide = await inRoot('src/guide/integrators.md');
  const shown = [...guide.matchAll(/```ts client\n([^]*?)```/g)].map(([, code = '']) => code);
  expect(shown).toHaveLength(1);
  const code = shown[0]!.replaceAll("'./generated/", "'../").replaceAll('http://127.0.0.1:4000', origin);
  await mkdir(join(folder, 'generated/guide'), { recursive: true });
  await writeFile(join(folder, 'generated/guide/rest.ts'), code);
}

/** The modules and settings that the guide for dashboards shows, alone in a folder, with the schema that the service publishes. */
async function writeGuideModules(schema: string): Promise<string> {
  const guide = await inRoot('src/guide/dashboards.md');
  const shown = guide.matchAll(/<!-- module test\/clients\/(\S+) -->\s*```\w+\n([^]*?)```\n\s*<!-- end module -->/g);
  const home = join(folder, 'generated/from-guide');
  for (const [path, text] of [
    ...[...shown].map(([, path = '', code = '']) => [path, code] as const),
    ['generated/schema.graphql', schema] as const,
  ]) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  await mkdir(join(home, 'generated/relay'), { recursive: true });
  return home;
}

const logIn = async (): Promise<string> => {
  const answer = await fetch(`${service.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@aurora.example', password: 'callboard-demo' }),
  });
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
};

async function ask<Data>(query: string, variables: object = {}): Promise<Data> {
  const answer = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** What a program prints, in the folder of compiled programs. */
const printedBy = async (program: string, ...more: string[]) => {
  const args = [service.origin, 'admin@aurora.example', 'callboard-demo', ...more];
  // Apollo Client warns in development only, which it takes from this condition.
  return JSON.parse(await succeed('node', ['--conditions=development', `generated/${program}/main.js`, ...args]));
};

let wrong: { status: number; stdout: string };

beforeAll(async () => {
  await rm(join(folder, 'generated'), { recursive: true, force: true });
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-clients-'));
  service = await startProcess({ DATA_DIR: dataDir });
  await writeGuideClient(service.origin);
  const schema = await (await fetch(`${service.origin}/graphql/schema.graphql`)).text();
  await mkdir(join(folder, 'generated/relay'));
  await writeFile(join(folder, 'generated/schema.graphql'), schema);
  await Promise.all([
    succeed('graphql-codegen', ['--config', 'codegen.ts']),
    ...(isRelayTried ? [succeed('relay-compiler', ['relay.config.json'])] : []),
    succeed('openapi-typescript', [`${service.origin}/openapi.json`, '-o', 'generated/openapi.d.ts']),
    logIn().then((made) => (token = made)),
  ]);
  [wrong] = await Promise.all([
    run('tsc', ['-p', 'wrong']),
    succeed('tsc', []),
    ...(isRelayTried ? [succeed('tsc', ['-p', 'relay'])] : []),
  ]);
  if (isRelayTried) await bundleRelay();
  await copyWithoutSettings();
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
  test('the GraphQL client pages by cursor, reads a board in one round trip, creates, and acts on codes', async () => {
    const printed = await printedBy('js/graphql');
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
    const printed = await printedBy('js/rest');
    expect(printed.listed).toHaveLength(5);
    expect(printed.created).toMatchObject({ title: 'From the integration', status: 'active', client_id: null });
    expect(printed.read).toMatchObject({ uuid: printed.created.uuid, start_time: '2027-10-02 18:00:00' });
    expect(printed.updated).toMatchObject({ uuid: printed.created.uuid, dress_code: 'Black tie', status: 'draft' });
    expect(printed.refused).toEqual({ status: 422, why: ['end_time must be after the start'] });
    expect(printed.users).toHaveLength(3);
    expect(printed.total).toBeGreaterThan(3);
  });

  test('the client that the guide for integrators shows does what it says', async () => {
    const rest = await succeed('node', ['generated/js/generated/guide/rest.js'], { TOKEN: token });
    expect(rest).toBe("{ end_time: [ 'must be after the start' ] }\n");
  });

  test('what the guide for dashboards shows compiles with the settings that it shows, and nothing else', async () => {
    const home = await writeGuideModules(await readFile(join(folder, 'generated/schema.graphql'), 'utf8'));
    await succeed('graphql-codegen', ['--config', 'codegen.ts'], {}, home);
    await succeed('tsc', [], {}, home);
    await succeed('relay-compiler', ['relay.config.json'], {}, home);
    await succeed('tsc', ['-p', 'relay'], {}, home);
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

describe.each(libraries)('a dashboard on %s', (library) => {
  let eventId: string;
  let active: string[];
  let tour: Awaited<ReturnType<typeof printedBy>>;

  beforeAll(async () => {
    eventId = await createStaffedEvent(ask);
    active = await readActiveEvents(ask);
    tour = await printedBy(`js/${library}`, eventId);
  });

  test('scrolls a list to its end: all rows once, in order, and apart from a list with another filter', () => {
    expect(active.length).toBeGreaterThan(30);
    expect(tour).toMatchObject({ pages: Math.ceil(active.length / 10), ids: active, drafts: 2, idsAtTheEnd: active });
  });

  test('shows a change in the list that a mutation returns, without reading the list again', () => {
    expect(tour.renamed).toEqual({ requests: 1, title: 'Renamed' });
  });

  test('reads a board in one round trip, and objects by their ids', () => {
    expect(tour.boardRequests).toBe(1);
    expect(tour.opened).toMatchObject([
      { position: { title: expect.any(String) }, coverage: { needed: 1, assigned: 0, open: 1 }, workShifts: [] },
      { coverage: { needed: 3, assigned: 0, open: 3 }, workShifts: [] },
    ]);
    expect(tour.nodes).toMatchObject([{ id: eventId }, { id: tour.opened[0].id }]);
  });

  test('shows an assignment before the answer, and the stored shift after it', () => {
    const { name } = tour.person;
    expect(tour.assigned.frames).toEqual([
      { answered: false, people: [], unsaved: 0, open: 1 },
      { answered: false, people: [name], unsaved: 1, open: 0 },
      { answered: true, people: [name], unsaved: 0, open: 0 },
    ]);
    expect(tour.assigned).toMatchObject({ shift: { id: expect.any(String) }, clashes: [] });
  });

  test('takes a refused assignment back, and has its clashes as data', () => {
    const { name } = tour.person;
    expect(tour.refused.frames).toEqual([
      { answered: false, people: [name], unsaved: 0, open: 0 },
      { answered: false, people: [name, name], unsaved: 1, open: 0 },
      { answered: true, people: [name], unsaved: 0, open: 0 },
    ]);
    expect(tour.refused).toMatchObject({
      shift: null,
      clashes: [
        { kind: 'OVERFILLED', needed: 1 },
        { kind: 'OVERLAP', eventTitle: 'Renamed' },
      ],
    });
  });

  test('assigns with an override, and cancels the shift again, each in one request', () => {
    const { name } = tour.person;
    expect(tour.overridden.frames.at(-1)).toEqual({ answered: true, people: [name, name], unsaved: 0, open: 0 });
    expect(tour.overridden).toMatchObject({ shift: { id: expect.any(String) }, clashes: [] });
    expect(tour.reasons).toEqual([null, 'Two hands are needed']);
    expect(tour.canceled).toEqual({ requests: 1, people: [name], unsaved: 0, open: 0 });
    expect(tour.refreshed).toEqual({ people: [name], unsaved: 0, open: 0 });
  });

  test('shows what somebody else changes, and reads a list again only when its rows may be others', () => {
    const readAgain = { started: true, renamed: false, created: true, moved: true };
    expect(tour.live).toEqual({ requests: 0, title: 'Renamed elsewhere', readAgain });
  });

  test('hears no warning of the library', () => {
    expect(tour.warnings).toEqual([]);
  });
});

const cached = libraries.filter((library) => library !== 'relay');

// A share may hold none of them.
for (const library of cached)
  test(`without the settings, ${library} has the list wrong and warns`, async () => {
    const eventId = await createStaffedEvent(ask);
    const tour = await printedBy(`bare/${library}`, eventId);
    expect(tour.ids).not.toEqual(await readActiveEvents(ask));
    expect(tour.warnings).not.toEqual([]);
  });
