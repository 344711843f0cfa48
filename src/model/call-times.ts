import { ObjectType } from 'type-graphql';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: 'How many people of a position an event needs, and when.',
  implements: Node,
})
export class CallTime extends objectOf<CallTimeRow>(callTimeFields) {}
