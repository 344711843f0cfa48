/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from './support/browser.ts';
import { wall, zone } from './support/board-page.ts';
import { openConsole } from './support/console.ts';

/* What the pages ask the service, and what that costs of the rate limit: a whole crew opens them at the same time. */

const console = openConsole();

async function createCrew() {
  const { service } = console;
  const tenant = await service.createTenant('enterprise');
  const { business, staff } = tenant;
  await service.prisma.business.update({ where: { id: business.id }, data: { timezone: zone } });
  const position = await service.createPosition(business, { title: 'Server' });
  const times = { start: wall(30), end: wall(35) };
  const at = { ...times, positionId: position.id, confirmed: false };
  const create = async (title: string, user: typeof staff) => {
    const event = await service.createEvent(business, { title, timezone: zone, ...times });
    const call = await service.createCallTime(event, { ...times, positionId: position.id, staffNeeded: 3 });
    const shift = await service.createShift(event, user, { ...at, callTimeId: call.id });
    return { event, shift };
  };
  const own = await create('Harvest Dinner', staff);
  const elsewhere = await create('Gala', await service.createUser(business, 'staff', { name: 'Max Busy' }));
  return { ...tenant, ...own, elsewhere };
}

/** Points that are left, and seconds until all are again. To ask costs a tenth of one. */
async function readPoints(credential: string) {
  const { headers } = await console.service.call('GET', '/v1/revision', { as: credential });
  return { left: Number(headers['x-ratelimit-remaining']), resetS: Number(headers['x-ratelimit-reset']) };
}

/** Notes the names of the operations that a page sends from now on. What it does each minute, it does when it is told to. */
async function noteAsked(page: Page): Promise<{ readonly asked: readonly string[]; runLater: () => Promise<void> }> {
  const asked: string[] = [];
  // As text: what is compiled here names functions by what is not there.
  await page.addInitScript({
    content: `{
      const later = [];
      const start = setInterval;
      globalThis.setInterval = (run, ms) => (ms < 30_000 ? start(run, ms) : ms <= 60_000 && later.push(run));
      globalThis.runLater = () => later.forEach((run) => run());
    }`,
  });
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return;
    const { query } = request.postDataJSON() as { query: string };
    asked.push(/^(?:query|mutation|subscription) (\w+)/.exec(query.trim())?.[1] ?? query);
  });
  const runLater = async () => {
    await page.evaluate(() => (globalThis as unknown as { runLater: () => void }).runLater());
    await page.evaluate(() => fetch('/healthz').then(() => undefined));
  };
  return { asked, runLater };
}

const pages = [
  ['staff', 'My shifts', '/app/my-shifts', 7, ['AskedOfMe', 'Changes', 'MyShiftsToCome', 'MySwaps', 'Revision']],
  [
    'admin',
    'an event',
    '/app/events/:id',
    6,
    ['Asked', 'Changes', 'EventForAdmin', 'Revision', 'StaffingConflicts', 'SwapsOfEvent'],
  ],
  ['admin', 'Home', '/app', 5, ['EndingQualifications', 'Home', 'Revision']],
  ['admin', 'the board', '/board?span=week', 3, ['BoardConflicts', 'BoardEvents', 'Revision']],
] as const;

test.each(pages)(
  '%s opens %s: nothing is asked twice, nor in the next minute',
  async (role, _, path, most, expected) => {
    const { as, event } = await createCrew();
    const page = await console.open(as[role], '/app/nowhere');
    const { asked, runLater } = await noteAsked(page);
    let before = await readPoints(as[role]);
    // The end of the window is not to come between, at which all points are there again.
    while (before.resetS < 20) before = await readPoints(as[role]);
    await page.goto(console.origin + path.replace(':id', event.uuid));
    await until(() => ['Viewer', ...expected].every((name) => asked.includes(name)));
    await page
      .getByText(path === '/app' ? 'The next seven days' : 'Harvest Dinner')
      .first()
      .waitFor();
    const { left } = await readPoints(as[role]);
    await runLater();
    expect(asked.toSorted()).toEqual(['Viewer', ...expected].toSorted());
    process.stderr.write(`Opening ${path} costs ${before.left - left} points.\n`);
    expect(before.left - left).toBeLessThanOrEqual(most);
  },
);

test('changes of others are read only where they are shown', async () => {
  const { as, event, shift, elsewhere } = await createCrew();
  const confirm = (id: string) =>
    console.service.graphql('mutation ($id: ID!) { confirmShift(id: $id) { uuid } }', {
      as: as.admin,
      variables: { id },
    });
  const page = await console.open(as.staff, '/app/nowhere');
  const { asked } = await noteAsked(page);
  for (const path of ['/app/my-shifts', `/app/events/${event.uuid}`]) {
    await page.goto(console.origin + path);
    await until(() => asked.includes('Revision'));
    await page.getByText('Harvest Dinner').first().waitFor();
    (asked as string[]).length = 0;
    await confirm(elsewhere.shift.uuid);
    await confirm(shift.uuid);
    const [read] = path.endsWith('my-shifts') ? ['MyShiftsToCome'] : ['EventForOthers'];
    await until(() => asked.includes(read!));
    expect([path, asked.filter((name) => name === read)]).toEqual([path, [read]]);
    await console.service.graphql('mutation ($id: ID!) { unconfirmShift(id: $id) { uuid } }', {
      as: as.admin,
      variables: { id: shift.uuid },
    });
    (asked as string[]).length = 0;
  }
});
