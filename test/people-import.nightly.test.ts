import { expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';

/* The import that the guide for integrators tells: people, what they hold, and when they can work. */

const service = useService();
const tenant = useOneTenant(service, 'enterprise');
const people = 500;

test('500 people with qualifications and availability come in 18 requests', async () => {
  let requests = 0;
  /** Sends the rows in batches under keys of their own, and gives the new rows. */
  async function send<Row>(url: string, name: string, rows: readonly object[]): Promise<Row[]> {
    const made: Row[] = [];
    for (let from = 0; from < rows.length; from += 100) {
      const headers = { 'idempotency-key': `${url} ${from}` };
      const request = { as: tenant.as.key, headers, body: { inputs: rows.slice(from, from + 100) } };
      const { status, body } = await service.call('POST', url, request);
      requests++;
      expect([status, body.data.flatMap(({ error }: { error: unknown }) => error ?? [])]).toEqual([201, []]);
      made.push(...body.data.map((result: Record<string, Row>) => result[name]));
    }
    return made;
  }
  const qualification = (
    await service.call('POST', '/v1/qualifications', { as: tenant.as.key, body: { name: 'First aid' } })
  ).body.data;

  const users = await send<{ id: number }>(
    '/api/v1/users/batch',
    'user',
    Array.from({ length: people }, (_, at) => ({
      ...{ email: `p${at}@example.com`, password: null, name: `Person ${at}`, role: 'staff' },
    })),
  );
  await send(
    '/v1/user_qualifications/batch',
    'user_qualification',
    users.map(({ id }, at) => ({ user_id: id, qualification_id: qualification.id, level: (at % 5) + 1 })),
  );
  const windows = users.flatMap(({ id: staff_id }, at) =>
    (at % 5 < 3 ? ['saturday', 'sunday'] : ['friday']).map((weekday) => ({
      ...{ staff_id, rule: 'available', weekday, start_time: '08:00', end_time: '20:00', timezone: 'UTC' },
    })),
  );
  expect(windows).toHaveLength(800);
  await send('/v1/availability/patterns/batch', 'availability_pattern', windows);

  expect(requests).toBe(18);
  const where = { businessId: tenant.business.id };
  expect(await service.prisma.userQualification.count({ where })).toBe(people);
  expect(await service.prisma.availabilityPattern.count({ where })).toBe(800);
});
