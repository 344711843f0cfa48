import { ObjectType } from 'type-graphql';
import { eventFields, type EventRow } from '../fields/events.ts';
import { connectionTo } from './connection-to.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({ description: 'An event that a business staffs.', implements: Node })
export class Event extends objectOf<EventRow>(eventFields) {}

@ObjectType({ description: 'A page of events, read by number or from a cursor on.' })
export class EventConnection extends connectionTo(Event, 'Event', 'events') {}
