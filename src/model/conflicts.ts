import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { ConflictKind } from './enums.ts';
import { WorkShift } from './work-shifts.ts';

@ObjectType({
  description:
    'Two active work shifts of one person, on active or draft events, that share some time or, if a time is to be determined, may share some. A shift that ends when the other starts is not a conflict.',
  simpleResolvers: true,
})
export class Conflict {
  @Field(() => ConflictKind, { description: 'Whether the overlap is certain.' })
  kind!: keyof typeof ConflictKind;

  /** Number of the staff member of both shifts. */
  userId!: number;

  @Field(() => WorkShift, { description: 'The shift that starts first.' })
  first!: WorkShift;

  @Field(() => WorkShift, { description: 'The other shift.' })
  second!: WorkShift;

  @Field(() => GraphQLDateTimeISO, {
    description: 'Start of the time that both shifts share, UTC. For a possible overlap, the earliest start.',
  })
  startsAt!: Date;

  @Field(() => GraphQLDateTimeISO, {
    description: 'End of the time that both shifts share, UTC. For a possible overlap, the latest end.',
  })
  endsAt!: Date;

  @Field(() => Int, {
    nullable: true,
    description: 'Minutes that both shifts share, rounded up; null for a possible overlap.',
  })
  minutes!: number | null;
}

@ObjectType({ description: 'A page of conflicts, by the start of the shared time.', simpleResolvers: true })
export class ConflictConnection extends connectionTo(Conflict, 'Conflict', 'conflicts') {}
