import { Prisma } from '../generated/prisma/client.ts';

/** Events whose lists are read: by their ids, or one by its uuid, which is looked up within the statement itself. */
export type AskedEvents = readonly number[] | { readonly uuid: string };

export const isList = (events: AskedEvents): events is readonly number[] => Array.isArray(events);

/**
 * The ids that rows are read for, as the rows `asked (id)`. One id is no array: PostgreSQL expects ten ids in an array that it
 * does not know, so it would plan the statement for its values, each time anew: src/guide/performance.md#one-id-is-no-array
 *
 * Several ids are sent in ascending order: rows that are read id by id are then almost in the order that statements ask for, so
 * that sorting them takes one pass: src/guide/performance.md#ids-in-order
 */
export function askedIds(ids: readonly number[]): Prisma.Sql {
  return ids.length === 1
    ? Prisma.sql`(SELECT ${ids[0]}::int AS id) AS asked`
    : Prisma.sql`unnest(${[...ids].sort((a, b) => a - b)}::int[]) AS asked (id)`;
}

/** Condition that a column is one of some ids. */
export function isAmong(column: Prisma.Sql, ids: readonly number[]): Prisma.Sql {
  return ids.length === 1 ? Prisma.sql`${column} = ${ids[0]}::int` : Prisma.sql`${column} = ANY(${ids}::int[])`;
}
