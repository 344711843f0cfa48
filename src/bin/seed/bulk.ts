import { limits } from '../../config/limits.ts';
import { stopLogging } from '../../db/change-log.ts';
import { Prisma, type Plan, type PrismaClient } from '../../generated/prisma/client.ts';
import { bulkChunk, type BulkBusiness, type ChunkCounts } from './bulk-chunk.ts';
import { dayOf } from './moments.ts';
import { fullName, mailbox } from './names.ts';

export interface BulkRequest {
  readonly name?: string;
  readonly plan?: Plan;
  readonly events: number;
  /** Number of events, counted from the earliest, that get call times, shifts and custom values; all by default. */
  readonly withChildren?: number;
  /** Middle of the years over which the events are spread. */
  readonly today: Date;
  readonly onProgress: (done: number, total: number) => void;
}

export interface BulkResult extends ChunkCounts {
  readonly businessId: number;
}

/** Each chunk is a transaction of about a second. */
const eventsPerChunk = limits.batchRows;
const filledTables = [
  'users',
  'positions',
  'skill_levels',
  'custom_fields',
  'events',
  'call_times',
  'work_shifts',
  'custom_field_values',
  'event_staffing',
  'position_staffing',
  'event_tallies',
  'list_tallies',
];
const staffCount = 200;
const clientCount = 20;

/**
 * Fills a new business with `events` events, each with 5 call times, 20 shifts and 4 custom values. Every chunk is
 * committed, so an interruption leaves a smaller business with complete events.
 */
export async function seedBulk(prisma: PrismaClient, request: BulkRequest): Promise<BulkResult> {
  const { events: total, withChildren = total, onProgress } = request;
  const business = await loadInTransaction(prisma, (tx) => createBusiness(tx, request));

  const counts = { events: 0, callTimes: 0, workShifts: 0, customValues: 0 };
  onProgress(0, total);
  for (let first = 1; first <= total; first += eventsPerChunk) {
    const last = Math.min(first + eventsPerChunk - 1, total);
    const chunk = bulkChunk(business, {
      first,
      last,
      total,
      lastWithChildren: Math.min(last, withChildren),
      today: dayOf(request.today),
    });
    const added = await loadInTransaction(prisma, async (tx) => (await tx.$queryRaw<[ChunkCounts]>(chunk))[0]);
    counts.events += added.events;
    counts.callTimes += added.callTimes;
    counts.workShifts += added.workShifts;
    counts.customValues += added.customValues;
    onProgress(last, total);
  }
  // Index-only scans can skip to deep pages only after a VACUUM.
  for (const table of filledTables) await prisma.$executeRaw(Prisma.sql`VACUUM (ANALYZE) ${Prisma.raw(table)}`);
  return { businessId: business.businessId, ...counts };
}

/**
 * Runs a part of the load in a transaction. The change log would double what it writes, so it is off. Plans are made anew,
 * because those that were made for small tables would read the grown ones whole for each foreign key.
 */
function loadInTransaction<T>(prisma: PrismaClient, run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  return prisma.$transaction(
    async (tx) => {
      await stopLogging(tx);
      await tx.$executeRaw`DISCARD PLANS`;
      return run(tx);
    },
    { timeout: limits.commandWaitMs },
  );
}

async function createBusiness(
  tx: Prisma.TransactionClient,
  { name: businessName = 'Bulk Events', plan = 'enterprise' }: BulkRequest,
): Promise<BulkBusiness> {
  const { id: businessId } = await tx.business.create({ data: { name: businessName, plan } });
  const select = { id: true } as const;

  const people = (role: 'staff' | 'client', count: number, skipped: number) =>
    tx.user.createManyAndReturn({
      select,
      data: Array.from({ length: count }, (_, index) => {
        const name = fullName(skipped + index);
        const [firstName = '', ...rest] = name.split(' ');
        const email = `${mailbox(name)}@${role}.bulk-${businessId}.example`;
        return { businessId, role, name, firstName, lastName: rest.join(' '), email, emailKey: email };
      }),
    });
  const staff = await people('staff', staffCount, 0);
  const clients = await people('client', clientCount, staffCount);

  const positions = await tx.position.createManyAndReturn({
    select,
    data: [
      { businessId, title: 'Event Captain', defaultPayRate: '38.00' },
      { businessId, title: 'Server', defaultPayRate: '24.50' },
      { businessId, title: 'Bartender', defaultPayRate: '29.75' },
      { businessId, title: 'AV Technician', defaultPayRate: '420.00', payUnit: 'day' },
      { businessId, title: 'Setup Crew', defaultPayRate: '150.00', payUnit: 'flat' },
    ],
  });
  const skillLevels = await tx.skillLevel.createManyAndReturn({
    select,
    data: ['Trainee', 'Experienced', 'Lead'].map((name) => ({ businessId, name })),
  });
  const fields = await tx.customField.createManyAndReturn({
    select,
    data: [
      { businessId, name: 'Parking', type: 'text', options: [], sort: 0 },
      { businessId, name: 'Client PO number', type: 'text', options: [], sort: 1 },
      { businessId, name: 'Load-in instructions', type: 'multiline', options: [], sort: 2 },
      {
        businessId,
        name: 'Meal option',
        type: 'select',
        options: ['Crew meal', 'Vegetarian crew meal', 'None'],
        sort: 3,
      },
    ],
  });

  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b);
  return {
    businessId,
    staffIds: ids(staff),
    clientIds: ids(clients),
    positionIds: ids(positions),
    skillLevelIds: ids(skillLevels),
    fieldIds: ids(fields),
  };
}
