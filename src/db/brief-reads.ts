import { limits } from '../config/limits.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { isList, type AskedEvents } from './asked-ids.ts';

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
export function readOfEvents(events: AskedEvents, sql: Prisma.Sql): Prisma.Sql {
  return !isList(events) || events.length <= limits.briefReadEvents ? asBriefRead(sql) : sql;
}
