import { ObjectType } from 'type-graphql';
import { connectionTo } from './connection-to.ts';
import { WorkShift } from './work-shifts.ts';

@ObjectType({
  description: 'A page of work shifts, by start; those with a start to be determined come last.',
})
export class WorkShiftConnection extends connectionTo(WorkShift, 'WorkShift', 'work shifts') {}
