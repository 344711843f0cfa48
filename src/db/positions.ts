import { Prisma, type PayUnit, type Position } from '../generated/prisma/client.ts';
import { instantsOf } from '../time/offsets.ts';
import { resolveWallTime } from '../time/wall-clock.ts';
import { instantInZone, type ZonedTimeValue } from '../time/zoned-time.ts';
import { readBusiness } from './businesses.ts';
import { whichRows, type WhichRows } from './catalogs.ts';
import { joinFormerRate } from './pay.ts';
import { requirementsOfPosition, type RequirementRow } from './requirements.ts';
import { lockRows, rowsOfBusiness, updateRows } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

interface Rate {
  readonly payRate: string;
  readonly payUnit: PayUnit;
}

/** A rate of a position, and when it begins, by the clocks of the business; null for the first one. */
export interface PositionRateRow extends Rate {
  readonly start: ZonedTimeValue | null;
  readonly billRate: string | null;
  readonly billUnit: PayUnit;
}

export interface PositionRow extends Omit<
  Position,
  'businessId' | 'defaultPayRate' | 'billRate' | 'announcedRates' | 'rateVersion' | 'requirementsVersion' | 'modifiedAt'
> {
  /** USD per pay unit with two decimals. Null for callers who may not see it: only admins do. */
  defaultPayRate: string | null;
  /** What clients pay, USD per bill unit; null if it is not known, or the caller is no admin. */
  billRate: string | null;
  /** The former rates, that of today and those announced, in their order. Null likewise. */
  rates: PositionRateRow[] | null;
  /** By the id of the qualification. */
  requirements: RequirementRow[];
}

interface StoredPosition extends Omit<PositionRow, 'rates'> {
  readonly ended: readonly (Omit<PositionRateRow, 'start'> & { readonly endsAt: string })[];
}

export async function readPositions(db: TenantDb, which: WhichRows): Promise<PositionRow[]> {
  if (db.$visibility.of !== 'business')
    return rawOf(db).$queryRaw<PositionRow[]>(Prisma.sql`
      SELECT r.id, r.title, NULL AS "defaultPayRate", r.pay_unit AS "payUnit", NULL AS "billRate", r.bill_unit AS "billUnit", r.version, NULL AS rates,
             ${requirementsOfPosition(db)} AS requirements
        FROM ${rowsOfBusiness(db, 'positions', 'r')} ${whichRows(which, 'title')}`);
  const rows = await rawOf(db).$queryRaw<StoredPosition[]>(Prisma.sql`
    SELECT r.id, r.title, r.default_pay_rate::text AS "defaultPayRate", r.pay_unit AS "payUnit", r.bill_rate::text AS "billRate", r.bill_unit AS "billUnit", r.version,
           coalesce((SELECT jsonb_agg(jsonb_build_object('endsAt', x.ends_at, 'payRate', x.pay_rate::text, 'payUnit', x.pay_unit,
                                                       'billRate', x.bill_rate::text, 'billUnit', x.bill_unit) ORDER BY x.ends_at)
                       FROM ${rowsOfBusiness(db, 'position_rates', 'x')} WHERE x.position_id = r.id), '[]') AS ended,
           ${requirementsOfPosition(db)} AS requirements
      FROM ${rowsOfBusiness(db, 'positions', 'r')} ${whichRows(which, 'title')}`);
  const timezone = rows.some(({ ended }) => ended.length > 0) ? (await readBusiness(db)).timezone : '';
  return rows.map(({ ended, ...row }) => ({ ...row, rates: listRates(row, ended, timezone) }));
}

/** The end of the last rate while rates are announced: the trigger has the same. */
const never = Date.parse('9999-12-31T00:00:00Z');

function listRates(
  { defaultPayRate, ...own }: Pick<StoredPosition, 'defaultPayRate' | 'payUnit' | 'billRate' | 'billUnit'>,
  ended: StoredPosition['ended'],
  timezone: string,
): PositionRateRow[] {
  const ends = ended.map(({ endsAt }) => new Date(endsAt));
  const isLast = ends.at(-1)?.getTime() === never;
  const rates = isLast ? ended : [...ended, { ...own, payRate: defaultPayRate ?? '' }];
  return rates.map(({ payRate, payUnit, billRate, billUnit }, index) => ({
    start: index === 0 ? null : instantInZone(ends[index - 1]!, timezone),
    ...{ payRate, payUnit, billRate, billUnit },
  }));
}

/** Writes an announced rate as it is stored. It begins with its day, or where clocks skip midnight, when they go on. */
export function announce(day: string, { payRate, payUnit }: Rate, timezone: string): string {
  const midnight = resolveWallTime(`${day} 00:00:00`, timezone);
  const wall = 'at' in midnight ? `${day} 00:00:00` : midnight.skippedUntil;
  const [at] = instantsOf(wall, timezone);
  return `${instantInZone(at!, timezone).iso} ${Number(payRate).toFixed(2)} ${payUnit}`;
}

/** The begin of an announced rate. */
export const beginOf = (announced: string): Date => new Date(announced.split(' ')[0]!);

/**
 * Gives positions, or one, the announced rates whose day has come, and derives the begins of the others anew in the zone of the
 * business, which it returns. Prices follow the day without it. Changes of rates after it in the transaction take place at this moment,
 * by the clock of the caller: work that started before keeps the former rate.
 */
export async function settleRates(tx: TenantDb, now: Date, id?: number): Promise<string> {
  await rawOf(tx).$queryRaw(Prisma.sql`SELECT set_config('callboard.now', ${now.toISOString()}, TRUE)`);
  const { timezone } = await readBusiness(tx);
  const only = id === undefined ? Prisma.empty : Prisma.sql`AND p.id = ${id}`;
  const rows = await rawOf(tx).$queryRaw<{ id: number; announced: string[] }[]>(
    lockRows(tx, 'positions', 'p', {
      columns: Prisma.sql`p.id, p.announced_rates AS announced`,
      where: Prisma.sql`cardinality(p.announced_rates) > 0 ${only}`,
      lock: 'for update',
    }),
  );
  for (const { id: positionId, announced } of rows) {
    const toCome = announced.filter((each) => beginOf(each) > now);
    const anew = toCome.map((each) => {
      const [begin = '', payRate = '', payUnit] = each.split(' ');
      return announce(begin.slice(0, 10), { payRate, payUnit: payUnit as PayUnit }, timezone);
    });
    if (anew.join() !== announced.join())
      await rawOf(tx).$executeRaw(
        updateRows(tx, 'positions', 'p', {
          set: Prisma.sql`announced_rates = ${anew}::text[]`,
          where: Prisma.sql`p.id = ${positionId}`,
        }),
      );
  }
  return timezone;
}

/** Reads the rate and the unit that a position has, or had, for work that starts at a time. */
export async function readRateAt(db: TenantDb, positionId: number, at: Date): Promise<Rate> {
  const [rate] = await rawOf(db).$queryRaw<Rate[]>(Prisma.sql`
    SELECT coalesce(former.pay_rate, p.default_pay_rate)::text AS "payRate", coalesce(former.pay_unit, p.pay_unit) AS "payUnit"
      FROM ${rowsOfBusiness(db, 'positions', 'p')} ${joinFormerRate(db, Prisma.sql`${at.toISOString()}::timestamptz`)}
     WHERE p.id = ${positionId}`);
  if (!rate) throw new Error('The position of a call time exists.');
  return rate;
}

/**
 * Reads the pay units of positions that rows are to point to, and locks the positions against deletion to the end of the
 * transaction.
 */
export function holdPositions(tx: TenantDb, ids: readonly number[]): Promise<Pick<PositionRow, 'id' | 'payUnit'>[]> {
  return rawOf(tx).$queryRaw<Pick<PositionRow, 'id' | 'payUnit'>[]>(
    lockRows(tx, 'positions', 'p', {
      columns: Prisma.sql`p.id, p.pay_unit AS "payUnit"`,
      where: Prisma.sql`p.id = ANY(${ids}::int[])`,
      lock: 'for key share',
    }),
  );
}
