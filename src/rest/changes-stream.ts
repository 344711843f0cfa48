import * as changes from '../services/changes.ts';
import { ChangePageView, serializeChanges } from './changes.ts';
import type { RestApp } from './route.ts';
import { streamRoute } from './stream-route.ts';

export function changeStreamRoutes(app: RestApp): void {
  streamRoute(app, {
    url: '/v1/changes/stream',
    calls: changes.list,
    operationId: 'changes.follow',
    tag: 'Changes',
    isExtension: true,
    cursorExpires: true,
    summary: 'Follow what changes, as a stream of events',
    description:
      'Server-sent events. Each event `changes` has a page as its data, in the shape that `GET /v1/changes` has in `data`, and the cursor behind it as its id: a client that comes back with `Last-Event-ID` misses nothing. The first page comes at once, even if it is empty. An event `failure` has the body of an error, and ends the stream. Opening a stream costs a request of the rate limit; keeping it open costs nothing.',
    query: changes.followedChanges,
    resumesAt: 'after',
    event: 'changes',
    response: ChangePageView,
    follow: changes.follow,
    serialize: async (scope, page) => ({ id: page.nextCursor, data: await serializeChanges(scope, page) }),
  });
}
