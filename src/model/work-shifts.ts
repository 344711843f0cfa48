import { ObjectType } from 'type-graphql';
import { workShiftFields, type WorkShiftRow } from '../fields/work-shifts.ts';
import { addFields, shapedLike } from './fields.ts';

@ObjectType({ description: 'The assignment of one staff member to an event.', simpleResolvers: true })
export class WorkShift extends shapedLike<WorkShiftRow>() {}
addFields(WorkShift, workShiftFields);
