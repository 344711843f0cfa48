import { ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { ConflictKind } from './enums.ts';
import { WorkShift } from './work-shifts.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'Two active work shifts of one person, on active or draft events, that share some time or, if a time is to be determined, may share some. A shift that ends when the other starts is not a conflict.',
})
export class Conflict extends objectWith({
  kind: field.of(ConflictKind)('Whether the overlap is certain.'),
  first: field.of(WorkShift)('The shift that starts first.'),
  second: field.of(WorkShift)('The other shift.'),
  startsAt: field.instant('Start of the time that both shifts share, UTC. For a possible overlap, the earliest start.'),
  endsAt: field.instant('End of the time that both shifts share, UTC. For a possible overlap, the latest end.'),
  minutes: field.int.orNull('Minutes that both shifts share, rounded up; null for a possible overlap.'),
}) {
  /** Number of the staff member of both shifts. */
  userId!: number;
}

@ObjectType({ description: 'A page of conflicts, by the start of the shared time.' })
export class ConflictConnection extends connectionTo(Conflict, 'Conflict', 'conflicts') {}
