import { InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { field, inputWith, objectWith } from './shapes.ts';

@ObjectType({ description: 'A qualification that everybody in a position, or on a call time, needs.' })
export class Requirement extends objectWith({
  minLevel: field.int.orNull('Lowest level that is enough; null if any level will do, and none.'),
}) {
  qualificationId!: number;
}

@InputType({ description: 'A qualification that everybody needs.' })
class RequirementInput extends inputWith({
  qualificationId: field.rowId('Qualification')('Id of the qualification. Each may be named once.'),
  minLevel: field.int.orNull(
    `Lowest level that is enough, 1 to ${limits.levelMax}; null if any level will do, and none. Default: null.`,
  ),
}) {}

export const requirementsInput = field
  .of([RequirementInput])
  .optional('The qualifications that everybody needs, all of them: those that are left out are not required any more.');
