import { ObjectType } from 'type-graphql';
import { sessionFields } from '../fields/sessions.ts';
import { resultOf } from './fields.ts';

@ObjectType({
  description:
    'A log-in of the caller: a personal access token, or a lasting log-in of the pages with all of its tokens.',
})
export class Session extends resultOf(sessionFields) {}
