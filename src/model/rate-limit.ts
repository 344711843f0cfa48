import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({
  description:
    'Rate limit of the caller, shared by REST, GraphQL and all credentials of a business; without a credential, it belongs to the IP address. A GraphQL request costs its number of root fields.',
  simpleResolvers: true,
})
export class RateLimit {
  @Field(() => Int, { description: 'Requests per minute on the plan of the business.' })
  limit!: number;

  @Field(() => Int, { description: 'Requests left in this minute after this one.' })
  remaining!: number;

  @Field(() => Int, { description: 'Seconds until the limit is reset, 0 to 60.' })
  resetSeconds!: number;
}
