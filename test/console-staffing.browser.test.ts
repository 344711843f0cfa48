/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { wall, zone } from './support/board-page.ts';
import { countClicks, drag, expectAccessible, expectNoOverflow, openConsole, toast, undo } from './support/console.ts';

const console = openConsole({ isAlone: true });
const refused = /Failed to load resource|409|412/;

/**
 * A dinner with two bartenders needed, of whom Ivy is assigned, and a server, Ada; Theo is free, and Max works
 * elsewhere at that time.
 */
async function createDinner() {
  const { service } = console;
  const tenant = await service.createTenant();
  const { business, client } = tenant;
  const create = (name: string, phone?: string) =>
    service.createUser(business, 'staff', { name, ...(phone && { phone }) });
  const ivy = await create('Ivy Green', '+1 555 0101');
  const [theo, max, ada] = [await create('Theo Rossi'), await create('Max Busy'), await create('Ada Quill')];
  const bartender = await service.createPosition(business, { title: 'Bartender' });
  const server = await service.createPosition(business, { title: 'Server' });
  const times = { start: wall(24), end: wall(30) };
  const event = await service.createEvent(business, {
    title: 'Harvest Dinner',
    clientId: client.id,
    timezone: zone,
    ...times,
  });
  const bar = await service.createCallTime(event, { ...times, positionId: bartender.id, staffNeeded: 2 });
  const floor = await service.createCallTime(event, { ...times, positionId: server.id, staffNeeded: 2 });
  const assign = (call: typeof bar, user: typeof ivy) =>
    service.createShift(event, user, { ...times, callTimeId: call.id, positionId: call.positionId, confirmed: false });
  await assign(bar, ivy);
  await assign(floor, ada);
  const gala = await service.createEvent(business, { title: 'Gala', timezone: zone, ...times });
  const galaCall = await service.createCallTime(gala, { ...times, positionId: server.id, staffNeeded: 3 });
  await service.createShift(gala, max, { ...times, callTimeId: galaCall.id, positionId: server.id });
  return { ...tenant, event, bar, floor, gala, galaCall, ivy, theo, max, ada, path: `/app/events/${event.uuid}` };
}

const call = (page: Page, position: string) => page.getByRole('group', { name: position });
const person = (page: Page, position: string, name: string) =>
  call(page, position).locator('.st-person', { hasText: name });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
const storedShifts = (eventId: number) =>
  console.service.prisma.workShift.findMany({
    where: { eventId, status: 'active' },
    include: { user: true },
    orderBy: { id: 'asc' },
  });

test('a gap is filled by three clicks and undone, and by keyboard alone', async () => {
  const { as, event, path } = await createDinner();
  const page = await console.open(as.admin, path);
  const clicks = await countClicks(page, async () => {
    await call(page, 'Bartender')
      .getByRole('button', { name: /^Fill 1 open place/ })
      .click();
    await page.getByRole('checkbox', { name: 'Theo Rossi' }).click();
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await toast(page, 'Theo Rossi assigned.');
  });
  expect(clicks).toBeLessThanOrEqual(3);
  await person(page, 'Bartender', 'Theo Rossi').waitFor();
  await undo(page).click();
  await toast(page, 'Undone');
  await person(page, 'Bartender', 'Theo Rossi').waitFor({ state: 'detached' });

  await call(page, 'Bartender').getByRole('button', { name: /^Fill/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Robin Fields' }).waitFor();
  await page.keyboard.type('theo');
  await page.getByRole('checkbox', { name: 'Robin Fields' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await toast(page, 'Theo Rossi assigned.');
  expect(await focused(page)).toBe('Assign one more: Bartender');
  expect((await storedShifts(event.id)).map(({ user }) => user.name)).toEqual(['Ivy Green', 'Ada Quill', 'Theo Rossi']);
});

test('who works elsewhere stands apart with where, and is assigned with a reason in the same dialog', async () => {
  const { as, event, path } = await createDinner();
  const page = await console.open(as.admin, path, { expected: refused });
  await call(page, 'Bartender').getByRole('button', { name: /^Fill/ }).click();
  await page.getByLabel('Show everybody').check();
  const others = page.getByRole('group', { name: 'With something against it' });
  await others.getByText('Works at “Gala”').waitFor();
  await others.getByRole('checkbox', { name: 'Max Busy' }).check();
  await page.getByRole('button', { name: 'Assign anyway' }).click();
  await page.getByText('Give a reason. It is kept with the shift.').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Do it anyway, because').fill('The gala is called off tomorrow.');
  await page.getByRole('button', { name: 'Assign anyway' }).click();
  await toast(page, 'Max Busy assigned.');
  await person(page, 'Bartender', 'Max Busy').getByText('Double-booked: at “Gala” for 6 h of this time.').waitFor();
  expect((await storedShifts(event.id)).at(-1)?.overrideReason).toBe('The gala is called off tomorrow.');
  await expectAccessible(page);
  await expectNoOverflow(page);
});

test('somebody is called off with a reason by three clicks, the place is offered at once, and all is undone', async () => {
  const { as, event, path } = await createDinner();
  const page = await console.open(as.admin, path);
  await page.getByRole('button', { name: 'Confirm Ivy Green' }).click();
  await toast(page, 'Ivy Green confirmed.');
  const clicks = await countClicks(page, async () => {
    await page.getByRole('button', { name: 'Call off Ivy Green' }).click();
    await page.keyboard.type('Rain');
    await page.getByRole('button', { name: 'Call off', exact: true }).click();
    await toast(page, 'Ivy Green called off.');
  });
  expect(clicks).toBeLessThanOrEqual(3);
  await expect(focused(page)).resolves.toBe('Fill 2 open places: Bartender');
  await call(page, 'Bartender').getByText('1 declined or called off').click();
  await call(page, 'Bartender').getByText('Ivy Green · called off: “Rain”').waitFor();
  await undo(page).click();
  await person(page, 'Bartender', 'Ivy Green').getByText('confirmed', { exact: true }).waitFor();
  expect((await storedShifts(event.id)).find(({ user }) => user.name === 'Ivy Green')?.confirmed).toBe(true);
});

test('somebody is moved by three clicks, to another event too, and moves back with the confirmation', async () => {
  const { as, event, gala, path } = await createDinner();
  const page = await console.open(as.admin, path);
  await page.getByRole('button', { name: 'Confirm Ivy Green' }).click();
  await toast(page, 'Ivy Green confirmed.');
  const clicks = await countClicks(page, async () => {
    await page.getByRole('button', { name: 'Move Ivy Green' }).click();
    await page.getByRole('radio', { name: /^Server/ }).click();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await person(page, 'Server', 'Ivy Green').waitFor();
  });
  expect(clicks).toBeLessThanOrEqual(3);
  await undo(page).click();
  await person(page, 'Bartender', 'Ivy Green').getByText('confirmed', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Move Ivy Green' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: /^Gala: Server/ }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await person(page, 'Bartender', 'Ivy Green').waitFor({ state: 'detached' });
  expect((await storedShifts(gala.id)).map(({ user }) => user.name)).toContain('Ivy Green');
  await undo(page).click();
  await person(page, 'Bartender', 'Ivy Green').getByText('confirmed', { exact: true }).waitFor();
  expect((await storedShifts(event.id)).map(({ user }) => user.name).sort()).toEqual(['Ada Quill', 'Ivy Green']);
});

test('what a move back does not bring back is said, and nobody is confirmed for times that they have not seen', async () => {
  const { as, event, ivy, path } = await createDinner();
  const { service } = console;
  await service.prisma.workShift.updateMany({
    where: { businessId: ivy.businessId, userId: ivy.id },
    data: {
      startLocal: new Date(`${wall(25).replace(' ', 'T')}Z`),
      startsAt: new Date(Date.now() + 25 * 3_600_000),
      confirmed: true,
    },
  });
  const page = await console.open(as.admin, path);
  await page.getByRole('button', { name: 'Move Ivy Green' }).click();
  await page.getByRole('radio', { name: /^Server/ }).click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await person(page, 'Server', 'Ivy Green').waitFor();
  await undo(page).click();
  await toast(
    page,
    'Undone. Offers, swaps and requests to give a shift back that ended with it stay ended. A shift that',
  );
  await person(page, 'Bartender', 'Ivy Green').getByText('not confirmed').waitFor();
  expect((await storedShifts(event.id)).find(({ userId }) => userId === ivy.id)?.confirmed).toBe(false);
});

test('two people exchange their places and take them back', async () => {
  const { as, path } = await createDinner();
  const page = await console.open(as.admin, path);
  await page.getByRole('checkbox', { name: 'Select Ivy Green' }).check();
  await page.getByRole('checkbox', { name: 'Select Ada Quill' }).check();
  await expectNoOverflow(page);
  await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Exchange' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Exchange' }).click();
  await person(page, 'Server', 'Ivy Green').waitFor();
  await person(page, 'Bartender', 'Ada Quill').waitFor();
  await undo(page).click();
  await person(page, 'Bartender', 'Ivy Green').waitFor();
  await person(page, 'Server', 'Ada Quill').waitFor();
});

test('several are assigned, confirmed and called off at once', async () => {
  const { as, business, event, bar, path } = await createDinner();
  await console.service.prisma.callTime.updateMany({ where: { uuid: bar.uuid }, data: { staffNeeded: 3 } });
  for (const name of ['Nia', 'Oz']) await console.service.createUser(business, 'staff', { name });
  const page = await console.open(as.admin, path);
  await call(page, 'Bartender')
    .getByRole('button', { name: /^Fill 2/ })
    .click();
  for (const name of ['Nia', 'Oz']) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('button', { name: 'Assign (2)' }).click();
  await toast(page, 'Nia and Oz assigned.');
  for (const name of ['Nia', 'Oz']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const bar2 = page.getByRole('group', { name: '2 selected' });
  await bar2.getByRole('button', { name: 'Confirm' }).click();
  await toast(page, 'Nia and Oz confirmed.');
  expect((await storedShifts(event.id)).filter(({ confirmed }) => confirmed)).toHaveLength(2);
  for (const name of ['Nia', 'Oz']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await bar2.getByRole('button', { name: 'Call off…' }).click();
  await page.getByRole('button', { name: 'Call off', exact: true }).click();
  await toast(page, 'Nia and Oz called off.');
  await undo(page).click();
  await toast(page, 'Undone');
  expect((await storedShifts(event.id)).filter(({ confirmed }) => confirmed)).toHaveLength(2);
});

test('two admins take one place: the second one is told, and may go over it with a reason', async () => {
  const { as, business, event, path } = await createDinner();
  const [first, second] = [
    await console.open(as.admin, path),
    await console.open(as.admin, path, { expected: refused }),
  ];
  await console.service.createUser(business, 'staff', { name: 'Nia' });
  for (const [page, name] of [
    [first, 'Theo Rossi'],
    [second, 'Nia'],
  ] as const) {
    await call(page, 'Bartender')
      .getByRole('button', { name: /^Fill 1/ })
      .click();
    await page.getByRole('checkbox', { name }).check();
  }
  await first.getByRole('button', { name: 'Assign', exact: true }).click();
  await toast(first, 'Theo Rossi assigned.');
  // The stream says so before anything is sent.
  await second.getByText('Only 0 places are open.').waitFor();
  await second.getByLabel('Do it anyway, because').fill('One in reserve');
  await second.getByRole('button', { name: 'Assign anyway' }).click();
  await toast(second, 'Nia assigned.');
  expect(await storedShifts(event.id)).toHaveLength(4);
});

test('a lost connection keeps what was chosen, and phone numbers are for admins only', async () => {
  const { as, event, path } = await createDinner();
  const page = await console.open(as.admin, path, { expected: /ERR_INTERNET_DISCONNECTED|Failed to/ });
  expect(await person(page, 'Bartender', 'Ivy Green').getByRole('link').getAttribute('href')).toBe('tel:+15550101');
  await call(page, 'Bartender').getByRole('button', { name: /^Fill/ }).click();
  await page.getByRole('checkbox', { name: 'Theo Rossi' }).check();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByText('Theo Rossi: Not saved').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Theo Rossi' }).isChecked()).toBe(true);
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await toast(page, 'Theo Rossi assigned.');
  // The board goes by the clocks of the business.
  const panel = `/app/board?event=${event.uuid}&day=${event.startsAt.toISOString().slice(0, 10)}`;
  const board = await console.open(as.admin, panel);
  expect(await board.getByRole('link', { name: '+1 555 0101' }).first().getAttribute('href')).toBe('tel:+15550101');
  for (const [who, address] of [as.client, as.staff].flatMap((each) =>
    [path, panel].map((on) => [each, on] as const),
  )) {
    const other = await console.open(who, address, { expected: /./ });
    await other.getByRole('heading', { level: 1 }).waitFor();
    expect(await other.content()).not.toMatch(/555 ?0101/);
  }
});

test('somebody is dragged to an open place, and onto somebody else to exchange', async () => {
  const { as, event, path } = await createDinner();
  const page = await console.open(as.admin, path);
  await drag(page, person(page, 'Bartender', 'Ivy Green').locator('bdi'), call(page, 'Server').getByRole('heading'));
  await page.getByRole('dialog', { name: /^Move Ivy Green to Server/ }).waitFor();
  await page.keyboard.type('Better with guests');
  await page.keyboard.press('Enter');
  await person(page, 'Server', 'Ivy Green').waitFor();
  await toast(page, 'Ivy Green moved to Server');
  expect((await storedShifts(event.id)).map(({ moveReason }) => moveReason)).toContain('Better with guests');
  await undo(page).click();
  await person(page, 'Bartender', 'Ivy Green').waitFor();
  await console.service.prisma.callTime.updateMany({ where: { eventId: event.id }, data: { staffNeeded: 1 } });
  await page.reload();
  await drag(
    page,
    person(page, 'Bartender', 'Ivy Green').locator('bdi'),
    person(page, 'Server', 'Ada Quill').locator('bdi'),
  );
  await page.getByRole('dialog', { name: 'Exchange Ivy Green and Ada Quill' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Exchange' }).click();
  await person(page, 'Bartender', 'Ada Quill').waitFor();
  await person(page, 'Server', 'Ivy Green').waitFor();
});

test('since the last visit, home and the event say what others changed, and not what oneself did', async () => {
  const { as, event, theo, bar, path } = await createDinner();
  const page = await console.open(as.admin, path);
  await page.getByRole('button', { name: 'Confirm Ivy Green' }).click();
  await toast(page, 'Ivy Green confirmed.');
  expect(await page.getByText('Since you were away').count()).toBe(0);
  // The visit is taken back by an hour.
  await page.goto(`${console.origin}/app`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(localStorage))
      if (key.startsWith('callboard:seen:'))
        localStorage.setItem(
          key,
          JSON.stringify({ ...JSON.parse(value as string), seenAt: new Date(Date.now() - 3_600_000).toISOString() }),
        );
  });
  const assign = `mutation($input: AssignShiftInput!) { assignShift(input: $input) { shift { uuid } } }`;
  const input = { callTimeId: bar.uuid, userId: String(theo.id) };
  const { body } = await console.service.graphql(assign, { as: as.key, variables: { input } });
  expect(body.errors).toBeUndefined();
  for (const address of ['/app', path]) {
    await page.goto(console.origin + address);
    const news = page.getByRole('region', { name: 'Since you were away' });
    await news.getByText(/assigned Theo Rossi/).waitFor();
    expect(await news.innerText()).not.toContain('confirmed the shift of Ivy Green');
    await expectAccessible(page);
    await expectNoOverflow(page);
  }
  await page.getByRole('button', { name: 'Seen' }).click();
  await page.getByText('Since you were away').waitFor({ state: 'detached' });
  expect(event.title).toBe('Harvest Dinner');
});

test('no call times, a canceled event, long and right-to-left names, and 500 people fit every screen', async () => {
  const { as, business, event, floor, path } = await createDinner();
  const { service } = console;
  const names = [
    'A'.repeat(90),
    'نور الهدى عبد الرحمن',
    ...Array.from({ length: 496 }, (_, index) => `Person ${index}`),
  ];
  await service.prisma.callTime.updateMany({ where: { uuid: floor.uuid }, data: { staffNeeded: 600 } });
  for (const name of names) {
    const user = await service.createUser(business, 'staff', { name });
    const times = { start: wall(24), end: wall(30) };
    await service.createShift(event, user, { ...times, callTimeId: floor.id, positionId: floor.positionId });
  }
  const page = await console.open(as.admin, path);
  await person(page, 'Server', 'Person 495').waitFor();
  expect(await page.locator('.st-person').count()).toBe(500);
  await expectNoOverflow(page);
  await service.prisma.event.updateMany({ where: { uuid: event.uuid }, data: { status: 'canceled' } });
  await page.reload();
  await page.getByText('The event is canceled or deleted').waitFor();
  expect(await page.getByRole('button', { name: /^(Fill|Assign|Move|Call off)/ }).count()).toBe(0);
  const empty = await service.createEvent(business, { title: 'Empty' });
  await page.goto(`${console.origin}/app/events/${empty.uuid}`);
  await page.getByRole('link', { name: 'Add call times' }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
});

test('several are moved together or not at all, with a reason where a rule stands against one', async () => {
  const { as, business, event, floor, gala, ivy, path } = await createDinner();
  const { service } = console;
  const times = { start: wall(40), end: wall(44) };
  const runner = await service.createPosition(business, { title: 'Runner' });
  const late = await service.createCallTime(event, { ...times, positionId: runner.id, staffNeeded: 5 });
  const other = await service.createCallTime(gala, { ...times, positionId: floor.positionId, staffNeeded: 5 });
  await service.createShift(gala, ivy, { ...times, callTimeId: other.id, positionId: floor.positionId });
  const page = await console.open(as.admin, path, { expected: refused });
  for (const name of ['Ivy Green', 'Ada Quill']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('group', { name: '2 selected' }).getByRole('button', { name: 'Move…' }).click();
  await page.getByRole('radio', { name: /^Runner/ }).check();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('Ivy Green works at “Gala”').waitFor();
  const findLate = async () => (await storedShifts(event.id)).filter(({ callTimeId }) => callTimeId === late.id);
  expect(await findLate()).toEqual([]);
  await page.getByLabel('Do it anyway, because').fill('The gala ends early');
  await page.getByRole('button', { name: 'Move anyway' }).click();
  await toast(page, 'Ivy Green and Ada Quill moved');
  const onLate = await findLate();
  expect(onLate.map(({ user }) => user.name).sort()).toEqual(['Ada Quill', 'Ivy Green']);
});
