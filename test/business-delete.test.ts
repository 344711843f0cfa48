import { expect, test } from '@jest/globals';
import { deleteBusinessRows } from '../src/db/business-rows.ts';
import { isUnchangedSince } from '../src/db/change-log.ts';
import { tables } from '../src/db/registry.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import { useService } from './support/app.ts';
import { createOddBusiness } from './support/moving-business.ts';

const service = useService();

test('a business is deleted with all of its rows, and no other loses any', async () => {
  const [gone, kept] = [await createOddBusiness(service, 1), await createOddBusiness(service, 2)];
  const count = async (businessId: number) => {
    const counts: Record<string, number> = {};
    for (const { table, businessField } of tables) {
      if (businessField === null) continue;
      const column = businessField === 'id' ? 'id' : 'business_id';
      const sql = `SELECT count(*)::int AS total FROM ${table} WHERE ${column} = ${businessId}`;
      counts[table] = (await service.prisma.$queryRawUnsafe<{ total: number }[]>(sql))[0]!.total;
    }
    return counts;
  };
  const before = await count(kept.business.id);
  expect(before['work_shifts']).toBeGreaterThan(0);
  const { db, transact } = bindToBusiness(service.prisma, gone.business.id);
  const start = await service.prisma.commit.findFirstOrThrow({
    where: { businessId: gone.business.id },
    orderBy: { at: 'desc' },
  });
  expect(await isUnchangedSince(db, start.at)).toBe(true);
  expect(await isUnchangedSince(db, new Date(start.at.getTime() - 1))).toBe(false);
  const rows = await transact((tx) => deleteBusinessRows(tx), 60_000);
  expect(rows['users']).toBeGreaterThan(0);
  expect(Object.values(await count(gone.business.id)).filter((total) => total > 0)).toEqual([]);
  expect(await count(kept.business.id)).toEqual(before);
});
