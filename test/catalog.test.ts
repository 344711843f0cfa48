import { beforeEach, describe, expect, test } from '@jest/globals';
import { limits } from '../src/config/limits.ts';
import { registry, type TenantModel } from '../src/db/registry.ts';
import type { PlainModel } from '../src/fields/catalogs.ts';
import { useService } from './support/app.ts';
import { asker } from './support/ask.ts';
import type { Tenant } from './support/factories.ts';
import {
  delegateOf,
  newFields,
  plainResources,
  resources,
  type AnyResource,
  type ResourceModel,
} from './support/resources.ts';

let tenant: Tenant;
const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

const service = useService();

beforeEach(async () => {
  tenant = await service.createTenant();
});

const position = '{ id: databaseId title defaultPayRate payUnit }';

/** A catalog, by the documents that list and change it. */
interface Noun {
  readonly list: string;
  readonly create: string;
  readonly update: string;
  readonly remove: string;
  readonly field: string;
  readonly draft: (name: string) => Record<string, string>;
}

const nounOf = ({ model, list, name: field }: AnyResource): Noun => {
  const row = `{ id: databaseId ${field} }`;
  return {
    list: `{ it: ${list} ${row} }`,
    create: `($input: ${model}Input!) { it: create${model}(input: $input) ${row} }`,
    update: `($id: ID!, $input: ${model}Input!) { it: update${model}(id: $id, input: $input) ${row} }`,
    remove: `($id: ID!) { it: delete${model}(id: $id) ${row} }`,
    field,
    draft: (name) => ({ [field]: name }),
  };
};

const nouns = {
  ...(Object.fromEntries(plainResources.map((each) => [each.model, nounOf(each)])) as Record<PlainModel, Noun>),
  Position: {
    list: `{ it: positions ${position} }`,
    create: `($input: CreatePositionInput!) { it: createPosition(input: $input) ${position} }`,
    update: `($id: ID!, $input: UpdatePositionInput!) { it: updatePosition(id: $id, input: $input) ${position} }`,
    remove: `($id: ID!) { it: deletePosition(id: $id) ${position} }`,
    field: 'title',
    draft: (title: string) => ({ title, defaultPayRate: '21.50', payUnit: 'DAY' }),
  },
} satisfies Record<ResourceModel, Noun>;

const create = (noun: keyof typeof nouns, name: string, as = tenant.as.admin) =>
  mutate(as, nouns[noun].create, { input: nouns[noun].draft(name) });

describe.each(resources)('a $model', (resource) => {
  const noun = resource.model;
  const { list, update, remove, field, draft } = nouns[noun];

  test('is created, listed by name, changed and deleted by an admin and with an API key', async () => {
    for (const as of [tenant.as.admin, tenant.as.key]) {
      const [b, a] = [await create(noun, 'B', as), await create(noun, 'A', as)];
      expect(b.it).toEqual({ id: expect.any(Number), ...draft('B') });
      expect((await query(as, list)).it).toEqual([a.it, b.it]);
      const renamed = await mutate(as, update, { id: b.it.id, input: { [field]: 'C' } });
      expect(renamed.it).toEqual({ ...b.it, [field]: 'C' });
      for (const row of [a.it, renamed.it]) expect((await mutate(as, remove, { id: row.id })).it).toEqual(row);
      expect((await query(as, list)).it).toEqual([]);
    }
  });

  test('has a name that is unique in its business only', async () => {
    const stranger = await service.createTenant();
    await create(noun, 'Taken');
    expect((await create(noun, 'Taken', stranger.as.admin)).code).toBe('OK');
    const { it: other } = await create(noun, 'Other');
    const taken = { code: 'CONFLICT', errors: { [field]: ['is taken'] } };
    expect(await create(noun, 'Taken')).toMatchObject(taken);
    expect(await mutate(tenant.as.admin, update, { id: other.id, input: { [field]: 'Taken' } })).toMatchObject(taken);
    expect((await mutate(tenant.as.admin, update, { id: other.id, input: { [field]: 'Other' } })).code).toBe('OK');
  });

  test.each([
    ['white space', '   '],
    ['nothing', ''],
    ['201 characters', 'a'.repeat(201)],
    ['a NUL', 'a\0b'],
  ])('cannot have %s as its name', async (_, name) => {
    expect(await create(noun, name)).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { [field]: [expect.any(String)] },
    });
  });

  test('can exist only in a limited number', async () => {
    const businessId = tenant.business.id;
    const rows = Array.from({ length: limits.wholeListMax }, (_, index) => newFields(resource, `Row ${index}`));
    await delegateOf(service.prisma, resource).createMany({ data: rows.map((row) => ({ businessId, ...row })) });
    expect((await create(noun, 'One more')).code).toBe('CONFLICT');
    expect((await query(tenant.as.admin, list)).it).toHaveLength(limits.wholeListMax);
  });
});

describe('the rate of a position', () => {
  test.each([
    ['0', '0.00'],
    ['25', '25.00'],
    ['25.5', '25.50'],
    ['0025.05', '25.05'],
    ['9999999999.99', '9999999999.99'],
  ])('%s is kept exactly, as %s', async (sent, kept) => {
    const input = { title: 'Rigger', defaultPayRate: sent };
    const { it } = await mutate(tenant.as.admin, nouns.Position.create, { input });
    expect(it).toMatchObject({ defaultPayRate: kept, payUnit: 'HOUR' });
    expect((await query(tenant.as.admin, nouns.Position.list)).it).toEqual([it]);
  });

  test.each(['', '-1', '1.005', '1e3', '10000000000', 'NaN', 'Infinity', ' 1', '1,50', '١'])(
    'is not %j',
    async (defaultPayRate) => {
      const { code, errors } = await mutate(tenant.as.admin, nouns.Position.create, {
        input: { title: '  ', defaultPayRate },
      });
      expect(code).toBe('VALIDATION_FAILED');
      expect(Object.keys(errors).sort()).toEqual(['defaultPayRate', 'title']);
    },
  );

  test('is text, so that no float touches it', async () => {
    const { code } = await mutate(tenant.as.admin, nouns.Position.create, {
      input: { title: 'R', defaultPayRate: 25.5 },
    });
    expect(code).toBe('BAD_USER_INPUT');
  });

  test('and its title apply at once to call times to come without a rate of their own', async () => {
    const { it } = await create('Position', 'Rigger');
    const toCome = { start: '2126-12-05 18:00:00', end: '2126-12-05 23:00:00' };
    const event = await service.createEvent(tenant.business, toCome);
    await service.createCallTime(event, { positionId: it.id, ...toCome });
    await mutate(tenant.as.admin, nouns.Position.update, {
      id: it.id,
      input: { title: 'Flyer', defaultPayRate: '30' },
    });
    const shown = await query(
      tenant.as.admin,
      `{ it: event(id: "${event.uuid}") { callTimes { position { title } payRate } } }`,
    );
    expect(shown.it.callTimes).toMatchObject([{ position: { title: 'Flyer' }, payRate: '30.00' }]);
  });

  test('does not change if no field is given', async () => {
    const { it } = await create('Position', 'Rigger');
    expect((await mutate(tenant.as.admin, nouns.Position.update, { id: it.id, input: {} })).it).toEqual(it);
    expect(await mutate(tenant.as.admin, nouns.Position.update, { id: limits.int4Max, input: {} })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

describe('a row in use cannot be deleted:', () => {
  test('a position of a call time or of a shift of any status, with counts', async () => {
    const { it } = await create('Position', 'Rigger');
    const event = await service.createEvent(tenant.business);
    const callTime = await service.createCallTime(event, { positionId: it.id });
    for (const status of ['active', 'canceled', 'deleted'] as const)
      await service.createShift(event, tenant.staff, { positionId: it.id, status });
    const remove = () => mutate(tenant.as.admin, nouns.Position.remove, { id: it.id });
    expect(await remove()).toMatchObject({
      code: 'CONFLICT',
      extensions: { inUse: { callTimes: 1, workShifts: 3 } },
    });
    await service.prisma.callTime.deleteMany({ where: { uuid: callTime.uuid } });
    expect(await remove()).toMatchObject({ extensions: { inUse: { callTimes: 0, workShifts: 3 } } });
    await service.prisma.workShift.deleteMany({ where: { positionId: it.id } });
    expect((await remove()).it).toEqual(it);
  });

  test('a skill level of a call time, with a count', async () => {
    const { it } = await create('SkillLevel', 'Expert');
    const event = await service.createEvent(tenant.business);
    await service.createCallTime(event, { skillLevelId: it.id });
    expect(await mutate(tenant.as.admin, nouns.SkillLevel.remove, { id: it.id })).toMatchObject({
      code: 'CONFLICT',
      extensions: { inUse: { callTimes: 1 } },
    });
    expect((await query(tenant.as.admin, nouns.SkillLevel.list)).it).toEqual([it]);
  });
});

test('a catalog names each column that keeps its rows from being deleted, so that a refusal counts them', async () => {
  for (const { operations, model, table } of resources) {
    const pointing = await service.prisma.$queryRaw<{ table: string }[]>`
      SELECT conrelid::regclass::text AS "table" FROM pg_constraint
       WHERE contype = 'f' AND confdeltype <> 'c' AND confrelid = ${table}::regclass ORDER BY 1`;
    const named = Object.keys(operations.catalog.uses?.by ?? {}).map((each) => registry[each as TenantModel].table);
    expect({ model, tables: named.toSorted() }).toEqual({ model, tables: pointing.map((each) => each.table) });
  }
});
