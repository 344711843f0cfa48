import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { listSamples, type SampleCall } from '../src/site/reference/samples.ts';
import { useOneTenant, useService } from './support/app.ts';

/* The samples of the API reference do what they say. */

let origin: string;

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  origin = await service.listen();
});

const codeOf = (call: SampleCall, wanted: string): string =>
  listSamples(call).find(({ language }) => language === wanted)!.code;

/** Runs a sample as a module, and returns what it prints. */
async function runJavaScript(code: string): Promise<unknown[]> {
  const printed: unknown[] = [];
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const run = new AsyncFunction('process', 'console', code);
  const env = { ORIGIN: origin, TOKEN: tenant.as.admin };
  await run({ env }, { log: (...values: unknown[]) => printed.push(...values) });
  return printed;
}

const title = "Zoë’s “gala”: true, it's null \\ ${x} `y`";
const create: SampleCall = {
  method: 'POST',
  path: '/v1/events',
  isPublic: false,
  parameters: [],
  body: {
    title,
    start_time: '2031-01-01 10:00:00',
    end_time: '2031-01-01 12:00:00',
    timezone: 'Europe/Zurich',
    start_time_tbd: true,
    room: 'true',
  },
  accepts: ['application/json'],
};

describe('a sample', () => {
  test('in JavaScript creates an event, and reads a list with a parameter', async () => {
    const [status, answer] = await runJavaScript(codeOf(create, 'JavaScript'));
    expect(answer).toMatchObject({ data: { title } });
    expect(status).toBe(201);
    const list: SampleCall = {
      method: 'GET',
      path: '/v1/events',
      isPublic: false,
      parameters: [{ name: 'per_page', place: 'query', value: '1' }],
      accepts: ['application/json', 'text/csv'],
    };
    const [, events] = await runJavaScript(codeOf(list, 'JavaScript'));
    expect(events).toMatchObject({ data: { data: [{ title }] } });
  });

  test('in the shell creates the same', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${codeOf(create, 'curl')} -s`], {
      env: { ...process.env, ORIGIN: origin, TOKEN: tenant.as.admin },
      timeout: 20_000,
    });
    expect(JSON.parse(stdout)).toMatchObject({ data: { title } });
  });

  test("in Python has Python's words outside of strings, and JSON's inside", () => {
    const code = codeOf(create, 'Python');
    expect(code).toContain('        "start_time_tbd": True,\n');
    expect(code).toContain('        "room": "true"\n');
    expect(code).toContain(`        "title": ${JSON.stringify(title)},\n`);
    expect(code).toContain('headers={"Authorization": "Bearer " + os.environ["TOKEN"]},');
  });

  test('of a public call has no credential', () => {
    const call: SampleCall = {
      method: 'GET',
      path: '/healthz',
      isPublic: true,
      parameters: [],
      accepts: ['text/plain'],
    };
    for (const { code } of listSamples(call)) expect(code).not.toMatch(/TOKEN|Authorization/);
    expect(codeOf(call, 'JavaScript')).toContain('fetch(`${ORIGIN}/healthz`);\n');
  });

  test('in each language stands in the reference for each operation', async () => {
    const { body } = await service.call('GET', '/docs');
    const operations = [...(body as string).matchAll(/data-call="/g)].length;
    expect(operations).toBeGreaterThan(40);
    for (const language of ['curl', 'JavaScript', 'Python'])
      expect([...(body as string).matchAll(new RegExp(`aria-label="${language} for [\\w.]+"`, 'g'))].length).toBe(
        operations,
      );
  });
});
