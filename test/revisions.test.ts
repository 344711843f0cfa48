import { beforeEach, describe, expect, test } from '@jest/globals';
import { registeredOperations } from '../src/access/operation-record.ts';
import { columnOf, tables } from '../src/db/registry.ts';
import { useOneTenant, useService } from './support/app.ts';
import { changeable, type Rows } from './support/changes.ts';
import { ownFields, children } from './support/event-dialects.ts';
import { changeRow, insertRow, insertRowsBefore } from './support/good-rows.ts';
import { resources } from './support/resources.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';

let rows: Rows;

const service = useService({ env: { CALLBOARD_ANSWER_CACHE: '0' } });
const tenant = useOneTenant(service);

beforeEach(async () => {
  rows = await changeable(service, tenant);
});

const revisionOf = async (businessId: number): Promise<bigint> => {
  const row = await service.prisma.businessRevision.findUnique({ where: { businessId } });
  return row?.revision ?? 0n;
};

/** The tables whose changes raise the revision. */
const raising = tables.filter(({ raisesRevision }) => raisesRevision);

/** The tables that cached answers may be made from: those, and those that change with one of them only. */
const readable = tables.filter(
  ({ followsFrom, raisesRevision }) => raisesRevision || raising.some(({ model }) => model === followsFrom),
);

describe('the revision of a business', () => {
  const id = () => tenant.business.id;
  test.each(raising)('goes up with each change of $table, and that of no other business does', async (entry) => {
    const { table, businessField } = entry;
    const other = await revisionOf(id());
    const businessId = 900_000 + raising.indexOf(entry);
    const isOwn = `${columnOf(businessField ?? '')} = ${businessId}`;
    const changes = [
      insertRow(table, {}, businessId),
      changeRow(table, isOwn),
      // A business is never deleted.
      ...(businessField === 'id' ? [] : [`DELETE FROM ${table} WHERE ${isOwn}`]),
    ];
    const send = (sql: string) => service.prisma.$executeRawUnsafe(sql);
    for (const sql of insertRowsBefore(table, businessId)) await send(sql);
    for (const sql of changes) {
      const before = await revisionOf(businessId);
      if (sql.startsWith('UPDATE') && businessField === 'businessId') {
        expect(await send(`UPDATE ${table} SET ${isOwn} WHERE ${isOwn}`)).toBe(1);
        expect(await revisionOf(businessId)).toBe(before);
      }
      expect(await send(sql)).toBe(1);
      expect(await revisionOf(businessId)).toBeGreaterThan(before);
    }
    expect(await revisionOf(id())).toBe(other);
  });

  test('changes for both businesses when a row moves between them', async () => {
    const other = await service.createBusiness();
    const position = await service.createPosition(tenant.business);
    const before = [await revisionOf(id()), await revisionOf(other.id)];
    await service.prisma.$executeRaw`UPDATE positions SET business_id = ${other.id} WHERE id = ${position.id}`;
    expect(await revisionOf(id())).toBeGreaterThan(before[0]!);
    expect(await revisionOf(other.id)).toBeGreaterThan(before[1]!);
  });

  test('does not change without a change or after a rollback', async () => {
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

  test('changes when a transaction rolls back to a savepoint and repeats its change', async () => {
    const before = await revisionOf(id());
    await service.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SAVEPOINT s`;
      await tx.$executeRaw`UPDATE positions SET pay_unit = 'day' WHERE business_id = ${id()}`;
      await tx.$executeRaw`ROLLBACK TO SAVEPOINT s`;
      await tx.$executeRaw`UPDATE positions SET pay_unit = 'flat' WHERE business_id = ${id()}`;
    });
    expect(await revisionOf(id())).toBeGreaterThan(before);
  });

  test('is never reused, even after older rows are restored', async () => {
    const before = await revisionOf(id());
    const changes = 20;
    for (let change = 0; change < changes; change++) await service.createPosition(tenant.business);
    const lost = await revisionOf(id());
    await service.prisma.businessRevision.update({ where: { businessId: id() }, data: { revision: before } });
    await service.createPosition(tenant.business);
    expect(await revisionOf(id())).toBeGreaterThan(lost);
  });

  test('does not change with log-ins, keys, audit entries and idempotency keys', async () => {
    const before = await revisionOf(id());
    await service.tokenOf(tenant.staff);
    await service.createKey(tenant.business);
    const as = tenant.as.admin;
    await service.call('GET', '/v1/events', { as: tenant.as.staff });
    await service.call('POST', '/v1/tokens/business', {
      as,
      body: { name: 'Key' },
      headers: { 'idempotency-key': 'one' },
    });
    expect(await revisionOf(id())).toBe(before);
  });
});

describe('What is of the revision', () => {
  const cacheable = registeredOperations().filter((operation) => operation.cacheable);

  test('is none that changes anything', () => {
    expect(cacheable.filter(({ writes, audited, idempotent }) => writes || audited || idempotent)).toEqual([]);
    const verbs =
      /\.(create|update|delete|set|assign|copy|confirm|unconfirm|decline|cancel|revoke|change|reset|open|login)/;
    expect(cacheable.map(({ name }) => name).filter((name) => verbs.test(name))).toEqual([]);
    expect(cacheable.length).toBeGreaterThan(20);
    // Their limit counts what is computed: an answer from the cache costs nothing.
    const limited = cacheable.filter(({ attempts }) => attempts.length > 0).map(({ name }) => name);
    expect(limited.sort()).toEqual([
      'candidates.list',
      ...['conflicts.list', 'coverage.report', 'labourCost.report', 'payroll.read', 'work.report'],
    ]);
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
         event(id: "${event.uuid}") { title } users { totalCount nodes { name } } user(id: ${tenant.staff.id}) { name }
         ${resources.map(({ list, name }) => `${list} { ${name} }`).join(' ')} customFieldDefinitions { name }
         conflicts(${period}) { totalCount nodes { minutes first { uuid } } }
         coverage(${period}, groupBy: CLIENT) { total { open } groups { coverage { open } } }
         labourCost(${period}, groupBy: POSITION) { total { planned } groups { labourCost { planned } } } }`,
      { as: tenant.as.admin },
    );
    expect(body.errors).toBeUndefined();
    for (const url of [
      '/v1/events',
      `/v1/events/${event.uuid}`,
      '/api/v1/users',
      `/v1/work_shifts/event/${event.uuid}`,
    ])
      expect((await service.call('GET', url, { as: tenant.as.admin })).status).toBe(200);
    for (const [who, field] of [
      ['staff', 'myShifts'],
      ['client', 'myEvents'],
    ] as const)
      await service.graphql(`{ ${field} { totalCount nodes { uuid } } }`, { as: tenant.as[who] });
    const statements = statementsSince(before).filter((sql) => !/personal_tokens/.test(sql));
    const read = statements.flatMap((sql) =>
      [...sql.matchAll(/\b(?:from|join)\s+(?:"public"\.)?"?([a-z_]+)"?/gi)].map(([, table]) => table),
    );
    const others = tables.filter((entry) => !readable.includes(entry)).map(({ table }) => table);
    expect(others.filter((table) => read.includes(table))).toEqual([]);
    expect(statements.filter((sql) => /\bnow\s*\(|current_(date|time)|clock_timestamp|random\s*\(/i.test(sql))).toEqual(
      [],
    );
    expect(statements.length).toBeGreaterThan(20);
  });
});
