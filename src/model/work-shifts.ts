import { ObjectType } from 'type-graphql';
import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { objectOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({ description: 'The assignment of one staff member to an event.', implements: Node })
export class WorkShift extends objectOf<WorkShiftRow>(workShiftFields) {}
