import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProcess, stopAll, type ServiceProcess } from './support/process.ts';

/* Every example of the README's tour, run as it stands against the demo data. */

let dataDir: string;
let service: ServiceProcess;
let outputs: string[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'callboard-readme-'));
  service = await startProcess({ DATA_DIR: dataDir });
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const examples = [...readme.matchAll(/```sh tour\n([^]*?)```/g)].map(([, script = '']) => script);
  const script = examples.join('\necho; echo "--- next ---"\n').replaceAll('http://127.0.0.1:4000', service.origin);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
  outputs = stdout.split('--- next ---\n').map((output) => output.trim());
}, 60_000);

afterAll(async () => {
  stopAll();
  await rm(dataDir, { recursive: true, force: true });
});

/** One example prints what it picked from two answers. */
const retried = () => outputs.find((output) => output.startsWith('one event: '))!;
const answers = () =>
  outputs
    .slice(1)
    .filter((output) => output !== retried())
    .map((output) => JSON.parse(output) as Record<string, unknown>);

test('the tour lists, creates, reads back, changes, is refused, and asks in GraphQL', () => {
  const [list, created, read, changed, refused, graphql, kept, board] = answers();
  expect(list).toMatchObject({
    success: true,
    data: { per_page: 2, data: [{ call_times: expect.anything() }, { work_shifts: expect.anything() }] },
  });
  expect(created).toMatchObject({ success: true, data: { title: 'Harvest dinner', status: 'active' } });
  expect(read).toMatchObject({ data: { event: { start_time: '2027-10-02 18:00:00', timezone: 'America/Chicago' } } });
  expect(changed).toMatchObject({ data: { dress_code: 'Black tie', status: 'draft', title: 'Harvest dinner' } });
  expect(refused).toMatchObject({ success: false, code: 'VALIDATION_FAILED', errors: { colour: expect.anything() } });
  expect(kept).toMatchObject({ success: true, data: { title: 'Harvest dinner' } });
  expect(graphql).toMatchObject({
    data: { viewer: { businessName: 'Aurora Events' }, events: { nodes: expect.anything() } },
  });
  expect(graphql).not.toHaveProperty('errors');
  expect(board).not.toHaveProperty('errors');
  expect(board).toMatchObject({ data: { events: { nodes: expect.arrayContaining([expect.anything()]) } } });
  expect(answers()).toHaveLength(8);
});

test('a create sent twice under one key makes one event', () => {
  const uuids = retried()
    .split(/\s*one event: /)
    .slice(1);
  expect(uuids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), uuids[0]]);
});
