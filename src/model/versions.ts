import { Field, Int } from 'type-graphql';

/** The `version` field of a row that can be changed. */
export const Version = (): PropertyDecorator & MethodDecorator =>
  Field(() => Int, {
    description:
      'Counts the changes of this row: give it back with an update to be refused where somebody changed it since.',
  });
