import Type from 'typebox';
import type { Scope } from '../access/scope.ts';
import { writePlaces } from '../db/places.ts';
import { readUnfinishedShifts } from '../db/staffing.ts';
import { Failure } from '../errors.ts';
import { codesOf, leaverEvents, leaverShifts } from '../fields/codes.ts';
import type { Role } from '../generated/prisma/enums.ts';
import { oneOf } from '../validation/schemas.ts';

/**
 * Refuses a role in which a user could not keep what they have: only a client has events, and only staff have shifts.
 * Somebody must decide first who gets them. Shifts that have ended stay as history, whatever the role. The user must be
 * locked, so that nobody gives them an event or a shift meanwhile.
 */
export async function requireNothingLeft(tx: Scope, id: number, role: Role): Promise<void> {
  const clientEvents = role === 'client' ? 0 : await tx.db.event.count({ where: { clientId: id } });
  if (clientEvents > 0)
    throw refusal(
      { clientEvents },
      `is the client of events (${clientEvents}): give these another client, or none, first. To keep the name on them, delete the user and create another one`,
    );
  const activeShifts = role === 'staff' ? 0 : (await readUnfinishedShifts(tx.db, id, tx.clock())).length;
  if (activeShifts > 0)
    throw refusal(
      { activeShifts },
      `has active shifts that have not ended (${activeShifts}): assign other people or cancel them first`,
    );
}

/** What becomes of what a user has when they are deleted. */
export const leaverInput = {
  shifts: Type.Optional(
    oneOf(
      codesOf(leaverShifts),
      'With `cancel`, active shifts of the user that have not ended are canceled with the deletion.',
    ),
  ),
  events: Type.Optional(oneOf(codesOf(leaverEvents), 'With `keep`, events to come keep the user as their client.')),
};

interface Leaving {
  readonly shifts?: 'cancel' | undefined;
  readonly events?: 'keep' | undefined;
}

/**
 * Refuses to delete a user who has shifts that have not ended, or events to come, unless the caller says what becomes of
 * them. Cancels the shifts where they say so. The user must be locked, and the events of the shifts before them. Returns what
 * was canceled and kept.
 */
export async function settleLeaver(tx: Scope, id: number, { shifts, events }: Leaving) {
  const now = tx.clock();
  const unfinished = await readUnfinishedShifts(tx.db, id, now);
  const clientEvents = await tx.db.event.count({
    where: { clientId: id, endsAt: { gt: now }, status: { in: ['active', 'draft'] } },
  });
  const workShifts = unfinished.length;
  const faults = {
    ...(workShifts > 0 &&
      !shifts && {
        shifts: [`must be cancel, because the user has active shifts that have not ended (${workShifts})`],
      }),
    ...(clientEvents > 0 &&
      !events && { events: [`must be keep, because the user is the client of events to come (${clientEvents})`] }),
  };
  if (Object.keys(faults).length > 0) {
    const inUse = { ...(faults.shifts && { workShifts }), ...(faults.events && { events: clientEvents }) };
    const ways = [
      faults.shifts &&
        `active shifts that have not ended (${workShifts}): assign other people, or send \`shifts\` with cancel`,
      faults.events && `events to come (${clientEvents}): give them another client, or send \`events\` with keep`,
    ].filter((way) => way !== undefined);
    throw new Failure('CONFLICT', `The user has ${ways.join('; and ')}.`, { errors: faults, details: { inUse } });
  }
  if (workShifts > 0)
    await writePlaces(tx, ...unfinished.map(({ eventId }) => eventId)).workShift.updateMany({
      where: { id: { in: unfinished.map((shift) => shift.id) } },
      data: { status: 'canceled', confirmed: false, confirmedAt: null, dropRequestedAt: null, modifiedAt: now },
    });
  return {
    ...(workShifts > 0 && { canceledShifts: workShifts }),
    ...(clientEvents > 0 && { keptEvents: clientEvents }),
  };
}

const refusal = (details: Record<string, number>, reason: string) =>
  new Failure('CONFLICT', `The role cannot change: the user ${reason}.`, {
    errors: { role: [`cannot change: the user ${reason}`] },
    details,
  });
