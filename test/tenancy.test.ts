import { describe, expect, test } from '@jest/globals';
import { bindToBusiness, type TenantDb } from '../src/db/tenant.ts';
import type { Position } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { useKeptRows } from './support/kept-rows.ts';

/** Who acts, and who must not notice. */
let own: Tenant;
let foreign: Tenant;
let ownPosition: Position;
let foreignPosition: Position;

const service = useService();

useKeptRows(service, async () => {
  own = await service.createTenant();
  foreign = await service.createTenant();
  ownPosition = await service.createPosition(own.business);
  foreignPosition = await service.createPosition(foreign.business);
  await service.createEvent(foreign.business);
  return [own.business.id, foreign.business.id];
});

const ownId = () => own.business.id;
const foreignId = () => foreign.business.id;
const inForeign = () => ({ businessId_id: { businessId: foreignId(), id: foreignPosition.id } });
const inOwn = () => ({ businessId_id: { businessId: ownId(), id: ownPosition.id } });
const draft = (title: string) => ({ businessId: foreignId(), title, defaultPayRate: 1 });
const smuggled = (data: object) => data as never;

const rowsOf = async (businessId: number) => ({
  business: await service.prisma.business.findMany({ where: { id: businessId } }),
  users: await service.prisma.user.findMany({ where: { businessId }, orderBy: { id: 'asc' } }),
  positions: await service.prisma.position.findMany({ where: { businessId }, orderBy: { id: 'asc' } }),
  events: await service.prisma.event.findMany({ where: { businessId }, orderBy: { id: 'asc' } }),
});

/** What each attempt gives: 'refused' when it throws. Nothing of it may come from, or reach, the other business. */
type Attempt = (db: TenantDb) => Promise<unknown>;

const reads: Record<string, [Attempt, unknown]> = {
  'findUnique by a foreign key': [(db) => db.position.findUnique({ where: inForeign() }), null],
  'findUnique of a foreign e-mail': [
    (db) => db.user.findUnique({ where: { emailKey: foreign.admin.emailKey! } }),
    null,
  ],
  'findUnique with a filter of its own': [
    (db) => db.position.findUnique({ where: { ...inForeign(), AND: [{ businessId: foreignId() }] } }),
    null,
  ],
  'findUnique of the foreign business': [(db) => db.business.findUnique({ where: { id: foreignId() } }), null],
  'findUniqueOrThrow by a foreign key': [(db) => db.position.findUniqueOrThrow({ where: inForeign() }), 'refused'],
  'findFirst by a foreign id': [(db) => db.position.findFirst({ where: { id: foreignPosition.id } }), null],
  'findFirst in a foreign business': [(db) => db.position.findFirst({ where: { businessId: foreignId() } }), null],
  'findFirstOrThrow in a foreign business': [
    (db) => db.position.findFirstOrThrow({ where: { businessId: foreignId() } }),
    'refused',
  ],
  'findMany in a foreign business': [(db) => db.position.findMany({ where: { businessId: foreignId() } }), []],
  'findMany with OR': [
    (db) => db.position.findMany({ where: { OR: [{ businessId: foreignId() }, { id: { gt: 0 } }] } }),
    'own',
  ],
  'findMany with NOT': [(db) => db.position.findMany({ where: { NOT: { businessId: ownId() } } }), []],
  'findMany of everything': [(db) => db.position.findMany(), 'own'],
  'findMany through relations': [
    (db) => db.business.findMany({ select: { positions: { where: { business: { id: foreignId() } } } } }),
    [{ positions: [] }],
  ],
  'count in a foreign business': [(db) => db.position.count({ where: { businessId: foreignId() } }), 0],
  'count of everything': [(db) => db.position.count(), 1],
  'aggregate of everything': [(db) => db.position.aggregate({ _count: true }), { _count: 1 }],
  'aggregate in a foreign business': [
    (db) => db.position.aggregate({ _count: true, where: { businessId: foreignId() } }),
    { _count: 0 },
  ],
  'groupBy of everything': [
    async (db) => (await db.position.groupBy({ by: ['businessId'], _count: true })).map(({ _count }) => _count),
    [1],
  ],
  'groupBy in a foreign business': [
    (db) => db.position.groupBy({ by: ['businessId'], where: { businessId: foreignId() } }),
    [],
  ],
};

const writes: Record<string, [Attempt, unknown]> = {
  'update by a foreign key': [(db) => db.position.update({ where: inForeign(), data: { title: 'x' } }), 'refused'],
  'update of the foreign business': [
    (db) => db.business.update({ where: { id: foreignId() }, data: { plan: 'free' } }),
    'refused',
  ],
  'update to a foreign business': [
    async (db) => (await db.position.update({ where: inOwn(), data: { businessId: foreignId() } })).businessId,
    'own id',
  ],
  'update that connects a foreign business': [
    (db) => db.position.update({ where: inOwn(), data: { business: { connect: { id: foreignId() } } } }),
    'refused',
  ],
  'update that takes a foreign row': [
    (db) => db.business.update({ where: { id: ownId() }, data: { positions: { connect: inForeign() } } }),
    'refused',
  ],
  'updateMany in a foreign business': [
    (db) => db.position.updateMany({ where: { businessId: foreignId() }, data: { title: 'x' } }),
    { count: 0 },
  ],
  'updateMany with OR': [
    (db) =>
      db.position.updateMany({ where: { OR: [{ id: { gt: 0 } }, { businessId: foreignId() }] }, data: { title: 'x' } }),
    { count: 1 },
  ],
  'updateMany of everything, to a foreign business': [
    (db) => db.position.updateMany({ data: { businessId: foreignId(), title: 'x' } }),
    { count: 1 },
  ],
  'updateManyAndReturn in a foreign business': [
    (db) => db.position.updateManyAndReturn({ where: { businessId: foreignId() }, data: { title: 'x' } }),
    [],
  ],
  'delete by a foreign key': [(db) => db.position.delete({ where: inForeign() }), 'refused'],
  'deleteMany in a foreign business': [
    (db) => db.position.deleteMany({ where: { businessId: foreignId() } }),
    { count: 0 },
  ],
  'deleteMany of everything': [(db) => db.position.deleteMany(), { count: 1 }],
  'create in a foreign business': [
    async (db) => (await db.position.create({ data: draft('made') })).businessId,
    'own id',
  ],
  'create connected to a foreign business': [
    (db) =>
      db.position.create({
        data: smuggled({ title: 'made', defaultPayRate: 1, business: { connect: { id: foreignId() } } }),
      }),
    'refused',
  ],
  'createMany in a foreign business': [
    (db) => db.position.createMany({ data: [draft('made'), draft('made too')] }),
    { count: 2 },
  ],
  'createMany of a single one': [(db) => db.position.createMany({ data: draft('made') }), { count: 1 }],
  'createManyAndReturn in a foreign business': [
    async (db) => (await db.position.createManyAndReturn({ data: [draft('made')] }))[0]!.businessId,
    'own id',
  ],
  'upsert by a foreign key': [
    async (db) =>
      (await db.position.upsert({ where: inForeign(), create: draft('made'), update: { title: 'x' } })).businessId,
    'own id',
  ],
  'upsert to a foreign business': [
    async (db) =>
      (await db.position.upsert({ where: inOwn(), create: draft('made'), update: { businessId: foreignId() } }))
        .businessId,
    'own id',
  ],
};

describe.each(['outside a transaction', 'in a transaction'])('a database bound to a business, %s', (where) => {
  const attempted = async (attempt: Attempt): Promise<unknown> => {
    const { db, transact } = bindToBusiness(service.prisma, ownId());
    try {
      return await (where === 'in a transaction' ? transact(attempt) : attempt(db));
    } catch {
      return 'refused';
    }
  };

  test.each(Object.keys(reads))('shows no row of another one: %s', async (name) => {
    const [attempt, expected] = reads[name]!;
    expect(await attempted(attempt)).toEqual(expected === 'own' ? [ownPosition] : expected);
  });

  test.each(Object.keys(writes))('changes no row of another one: %s', async (name) => {
    const [attempt, expected] = writes[name]!;
    const before = await rowsOf(foreignId());
    expect(await attempted(attempt)).toEqual(expected === 'own id' ? ownId() : expected);
    expect(await rowsOf(foreignId())).toEqual(before);
  });

  test('reads and writes the rows of its own business', async () => {
    const title = await attempted(async (db) => {
      await db.position.update({ where: inOwn(), data: { title: 'Rigger' } });
      return (await db.position.findUniqueOrThrow({ where: inOwn() })).title;
    });
    expect(title).toBe('Rigger');
  });
});
