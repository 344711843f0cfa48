import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'Rate limit of the caller, shared by REST, GraphQL and all credentials of a business; without a credential, it belongs to the IP address. A GraphQL request costs its number of root fields.',
})
export class RateLimit extends objectWith({
  limit: field.int('Requests per minute on the plan of the business.'),
  remaining: field.int('Requests left in this minute after this one.'),
  resetSeconds: field.int('Seconds until the limit is reset, 0 to 60.'),
}) {}
