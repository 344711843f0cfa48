import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import type { Event } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';

const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

const service = useService();
const tenant = useTenant(service);

const create = (input: object, as = tenant.as.admin) =>
  mutate(as, '($input: CreateCustomFieldInput!) { it: createCustomField(input: $input) { uuid } }', { input });

describe('setCustomFieldValues', () => {
  let event: Event;
  let fields: Record<'text' | 'lines' | 'tier', string>;

  beforeEach(async () => {
    event = await service.createEvent(tenant.business);
    const made = [
      { name: 'Text', type: 'TEXT' },
      { name: 'Lines', type: 'MULTILINE' },
      { name: 'Tier', type: 'SELECT', options: ['Gold', 'Silver'] },
    ].map(async (input) => (await create(input)).it.uuid as string);
    const [text, lines, tier] = [await made[0]!, await made[1]!, await made[2]!];
    fields = { text, lines, tier };
  });

  const set = (values: (readonly [string, string | null])[], uuid = event.uuid, as = tenant.as.admin) =>
    mutate(
      as,
      `($uuid: ID!, $values: [CustomFieldValueInput!]!) {
         it: setCustomFieldValues(eventId: $uuid, values: $values) { uuid modifiedAt customFields { fieldName fieldValue } } }`,
      { uuid, values: values.map(([fieldUuid, value]) => ({ fieldId: fieldUuid, value })) },
    );
  const shownValues = ({ it }: Awaited<ReturnType<typeof set>>) =>
    Object.fromEntries(
      it.customFields.map(({ fieldName, fieldValue }: Record<string, string>) => [fieldName, fieldValue]),
    );

  test('bounds the characters of all values of an event together, however they are set', async () => {
    const value = '\u{1f3ad}'.repeat(limits.longTextChars);
    const uuids: string[] = [];
    for (let number = 0; number <= limits.customValuesChars / limits.longTextChars; number++)
      uuids.push((await create({ name: `Long ${number}`, type: 'MULTILINE' })).it.uuid);
    const [first = '', last = ''] = [uuids[0], uuids.pop()];
    for (const uuid of uuids) expect((await set([[uuid, value]])).code).toBe('OK');
    const refused = {
      code: 'VALIDATION_FAILED',
      errors: { values: [expect.stringMatching(/200000 characters together .*; now they have 200001$/)] },
    };
    expect(await set([[last, 'x']])).toMatchObject(refused);
    expect(
      await set([
        [first, 'x'],
        [last, 'x'],
      ]),
    ).toMatchObject({ code: 'OK' });

    await service.prisma.customFieldValue.updateMany({
      where: { eventId: event.id, customField: { uuid: { in: [first, last] } } },
      data: { value },
    });
    const copied = await mutate(
      tenant.as.admin,
      '($uuid: ID!) { it: copyEvent(id: $uuid, input: { days: 1 }) { event { uuid } } }',
      { uuid: event.uuid },
    );
    expect(copied.errors).toEqual({ uuid: [expect.stringContaining('200000 characters')] });
    expect((await set([[first, null]])).code).toBe('OK');
  });

  test('bounds them when options are replaced by longer ones', async () => {
    const value = 'x'.repeat(limits.longTextChars);
    await set([[fields.tier, 'Gold']]);
    for (let number = 0; number < limits.customValuesChars / limits.longTextChars - 1; number++)
      await set([[(await create({ name: `Long ${number}`, type: 'MULTILINE' })).it.uuid, value]]);
    await set([[fields.lines, 'x'.repeat(limits.longTextChars - 'Gold'.length)]]);
    const replace = (to: string) =>
      mutate(
        tenant.as.admin,
        '($uuid: ID!, $input: UpdateCustomFieldInput!) { it: updateCustomField(id: $uuid, input: $input) { uuid } }',
        { uuid: fields.tier, input: { options: [to, 'Silver'], replaceOptions: [{ from: 'Gold', to }] } },
      );
    expect((await replace('Golden')).errors).toEqual({
      replaceOptions: [expect.stringContaining('1 would have more')],
    });
    expect((await replace('Au')).code).toBe('OK');
  });

  test('sets, overwrites and removes values, and keeps those that are not given', async () => {
    const { text, lines, tier } = fields;
    const first = await set([
      [text, 'A1'],
      [lines, 'Soup\nFish'],
      [tier.toUpperCase(), 'Gold'],
    ]);
    expect(shownValues(first)).toEqual({ Text: 'A1', Lines: 'Soup\nFish', Tier: 'Gold' });
    expect(first.it.modifiedAt).not.toBe(event.modifiedAt.toISOString());
    const { it: rest } = await query(tenant.as.admin, `{ it: event(id: "${event.uuid}") { modifiedAt } }`);
    expect(rest.modifiedAt).toBe(first.it.modifiedAt);
    expect(
      shownValues(
        await set([
          [tier, 'Silver'],
          [lines, null],
        ]),
      ),
    ).toEqual({ Text: 'A1', Tier: 'Silver' });
    expect(shownValues(await set([[text, '']]))).toEqual({ Tier: 'Silver' });
    expect(shownValues(await set([]))).toEqual({ Tier: 'Silver' });
    const { body } = await service.call('GET', `/v1/events/${event.uuid}`, { as: tenant.as.admin });
    expect(body.data.custom_fields).toEqual([{ field_uuid: tier, field_name: 'Tier', field_value: 'Silver' }]);
  });

  test('shows the new values when one request sets values twice', async () => {
    const one = (name: string, value: string) =>
      `${name}: setCustomFieldValues(eventId: "${event.uuid}", values: [{ fieldId: "${fields.text}", value: "${value}" }]) { customFields { fieldValue } }`;
    const { body } = await service.graphql(`mutation { ${one('a', 'A')} ${one('b', 'B')} }`, { as: tenant.as.admin });
    expect(body.data).toEqual({
      a: { customFields: [{ fieldValue: 'A' }] },
      b: { customFields: [{ fieldValue: 'B' }] },
    });
  });

  test('sets all values or none, and reports every wrong one', async () => {
    const foreign = await create({ name: 'Text', type: 'TEXT' }, (await service.createTenant()).as.admin);
    const { text, lines, tier } = fields;
    await set([[text, 'Kept']]);
    const { code, errors } = await set([
      [lines, 'Fine'],
      [text, 'two\nlines'],
      [tier, 'gold'],
      [foreign.it.uuid, 'x'],
      [randomUUID(), null],
      [lines, 'named twice'],
    ]);
    expect(code).toBe('VALIDATION_FAILED');
    const wrong = ['values.1.value', 'values.2.value', 'values.3.fieldId', 'values.4.fieldId', 'values.5.fieldId'];
    expect(Object.keys(errors)).toEqual(wrong);
    expect(await set([['x', 'y'.repeat(limits.longTextChars + 1)]])).toMatchObject({
      errors: { 'values.0.fieldId': [expect.any(String)], 'values.0.value': [expect.any(String)] },
    });
    expect(shownValues(await set([]))).toEqual({ Text: 'Kept' });
  });

  test.each(['a\rb', 'a\vb', 'a\fb', 'a\u0085b', 'a\u2028b', 'a\u2029b'])(
    'takes %j on several lines, and on a single one not',
    async (value) => {
      expect((await set([[fields.text, value]])).errors).toEqual({ 'values.0.value': ['must be a single line'] });
      expect(shownValues(await set([[fields.lines, value]]))).toEqual({ Lines: value });
    },
  );
});
