import { ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { ConflictKind } from './enums.ts';
import { WorkShift } from './work-shifts.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'Two active work shifts of one person, on active or draft events, that share some time or, if a time is to be determined, may share some, or an active shift that breaks a rule of who can work. A shift that ends when the other starts is not an overlap.',
})
export class Conflict extends objectWith({
  kind: field.of(ConflictKind)('The overlap, or the broken rule.'),
  first: field.of(WorkShift)('The shift that starts first.'),
  second: field.of(WorkShift).orNull('The other shift; null where the rule is about one shift.'),
  startsAt: field.instant(
    'Start of the time that both shifts share, UTC; for a possible overlap, the earliest start. SHORT_REST: start of the rest. Other rules: start of the shift.',
  ),
  endsAt: field.instant(
    'End of the time that both shifts share, UTC; for a possible overlap, the latest end. SHORT_REST: end of the rest. Other rules: end of the shift.',
  ),
  minutes: field.int.orNull(
    'OVERLAP: minutes that both shifts share, rounded up. SHORT_REST: minutes between them. OVER_WEEKLY_HOURS: minutes of the week. Otherwise null.',
  ),
  text: field.text.orNull('What is against the person; null for overlaps.'),
}) {
  /** Number of the staff member of both shifts. */
  userId!: number;
}

@ObjectType({ description: 'A page of conflicts, by the start of the shared time.' })
export class ConflictConnection extends connectionTo(Conflict, 'Conflict', 'conflicts') {}
