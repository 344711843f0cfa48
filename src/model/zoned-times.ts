import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import type * as time from '../time/zoned-time.ts';
import { DstNote } from './enums.ts';

@ObjectType({
  description:
    'A time in three forms: local time at the event, with its offset, and in UTC. All three are null while the time is unknown.',
  simpleResolvers: true,
})
export class ZonedTime implements time.ZonedTimeValue {
  @Field(() => String, { nullable: true, description: 'As the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.' })
  local!: time.ZonedTimeValue['local'];

  @Field(() => String, {
    nullable: true,
    description: 'ISO 8601 with the offset from UTC that holds there and then, such as `2026-12-31T18:30:00-05:00`.',
  })
  iso!: time.ZonedTimeValue['iso'];

  @Field(() => GraphQLDateTimeISO, { nullable: true, description: 'The instant, UTC.' })
  utc!: time.ZonedTimeValue['utc'];

  @Field(() => String, { description: 'IANA time zone of the event, as it was sent, such as `America/New_York`.' })
  timezone!: time.ZonedTimeValue['timezone'];

  @Field(() => Boolean, {
    description: 'Whether it is still to be determined; a time that is present anyway is tentative.',
  })
  tbd!: time.ZonedTimeValue['tbd'];

  @Field(() => DstNote, { description: 'Effect of clock changes on this time.' })
  dst!: time.ZonedTimeValue['dst'];
}
