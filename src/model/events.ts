import { Field, Int, ObjectType } from 'type-graphql';
import { eventFields, type EventRow } from '../fields/events.ts';
import { addFields, Shape, type ClassOf } from './fields.ts';
import { Node } from './nodes.ts';
import { PageInfo } from './page-info.ts';

@ObjectType({ description: 'An event that a business staffs.', implements: Node, simpleResolvers: true })
export class Event extends (Shape as ClassOf<EventRow>) {}
addFields(Event, eventFields);

@ObjectType({ description: 'An event with its cursor.', simpleResolvers: true })
export class EventEdge {
  @Field(() => String, { description: 'Position of the event in a list of this order: send it as `after` to read on.' })
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

  @Field(() => PageInfo, { description: 'Position of this page in the whole list.' })
  pageInfo!: PageInfo;
}
