import { Field, InputType, ObjectType } from 'type-graphql';
import type * as stored from '../generated/prisma/client.ts';
import { Plan } from './enums.ts';
import { DatabaseId, Node } from './nodes.ts';

type BusinessRow = Pick<stored.Business, 'id' | 'name' | 'plan'>;

@ObjectType({ description: 'A business. Callers see their own.', implements: Node, simpleResolvers: true })
export class Business implements BusinessRow {
  @DatabaseId()
  id!: BusinessRow['id'];

  @Field(() => String, { description: 'Name of the business.' })
  name!: BusinessRow['name'];

  @Field(() => Plan, { description: 'Plan, which sets the rate limit.' })
  plan!: BusinessRow['plan'];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether no two events that are not deleted may have the same `resourceId`. Null unless the caller is an admin.',
  })
  uniqueResourceIds?: boolean | null;
}

@InputType({ description: 'Changes to the settings of the business: only the given fields change.' })
export class UpdateBusinessInput {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether no two events that are not deleted may have the same `resourceId`. Refused with code CONFLICT while two of them have.',
  })
  uniqueResourceIds?: boolean;
}
