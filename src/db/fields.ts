import { orNull, type Field, type FieldKind, type FieldList, type NewRowOf } from '../fields/field-list.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { columnOf } from './registry.ts';
import type { TenantDb } from './tenant.ts';
import type { Visibility } from './visibility.ts';

/*
 * SQL lists that follow from the field list of a noun, and the selection of fields. A column that nobody asks for costs
 * time in the database and in this process: src/guide/performance.md#field-selection
 */

/**
 * Names of fields to be read. A row certainly has the fields that the type lists; after them, as `...string[]`, others
 * may follow.
 */
export type Selection<Row> = readonly (keyof Row & string)[];

/** The fields that a selection certainly names: those before an open end. An array of unknown length names none. */
type Named<F> = F extends readonly [infer First, ...infer Rest] ? First | Named<Rest> : never;

/** A row of which only the selected fields are known to be present; without a selection, every field. */
export type Selected<Row, F> = F extends readonly unknown[] ? Pick<Row, Named<F> & keyof Row> : Row;

export interface ListsOf<F> {
  /** The fields to be read; all of them by default. */
  readonly fields?: F | undefined;
  /** Upper bound on the rows of each parent. */
  readonly atMostEach?: number | undefined;
}

/** SQL that reads the fields of a noun. */
export interface Columns<Row> {
  /** The SELECT list of some fields, or of all. */
  readonly list: (db: TenantDb, fields?: Selection<Row>) => Prisma.Sql;
}

type Joined<L extends FieldList> = {
  [K in keyof L]: L[K] extends { isJoined: true } ? K : never;
}[keyof L];

/**
 * The columns of a noun's table under an alias. Joined fields are given as SQL, as are fields that are not read like
 * their column. They are built once for each kind of caller, because some fields are hidden from some callers.
 */
export function columnsOf<L extends FieldList>(
  list: L,
  alias: string,
  others: { readonly [K in Joined<L>]: string } & { readonly [K in keyof L]?: string },
): Columns<Record<keyof L & string, unknown>> {
  const written = (of: Visibility['of']) =>
    new Map(
      Object.entries(list).map(([name, field]) => {
        const column = others[name] ?? `${alias}.${columnName(name, field)}`;
        return [name, Prisma.raw(`${hiddenColumn(field, of) ?? column + readAs(field)} AS "${name}"`)];
      }),
    );
  const columns = {
    business: written('business'),
    staff: written('staff'),
    client: written('client'),
    screen: written('screen'),
  };
  const all = (of: Visibility['of']) => Prisma.join([...columns[of].values()]);
  const lists = { business: all('business'), staff: all('staff'), client: all('client'), screen: all('screen') };
  return {
    list: ({ $visibility: { of } }, fields) =>
      fields ? Prisma.join(fields.map((name) => columns[of].get(name) ?? refuse(name))) : lists[of],
  };
}

function refuse(name: string): never {
  throw new Error(`${name} is no field that could be read.`);
}

/** A column of nulls where the reader may not see the field. Screens see no field that is hidden from anyone. */
const hiddenColumn = ({ hiddenFrom = [] }: Field, of: Visibility['of']) => {
  const isHidden = of === 'screen' ? hiddenFrom.length > 0 : of !== 'business' && hiddenFrom.includes(of);
  return isHidden ? 'NULL::text' : undefined;
};

/** Casts wall-clock times and exact numbers to text, which loses nothing. */
const readAs = ({ kind }: Field) => (kind === 'wallTime' || kind === 'money' ? '::text' : '');

const columnName = (name: string, { stored = name }: Field) => columnOf(stored);

/** Builds a join that only some fields need; an empty one if none of them is read. */
export function joinFor<Row>(
  fields: Selection<Row> | undefined,
  needing: Selection<Row>,
  join: Prisma.Sql,
): Prisma.Sql {
  return !fields || needing.some((field) => fields.includes(field)) ? join : Prisma.empty;
}

/** Types of parameters that PostgreSQL cannot take from the text of the value alone. */
const casts: Partial<Record<FieldKind, Prisma.Sql>> = {
  instant: Prisma.sql`::timestamptz`,
  wallTime: Prisma.sql`::timestamp`,
  money: Prisma.sql`::numeric`,
  eventStatus: Prisma.sql`::"EventStatus"`,
};

/** Column names and values of a new row: every column of the list but those that it gets by itself. */
export function newRow<L extends FieldList, Row extends Record<keyof L, unknown>>(
  list: L,
  row: NewRowOf<L, Row>,
): { columns: Prisma.Sql; values: Prisma.Sql } {
  const given = row as Readonly<Record<string, unknown>>;
  const set = Object.entries(list).filter(([, { isJoined, isGenerated }]) => !isJoined && !isGenerated);
  return {
    columns: Prisma.raw(set.map(([name, field]) => columnName(name, field)).join(', ')),
    values: Prisma.join(
      set.map(([name, field]) => {
        const value = orNull(field, given[name] ?? field.initially ?? null);
        return Prisma.sql`${value}${casts[field.kind] ?? Prisma.empty}`;
      }),
    ),
  };
}
