/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addDays } from '../src/pages/time/dates.ts';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

/* Qualifications in the console: on a person, on a call time, in the settings and on the home page. */

const console = openConsole({ isAlone: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const today = () => new Date().toISOString().slice(0, 10);

test('a person gets a qualification, which is marked when it ends, changed and deleted', async () => {
  const { service } = console;
  const tenant = await service.createTenant();
  await service.createQualification(tenant.business, { name: 'Forklift licence', expires: true });
  const page = await console.open(tenant.as.admin, `/app/people/${tenant.staff.id}`);
  await page.getByRole('tab', { name: 'Qualifications' }).click();
  await button(page, 'Add a qualification').click();
  await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('2');
  await page.getByLabel('Reference').fill('FL-20417');
  await button(page, 'Save').click();
  // A last day is missing, and the focus is there.
  await page.getByText('must be a day, because the qualification expires').first().waitFor();
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('date');
  await expectAccessible(page);
  await page.getByLabel('Last day').fill(addDays(today(), 9));
  await button(page, 'Save').click();
  await page.getByText('Forklift licence is saved.').waitFor();
  await page.getByText('Ends soon').waitFor();
  await button(page, 'Edit Forklift licence, level 2').click();
  await page.getByLabel('Last day').fill(addDays(today(), -9));
  await button(page, 'Save').click();
  await page.getByText('Expired').waitFor();
  expect(await button(page, 'Edit Forklift licence, level 2').evaluate((it) => it === document.activeElement)).toBe(
    true,
  );
  await expectAccessible(page);
  await expectNoOverflow(page);
  await button(page, 'Delete Forklift licence, level 2').click();
  await page.getByRole('dialog').getByRole('textbox').fill('Forklift licence, level 2');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No qualifications yet').waitFor();
});

test('a call time gets requirements by the keyboard, and shows them', async () => {
  const { service } = console;
  const tenant = await service.createTenant();
  await service.createQualification(tenant.business, { name: 'First aid' });
  await service.createQualification(tenant.business, { name: 'Forklift licence' });
  const position = await service.createPosition(tenant.business, { title: 'Setup Crew' });
  const event = await service.createEvent(tenant.business);
  const callTime = await service.createCallTime(event, { positionId: position.id });
  const page = await console.open(tenant.as.admin, `/app/events/${event.uuid}?tab=calls`);
  const change = page.getByRole('button', { name: /^Change what Setup Crew/ });
  await change.press('Enter');
  await page.getByLabel('First aid').waitFor();
  // Not required, required, level 1, 2 and 3.
  for (let presses = 0; presses < 4; presses++) await page.getByLabel('Forklift licence').press('ArrowDown');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await button(page, 'Save').last().press('Enter');
  await page.getByText('Forklift licence (level 3 or higher)').waitFor();
  expect(await change.evaluate((it) => it === document.activeElement)).toBe(true);
  const where = { businessId: tenant.business.id };
  expect(await service.prisma.requirement.findMany({ where })).toMatchObject([
    { callTimeId: callTime.id, eventId: event.id, minLevel: 3 },
  ]);
  await expectAccessible(page);
  await expectNoOverflow(page);
});

test('the settings have a catalogue, and positions say what they require', async () => {
  const { service } = console;
  const tenant = await service.createTenant();
  await service.createPosition(tenant.business, { title: 'Setup Crew' });
  const page = await console.open(tenant.as.admin, '/app/settings/qualifications');
  await button(page, 'New qualification').click();
  await page.getByLabel('Name').fill('Forklift licence');
  await page.getByLabel('Ends for everybody, so a last day must be given').check();
  await expectAccessible(page);
  await button(page, 'Save').click();
  await page.getByText('Forklift licence is saved.').waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: 'Positions', exact: true }).click();
  await button(page, 'Edit Setup Crew').click();
  await page.getByLabel('Forklift licence').selectOption('Required');
  await expectAccessible(page);
  await button(page, 'Save').click();
  await page.getByText('Setup Crew is saved.').waitFor();
  await page.getByText('Requires Forklift licence').waitFor();
  const where = { businessId: tenant.business.id };
  expect(await service.prisma.requirement.findMany({ where })).toMatchObject([{ minLevel: null, callTimeId: null }]);
});

test('the home page names what ends soon, and the shifts that need it longer', async () => {
  const { service } = console;
  const tenant = await service.createTenant();
  const { id: positionId } = await service.createPosition(tenant.business);
  const { id: qualificationId } = await service.createQualification(tenant.business, { name: 'First aid' });
  const { business, staff } = tenant;
  await service.prisma.requirement.create({ data: { businessId: business.id, positionId, qualificationId } });
  await service.createHeld(staff, { qualificationId, validUntil: new Date(addDays(today(), 5)) });
  const day = addDays(today(), 8);
  const times = { start: `${day} 10:00:00`, end: `${day} 18:00:00` };
  await service.createShift(await service.createEvent(business, times), staff, { positionId, ...times });
  const page = await console.open(tenant.as.admin, '/app');
  await page.getByRole('heading', { name: 'Qualifications that end soon' }).waitFor();
  await page.getByText('1 booked shift needs it longer').waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.getByRole('link', { name: staff.name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: staff.name }).waitFor();
});
