import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readLabourCostReport } from '../src/db/labour-cost.ts';
import { countOutdatedStaffing } from '../src/db/outdated-staffing.ts';
import type { TenantDb } from '../src/db/tenant.ts';
import { useOneTenant, useService } from './support/app.ts';
import {
  attendanceChange,
  callTimeChange,
  createStaffed,
  filledPlace,
  labourCostBy,
  positionChange,
  shiftChange,
  staffingOf,
  type Staffed,
  type Staffing,
} from './support/staffing-changes.ts';

/* The stored staffing of events says what their call times and shifts say. */

let businesses: Staffed[];

const service = useService();
const tenant = useOneTenant(service);

beforeAll(async () => {
  businesses = [await createStaffed(service, tenant), await createStaffed(service, await service.createTenant())];
  // Random changes alone seldom fill several places, to which people then come.
  for (const { businessId, eventIds, positionIds, userId } of businesses)
    for (const eventId of eventIds)
      await service.prisma.$executeRawUnsafe(filledPlace({ businessId, eventId, positionId: positionIds[0]!, userId }));
});

class Undone extends Error {}

/** Far ahead, because a new rate does not reach what has begun. */
const toCome = { start: '2126-12-05 16:00:00', end: '2126-12-05 23:30:00' };

const outdatedSums = `
  SELECT FROM position_staffing t JOIN positions p ON p.business_id = t.business_id AND p.id = t.position_id
   WHERE t.priced_version <> p.rate_version`;

const filter = { from: new Date('2026-01-01'), to: new Date('2027-01-01'), statuses: ['active'] as const };

const groupedBy = (group: 'event' | 'position') => ({ by: [group], offsets: null, weekStart: 0, groupsMax: 100 });

/** The groups of the report on labour cost, in the form of `labourCostBy`. */
async function reportedLabourCost(businessId: number, group: 'event' | 'position', positionId?: number) {
  const db = {
    $businessId: businessId,
    $visibility: { of: 'business' },
    $queryRaw: service.prisma.$queryRaw.bind(service.prisma),
  };
  const rows = await readLabourCostReport(db as unknown as TenantDb, { ...filter, positionId }, groupedBy(group));
  return rows
    .filter(({ isTotal }) => !isTotal)
    .map(({ key, planned, confirmed, open, unpricedShifts, unpricedOpen }) => ({
      key: String(key),
      sums: [planned, confirmed, open, unpricedShifts, unpricedOpen],
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

async function expectRightReports({ businessId, positionIds }: Staffed): Promise<void> {
  for (const group of ['event', 'position'] as const)
    expect(await reportedLabourCost(businessId, group)).toEqual(
      await service.prisma.$queryRawUnsafe(labourCostBy(group, businessId)),
    );
  const byPosition = await reportedLabourCost(businessId, 'position');
  for (const id of positionIds)
    expect(await reportedLabourCost(businessId, 'position', id)).toEqual(
      byPosition.filter(({ key }) => key === String(id)),
    );
}

test('the staffing matches call times and shifts within each transaction and after its commit or rollback', async () => {
  const { prisma } = service;
  const change = fc.oneof(
    ...businesses.flatMap((staffed) => [
      { weight: 4, arbitrary: callTimeChange(staffed) },
      { weight: 4, arbitrary: shiftChange(staffed) },
      { weight: 3, arbitrary: attendanceChange(staffed) },
      { weight: 1, arbitrary: positionChange(staffed) },
    ]),
  );
  const transaction = fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 4 }), isUndone: fc.boolean() });

  const expectAgreement = async (db: Pick<typeof prisma, '$queryRawUnsafe'>) => {
    for (const { businessId } of businesses) {
      const [staffing] = await db.$queryRawUnsafe<[Staffing]>(staffingOf(businessId));
      expect(staffing.stored).toEqual(staffing.counted);
      expect(staffing.storedByPosition).toEqual(staffing.countedByPosition);
      expect(staffing.storedCost).toEqual(staffing.storedCostOfPositions);
    }
  };
  let [most, outdated, present] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(transaction, async ({ changes, isUndone }) => {
      await prisma
        .$transaction(async (tx) => {
          for (const sql of changes) {
            await tx.$executeRawUnsafe(sql);
            await expectAgreement(tx);
          }
          if (isUndone) throw new Undone();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
      await expectAgreement(prisma);
      await expectRightReports(businesses[0]!);
      outdated += (await prisma.$queryRawUnsafe<unknown[]>(outdatedSums)).length;
      present += await prisma.positionStaffing.count({ where: { present: { gt: 0 } } });
      most = Math.max(most, await prisma.eventStaffing.count({ where: { filled: { gt: 0 } } }));
    }),
    { numRuns: 100 },
  );
  expect(most).toBeGreaterThan(1);
  expect(outdated).toBeGreaterThan(0);
  expect(present).toBeGreaterThan(0);
});

test('a job prices sums anew that a change of a position has left outdated, some events at a time', async () => {
  const { prisma } = service;
  const { business } = tenant;
  const { id: positionId } = await service.createPosition(business, { defaultPayRate: '10.00' });
  for (let index = 0; index < 3; index++)
    await service.createShift(await service.createEvent(business), tenant.staff, { positionId, ...toCome });
  while (await countOutdatedStaffing(prisma, 100));
  await prisma.position.update({
    where: { businessId_id: { businessId: business.id, id: positionId } },
    data: { defaultPayRate: '12.50', payUnit: 'flat' },
  });
  const before = await prisma.rowChange.count();
  expect(await prisma.$queryRawUnsafe(outdatedSums)).toHaveLength(3);
  expect(await countOutdatedStaffing(prisma, 2)).toBe(2);
  expect(await prisma.$queryRawUnsafe(outdatedSums)).toHaveLength(1);
  expect(await countOutdatedStaffing(prisma, 2)).toBe(1);
  expect(await countOutdatedStaffing(prisma, 2)).toBe(0);
  const stored = await prisma.positionStaffing.findMany({ where: { businessId: business.id, positionId } });
  expect(stored.map(({ plannedCents, pricedUnit }) => `${plannedCents} ${pricedUnit}`)).toEqual(
    stored.map(() => '1250 flat'),
  );
  expect(stored).toHaveLength(3);
  expect(await prisma.rowChange.count()).toBe(before);
});

test('a change of the staffing is no change of the event: not in its row, the log or what has changed', async () => {
  const event = await service.createEvent(tenant.business);
  const { id, positionId } = await service.createCallTime(event, { staffNeeded: 2 });
  const where = { businessId: event.businessId, eventId: event.id };
  const before = await service.prisma.rowChange.count({ where });
  await service.createShift(event, tenant.staff, { callTimeId: id, positionId });
  const [staffing] = await service.prisma.eventStaffing.findMany({ where });
  expect(staffing).toMatchObject({ needed: 2, assigned: 1, confirmed: 0, filled: 1 });
  expect(await service.prisma.event.findMany({ where: { businessId: event.businessId, id: event.id } })).toEqual([
    event,
  ]);
  const changes = await service.prisma.rowChange.findMany({ where, orderBy: { id: 'asc' }, skip: before });
  expect(changes.map(({ kind, change }) => [kind, change])).toEqual([['work_shifts', 'insert']]);
});

test('goes with its event', async () => {
  const event = await service.createEvent(tenant.business);
  const { id } = await service.createCallTime(event);
  const where = { businessId: event.businessId, eventId: event.id };
  const countRows = async () => [
    await service.prisma.eventStaffing.count({ where }),
    await service.prisma.positionStaffing.count({ where }),
  ];
  expect(await countRows()).toEqual([1, 1]);
  await service.prisma.callTime.deleteMany({ where: { businessId: event.businessId, id } });
  expect(await countRows()).toEqual([1, 0]);
  await service.prisma.event.deleteMany({ where: { businessId: event.businessId, id: event.id } });
  expect(await countRows()).toEqual([0, 0]);
});
