import { ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/client.ts';
import { FeedKind } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: 'A calendar that calendar programs read by its address, with the rights that its owner has then.',
  implements: Node,
})
export class Feed extends objectWith({
  id: field.id('Public part of the address, by which REST names the feed.', { name: 'publicId', simple: false }),
  kind: field.of(FeedKind)('What it shows.'),
  name: field.text('Name of the calendar.'),
  eventUuid: field.id.orNull('UUID of the event that it shows; null for other kinds.'),
  createdAt: field.instant('Created, UTC.'),
  lastUsedAt: field.instant.orNull(`Last read, UTC, to ${limits.resolutionS} seconds; null if never.`),
  previousSecretExpiresAt: field.instant.orNull(
    'Until when the address before the last rotation works, UTC; null if it was never rotated.',
  ),
}) {
  userId!: stored.Feed['userId'];
  clientId!: stored.Feed['clientId'];
}

@ObjectType({ description: 'A calendar feed with the address that it has just been given.' })
export class NewFeed extends objectWith({
  feed: field.of(Feed)('The feed as it is shown from now on.'),
  path: field.text('Address of the calendar on this service. It holds the secret, and is shown only once.'),
}) {}
