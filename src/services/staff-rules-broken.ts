import type { Scope } from '../access/scope.ts';
import { readSaidOfMany } from '../db/availability.ts';
import type { RuleBreach } from '../db/clashes.ts';
import type { ConflictFilter, ConflictRow } from '../db/conflicts.ts';
import { hasPersonalRules, readBooked, type BookedShift } from '../db/staff-facts.ts';
import { groupBy } from '../paging/group-by.ts';
import { openQualifications } from './qualification-gaps.ts';
import { createStaffRules, nothingSaid, weekMs } from './staff-rules.ts';

/** Finds the rules of who can work that stored shifts break, of those that have some time in a period: a week at a time. */
export async function findBrokenRules(
  { actor, db }: Scope,
  { from, to, userId }: ConflictFilter,
): Promise<ConflictRow[]> {
  if (actor.restHours === null && actor.weeklyHours === null && !(await hasPersonalRules(db))) return [];
  const people = userId === undefined ? null : [userId];
  const found = new Map<string, ConflictRow>();
  const [first, last] = [from.getTime(), to.getTime()];
  const isIn = ({ begins, ends }: BookedShift) => begins < last && ends > first;
  for (let at = first; at < last; at += weekMs) {
    const span = { from: new Date(at - weekMs), to: new Date(at + 2 * weekMs) };
    const booked = await readBooked(db, people, span);
    // Each shift is judged in the step in which it begins; the first step takes what began before.
    const judged = booked.filter((own) => isIn(own) && own.begins < at + weekMs && (own.begins >= at || at === first));
    if (judged.length === 0) continue;
    const said = await readSaidOfMany(db, { startsAt: span.from, endsAt: span.to }, people);
    const judge = createStaffRules(actor, await openQualifications(db, judged, people ?? 'all'));
    const bookedOf = groupBy('userId', booked);
    for (const own of judged) {
      const others = bookedOf(own.userId);
      const facts = { booked: others, said: said.get(own.userId) ?? nothingSaid };
      for (const breach of judge(own, facts).breaches) addConflict(own, breach, others);
    }
  }
  return [...found.values()];

  /** One row for each rest, one for each week, that of its last shift, and one for each other rule of a shift. */
  function addConflict(own: BookedShift, breach: RuleBreach, others: readonly BookedShift[]): void {
    const { kind, minutes, text, until } = breach;
    const other = others.find(({ uuid }) => uuid === breach.shiftUuid);
    const row = { kind, userId: own.userId, minutes, text };
    if (!other) {
      const startsAt = new Date(own.begins);
      const key = `${kind} ${own.userId} ${kind === 'OVER_WEEKLY_HOURS' ? String(until) : `${own.uuid} ${text}`}`;
      if ((found.get(key)?.startsAt ?? startsAt) > startsAt) return;
      found.set(key, { ...row, startsAt, endsAt: new Date(own.ends), firstId: own.id!, secondId: null });
      return;
    }
    // The rest before a shift is told with that shift, if both are in the period.
    if (other.begins > own.begins && isIn(other)) return;
    const [before, after] = other.begins < own.begins ? [other, own] : [own, other];
    const rest = { startsAt: new Date(before.end!), endsAt: new Date(after.start!) };
    found.set(`${kind} ${before.uuid} ${after.uuid}`, { ...row, ...rest, firstId: before.id!, secondId: after.id! });
  }
}
