import { Field, InputType, ObjectType } from 'type-graphql';
import type { BusinessRow } from '../db/businesses.ts';

const uniqueness = 'Whether no two events that are not deleted may have the same `resourceId`.';

@ObjectType({ description: 'Settings of the business of the caller.', simpleResolvers: true })
export class BusinessSettings implements Pick<BusinessRow, 'uniqueResourceIds'> {
  @Field(() => Boolean, { description: uniqueness })
  uniqueResourceIds!: BusinessRow['uniqueResourceIds'];
}

@InputType({ description: 'Changes to the settings of the business: only the given fields change.' })
export class UpdateBusinessInput {
  @Field(() => Boolean, {
    nullable: true,
    description: `${uniqueness} Refused with code CONFLICT while two of them have.`,
  })
  uniqueResourceIds?: boolean;
}
