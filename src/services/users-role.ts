import type { Scope } from '../access/scope.ts';
import { countUnfinishedShifts } from '../db/staffing.ts';
import { Failure } from '../errors.ts';
import type { Role } from '../generated/prisma/enums.ts';

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
  const activeShifts = role === 'staff' ? 0 : await countUnfinishedShifts(tx.db, id, tx.clock());
  if (activeShifts > 0)
    throw refusal(
      { activeShifts },
      `has active shifts that have not ended (${activeShifts}): assign other people or cancel them first`,
    );
}

const refusal = (details: Record<string, number>, reason: string) =>
  new Failure('CONFLICT', `The role cannot change: the user ${reason}.`, {
    errors: { role: [`cannot change: the user ${reason}`] },
    details,
  });
