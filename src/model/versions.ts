import { Field, Int } from 'type-graphql';

/** The `version` field of a row that can be changed. */
export const Version = (): PropertyDecorator & MethodDecorator =>
  Field(() => Int, {
    description:
      'Number of changes of this row. Send it with an update to have the update refused if somebody has changed the row since.',
  });
