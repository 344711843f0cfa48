import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { audited } from '../src/access/audit.ts';
import { repeatable } from '../src/access/idempotency.ts';
import { policy, type OperationName, type Rule } from '../src/access/policy.ts';
import { attemptLimits } from '../src/config/limits.ts';
import { startApp, type TestApp } from './support/app.ts';
import { changeable, type Rows } from './support/changes.ts';
import { ownFields, children } from './support/event-dialects.ts';
import type { Cast } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

let service: TestApp;
let cast: Cast;
let rows: Rows;

beforeAll(async () => {
  service = await startApp({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
  cast = await service.createCast();
});

beforeEach(async () => {
  await service.prisma.skillLevel.deleteMany();
  rows = await changeable(service, cast);
});

afterAll(() => service.close());

const revisionOf = async (businessId: number): Promise<bigint> => {
  const row = await service.prisma.businessRevision.findUnique({ where: { businessId } });
  return row?.revision ?? 0n;
};

/** The tables that a revision stands for. */
const counted = [
  'businesses',
  'users',
  'positions',
  'skill_levels',
  'events',
  'call_times',
  'work_shifts',
  'custom_fields',
  'custom_field_values',
];

describe('The revision of a business', () => {
  const id = () => cast.business.id;
  const column: Record<string, string> = {
    businesses: 'name',
    positions: 'title',
    events: 'title',
    call_times: 'dress_code',
    work_shifts: 'status',
    custom_field_values: 'value',
  };

  test.each(counted)('goes up with a change of %s, and that of no other business does', async (table) => {
    const stranger = await service.createBusiness();
    if (table === 'custom_field_values') {
      const event = await service.createEvent(cast.business);
      await service.setCustomValue(event, await service.createCustomField(cast.business), 'red');
    }
    const [before, others] = [await revisionOf(id()), await revisionOf(stranger.id)];
    const own = table === 'businesses' ? 'id' : 'business_id';
    const name = column[table] ?? 'name';
    const changed = await service.prisma.$executeRawUnsafe(
      `UPDATE ${table} SET ${name} = ${name} WHERE ${own} = $1`,
      id(),
    );
    expect(changed).toBeGreaterThan(0);
    expect(await revisionOf(id())).toBeGreaterThan(before);
    expect(await revisionOf(stranger.id)).toBe(others);
  });

  test('goes up with a row that comes, and with one that goes', async () => {
    const before = await revisionOf(id());
    const position = await service.createPosition(cast.business);
    const between = await revisionOf(id());
    await service.prisma.position.delete({ where: { businessId_id: { businessId: id(), id: position.id } } });
    expect(between).toBeGreaterThan(before);
    expect(await revisionOf(id())).toBeGreaterThan(between);
  });

  test('goes up for both businesses with a row that moves', async () => {
    const other = await service.createBusiness();
    const position = await service.createPosition(cast.business);
    const before = [await revisionOf(id()), await revisionOf(other.id)];
    await service.prisma.$executeRaw`UPDATE positions SET business_id = ${other.id} WHERE id = ${position.id}`;
    expect(await revisionOf(id())).toBeGreaterThan(before[0]!);
    expect(await revisionOf(other.id)).toBeGreaterThan(before[1]!);
  });

  test('stays where nothing was changed, or what was is undone', async () => {
    const before = await revisionOf(id());
    await service.prisma.$executeRaw`UPDATE positions SET title = 'x' WHERE business_id = ${id()} AND id = 0`;
    const undone = service.prisma.$transaction(async (tx) => {
      await tx.position.updateMany({ where: { businessId: id() }, data: { payUnit: 'day' } });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await service.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SAVEPOINT s`;
      await tx.$executeRaw`UPDATE positions SET pay_unit = 'day' WHERE business_id = ${id()}`;
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT s`;
    });
    expect(await revisionOf(id())).toBe(before);
  });

  test('goes up where a transaction goes back to a savepoint and changes the same again', async () => {
    const before = await revisionOf(id());
    await service.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SAVEPOINT s`;
      await tx.$executeRaw`UPDATE positions SET pay_unit = 'day' WHERE business_id = ${id()}`;
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT s`;
      await tx.$executeRaw`UPDATE positions SET pay_unit = 'flat' WHERE business_id = ${id()}`;
    });
    expect(await revisionOf(id())).toBeGreaterThan(before);
  });

  test('never comes again, even where older rows are put back', async () => {
    const before = await revisionOf(id());
    const changes = 20;
    for (let change = 0; change < changes; change++) await service.createPosition(cast.business);
    const lost = await revisionOf(id());
    await service.prisma.businessRevision.update({ where: { businessId: id() }, data: { revision: before } });
    await service.createPosition(cast.business);
    expect(await revisionOf(id())).toBeGreaterThan(lost);
  });

  test('stays with log-ins, keys, the audit trail and what is kept for those who send again', async () => {
    const before = await revisionOf(id());
    await service.tokenOf(cast.staff);
    await service.createKey(cast.business);
    const as = cast.as.admin;
    await service.call('GET', '/v1/events', { as: cast.as.staff });
    await service.call('POST', '/v1/tokens/business', {
      as,
      body: { name: 'Key' },
      headers: { 'idempotency-key': 'one' },
    });
    expect(await revisionOf(id())).toBe(before);
  });
});

describe('What is of the revision', () => {
  const names = (Object.keys(policy) as OperationName[]).filter((name) => (policy[name] as Rule).isOfRevision);

  test('is none that changes anything, or is limited by itself', () => {
    const others = [...Object.keys(audited), ...Object.keys(repeatable), ...Object.keys(attemptLimits)];
    expect(names.filter((name) => others.includes(name))).toEqual([]);
    const verbs =
      /\.(create|update|delete|set|assign|copy|confirm|unconfirm|decline|cancel|revoke|change|reset|open|login)/;
    expect(names.filter((name) => verbs.test(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(20);
  });

  test('reads no other table, and no clock', async () => {
    const { event } = rows;
    const period = 'from: "2026-01-01T00:00:00Z", to: "2026-12-31T00:00:00Z"';
    const before = sqlCount();
    const { body } = await service.graphql(
      `{ events { totalCount nodes { ${ownFields} ${children} client { name } coverage { open } labourCost { planned }
           callTimesConnection { totalCount nodes { coverage { open } labourCost { planned } workShifts { uuid } } }
           workShiftsConnection { totalCount nodes { uuid event { title } callTime { uuid } user { name } } }
           customFieldsConnection { totalCount nodes { fieldValue } } } }
         event(uuid: "${event.uuid}") { title } users { totalCount nodes { name } } user(id: ${cast.staff.id}) { name }
         positions { title } skillLevels { name } customFieldDefinitions { name }
         conflicts(${period}) { totalCount nodes { minutes first { uuid } } }
         coverage(${period}, groupBy: CLIENT) { total { open } groups { coverage { open } } }
         labourCost(${period}, groupBy: POSITION) { total { planned } groups { labourCost { planned } } } }`,
      { as: cast.as.admin },
    );
    expect(body.errors).toBeUndefined();
    for (const url of [
      '/v1/events',
      `/v1/events/${event.uuid}`,
      '/api/v1/users',
      `/v1/work_shifts/event/${event.uuid}`,
    ])
      expect((await service.call('GET', url, { as: cast.as.admin })).status).toBe(200);
    for (const [who, field] of [
      ['staff', 'myShifts'],
      ['client', 'myEvents'],
    ] as const)
      await service.graphql(`{ ${field} { totalCount nodes { uuid } } }`, { as: cast.as[who] });
    const statements = statementsSince(before).filter((sql) => !/personal_tokens/.test(sql));
    const tables = statements.flatMap((sql) =>
      [...sql.matchAll(/\b(?:from|join)\s+(?:"public"\.)?"?([a-z_]+)"?/gi)].map(([, table]) => table),
    );
    const known = new Set([...counted, 'event_tallies']);
    const stored = (
      await service.prisma.$queryRaw<{ name: string }[]>`
      SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = current_schema()`
    ).map(({ name }) => name);
    expect([...new Set(tables)].filter((table) => stored.includes(table!) && !known.has(table!))).toEqual([]);
    expect(statements.filter((sql) => /\bnow\s*\(|current_(date|time)|clock_timestamp|random\s*\(/i.test(sql))).toEqual(
      [],
    );
    expect(statements.length).toBeGreaterThan(20);
  });
});
