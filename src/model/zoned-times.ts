import { ObjectType } from 'type-graphql';
import type * as time from '../time/zoned-time.ts';
import { DstNote } from './enums.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'A time in three forms: local time at the event, with its offset, and in UTC. All three are null while the time is unknown.',
})
export class ZonedTime
  extends objectWith({
    local: field.text.orNull('As the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`.'),
    iso: field.text.orNull(
      'ISO 8601 with the offset from UTC that holds there and then, such as `2026-12-31T18:30:00-05:00`.',
    ),
    utc: field.instant.orNull('The instant, UTC.'),
    timezone: field.text('IANA time zone of the event, as it was sent, such as `America/New_York`.'),
    tbd: field.flag('Whether it is still to be determined; a time that is present anyway is tentative.'),
    dst: field.of(DstNote)('Effect of clock changes on this time.'),
  })
  implements time.ZonedTimeValue {}
