/// <reference lib="dom" />
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { readTime } from '../src/pages/time/typed.ts';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

/* The parts of which the pages of the console are made, on the page that shows them. */

const console = openConsole({ isAlone: true, isDemo: true });
const openParts = () => console.openAs('admin', '/app/parts');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim());
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['0930', '09:30'],
  ['9:30', '09:30'],
  ['9.30', '09:30'],
  ['9pm', '21:00'],
  ['9:30 PM', '21:30'],
  ['12am', '00:00'],
  ['12 p.m.', '12:00'],
  ['09:30:00', '09:30'],
  ['24', null],
  ['9:75', null],
  ['13pm', null],
  ['noon', null],
  ['', null],
])('the time %p is read as %p', (text, time) => {
  expect(readTime(text)).toBe(time);
});

describe('a dialog', () => {
  test('has no barriers, keeps the focus inside, and gives it back by Escape and by its button', async () => {
    const page = await openParts();
    for (const close of [() => page.keyboard.press('Escape'), () => button(page, 'Close').click()]) {
      await button(page, 'Open a dialog').click();
      await page.getByRole('dialog', { name: 'Move the event' }).waitFor();
      await expectAccessible(page);
      await close();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('Open a dialog');
    }
  });

  test('about danger waits until the name is typed', async () => {
    const page = await openParts();
    await button(page, 'Delete for good').click();
    const dialog = page.getByRole('dialog', { name: 'Delete Harvest Dinner?' });
    expect(await button(page, 'Delete').nth(1).isDisabled()).toBe(true);
    await expectAccessible(page);
    await expectNoOverflow(page);
    await dialog.getByRole('textbox').fill('Harvest Dinner');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Delete for good');
  });
});

test('a menu is used by arrow keys, and gives the focus back', async () => {
  const page = await openParts();
  const opener = page.getByRole('button', { name: 'Actions' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await expectAccessible(page);
  expect(await focused(page)).toBe('Copy');
  await page.keyboard.press('ArrowUp');
  expect(await focused(page)).toBe('Cancel the event');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  expect(await focused(page)).toContain('Actions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Chosen: Print').waitFor();
  expect(await focused(page)).toContain('Actions');
});

test('a toast offers an undo, and is no barrier', async () => {
  const page = await openParts();
  await button(page, 'Show a toast').click();
  await page.getByText('Ivy Green is called off.').waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await button(page, 'Undo').click();
  await page.getByText('Ivy Green is back.').waitFor();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test('tabs are changed by arrow keys', async () => {
  const page = await openParts();
  await page.getByRole('tab', { name: 'Call times' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'History' }).getByText('Nothing has changed.').waitFor();
  await page.keyboard.press('End');
  await page.getByRole('tabpanel', { name: 'Cost' }).waitFor();
});

test('a combobox finds by typing and is chosen from by keyboard', async () => {
  const page = await openParts();
  const who = page.getByRole('combobox', { name: 'Who' });
  await who.fill('person 2');
  await page.getByRole('option', { name: 'Person 20' }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await who.inputValue()).toBe('Person 20');
  await who.fill('nobody');
  await page.getByText('Nothing matches.').waitFor();
  await page.keyboard.press('Escape');
  expect(await who.inputValue()).toBe('Person 20');
  await who.fill('person 12');
  await page.getByRole('option', { name: 'Person 12' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await who.inputValue()).toBe('Person 12');
  await who.fill('Person');
  await page.keyboard.press('Tab');
  await page.getByText('“Person” is none of the suggestions. Choose one, or empty the field.').waitFor();
  expect(await who.inputValue()).toBe('Person');
  await button(page, 'Save').click();
  expect(await who.evaluate((field) => field === document.activeElement)).toBe(true);
  await who.fill('');
  await page.keyboard.press('Tab');
  expect(await who.inputValue()).toBe('');
});

describe('a form', () => {
  test('moves the focus to the field at fault and ties the reason to it', async () => {
    const page = await openParts();
    await button(page, 'Save').click();
    const title = page.getByRole('textbox', { name: 'Title' });
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
    await page
      .getByRole('textbox', { name: 'Title', description: 'What the crew calls it. A title is needed.' })
      .waitFor();
    await expectAccessible(page);
  });

  test('keeps what was typed over another page and a reload, until it is discarded', async () => {
    const page = await openParts();
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Harvest');
    await page.getByRole('banner').getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.goBack();
    await page.getByText('What you had typed and not saved is here again.').waitFor();
    await page.reload();
    expect(await title.inputValue()).toBe('Harvest');
    await button(page, 'Discard it').click();
    expect(await title.inputValue()).toBe('');
    await page.reload();
    expect(await title.inputValue()).toBe('');
  });

  test('reads a time when the field is left, and says what is none', async () => {
    const page = await openParts();
    const start = page.getByRole('textbox', { name: 'Start' });
    await start.fill('930pm');
    await page.keyboard.press('Tab');
    expect(await start.inputValue()).toBe('21:30');
    await start.fill('late');
    await page.keyboard.press('Tab');
    await page.getByText('“late” is no time. Write it such as 9, 930, 9:30 or 9pm.').waitFor();
  });
});

test('a table of 2,000 rows has only those in sight, and arrow keys go on to the others', async () => {
  const page = await openParts();
  await page.getByRole('combobox', { name: 'Table' }).selectOption('2000');
  const rows = page.locator('.cs-table tbody tr:not(.cs-space)');
  await rows.nth(10).waitFor();
  expect(await rows.count()).toBeLessThan(80);
  await expectAccessible(page);
  await rows.first().getByRole('link').focus();
  for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toBe('Person 61');
  await page.getByRole('button', { name: /^Shifts/ }).click();
  await page.getByRole('link', { name: 'Person 2000' }).waitFor();
  await page.getByRole('combobox', { name: 'Table' }).selectOption('0');
  await page
    .locator('.cs-sample', { has: page.getByRole('heading', { name: 'Table' }) })
    .getByText('No events yet')
    .waitFor();
});
