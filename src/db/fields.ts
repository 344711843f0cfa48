import { Prisma } from '../generated/prisma/client.ts';

/** Fields of a row that are read; others cost the database and this process time: src/guide/performance.md#field-selection */
export type Fields<Row> = readonly (keyof Row & string)[];

/** How each field of a row is read. */
export type Columns<Row> = Readonly<Record<keyof Row & string, Prisma.Sql>>;

/** The SELECT list of some fields, by their names. */
export const selected = <Row>(columns: Columns<Row>, fields: Fields<Row>): Prisma.Sql =>
  Prisma.join(fields.map((field) => Prisma.sql`${columns[field]} AS ${Prisma.raw(`"${field}"`)}`));

/** A join that is there for the sake of some fields, and left out where none of them is read. */
export const joinFor = <Row>(fields: Fields<Row>, needing: Fields<Row>, join: Prisma.Sql): Prisma.Sql =>
  needing.some((field) => fields.includes(field)) ? join : Prisma.empty;

export interface ListsOf<Row> {
  /** All, unless it says which: rows have no others then. */
  readonly fields?: Fields<Row> | undefined;
  /** Rows of each parent at the most. */
  readonly atMostEach?: number | undefined;
}
