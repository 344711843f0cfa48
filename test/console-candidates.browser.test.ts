/// <reference lib="dom" />
import { expect, test } from '@jest/globals';
import { expectAccessible, expectNoOverflow, openConsole, toast } from './support/console.ts';

/* The panel that fills a gap shows the candidates of the service, with the reasons. */

const console = openConsole({ isDemo: true, isAlone: true });

/** The next call time of the demo that lacks people. */
async function findGap() {
  const as = await console.logInToDemo('admin');
  const { body } = await console.service.graphql(
    `query ($from: DateTimeISO!) {
      callTimes(filter: { unfilled: true, from: $from }, first: 1) { nodes { uuid event { uuid } } } }`,
    { as, variables: { from: new Date() } },
  );
  const [gap] = body.data.callTimes.nodes;
  const ask = async (verdicts: string) => {
    const url = `/v1/call_times/${gap.uuid}/candidates?verdicts=${verdicts}&per_page=100`;
    return (await console.service.call('GET', url, { as })).body.data.data;
  };
  return { as, ask, uuid: gap.uuid as string, path: `/app/events/${gap.event.uuid}` };
}

const findShift = (uuid: string, userId: number) =>
  console.service.prisma.workShift.findFirst({ where: { userId, status: 'active', callTime: { uuid } } });

test('a gap of the demo is filled from its candidates', async () => {
  const { as, ask, uuid, path } = await findGap();
  const [best] = await ask('READY&verdicts=ASK');
  const page = await console.open(as, path);
  await page.locator(`[data-call="${uuid}"]`).getByRole('button', { name: /^Fill/ }).click();
  const first = page.locator('.st-choice').first();
  await first.getByText(best.name, { exact: true }).waitFor();
  for (const { text } of best.reasons) await first.getByText(text, { exact: true }).waitFor();
  await first.getByText(/^\d+(\.\d)? h in that week$/).waitFor();
  expect(await first.getByRole('link').getAttribute('href')).toBe(
    best.phone && `tel:${best.phone.replaceAll(/[^+\d]/g, '')}`,
  );
  await expectAccessible(page);
  await expectNoOverflow(page);
  await first.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await toast(page, `${best.name} assigned.`);
  expect(await findShift(uuid, best.user_id)).toMatchObject({ overrideReason: null });
});

test('who is blocked is behind a switch, with the reason, and is assigned with another one', async () => {
  const { as, ask, uuid, path } = await findGap();
  const [blocked] = await ask('BLOCKED');
  const page = await console.open(as, path, { expected: /409/ });
  await page
    .locator(`[data-call="${uuid}"]`)
    .getByRole('button', { name: /^(Fill|Assign one more)/ })
    .click();
  await page.getByLabel('Search by name').fill(blocked.name);
  await page.getByText('Nobody is found.').waitFor();
  await page.getByLabel('Show everybody').check();
  const group = page.getByRole('group', { name: 'With something against it' });
  await group.getByText(blocked.reasons[0].text, { exact: true }).first().waitFor();
  await expectAccessible(page);
  await group.getByRole('checkbox', { name: blocked.name }).check();
  await page.getByLabel('Do it anyway, because').fill('Agreed on the phone');
  await page.getByRole('button', { name: 'Assign anyway' }).click();
  await toast(page, `${blocked.name} assigned.`);
  expect(await findShift(uuid, blocked.user_id)).toMatchObject({ overrideReason: 'Agreed on the phone' });
});
