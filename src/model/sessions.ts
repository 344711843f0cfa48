import { ObjectType } from 'type-graphql';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description:
    'A log-in of the caller: a personal access token, or a lasting log-in of the pages with all of its tokens.',
})
export class Session extends objectWith({
  uuid: field.id('UUID of the log-in.'),
  userAgent: field.text.orNull('What logged in: the start of its header `User-Agent`; null if it sent none.'),
  lasting: field.flag('Whether a browser keeps the log-in over restarts.'),
  current: field.flag('Whether the call is made with it.'),
  createdAt: field.instant('Logged in, UTC.'),
  lastUsedAt: field.instant.orNull(
    'When a lasting log-in last made a token, UTC; null for others, whose use is not noted.',
  ),
  expiresAt: field.instant('When it ends by itself, UTC.'),
}) {}
