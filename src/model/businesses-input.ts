import { Field, InputType } from 'type-graphql';

@InputType({ description: 'Changes to the settings of the business: only the given fields change.' })
export class UpdateBusinessInput {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether no two events that are not deleted may have the same `resourceId`. Refused with code CONFLICT while two of them have.',
  })
  uniqueResourceIds?: boolean;
}
