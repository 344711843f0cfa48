import type { Prisma } from '../generated/prisma/client.ts';
import { isList, type AskedEvents } from './asked-ids.ts';

const briefReads = new WeakSet<Prisma.Sql>();

/**
 * Marks a statement that takes the database less time than the way there. Those that a request sends at the same moment go
 * together, over one connection: src/guide/performance.md#brief-reads-go-together
 */
export function asBriefRead(sql: Prisma.Sql): Prisma.Sql {
  briefReads.add(sql);
  return sql;
}

export const isBriefRead = (sql: Prisma.Sql): boolean => briefReads.has(sql);

/** A list of one event is brief, those of many events are faster on several connections. */
export function readOfEvents(events: AskedEvents, sql: Prisma.Sql): Prisma.Sql {
  return !isList(events) || events.length === 1 ? asBriefRead(sql) : sql;
}
