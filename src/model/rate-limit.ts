import { ObjectType } from 'type-graphql';
import { rateLimitText } from '../config/limits.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: `Rate limit of the caller. ${rateLimitText} A GraphQL request costs its number of root fields.`,
})
export class RateLimit extends objectWith({
  limit: field.int('Requests per minute.'),
  remaining: field.int('Requests left in this minute after this one.'),
  resetSeconds: field.int('Seconds until the limit is reset, 0 to 60.'),
}) {}
