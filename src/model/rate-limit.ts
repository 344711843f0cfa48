import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'How many requests the caller may still make: one budget for REST and GraphQL and all credentials of a business, or, without a credential, of an IP address. A GraphQL request costs its number of root fields.',
  simpleResolvers: true,
})
export class RateLimit {
  @Field(() => Int, { description: 'Requests a minute, by the plan of the business.' })
  limit!: number;

  @Field(() => Int, { description: 'Requests left in this minute, after this one.' })
  remaining!: number;

  @Field(() => Int, { description: 'Seconds until the budget is full again, 0 to 60.' })
  resetSeconds!: number;
}
