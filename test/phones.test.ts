import { describe, expect, test } from '@jest/globals';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';

/* Phone numbers of users, in both dialects. */

const service = useService();
const tenant = useTenant(service);

const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

const userUrl = () => `/api/v1/users/${tenant.staff.id}`;
const change = (body: object) => service.call('PUT', userUrl(), { as: tenant.as.admin, body });
const inGraphql = async (as = tenant.as.admin) =>
  (await query(as, `{ it: user(id: ${tenant.staff.id}) { phone } }`)).it;
const inStaff = async () => {
  const { body } = await service.call('GET', '/v1/staff', { as: tenant.as.admin });
  return body.data.data.find(({ id }: { id: number }) => id === tenant.staff.id).phone;
};

describe('a phone number', () => {
  test.each(['+1 212 555-0142', '(212) 555.0142 x12', '2125550142 ext. 7', '911', `+${'1'.repeat(39)}`])(
    'is kept as it was sent, in both dialects: %s',
    async (phone) => {
      const { status, body } = await change({ phone });
      expect(status).toBe(200);
      // The shape of the contract.
      expect(Object.keys(body.data)).toEqual(['id', 'name', 'email', 'role', 'created_at', 'updated_at']);
      expect(await inStaff()).toBe(phone);
      expect(await inGraphql()).toEqual({ phone });
      const other = `${phone.slice(0, 36)} 99`;
      const { it } = await mutate(
        tenant.as.admin,
        `($input: UpdateUserInput!) { it: updateUser(id: ${tenant.staff.id}, input: $input) { phone } }`,
        { input: { phone: other.includes('x') ? phone : other } },
      );
      expect(it.phone).toBe(await inStaff());
    },
  );

  test.each([
    'call me',
    '12',
    '555-0142 x',
    '555-0142x1x2',
    '555\n0142',
    '٥٥٥٠١٤٢',
    `+${'1'.repeat(40)}`,
    '555-0142;ext=1',
  ])('is refused, and nothing changes: %j', async (phone) => {
    const { status, body } = await change({ phone, name: 'Changed' });
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: ['phone'] });
    const { code, errors } = await mutate(
      tenant.as.admin,
      `($input: UpdateUserInput!) { it: updateUser(id: ${tenant.staff.id}, input: $input) { phone } }`,
      { input: { phone } },
    );
    expect({ code, fields: Object.keys(errors) }).toEqual({ code: 'VALIDATION_FAILED', fields: ['phone'] });
    expect(await inStaff()).toBeNull();
  });

  test('is set with a new user, stays with other changes, and is removed by null or the empty text', async () => {
    const input = {
      email: `new-${tenant.staff.id}@phones.example`,
      password: 'enough of it',
      name: 'New',
      phone: '555-0101',
    };
    const { it } = await mutate(
      tenant.as.admin,
      '($input: CreateUserInput!) { it: createUser(input: $input) { databaseId phone } }',
      { input: { ...input, role: 'STAFF' } },
    );
    expect(it.phone).toBe('555-0101');
    const created = await service.call('POST', '/api/v1/users', {
      as: tenant.as.admin,
      body: { ...input, email: `other-${tenant.staff.id}@phones.example`, role: 'staff' },
    });
    expect(created.status).toBe(201);

    for (const nothing of [null, '']) {
      await change({ phone: '555-0142' });
      await change({ name: 'Another Name' });
      expect(await inStaff()).toBe('555-0142');
      expect((await change({ phone: nothing })).status).toBe(200);
      expect(await inStaff()).toBeNull();
    }
  });

  test('is shown to admins and to the person alone', async () => {
    await change({ phone: '555-0142' });
    const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
    const shift = await service.createShift(event, tenant.staff);
    const seenBy = async (as: string) =>
      (await query(as, `{ it: workShift(id: "${shift.uuid}") { user { name phone } } }`)).it.user;
    const { name } = tenant.staff;
    expect(await seenBy(tenant.as.admin)).toEqual({ name, phone: '555-0142' });
    expect(await seenBy(tenant.as.staff)).toEqual({ name, phone: '555-0142' });
    expect(await seenBy(tenant.as.client)).toEqual({ name, phone: null });
    for (const as of [tenant.as.staff, tenant.as.client]) {
      expect((await service.call('GET', '/v1/staff', { as })).status).toBe(403);
      expect((await service.call('GET', '/v1/history', { as })).status).toBe(403);
    }
  });

  test('is in what has changed for admins, and null for a client who sees the person', async () => {
    const event = await service.createEvent(tenant.business, { clientId: tenant.client.id });
    await service.createShift(event, tenant.staff);
    const cursorOf = async (as: string) =>
      (await service.call('GET', '/v1/changes', { as })).body.data.next_cursor as string;
    const callers = [tenant.as.admin, tenant.as.staff, tenant.as.client];
    const cursors = await Promise.all(callers.map(cursorOf));
    await change({ phone: '555-0142' });
    const phones = await Promise.all(
      callers.map(async (as, index) => {
        const { body } = await service.call('GET', `/v1/changes?after=${cursors[index]}`, { as });
        const changes = body.data.changes as { kind: string; row: { phone: string | null } }[];
        return changes.filter(({ kind }) => kind === 'user').map(({ row }) => row.phone);
      }),
    );
    expect(phones).toEqual([['555-0142'], ['555-0142'], [null]]);
  });

  test('stands in the history with its values before and after', async () => {
    await change({ phone: '555-0141' });
    await change({ phone: '555-0142' });
    const url = `/v1/history?kind=user&row_id=${tenant.staff.id}&per_page=1`;
    const { body } = await service.call('GET', url, { as: tenant.as.admin });
    const field = body.data.data[0].fields.find(({ name }: { name: string }) => name === 'phone');
    expect(field).toMatchObject({ before: '555-0141', after: '555-0142' });
  });
});
