import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { EventRow } from '../db/events.ts';
import { EventStatus } from './enums.ts';
import { PageInfo } from './page-info.ts';
import { Version } from './versions.ts';

@ObjectType({ description: 'An event that a business staffs.', simpleResolvers: true })
export class Event implements EventRow {
  @Field(() => Int, { description: 'Numeric id, as in REST.' })
  id!: EventRow['id'];

  @Field(() => ID, { description: 'What the event is named by.' })
  uuid!: EventRow['uuid'];

  @Field(() => Int, { description: 'Owning business.' })
  businessId!: EventRow['businessId'];

  @Field(() => Int, { nullable: true, description: 'Id of the client (a user) that the event belongs to.' })
  clientId!: EventRow['clientId'];

  @Field(() => EventStatus, { description: 'Where the event stands.' })
  status!: EventRow['status'];

  @Field(() => String, { description: 'Title, at most 200 characters.' })
  title!: EventRow['title'];

  @Field(() => String, { description: 'Start as the clocks of its time zone show it: `YYYY-MM-DD HH:MM:SS`.' })
  startTime!: EventRow['startTime'];

  @Field(() => GraphQLDateTimeISO, { description: 'Start as an instant, UTC.' })
  startsAt!: EventRow['startsAt'];

  @Field(() => Boolean, { description: 'Whether the start is still to be determined.' })
  startTimeTbd!: EventRow['startTimeTbd'];

  @Field(() => String, { description: 'End as the clocks of its time zone show it: `YYYY-MM-DD HH:MM:SS`.' })
  endTime!: EventRow['endTime'];

  @Field(() => GraphQLDateTimeISO, { description: 'End as an instant, UTC; always after the start.' })
  endsAt!: EventRow['endsAt'];

  @Field(() => Boolean, { description: 'Whether the end is still to be determined.' })
  endTimeTbd!: EventRow['endTimeTbd'];

  @Field(() => String, { description: 'IANA time zone, as it was sent.' })
  timezone!: EventRow['timezone'];

  @Field(() => String, { nullable: true, description: 'Identifier in an external system.' })
  resourceId!: EventRow['resourceId'];

  @Field(() => String, { nullable: true, description: 'What the event is about, in words.' })
  description!: EventRow['description'];

  @Field(() => String, { nullable: true, description: 'Internal notes, for admins.' })
  privateNotes!: EventRow['privateNotes'];

  @Field(() => String, { nullable: true, description: 'What staff are to wear.' })
  dressCode!: EventRow['dressCode'];

  @Field(() => String, { nullable: true, description: 'Venue.' })
  venueName!: EventRow['venueName'];

  @Field(() => String, { nullable: true, description: 'Street address.' })
  address!: EventRow['address'];

  @Field(() => String, { nullable: true, description: 'Second address line.' })
  addressLine2!: EventRow['addressLine2'];

  @Field(() => String, { nullable: true, description: 'Room or location.' })
  room!: EventRow['room'];

  @Field(() => String, { nullable: true, description: 'City of the venue.' })
  city!: EventRow['city'];

  @Field(() => String, { nullable: true, description: 'State or region of the venue.' })
  state!: EventRow['state'];

  @Field(() => String, { nullable: true, description: 'ZIP code.' })
  zip!: EventRow['zip'];

  @Field(() => String, { nullable: true, description: 'Latitude in decimal degrees, exactly as it was sent.' })
  latitude!: EventRow['latitude'];

  @Field(() => String, { nullable: true, description: 'Longitude in decimal degrees, exactly as it was sent.' })
  longitude!: EventRow['longitude'];

  @Field(() => GraphQLDateTimeISO, { description: 'Created, UTC.' })
  createdAt!: EventRow['createdAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Last modified, UTC.' })
  modifiedAt!: EventRow['modifiedAt'];

  @Version()
  version!: EventRow['version'];
}

@ObjectType({ description: 'An event, and its place in a list.', simpleResolvers: true })
export class EventEdge {
  @Field(() => String, { description: 'Names this place in a list of this order: to be sent as `after`.' })
  cursor!: string;

  @Field(() => Event, { description: 'The event.' })
  node!: Event;
}

@ObjectType({ description: 'A page of events, read by number or from a cursor on.', simpleResolvers: true })
export class EventConnection {
  @Field(() => [Event], { description: 'The events of this page.' })
  nodes!: Event[];

  @Field(() => [EventEdge], { description: 'The events of this page, each with its cursor.' })
  edges!: EventEdge[];

  @Field(() => Int, { simple: false, description: 'Events on all pages. Counted only when asked for.' })
  totalCount!: number;

  @Field(() => PageInfo, { description: 'Where this page stands among all.' })
  pageInfo!: PageInfo;
}
