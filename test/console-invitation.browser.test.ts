/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import { expectAccessible, expectNoOverflow, openConsole } from './support/console.ts';

const console = openConsole();
const refused = /Failed to load resource/;

/** A staff member without a password, and the path of the link that invites them. */
async function invite() {
  const tenant = await console.service.createTenant();
  const { as } = tenant;
  const input = { email: `new-${tenant.business.id}@example.com`, name: 'Nina Park', role: 'staff', password: null };
  const body = { inputs: [input] };
  const created = await console.service.call('POST', '/api/v1/users/batch', { as: as.admin, body });
  const url = `/api/v1/users/${created.body.data[0].user.id}/invitation`;
  const invited = await console.service.call('POST', url, { as: as.admin });
  expect(invited.status).toBe(201);
  return { path: invited.body.data.path as string, email: input.email };
}

test('an invited person sets a password, is logged in, and the link is used up', async () => {
  const { path } = await invite();
  const page = await console.open(null, path, { viewport: { width: 390, height: 844 }, expected: refused });
  await expectAccessible(page);
  await expectNoOverflow(page);
  const password = page.getByLabel('Password', { exact: true });
  await password.fill('short');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid=true]').waitFor();
  await password.fill('three quiet bartenders');
  await page.getByRole('button', { name: 'Set the password and log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'My shifts' }).waitFor();
  // No password and no secret stays in the browser's storage or in the address.
  const left = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
  expect(left).not.toContain('bartenders');
  expect(left).not.toContain(path.split('#')[1]);

  const other = await console.open(null, path, { expected: refused });
  await other.getByLabel('Password', { exact: true }).fill('another quiet bartender');
  await other.getByRole('button', { name: 'Set the password and log in' }).click();
  await other.getByText('This invitation is over').waitFor();
  await expectAccessible(other);
});

test('a link that was cut off says so', async () => {
  const page = await console.open(null, '/app/invitation');
  await page.getByText('This address is not whole').waitFor();
  await page.getByRole('link', { name: 'To the log-in' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
});
