import { randomUUID } from 'node:crypto';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import type { EventRow } from '../fields/events.ts';
import { lockStaff } from '../db/staffing.ts';
import { isClient } from '../db/users.ts';
import { conflict } from '../errors.ts';
import { wallToColumn } from '../time/wall-clock.ts';
import type { TimeMover } from './events-move.ts';

/* The rows that make up the copy of an event, before they are stored. */

/** A row to be stored, and the row that it is copied from. */
export interface Draft<Source, Row> {
  readonly source: Source;
  readonly row: Row;
}

/**
 * Drafts the event. It has no client if the client was deleted, and no identifier in an external system, because that
 * one names the original.
 */
export async function draftEventCopy(tx: Scope, source: EventRow, mover: TimeMover) {
  const { id: _id, uuid: _uuid, startTime, endTime, startTimeTbd, endTimeTbd, ...columns } = source;
  const { clientId } = source;
  const hasClient = clientId !== null && (await isClient(tx.db, clientId, 'for share'));
  const walls = { startLocal: wallToColumn(startTime), endLocal: wallToColumn(endTime) };
  return {
    ...columns,
    ...mover.move(walls, 'the event'),
    ...stamps(tx),
    startTbd: startTimeTbd,
    endTbd: endTimeTbd,
    clientId: hasClient ? clientId : null,
    resourceId: null,
    status: 'draft' as const,
  };
}

export async function draftCallTimeCopies(tx: Scope, eventId: number, mover: TimeMover) {
  const sources = await tx.db.callTime.findMany({
    where: { eventId },
    orderBy: { id: 'asc' },
    take: limits.wholeReadMax + 1,
  });
  requireFew(sources);
  return sources.map((source) => {
    const { id: _, ...columns } = source;
    return {
      source,
      row: { ...columns, ...mover.move(source, `call time ${source.uuid}`), ...stamps(tx), uuid: randomUUID() },
    };
  });
}

/**
 * Drafts the active shifts of staff who are not deleted. Locks these people, so that no other transaction assigns them
 * meanwhile.
 */
export async function draftShiftCopies(tx: Scope, eventId: number, mover: TimeMover) {
  const sources = await tx.db.workShift.findMany({
    where: { eventId, status: 'active' },
    orderBy: { id: 'asc' },
    take: limits.wholeReadMax + 1,
  });
  requireFew(sources);
  const userIds = sources.map(({ userId }) => userId);
  const staff = await lockStaff(tx.db, [...new Set(userIds)]);
  return sources
    .filter(({ userId }) => staff.has(userId))
    .map((source) => {
      const { id: _, ...columns } = source;
      const moved = mover.move(source, `work shift ${source.uuid}`);
      const unanswered = { confirmed: false, confirmedAt: null, declinedAt: null };
      const row = { ...columns, ...moved, ...stamps(tx), uuid: randomUUID(), ...unanswered, overrideReason: null };
      return { source, row };
    });
}

const stamps = ({ clock }: Scope) => ({ createdAt: clock(), modifiedAt: clock(), version: 1 });

function requireFew(rows: readonly unknown[]): void {
  if (rows.length > limits.wholeReadMax)
    throw conflict(
      `Only an event with at most ${limits.wholeReadMax} call times and ${limits.wholeReadMax} shifts can be copied.`,
    );
}

/** Maps the id of each row to the id of its copy. */
export function mapCopiedIds<Source extends { id: number }, Row extends { uuid: string }>(
  drafts: readonly Draft<Source, Row>[],
  stored: readonly { id: number; uuid: string }[],
): (sourceId: number) => number {
  const idByUuid = new Map(stored.map(({ id, uuid }) => [uuid, id]));
  const ids = new Map(drafts.map(({ source, row }) => [source.id, idByUuid.get(row.uuid)!]));
  return (sourceId) => ids.get(sourceId)!;
}
