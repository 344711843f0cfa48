import { Field, InputType, ObjectType } from 'type-graphql';
import type * as stored from '../generated/prisma/client.ts';
import { Plan, Weekday } from './enums.ts';
import { DatabaseId, Node } from './nodes.ts';

type BusinessRow = Pick<stored.Business, 'id' | 'name' | 'plan' | 'timezone' | 'weekStart'>;

@ObjectType({ description: 'A business. Callers see their own.', implements: Node, simpleResolvers: true })
export class Business implements BusinessRow {
  @DatabaseId()
  id!: BusinessRow['id'];

  @Field(() => String, { description: 'Name of the business.' })
  name!: BusinessRow['name'];

  @Field(() => Plan, { description: 'Plan, which sets the rate limit.' })
  plan!: BusinessRow['plan'];

  @Field(() => String, {
    description: 'IANA time zone of the business: whose clocks say what today is where no zone of an event is meant.',
  })
  timezone!: BusinessRow['timezone'];

  @Field(() => Weekday, { description: 'First day of the week.' })
  weekStart!: BusinessRow['weekStart'];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether no two events that are not deleted may have the same `resourceId`. Null unless the caller is an admin.',
  })
  uniqueResourceIds?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Setting: whether query parameters that a route of REST does not know are refused. Null unless the caller is an admin.',
  })
  strictQueries?: boolean | null;
}

@InputType({ description: 'Changes to the settings of the business: only the given fields change.' })
export class UpdateBusinessInput {
  @Field(() => String, { nullable: true, description: 'IANA time zone of the business.' })
  timezone?: string;

  @Field(() => Weekday, { nullable: true, description: 'First day of the week.' })
  weekStart?: BusinessRow['weekStart'];

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether no two events that are not deleted may have the same `resourceId`. Refused with code CONFLICT while two of them have.',
  })
  uniqueResourceIds?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether query parameters that a route of REST does not know are refused with 422. Otherwise they are ignored, and named in the header `Callboard-Ignored-Parameters`.',
  })
  strictQueries?: boolean;
}
