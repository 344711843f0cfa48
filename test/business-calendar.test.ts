import { beforeEach, expect, test } from '@jest/globals';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import type { Tenant } from './support/factories.ts';

/* A business has a time zone and a first day of the week: what is meant where no zone of an event is. */

let tenant: Tenant;
const service = useService();
const mutate = asker(() => service, 'mutation');
const query = asker(() => service, 'query');

beforeEach(async () => {
  tenant = await service.createTenant();
});

const change = (body: object, as = tenant.as.admin) => service.call('PUT', '/v1/business', { as, body });
const read = async () => (await service.call('GET', '/v1/business', { as: tenant.as.admin })).body.data;

test('admins read and change them in both dialects, and the audit trail has each change', async () => {
  expect(await read()).toMatchObject({ timezone: 'UTC', week_start: 'monday' });
  const changed = await change({ timezone: 'Asia/Kolkata', week_start: 'sunday' });
  expect([changed.status, changed.body.data]).toMatchObject([200, { timezone: 'Asia/Kolkata', week_start: 'sunday' }]);
  const input = '{ timezone: "Europe/London", weekStart: SATURDAY }';
  expect(
    await mutate(tenant.as.admin, `{ it: updateBusiness(input: ${input}) { timezone weekStart uniqueResourceIds } }`),
  ).toMatchObject({ it: { timezone: 'Europe/London', weekStart: 'SATURDAY', uniqueResourceIds: false } });
  expect(await query(tenant.as.admin, '{ it: business { timezone weekStart } }')).toMatchObject({
    it: { timezone: 'Europe/London', weekStart: 'SATURDAY' },
  });
  // Nothing changes.
  expect((await change({ timezone: 'Europe/London' })).status).toBe(200);
  const { body } = await service.call('GET', '/v1/audit_entries?action=business.update', { as: tenant.as.admin });
  expect(body.data.data.map(({ details }: { details: unknown }) => details)).toEqual([
    { timezone: { from: 'Asia/Kolkata', to: 'Europe/London' }, weekStart: { from: 'sunday', to: 'saturday' } },
    { timezone: { from: 'UTC', to: 'Asia/Kolkata' }, weekStart: { from: 'monday', to: 'sunday' } },
  ]);
});

test('the name is changed in both dialects, and seen by every caller', async () => {
  expect((await change({ name: 'Night & Day' })).body.data).toMatchObject({ name: 'Night & Day' });
  expect(
    await mutate(tenant.as.admin, '{ it: updateBusiness(input: { name: "Day & Night" }) { name } }'),
  ).toMatchObject({
    it: { name: 'Day & Night' },
  });
  expect(await query(tenant.as.staff, '{ it: viewer { business { name } } }')).toMatchObject({
    it: { business: { name: 'Day & Night' } },
  });
});

test('every caller is told them', async () => {
  await change({ timezone: 'Asia/Tokyo', week_start: 'sunday' });
  for (const as of [tenant.as.admin, tenant.as.key, tenant.as.staff, tenant.as.client]) {
    const { body } = await service.call('GET', '/v1/viewer', { as });
    expect(body.data).toMatchObject({ timezone: 'Asia/Tokyo', week_start: 'sunday' });
    expect(await query(as, '{ it: viewer { business { timezone weekStart } } }')).toMatchObject({
      it: { business: { timezone: 'Asia/Tokyo', weekStart: 'SUNDAY' } },
    });
  }
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: null }, 'name'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: 'europe/london' }, 'timezone'],
  [{ timezone: '+05:00' }, 'timezone'],
  [{ timezone: null }, 'timezone'],
  [{ week_start: 'someday' }, 'week_start'],
  [{ week_start: 1 }, 'week_start'],
])('%j is refused', async (body, field) => {
  const refused = await change(body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
  expect(await read()).toMatchObject({ timezone: 'UTC', week_start: 'monday' });
});
