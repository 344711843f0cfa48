import type { Prisma } from '../generated/prisma/client.ts';

const briefReads = new WeakSet<Prisma.Sql>();

/**
 * Marks a statement that reads one page or the children of one page. Those that a request sends at the same moment go together,
 * over one connection: src/guide/performance.md#brief-reads-go-together
 */
export function asBriefRead(sql: Prisma.Sql): Prisma.Sql {
  briefReads.add(sql);
  return sql;
}

export const isBriefRead = (sql: Prisma.Sql): boolean => briefReads.has(sql);
