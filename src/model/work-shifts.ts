import { ObjectType } from 'type-graphql';
import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { addFields, Shape, type ClassOf } from './fields.ts';
import { Node } from './nodes.ts';

@ObjectType({ description: 'The assignment of one staff member to an event.', implements: Node, simpleResolvers: true })
export class WorkShift extends (Shape as ClassOf<WorkShiftRow>) {}
addFields(WorkShift, workShiftFields);
