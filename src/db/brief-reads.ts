import { limits } from '../config/limits.ts';
import type { Prisma } from '../generated/prisma/client.ts';

const briefReads = new WeakSet<Prisma.Sql>();

/**
 * Marks a statement that reads one page or the children of a few events. Those that a request sends at the same moment go together,
 * over one connection: src/guide/performance.md#brief-reads-go-together
 */
export function asBriefRead(sql: Prisma.Sql): Prisma.Sql {
  briefReads.add(sql);
  return sql;
}

export const isBriefRead = (sql: Prisma.Sql): boolean => briefReads.has(sql);

/** The children of a few events are brief reads; those of many are cheaper on a connection for each statement. */
export function readOfEvents(eventIds: readonly number[], sql: Prisma.Sql): Prisma.Sql {
  return eventIds.length <= limits.briefReadEvents ? asBriefRead(sql) : sql;
}
