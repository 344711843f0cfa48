import type { Scope } from '../access/scope.ts';
import type { ConflictFilter, ConflictRow } from '../db/conflicts.ts';
import { readBooked, type BookedShift } from '../db/staff-facts.ts';
import type { RuleBreach } from '../db/clashes.ts';
import { groupBy } from '../paging/group-by.ts';
import { createStaffRules, weekMs } from './staff-rules.ts';

/** Finds the rules of who can work that stored shifts break, of those that have some time in a period: a week at a time. */
export async function findBrokenRules(scope: Scope, { from, to, userId }: ConflictFilter): Promise<ConflictRow[]> {
  const { restHours, weeklyHours } = scope.actor;
  if (restHours === null && weeklyHours === null) return [];
  const judge = createStaffRules(scope.actor);
  const found = new Map<string, ConflictRow>();
  const [first, last] = [from.getTime(), to.getTime()];
  const isIn = ({ begins, ends }: BookedShift) => begins < last && ends > first;
  for (let at = first; at < last; at += weekMs) {
    const around = { from: new Date(at - weekMs), to: new Date(at + 2 * weekMs) };
    const booked = await readBooked(scope.db, userId === undefined ? 'all' : [userId], around);
    const bookedOf = groupBy('userId', booked);
    for (const own of booked) {
      // Each shift is judged once: with those that begin in the same step, and the first step takes what began before.
      if (!isIn(own) || own.begins >= at + weekMs || (own.begins < at && at > first)) continue;
      for (const breach of judge(own, { booked: bookedOf(own.userId) })) {
        const conflict = toConflict(own, breach, bookedOf(own.userId));
        if (conflict) found.set(conflict.key, conflict.row);
      }
    }
  }
  return [...found.values()];

  /** One row for each rest, and one for each week: that of its last shift. */
  function toConflict(own: BookedShift, breach: RuleBreach, booked: readonly BookedShift[]) {
    const { kind, minutes, text, until } = breach;
    const other = booked.find(({ uuid }) => uuid === breach.shiftUuid);
    const row = { kind, userId: own.userId, minutes, text, startsAt: new Date(own.begins), endsAt: new Date(own.ends) };
    if (!other) {
      const key = `${kind} ${own.userId} ${kind === 'OVER_WEEKLY_HOURS' ? String(until) : own.uuid}`;
      const before = found.get(key);
      if (before && before.startsAt > row.startsAt) return null;
      return { key, row: { ...row, firstId: own.id!, secondId: null } };
    }
    // The rest before a shift is told with that shift, if both are in the period.
    if (other.begins > own.begins && isIn(other)) return null;
    const [before, after] = other.begins < own.begins ? [other, own] : [own, other];
    const rest = { startsAt: new Date(before.end!), endsAt: new Date(after.start!) };
    return {
      key: `${kind} ${before.uuid} ${after.uuid}`,
      row: { ...row, ...rest, firstId: before.id!, secondId: after.id! },
    };
  }
}
