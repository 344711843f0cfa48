import { ObjectType } from 'type-graphql';
import { callTimeFields, type CallTimeRow } from '../fields/call-times.ts';
import { addFields, Shape, type ClassOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({
  description: 'How many people of a position an event needs, and when.',
  implements: Node,
  simpleResolvers: true,
})
export class CallTime extends (Shape as ClassOf<CallTimeRow>) {}
addFields(CallTime, callTimeFields);
