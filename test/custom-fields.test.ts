import { describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';

const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

const service = useService();
const tenant = useTenant(service);

const shown = '{ uuid name type options sort }';
const list = async (as = tenant.as.admin) => (await query(as, `{ it: customFieldDefinitions ${shown} }`)).it;
const create = (input: object, as = tenant.as.admin) =>
  mutate(as, `($input: CreateCustomFieldInput!) { it: createCustomField(input: $input) ${shown} }`, { input });
const update = (uuid: string, input: object, as = tenant.as.admin) =>
  mutate(
    as,
    `($uuid: ID!, $input: UpdateCustomFieldInput!) { it: updateCustomField(id: $uuid, input: $input) ${shown} }`,
    { uuid, input },
  );
const remove = (uuid: string, dropValues?: boolean, as = tenant.as.admin) =>
  mutate(
    as,
    `($uuid: ID!, $dropValues: Boolean) { it: deleteCustomField(id: $uuid, dropValues: $dropValues) ${shown} }`,
    { uuid, dropValues },
  );

/** Values of all events that have one for the field, sorted. */
const valuesOf = async (uuid: string) => {
  const rows = await service.prisma.customFieldValue.findMany({ where: { customField: { uuid } } });
  return rows.map(({ value }) => value).sort();
};

/** A select of three tiers, with events that have them: two gold, one silver, no bronze. */
async function tiers() {
  const { it } = await create({ name: 'Tier', type: 'SELECT', options: ['Gold', 'Silver', 'Bronze'] });
  const field = await service.prisma.customField.findFirstOrThrow({ where: { uuid: it.uuid } });
  for (const value of ['Gold', 'Gold', 'Silver'])
    await service.setCustomValue(await service.createEvent(tenant.business), field, value);
  return it;
}

describe('the definition of a custom field', () => {
  test('is created at the end of the form, or at the given position', async () => {
    const text = await create({ name: 'Room code', type: 'TEXT' });
    const lines = await create({ name: 'Menu', type: 'MULTILINE', options: [] });
    const select = await create({ name: 'Tier', type: 'SELECT', options: ['Gold', 'Silver'], sort: 0 });
    expect([text, lines, select].map(({ it }) => it)).toEqual([
      { uuid: expect.any(String), name: 'Room code', type: 'TEXT', options: [], sort: 0 },
      { uuid: expect.any(String), name: 'Menu', type: 'MULTILINE', options: [], sort: 1 },
      { uuid: expect.any(String), name: 'Tier', type: 'SELECT', options: ['Gold', 'Silver'], sort: 0 },
    ]);
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Room code', 'Tier', 'Menu']);
  });

  test.each<[string, object, string[]]>([
    ['a select without options', { type: 'SELECT' }, ['options']],
    ['a select with no option', { type: 'SELECT', options: [] }, ['options']],
    ['a text with options', { type: 'TEXT', options: ['A'] }, ['options']],
    ['an option twice', { type: 'SELECT', options: ['A', 'A'] }, ['options']],
    [
      'blank, long and broken options',
      { type: 'SELECT', options: ['A', ' ', 'b'.repeat(201), 'c\nd'] },
      ['options.1', 'options.2', 'options.3'],
    ],
    [
      'more options than there may be',
      {
        type: 'SELECT',
        options: Array.from({ length: limits.wholeListMax + 1 }, (_, index) => `Option ${index}`),
      },
      ['options'],
    ],
    ['a blank name and a place before the first', { type: 'TEXT', name: ' ', sort: -1 }, ['name', 'sort']],
  ])('is refused with %s', async (_, input, fields) => {
    const { code, errors } = await create({ name: 'Tier', ...input });
    expect({ code, fields: Object.keys(errors).sort() }).toEqual({ code: 'VALIDATION_FAILED', fields });
    expect(await list()).toEqual([]);
  });

  test('has a unique name in its business', async () => {
    const { it } = await create({ name: 'Tier', type: 'TEXT' });
    const other = await create({ name: 'Menu', type: 'TEXT' });
    const taken = { code: 'CONFLICT', errors: { name: ['is taken'] } };
    expect(await create({ name: 'Tier', type: 'MULTILINE' })).toMatchObject(taken);
    expect(await update(other.it.uuid, { name: 'Tier' })).toMatchObject(taken);
    expect((await update(it.uuid, { name: 'Tier', sort: 5 })).it).toEqual({ ...it, sort: 5 });
  });

  test('keeps its values when it is renamed', async () => {
    const tier = await tiers();
    expect((await update(tier.uuid, { name: 'Level' })).it).toEqual({ ...tier, name: 'Level' });
    const { it } = await query(tenant.as.admin, '{ it: events { nodes { customFields { fieldName fieldValue } } } }');
    expect(it.nodes.flatMap(({ customFields }: { customFields: object[] }) => customFields)).toEqual(
      ['Gold', 'Gold', 'Silver'].map((fieldValue) => ({ fieldName: 'Level', fieldValue })),
    );
  });

  test('keeps its type while events have values', async () => {
    const tier = await tiers();
    expect(await update(tier.uuid, { type: 'TEXT' })).toMatchObject({
      code: 'CONFLICT',
      errors: { type: [expect.any(String)] },
      extensions: { inUse: { events: 3 } },
    });
    await service.prisma.customFieldValue.deleteMany({ where: { customField: { uuid: tier.uuid } } });
    expect((await update(tier.uuid, { type: 'TEXT' })).it).toEqual({ ...tier, type: 'TEXT', options: [] });
    expect((await update(tier.uuid, { type: 'SELECT' })).errors).toEqual({ options: [expect.any(String)] });
    expect((await update(tier.uuid, { type: 'SELECT', options: ['A'] })).it).toMatchObject({ options: ['A'] });
  });

  test('is deleted with its values only if dropValues is set', async () => {
    const tier = await tiers();
    for (const dropValues of [undefined, false])
      expect(await remove(tier.uuid, dropValues)).toMatchObject({
        code: 'CONFLICT',
        extensions: { inUse: { events: 3 } },
      });
    expect((await remove(tier.uuid, true)).it).toEqual(tier);
    expect(await valuesOf(tier.uuid)).toEqual([]);
    const unused = await create({ name: 'Menu', type: 'TEXT' });
    expect((await remove(unused.it.uuid)).it).toEqual(unused.it);
    expect(await list()).toEqual([]);
  });
});

describe('an option of a select', () => {
  test('that is not in use can be removed; options can be added and reordered', async () => {
    const tier = await tiers();
    const options = ['Platinum', 'Silver', 'Gold'];
    expect((await update(tier.uuid, { options })).it).toEqual({ ...tier, options });
    expect(await valuesOf(tier.uuid)).toEqual(['Gold', 'Gold', 'Silver']);
  });

  test('that is in use cannot be removed: the refusal names it with a count', async () => {
    const tier = await tiers();
    const { code, message, extensions } = await update(tier.uuid, { name: 'Level', options: ['Bronze'] });
    expect(code).toBe('CONFLICT');
    expect(extensions.inUse).toHaveLength(2);
    expect(extensions.inUse).toEqual(
      expect.arrayContaining([
        { option: 'Gold', events: 2 },
        { option: 'Silver', events: 1 },
      ]),
    );
    expect(message).toContain('"Gold" on 2');
    expect(await list()).toEqual([tier]);
  });

  test('can be replaced by another one, which renames it on every event', async () => {
    const tier = await tiers();
    const options = ['First', 'Silver', 'Bronze'];
    const replaceOptions = [{ from: 'Gold', to: 'First' }];
    expect((await update(tier.uuid, { options, replaceOptions })).it).toEqual({ ...tier, options });
    expect(await valuesOf(tier.uuid)).toEqual(['First', 'First', 'Silver']);
  });

  test('can get the name that another one loses', async () => {
    const tier = await tiers();
    const options = ['First', 'Gold', 'Bronze'];
    const replaceOptions = [
      { from: 'Gold', to: 'First' },
      { from: 'Silver', to: 'Gold' },
    ];
    expect((await update(tier.uuid, { options, replaceOptions })).it).toEqual({ ...tier, options });
    expect(await valuesOf(tier.uuid)).toEqual(['First', 'First', 'Gold']);
  });

  test('can be merged into another one while a third is dropped with its values', async () => {
    const tier = await tiers();
    const replaceOptions = [{ from: 'Gold', to: 'Bronze' }];
    const change = { options: ['Bronze'], replaceOptions };
    expect(await update(tier.uuid, change)).toMatchObject({ extensions: { inUse: [{ option: 'Silver', events: 1 }] } });
    expect((await update(tier.uuid, { ...change, dropValues: true })).it).toEqual({ ...tier, options: ['Bronze'] });
    expect(await valuesOf(tier.uuid)).toEqual(['Bronze', 'Bronze']);
  });

  test.each<[string, object[], string[]]>([
    ['from one that never was', [{ from: 'Tin', to: 'New' }], ['replaceOptions.0.from']],
    ['to one that will not be', [{ from: 'Gold', to: 'Gold' }], ['replaceOptions.0.to']],
    [
      'from one twice',
      [
        { from: 'Gold', to: 'New' },
        { from: 'Gold', to: 'Silver' },
      ],
      ['replaceOptions.1.from'],
    ],
    [
      'wrongly on both sides',
      [
        { from: 'Gold', to: 'New' },
        { from: 'Tin', to: 'Lead' },
      ],
      ['replaceOptions.1.from', 'replaceOptions.1.to'],
    ],
  ])('is not replaced %s', async (_, replaceOptions, fields) => {
    const tier = await tiers();
    const { code, errors } = await update(tier.uuid, { options: ['New', 'Silver'], replaceOptions });
    expect({ code, fields: Object.keys(errors).sort() }).toEqual({ code: 'VALIDATION_FAILED', fields });
    expect(await valuesOf(tier.uuid)).toEqual(['Gold', 'Gold', 'Silver']);
  });
});
