import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exits } from '../src/bin/exits.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { exportFrom } from './support/moving-business.ts';
import { commandLine } from './support/process.ts';

/* Commands for businesses that are there already, as an operator runs them beside the service. */

let tenant: Tenant;
let id: number;

const service = useService();

beforeEach(async () => {
  tenant = await service.createTenant();
  id = tenant.business.id;
});

const running = new Set<ReturnType<typeof spawn>>();
afterAll(() => running.forEach((child) => child.kill('SIGKILL')));

/** Runs the built command line. `typed`: what is typed on a terminal, without which there is none. */
async function callboard(words: string[], typed?: string) {
  const [program = '', ...args] = commandLine(...words).command;
  const { db } = service.database.config();
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'error',
      DATABASE_URL: db.url ?? '',
      ...(typed !== undefined && { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=true' }),
    },
  });
  running.add(child);
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (written.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (written.stderr += String(chunk)));
  child.stdin.on('error', () => undefined).end(typed === undefined ? '' : `${typed}\n`);
  const [status] = (await once(child, 'close')) as [number | null];
  running.delete(child);
  return { status, ...written };
}

describe('business delete', () => {
  const remains = async () => (await service.prisma.business.count({ where: { id } })) === 1;
  const remove = (...more: string[]) => callboard(['business', 'delete', String(id), ...more]);
  const onTerminal = (typed: string, ...more: string[]) =>
    callboard(['business', 'delete', String(id), ...more], typed);

  test('is refused before an export, and after a change since it, whatever is confirmed', async () => {
    const refused = await remove('--confirm', String(id));
    expect(refused).toEqual({
      status: exits.conflict.status,
      stdout: '',
      stderr: `callboard: Business ${id} has not been exported: run \`callboard business export ${id}\` first. Nothing is deleted.\n`,
    });
    expect(existsSync(await exportFrom(service, id))).toBe(true);
    await service.createEvent(tenant.business);
    const changed = await onTerminal(String(id));
    expect([changed.status, changed.stderr]).toEqual([
      exits.conflict.status,
      expect.stringMatching(/has changed since/),
    ]);
    expect(await remains()).toBe(true);
  });

  test('says on a terminal what would be lost, and deletes once the number is typed', async () => {
    await service.createEvent(tenant.business);
    await exportFrom(service, id);
    const question =
      /Business \d+ \(.+\) has 3 users, 1 events, \d of them to come, and 0 active shifts that have not ended\.\n.*type the number of the business: /;
    for (const typed of ['', 'yes', String(id + 1), `${id}x`]) {
      const { status, stdout, stderr } = await onTerminal(typed);
      expect([typed, status, stdout]).toEqual([typed, exits.invalid.status, '']);
      expect(stderr).toMatch(question);
      expect(stderr).toMatch(new RegExp(`callboard: That is not ${id}\\. Nothing is deleted\\.\\n$`));
    }
    expect(await remains()).toBe(true);
    const { status, stdout, stderr } = await onTerminal(` ${id} `, '--json');
    expect(stderr).toMatch(question);
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { business_id: id, rows: expect.objectContaining({ events: 1 }) },
    ]);
    expect(await remains()).toBe(false);
    expect((await remove('--confirm', String(id))).status).toBe(exits.notFound.status);
  });

  test('asks for the flag without a terminal, and takes it instead of the prompt', async () => {
    await exportFrom(service, id);
    const asked = await remove();
    expect([asked.status, asked.stderr]).toEqual([
      exits.invalid.status,
      expect.stringMatching(new RegExp(`has 3 users, .* send --confirm ${id}\\.\\n$`)),
    ]);
    expect((await remove('--confirm', String(id + 1))).stderr).toMatch(/Nothing is deleted/);
    expect((await remove('--confirm', 'yes')).status).toBe(exits.invalid.status);
    expect(await remains()).toBe(true);
    const done = await remove('--confirm', String(id));
    expect([done.status, done.stdout, done.stderr]).toEqual([0, expect.stringMatching(/^Deleted business \d+ \(/), '']);
    expect(await remains()).toBe(false);
  });
});

describe('business list-twins', () => {
  const twins = async () => {
    const rows = JSON.parse((await callboard(['business', 'list-twins', '--json'])).stdout) as { business: number }[];
    return rows.filter(({ business }) => business === id);
  };

  test('lists the names of one list that are the same in the normal form, and no others', async () => {
    const position = { businessId: id, defaultPayRate: '20', payUnit: 'hour' as const };
    await service.prisma.position.createMany({
      data: ['Café crew', 'Cafe\u0301  crew', 'Cafe crew', 'Runner'].map((title) => ({ ...position, title })),
    });
    await service.prisma.skillLevel.createMany({
      data: ['Runner', 'Lead', 'Lead\u00a0'].map((name) => ({ businessId: id, name })),
    });
    await service.prisma.customField.createMany({
      data: [
        { businessId: id, name: 'Menu', type: 'select', options: ['Entrée', 'Main', 'Entre\u0301e'] },
        { businessId: id, name: 'Menu\u200b', type: 'select', options: ['Main'] },
        { businessId: id, name: 'Lead', type: 'text', options: [] },
      ],
    });
    // Another business has a name of its own that is the same.
    const other = await service.createTenant();
    await service.prisma.position.create({ data: { ...position, businessId: other.business.id, title: 'Runner' } });
    const expected = [
      ['custom fields', 'Menu'],
      ['custom fields', 'Menu\u200b'],
      ['options of Menu', 'Entrée'],
      ['options of Menu', 'Entre\u0301e'],
      ['positions', 'Café crew'],
      ['positions', 'Cafe\u0301  crew'],
      ['skill levels', 'Lead'],
      ['skill levels', 'Lead\u00a0'],
    ].map(([of, name]) => ({ business: id, of, name }));
    expect(await twins()).toEqual(expected);
    const { stdout } = await callboard(['business', 'list-twins']);
    expect(stdout).toMatch(/^ *BUSINESS +OF +NAME\n/);
  });

  test('says that there are none', async () => {
    expect(await twins()).toEqual([]);
  });
});
