import { Field, InputType, Int } from 'type-graphql';
import type { EventStatus as StoredStatus } from '../generated/prisma/enums.ts';
import { EventStatus } from './enums.ts';

/** What both inputs share. Null and the empty text unset. */
@InputType()
abstract class EventFields {
  @Field(() => Int, { nullable: true, description: 'Id of a user with role CLIENT; null for none.' })
  clientId?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the start is still to be determined.' })
  startTimeTbd?: boolean;

  @Field(() => Boolean, { nullable: true, description: 'Whether the end is still to be determined.' })
  endTimeTbd?: boolean;

  @Field(() => String, { nullable: true, description: 'Identifier in an external system, at most 200 characters.' })
  resourceId?: string | null;

  @Field(() => String, { nullable: true, description: 'Description, at most 20,000 characters.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Internal notes for admins, at most 20,000 characters.' })
  privateNotes?: string | null;

  @Field(() => String, { nullable: true, description: 'Dress code, at most 20,000 characters.' })
  dressCode?: string | null;

  @Field(() => String, { nullable: true, description: 'Venue, at most 250 characters.' })
  venueName?: string | null;

  @Field(() => String, { nullable: true, description: 'Street address, at most 200 characters.' })
  address?: string | null;

  @Field(() => String, { nullable: true, description: 'Second address line, at most 200 characters.' })
  addressLine2?: string | null;

  @Field(() => String, { nullable: true, description: 'Room or location, at most 200 characters.' })
  room?: string | null;

  @Field(() => String, { nullable: true, description: 'City, at most 200 characters.' })
  city?: string | null;

  @Field(() => String, { nullable: true, description: 'State, at most 50 characters.' })
  state?: string | null;

  @Field(() => String, { nullable: true, description: 'ZIP code, at most 50 characters.' })
  zip?: string | null;

  @Field(() => String, { nullable: true, description: 'Latitude in decimal degrees, -90 to 90, given back as sent.' })
  latitude?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Longitude in decimal degrees, -180 to 180, given back as sent.',
  })
  longitude?: string | null;
}

@InputType({ description: 'A new event.' })
export class CreateEventInput extends EventFields {
  @Field(() => String, { description: 'Title, at most 200 characters.' })
  title!: string;

  @Field(() => String, { description: 'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event.' })
  startTime!: string;

  @Field(() => String, { description: 'End, `YYYY-MM-DD HH:MM:SS`, after the start.' })
  endTime!: string;

  @Field(() => String, { description: 'IANA time zone, such as America/New_York.' })
  timezone!: string;

  @Field(() => EventStatus, { nullable: true, description: 'ACTIVE (if not given) or DRAFT.' })
  status?: Extract<StoredStatus, 'active' | 'draft'>;
}

@InputType({ description: 'Changes to an event: only the fields given change.' })
export class UpdateEventInput extends EventFields {
  @Field(() => String, { nullable: true, description: 'Title, at most 200 characters.' })
  title?: string;

  @Field(() => String, { nullable: true, description: 'Start, `YYYY-MM-DD HH:MM:SS`, in the time zone of the event.' })
  startTime?: string;

  @Field(() => String, { nullable: true, description: 'End, `YYYY-MM-DD HH:MM:SS`, after the start.' })
  endTime?: string;

  @Field(() => String, { nullable: true, description: 'IANA time zone; wall-clock times stay, instants move.' })
  timezone?: string;

  @Field(() => EventStatus, { nullable: true, description: 'Any status may follow any other.' })
  status?: StoredStatus;
}
