import { Prisma } from '../generated/prisma/client.ts';
import { windowAtEnd, type ListSlice, type PageWindow } from '../paging/pages.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** Rows of many parents, read in one statement. */
export interface Children {
  /** The column that names the parent. */
  readonly parent: string;
  /** Order of one parent's rows, by their column names in the result. */
  readonly order: Prisma.Sql;
  /** `SELECT ... FROM ... WHERE ...`, without ORDER BY or LIMIT. */
  readonly rows: Prisma.Sql;
}

/** Rows of many parents, where `rows` builds the query for one parent by its id. */
export interface ChildrenOfOne extends Omit<Children, 'rows'> {
  readonly rows: (id: Prisma.Sql) => Prisma.Sql;
}

const nameOf = (parent: string) => Prisma.raw(`"${parent}"`);

/** Builds a statement that reads the rows of all parents, parent by parent, at most `atMost` of each if given. */
export function selectByParent(
  { parent, order, rows }: ChildrenOfOne,
  ids: readonly number[],
  atMost: number | undefined,
): Prisma.Sql {
  return Prisma.sql`
    SELECT found.* FROM unnest(${ids}::int[]) AS asked (id)
     CROSS JOIN LATERAL (${rows(Prisma.sql`asked.id`)} ${firstOf(order, atMost)}) AS found
     ORDER BY ${nameOf(parent)}, ${order}`;
}

/** Condition on rows under an alias that are the first of their parents, by id: at most so many of each. */
export function firstOfParents(
  alias: string,
  {
    parent,
    from,
    where = Prisma.sql`TRUE`,
  }: { readonly parent: string; readonly from: Prisma.Sql; readonly where?: Prisma.Sql },
  ids: readonly number[],
  atMostEach: number,
): Prisma.Sql {
  const id = Prisma.raw(`${alias}.id`);
  return Prisma.sql`${id} = ANY(ARRAY(
    SELECT found.id FROM unnest(${ids}::int[]) AS asked (id)
     CROSS JOIN LATERAL (
       SELECT ${id} FROM ${from} WHERE ${Prisma.raw(parent)} = asked.id AND ${where} ORDER BY ${id} LIMIT ${atMostEach}) AS found))`;
}

/**
 * Ends a subquery: its first rows in an order, or all of them. PostgreSQL evaluates a subquery that ends this way
 * before it joins anything to it.
 */
const firstOf = (order: Prisma.Sql, atMost: number | undefined): Prisma.Sql =>
  Prisma.sql`ORDER BY ${order} ${atMost === undefined ? Prisma.sql`OFFSET 0` : Prisma.sql`LIMIT ${atMost}`}`;

/** Returns one parent's rows of a window, and the total number of rows of that parent. */
export type SlicesByParent<Row> = (parentId: number) => ListSlice<Row> & { readonly total: number };

/**
 * Reads the same window of each parent's rows. The first row of each parent is always read, because it carries the
 * total.
 */
export async function readSlices<Row>(
  db: TenantDb,
  { parent, order, rows }: Children,
  window: PageWindow,
): Promise<SlicesByParent<Row>> {
  const { limit, offset = 0, endsAt } = window;
  const end = endsAt === 'end' ? null : (endsAt ?? null);
  const isInWindow =
    endsAt === undefined
      ? Prisma.sql`(nth > ${offset}::bigint AND nth <= ${offset + limit}::bigint)`
      : Prisma.sql`(nth <= least(total, ${end}::bigint) AND nth > least(total, ${end}::bigint) - ${limit - 1}::bigint)`;
  type Ranked = Row & { nth: number; total: number };
  const ranked = await rawOf(db).$queryRaw<Ranked[]>(Prisma.sql`
    SELECT * FROM (
      SELECT found.*, row_number() OVER (PARTITION BY ${nameOf(parent)} ORDER BY ${order})::int AS nth,
             count(*) OVER (PARTITION BY ${nameOf(parent)})::int AS total
        FROM (${rows}) AS found) AS ranked
     WHERE nth = 1 OR ${isInWindow}
     ORDER BY ${nameOf(parent)}, nth`);
  const slices = new Map<number, { rows: Row[]; total: number; offset: number }>();
  for (const row of ranked) {
    const { nth, total } = row;
    const id = row[parent as keyof Row] as number;
    const own = endsAt === undefined ? { limit, offset } : windowAtEnd(window, total);
    const slice = slices.get(id) ?? { rows: [], total, offset: own.offset };
    slices.set(id, slice);
    if (nth > own.offset && nth <= own.offset + own.limit) slice.rows.push(row);
  }
  return (parentId) => slices.get(parentId) ?? { rows: [], total: 0 };
}

/** Builds a condition that a column has a value; an empty one if no value is given. */
export function andEqual(column: Prisma.Sql, value: number | boolean | undefined): Prisma.Sql {
  return value === undefined ? Prisma.empty : Prisma.sql`AND ${column} = ${value}`;
}
