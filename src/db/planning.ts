import { Prisma } from '../generated/prisma/client.ts';

/** The mark of a statement whose best plan depends on its values. */
const mark = '/* planned for its values */';

/**
 * Has PostgreSQL plan a statement each time it is sent. It plans a prepared one for values that it does not know, and then
 * expects few rows wherever many conditions meet: src/guide/performance.md#planned-for-its-values
 */
export function plannedForItsValues(sql: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${Prisma.raw(mark)} ${sql}`;
}

export const isPlannedForItsValues = (text: string): boolean => text.startsWith(mark);
