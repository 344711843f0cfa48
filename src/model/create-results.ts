import { ObjectType, type ClassType } from 'type-graphql';
import { ExceptionPayload, PatternPayload } from './availability.ts';
import { error } from './refusals.ts';
import { field, objectWith } from './shapes.ts';
import { UserQualification } from './user-qualifications.ts';

/** The result of one of several new rows, whose field has this name. */
function resultOf(Row: ClassType, name: string, what: string): ClassType {
  @ObjectType(`Create${what.replaceAll(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())}Result`, {
    description: `Result of one of several new ${what}s.`,
    simpleResolvers: true,
  })
  class CreateResult extends objectWith({
    row: field.of(Row).orNull(`The new ${what}; null if it was refused.`, { name, simple: false }),
    error,
  }) {}
  return CreateResult;
}

export const createResults = {
  userQualification: resultOf(UserQualification, 'userQualification', 'user qualification'),
  availabilityPattern: resultOf(PatternPayload, 'change', 'availability pattern'),
  availabilityException: resultOf(ExceptionPayload, 'change', 'availability exception'),
};
