import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { examples, examplesFor, type Example } from '../src/pages/playground/examples.ts';
import { readChartData } from '../src/pages/playground/chart-data.ts';
import type { ReadData } from '../src/pages/application/session.ts';
import { withoutSecrets } from '../src/pages/playground/secrets.ts';
import { readOutsideLists, findTables } from '../src/pages/playground/tables.ts';
import { useService } from './support/app.ts';

const folder = new URL('../src/pages/playground/examples/', import.meta.url);
const queryOf = ({ name }: Example): Promise<string> => readFile(new URL(`${name}.graphql`, folder), 'utf8');

const tokens: Record<string, string> = {};

const service = useService({ isDemo: true });

beforeAll(async () => {
  const users = await service.prisma.user.findMany({ where: { passwordHash: { not: null } } });
  for (const user of users) tokens[user.email] = await service.tokenOf(user);
});

const lookAs =
  (as: string | undefined): ReadData =>
  async <Data>(query: string, variables?: object) => {
    const { body } = await service.graphql(query, { as, ...(variables && { variables }) });
    expect(body.errors).toBeUndefined();
    return body.data as Data;
  };

describe('the examples', () => {
  test('match the files of their folder', async () => {
    const names = (await readdir(folder)).map((file) => file.replace('.graphql', ''));
    expect(examples.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(examples.length).toBeGreaterThanOrEqual(10);
  });

  test('are valid by the schema, and each operation has a name for its tab and history', async () => {
    const { body } = await service.call('GET', '/graphql/schema.graphql');
    const schema = buildSchema(body);
    for (const example of examples) {
      const document = parse(await queryOf(example));
      expect([example.name, validate(schema, document)]).toEqual([example.name, []]);
      expect(document.definitions).toMatchObject([
        { operation: example.changes ? 'mutation' : 'query', name: { value: expect.any(String) } },
      ]);
    }
  });

  const accounts = ['admin@aurora.example', 'admin@harbor.example', 'staff@aurora.example', 'client@aurora.example'];
  const cases = accounts.flatMap((email) => {
    const role = email.split('@')[0]!.toUpperCase() as 'ADMIN';
    return examplesFor(role).map((example) => ({ email, name: example.name, example }));
  });

  test.each(cases)('$name finds something on the demo data as $email', async ({ email, example }) => {
    const look = lookAs(tokens[email]);
    const data = (await look(await queryOf(example), await example.fill?.(look, new Date()))) as Record<
      string,
      unknown
    >;
    const [table] = findTables(data);
    if (table) expect(table.rows.length).toBeGreaterThan(0);
    else expect([...readOutsideLists(data).values()].filter((cell) => cell !== null).length).toBeGreaterThan(3);
    if (example.list) expect(findTables(data).map(({ path }) => path)).toContain(example.list);
  });

  test('still find something on old demo data', async () => {
    const look = lookAs(tokens['admin@aurora.example']);
    const inTwoYears = new Date(Date.now() + 730 * 86_400_000);
    for (const name of [
      'upcoming-events',
      'event-board',
      'coverage-by-position',
      'labour-cost-by-client',
      'staff-shifts',
    ]) {
      const example = examples.find((candidate) => candidate.name === name)!;
      const data = (await look(await queryOf(example), await example.fill?.(look, inTwoYears))) as object;
      expect([name, findTables(data)[0]?.rows.length]).toEqual([name, expect.any(Number)]);
      expect(findTables(data)[0]?.rows.length).toBeGreaterThan(0);
    }
  });
});

test('custom fields of a row are columns of their own', () => {
  const customFields = [
    { fieldName: 'Parking', fieldValue: 'Lot C' },
    { fieldName: 'No. of guests', fieldValue: '80' },
  ];
  const [table] = findTables({
    events: {
      nodes: [
        { title: 'A', customFields },
        { title: 'B', customFields: [] },
      ],
    },
  });
  expect(table?.columns).toEqual(['title', 'customFields.Parking', 'customFields.No\u2024 of guests']);
  expect(table?.rows[0]?.get('customFields.Parking')).toBe('Lot C');
});

describe('a result as tables', () => {
  const result = {
    events: {
      totalCount: 2,
      nodes: [
        {
          title: 'A',
          start: { local: 'x' },
          client: { name: 'C' },
          callTimes: [{ position: 'Bar', shifts: [{ name: 'N' }] }],
        },
        { title: 'B', start: { local: 'y' }, client: null, callTimes: [] },
      ],
    },
  };
  const cellsOf = (path: string) => {
    const table = findTables(result).find((candidate) => candidate.path === path)!;
    return table.rows.map((row) => table.columns.map((column) => row.get(column) ?? null));
  };

  test('has the outer list first, with nested objects by their paths', () => {
    expect(findTables(result).map(({ path, columns }) => [path, columns])).toEqual([
      ['events.nodes', ['title', 'start.local', 'client.name', 'callTimes']],
      ['events.nodes.callTimes', ['callTimes.position', 'callTimes.shifts', 'title', 'start.local', 'client.name']],
      ['events.nodes.callTimes.shifts', ['shifts.name', 'callTimes.position', 'title', 'start.local', 'client.name']],
    ]);
    expect(readOutsideLists(result)).toEqual(new Map([['events.totalCount', 2]]));
  });

  test('begins each row of a nested list with its own fields, before those around it', () => {
    expect(cellsOf('events.nodes.callTimes.shifts')).toEqual([['N', 'Bar', 'A', 'x', 'C']]);
    expect(cellsOf('events.nodes')).toMatchObject([
      ['A', 'x', 'C', { items: [expect.anything()] }],
      ['B', 'y', null, { items: [] }],
    ]);
  });

  test('has an empty table for an empty list', () => {
    expect(findTables({ conflicts: { nodes: [] } })).toEqual([{ path: 'conflicts.nodes', columns: [], rows: [] }]);
    expect(findTables({ viewer: { name: 'Ann' } })).toEqual([]);
    expect(findTables(null)).toEqual([]);
  });

  test('has chart data if it contains coverage or cost', () => {
    const coverage = (confirmed: number, assigned: number, open: number) => ({
      coverage: { confirmed, assigned, open },
    });
    const report = {
      coverage: {
        groups: [
          { label: 'Bar', ...coverage(2, 3, 4) },
          { label: null, ...coverage(0, 0, 1) },
        ],
      },
    };
    expect(readChartData(findTables(report)[0]!)).toMatchObject({
      title: 'Coverage',
      unit: 'people',
      isReport: true,
      bars: [
        { label: 'Bar', values: [2, 1, 4], total: 7 },
        { label: '(none)', values: [0, 0, 1], total: 1 },
      ],
    });
    const cost = {
      labourCost: { groups: [{ label: 'Ann', labourCost: { planned: '30.50', open: '9.50', currency: 'EUR' } }] },
    };
    expect(readChartData(findTables(cost)[0]!)).toMatchObject({
      unit: 'money',
      currency: 'EUR',
      bars: [{ values: [30.5, 9.5], total: 40 }],
    });
    expect(readChartData(findTables(result)[0]!)).toBeNull();
  });
});

describe('the stored queries in the browser', () => {
  const harmless = { query: '{ viewer { name } }', variables: '{"a": 1}' };
  const secrets = [
    { query: 'mutation { login(email: "a@b.example", password: "hunter22") { accessToken } }' },
    {
      query: 'mutation C($i: ChangePasswordInput!) { changePassword(input: $i) { revoked } }',
      variables: '{"i":{"current":"one"}}',
    },
    { query: '{ viewer { name } }', variables: '{"key": "cbk_A1b2C3d4E5f6_abcdefghijkl"}' },
    { query: '# eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc\n{ viewer { name } }' },
  ];

  test.each(secrets)('do not contain %j', (secret) => {
    const kept = withoutSecrets('graphiql:queries', JSON.stringify({ queries: [harmless, secret] }));
    expect(JSON.parse(kept!)).toEqual({ queries: [harmless] });
    const tabs = withoutSecrets(
      'graphiql:tabState',
      JSON.stringify({ tabs: [harmless, { id: '2', ...secret }], activeTabIndex: 1 }),
    );
    expect(JSON.parse(tabs!)).toMatchObject({
      tabs: [harmless, { id: '2', query: null, variables: null }],
      activeTabIndex: 1,
    });
  });

  test('contain all other values, except those that the tabs contain too', () => {
    const text = JSON.stringify({ queries: [harmless] });
    expect(withoutSecrets('graphiql:queries', text)).toBe(text);
    expect(withoutSecrets('graphiql:variables', '{"input": {"current": "hunter22"}}')).toBeNull();
    expect(withoutSecrets('graphiql:anything', 'a password')).toBeNull();
  });
});

describe('the page', () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    service.app.http.inject({ url, headers: { 'accept-encoding': 'br, gzip', ...headers } });

  test('runs only its own scripts and workers, and is revalidated each time', async () => {
    const { statusCode, headers } = await get('/playground');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; ");
    expect(headers['content-security-policy']).toContain("worker-src 'self'");
    expect((await get('/playground', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304);
  });

  test('has files that are cached permanently, compressed as the browser accepts', async () => {
    const { payload } = await service.app.http.inject('/playground');
    const files = [...payload.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files.some((file) => /-[\w-]{8}\.js$/.test(file))).toBe(true);
    for (const file of files) {
      const { headers } = await get(file);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-encoding']).toBe('br');
      expect(headers['vary']).toMatch(/accept-encoding/i);
      expect(headers['content-type']).toMatch(/^(text|application)\/(javascript|css); charset=utf-8$/);
      expect((await get(file, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
      expect((await get(file, { 'accept-encoding': '' })).headers['content-encoding']).toBeUndefined();
    }
  });

  test('has files that are sent whole to those who ask for a part', async () => {
    const { payload } = await service.app.http.inject('/playground');
    const [file = ''] = /\/assets\/[\w.-]+\.js/.exec(payload)!;
    for (const coding of ['br', 'gzip', 'identity']) {
      const whole = await get(file, { 'accept-encoding': coding });
      expect(whole.headers['accept-ranges']).toBeUndefined();
      for (const range of ['bytes=0-9', 'bytes=99999999-', 'bytes=-5', 'bytes=x']) {
        const { statusCode, headers, rawPayload } = await get(file, { 'accept-encoding': coding, range });
        expect([statusCode, headers['content-encoding']]).toEqual([200, whole.headers['content-encoding']]);
        expect(rawPayload.equals(whole.rawPayload)).toBe(true);
      }
    }
  });

  test('loads nothing from other hosts', async () => {
    const { payload } = await service.app.http.inject('/playground');
    expect(payload).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
