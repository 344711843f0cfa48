import { expect, test } from '@jest/globals';
import { useOneTenant, useService } from './support/app.ts';

/* Custom fields and their values through the routes beyond the contract. */

const service = useService();
const tenant = useOneTenant(service);

const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  service.call(method, url, { as: tenant.as.admin, ...(body && { body }) });

test('a field and its values are managed, and what is in use is counted', async () => {
  const made = await send('POST', '/v1/custom_fields', { name: 'Menu', type: 'select', options: ['Fish', 'Veg'] });
  expect([made.status, made.body.data]).toMatchObject([201, { name: 'Menu', options: ['Fish', 'Veg'], version: 1 }]);
  const field = `/v1/custom_fields/${made.body.data.uuid}`;
  expect((await send('GET', field)).body.data).toEqual(made.body.data);

  const event = await service.createEvent(tenant.business);
  const values = `/v1/events/${event.uuid}/custom_fields`;
  const set = (value: string | null) => send('PUT', values, { values: [{ field_uuid: made.body.data.uuid, value }] });
  expect((await set('Fish')).body.data).toEqual([
    { field_uuid: made.body.data.uuid, field_name: 'Menu', field_value: 'Fish' },
  ]);
  expect((await set('Meat')).body.errors).toEqual({ 'values.0.value': ['must be one of the options of the field'] });
  const unknown = await send('PUT', values, { values: [{ field_uuid: crypto.randomUUID(), value: 'x' }] });
  expect(Object.keys(unknown.body.errors)).toEqual(['values.0.field_uuid']);

  const removed = await send('PUT', field, { options: ['Veg'] });
  expect([removed.status, removed.body.in_use]).toEqual([409, { Fish: 1 }]);
  const replaced = await send('PUT', field, {
    options: ['Veg', 'Cod'],
    replace_options: [{ from: 'Fish', to: 'Cod' }],
  });
  expect(replaced.body.data).toMatchObject({ options: ['Veg', 'Cod'], version: 2 });
  expect((await send('GET', values)).body.data).toMatchObject([{ field_value: 'Cod' }]);

  const refused = await send('DELETE', field);
  expect([refused.status, refused.body.in_use]).toEqual([409, { events: 1 }]);
  expect((await send('DELETE', `${field}?drop_values=true`)).body.data.name).toBe('Menu');
  expect((await send('GET', values)).body.data).toEqual([]);
});
