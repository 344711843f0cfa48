import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({ description: 'A qualification that everybody in a position, or on a call time, needs.' })
export class Requirement extends objectWith({
  minLevel: field.int.orNull('Lowest level that is enough; null if any level will do, and none.'),
}) {
  qualificationId!: number;
}
