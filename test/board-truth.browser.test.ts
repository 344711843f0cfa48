/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import { card, chip, live, openBoard, wall, zone } from './support/board-page.ts';
import { toast, undo } from './support/console.ts';

/* The board tells no untruth. */

const board = openBoard({ isAlone: true });
const cancelEvent = (as: string, id: string) =>
  board.mutate(as, 'mutation ($id: ID!) { updateEvent(id: $id, input: { status: CANCELED }) { event { uuid } } }', {
    id,
  });

describe('a canceled event', () => {
  test('is shown as canceled to its staff and its client, and asks nothing', async () => {
    const { as, ivy, event } = await board.createDay();
    const staff = await board.open(await board.service.tokenOf(ivy));
    await chip(staff, '? Ivy G.').waitFor();
    await live(staff);
    await cancelEvent(as.key, event.uuid);
    await card(staff).getByText('Canceled', { exact: true }).waitFor();
    const client = await board.open(as.client);
    for (const page of [staff, client]) {
      await card(page).locator('s', { hasText: 'Harvest Dinner' }).waitFor();
      await page.getByRole('button', { name: /^0 waiting/ }).waitFor();
      await chip(page, 'Ivy G.').click();
      const panel = page.getByRole('dialog');
      await panel.getByText('This event is canceled').waitFor();
      expect(await panel.getByRole('button').count()).toBe(1);
    }
    expect(await staff.getByText('No shift is waiting for your answer.').count()).toBe(1);
    const admin = await board.open(as.admin, `/board?event=${event.uuid}`);
    await admin.getByRole('dialog').getByText('“Harvest Dinner” is canceled.').waitFor();
  });
});

test('a double booking counts where it lies outside of the day', async () => {
  const { as, business, ivy } = await board.createDay();
  const night = await board.service.createEvent(business, {
    title: 'Late',
    start: wall(0),
    end: wall(40),
    timezone: zone,
  });
  const other = await board.service.createEvent(business, {
    title: 'Later',
    start: wall(34),
    end: wall(39),
    timezone: zone,
  });
  await board.service.createShift(night, ivy, { start: wall(30), end: wall(40) });
  await board.service.createShift(other, ivy, { start: wall(34), end: wall(39) });
  const page = await board.open(as.admin);
  await page.locator(`[data-event="${night.uuid}"] .bd-chip.bd-clash`).waitFor();
  await page.getByRole('button', { name: /^1 double booking/ }).waitFor();
});

describe('the lists', () => {
  test('say of which days they speak, and leave out what has ended', async () => {
    const { as, business } = await board.createDay();
    const past = await board.service.createEvent(business, {
      title: 'Past',
      start: wall(-60),
      end: wall(-55),
      timezone: zone,
    });
    await board.service.createCallTime(past, { start: wall(-60), end: wall(-55), staffNeeded: 4 });
    const day = await board.open(as.admin, `/board?day=${wall(-60).slice(0, 10)}`);
    await card(day, 'Past').getByText('0 confirmed · 4 not filled', { exact: true }).waitFor();
    await day.getByRole('button', { name: /^0 open places/ }).waitFor();
    await day.getByText(/^Nobody is needed any more on /).waitFor();
    const empty = await board.open((await board.service.createTenant()).as.admin, '/board?span=week');
    await empty.getByText(/^Nobody is still to come from /).waitFor();
  });

  test('tell staff of all that waits for their answer, and of the next shift', async () => {
    const { business } = await board.createDay();
    const zoe = await board.service.createUser(business, 'staff', { name: 'Zoe Fox' });
    const later = await board.service.createEvent(business, {
      title: 'In a month',
      start: wall(720),
      end: wall(725),
      timezone: zone,
    });
    await board.service.createShift(later, zoe, { start: wall(720), end: wall(725) });
    const page = await board.open(await board.service.tokenOf(zoe));
    await page.getByRole('region', { name: 'Waiting for your answer' }).getByText('In a month').waitFor();
    await page.getByRole('button', { name: /^1 waiting/ }).waitFor();
    await page
      .getByText(/Your next shift: /)
      .getByRole('button', { name: 'Show that day' })
      .click();
    await card(page, 'In a month').waitFor();
  });
});

test('undo restores somebody who was called off although a rule is against it, and a reason can be given', async () => {
  const { as, business, ivy } = await board.createDay();
  const other = await board.service.createEvent(business, {
    title: 'Gala',
    start: wall(0),
    end: wall(4),
    timezone: zone,
  });
  const { uuid } = await board.service.createShift(other, ivy, { start: wall(0), end: wall(4), confirmed: true });
  const page = await board.open(as.admin);
  await page.locator(`[data-shift="${uuid}"]`).click();
  await page.getByRole('button', { name: 'Call off Ivy Green' }).click();
  await page.getByLabel('Reason').fill('Booked twice');
  await page.getByRole('button', { name: 'Call off', exact: true }).click();
  await toast(page, 'Ivy Green called off.');
  const stored = () => board.service.prisma.workShift.findFirstOrThrow({ where: { uuid } });
  expect(await stored()).toMatchObject({ status: 'canceled', cancelReason: 'Booked twice' });
  await undo(page).click();
  await toast(page, 'Undone');
  expect(await stored()).toMatchObject({ status: 'active', confirmed: true, cancelReason: null });
});

test('a link to an event of another day leads there', async () => {
  const { as, business } = await board.createDay();
  const later = await board.service.createEvent(business, {
    title: 'Spring ball',
    start: wall(900),
    end: wall(905),
    timezone: zone,
  });
  const page = await board.open(as.admin, `/board?event=${later.uuid}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Show that day' }).click();
  await page.getByRole('dialog', { name: 'Spring ball' }).waitFor();
});

test('a long word breaks', async () => {
  const { as, business, ivy } = await board.createDay();
  const long = 'W'.repeat(200);
  const event = await board.service.createEvent(business, {
    title: long,
    venueName: long,
    city: long,
    start: wall(0),
    end: wall(2),
    timezone: zone,
  });
  const position = await board.service.createPosition(business, { title: long });
  const times = { start: wall(0), end: wall(2), positionId: position.id };
  await board.service.createCallTime(event, times);
  await board.service.createShift(event, ivy, times);
  const page = await board.open(as.admin);
  for (const width of [1440, 390])
    for (const query of ['', '?view=table', `?event=${event.uuid}`]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${board.origin}/board${query}`);
      await page.locator(`[data-event="${event.uuid}"]`).waitFor();
      const wide = await page.evaluate(() =>
        ['html', '.bd-side', '.bd-panel', '.bd-list'].flatMap((name) => {
          const element = document.querySelector(name);
          return element && element.scrollWidth > element.clientWidth + 1 ? [name] : [];
        }),
      );
      expect([width, query, wide]).toEqual([width, query, []]);
    }
});
