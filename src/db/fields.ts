import { orNull, type Field, type FieldKind, type FieldList, type NewRowOf } from '../fields/field-list.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { columnOf } from './registry.ts';
import type { TenantDb } from './tenant.ts';
import type { Visibility } from './visibility.ts';

type Joined<L extends FieldList> = {
  [K in keyof L]: L[K] extends { isJoined: true } ? K : never;
}[keyof L];

/** Names of the fields that an answer shows of the rows of a list; undefined stands for all: src/guide/performance.md#shown-fields */
export type Shown = readonly string[] | undefined;

export interface ListOptions {
  /** Upper bound on the rows of each event. */
  readonly atMostEach?: number | undefined;
  readonly shown?: Shown;
}

/** Whether one of some fields is shown, so that a join that they need has to be made. */
const isShown = (shown: Shown, names: readonly string[]): boolean =>
  !shown || names.some((name) => shown.includes(name));

/** Builds a join that only some fields need. */
export const joinFor = (shown: Shown, names: readonly string[], join: Prisma.Sql): Prisma.Sql =>
  isShown(shown, names) ? join : Prisma.empty;

/**
 * The SELECT list of a noun's fields, as the caller may see them: of all, or of those that are shown. Joined fields are given as SQL, as are fields that are not read like
 * their column. They are built once for each kind of caller, because some fields are hidden from some callers.
 */
export function columnsOf<L extends FieldList>(
  list: L,
  alias: string,
  others: { readonly [K in Joined<L>]: string } & { readonly [K in keyof L]?: string },
): (db: TenantDb, shown?: Shown) => Prisma.Sql {
  const written = (of: Visibility['of']) =>
    Object.entries(list).map(([name, field]) => {
      const column = others[name] ?? `${alias}.${columnName(name, field)}`;
      return { name, sql: Prisma.raw(`${hiddenColumn(field, of) ?? column + readAs(field)} AS "${name}"`) };
    });
  const lists = {
    business: written('business'),
    staff: written('staff'),
    client: written('client'),
    screen: written('screen'),
  };
  return ({ $visibility: { of } }, shown) =>
    Prisma.join(lists[of].filter(({ name }) => isShown(shown, [name])).map(({ sql }) => sql));
}

/** A column of nulls where the reader may not see the field. Screens see no field that is hidden from anyone. */
const hiddenColumn = ({ hiddenFrom = [] }: Field, of: Visibility['of']) => {
  const isHidden = of === 'screen' ? hiddenFrom.length > 0 : of !== 'business' && hiddenFrom.includes(of);
  return isHidden ? 'NULL::text' : undefined;
};

/** Casts wall-clock times and exact numbers to text, which loses nothing. */
const readAs = ({ kind }: Field) => (kind === 'wallTime' || kind === 'money' ? '::text' : '');

const columnName = (name: string, { stored = name }: Field) => columnOf(stored);

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

/** SQL for each field of a result. */
type ResultColumns<L extends FieldList> = { readonly [K in keyof L]: string };

/** The SELECT list of a result: SQL for each field of the list, under the name of the field. Built once, at the start. */
export const selectResult = <L extends FieldList>(list: L, columns: ResultColumns<L>): Prisma.Sql =>
  Prisma.raw(
    Object.keys(list)
      .map((name) => `${columns[name]} AS "${name}"`)
      .join(', '),
  );

/** Makes the SQL of each field of a result from its name and its kind. */
export const resultColumns = <L extends FieldList>(
  list: L,
  make: (name: keyof L & string, kind: FieldKind) => string,
): ResultColumns<L> =>
  Object.fromEntries(Object.entries(list).map(([name, { kind }]) => [name, make(name, kind)])) as ResultColumns<L>;
