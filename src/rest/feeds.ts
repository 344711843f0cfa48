import Type from 'typebox';
import { limits } from '../config/limits.ts';
import type { FeedRow } from '../db/feeds.ts';
import { FeedKind } from '../generated/prisma/enums.ts';
import { digestParts, includesTag, isAnyTag } from '../http/entity-tags.ts';
import * as feeds from '../services/feeds.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { digestBuild } from '../version.ts';
import { answer, envelope, Revoked } from './envelopes.ts';
import { printCalendar, type CanceledStyle } from './feeds-calendar.ts';
import { instantSchema, textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { titled, viewOf } from './views.ts';

const noun = { tag: 'Calendar feeds', isExtension: true } as const;

const { schema: FeedView, serialize: serializeFeed } = viewOf<FeedRow>('Feed')({
  id: [textSchema('Id of the feed, the public part of its address.'), ({ publicId }) => publicId],
  kind: oneOf(Object.values(FeedKind), 'What it shows.'),
  name: textSchema('Name of the calendar.'),
  user_id: Type.Integer({ description: 'Its owner, with whose rights it is read.' }),
  event_uuid: nullable(textSchema('The event that it shows; null for other kinds.')),
  client_id: nullable(Type.Integer({ description: 'The client whose events it shows; null for other kinds.' })),
  created_at: instantSchema('Created'),
  last_used_at: nullable(instantSchema('Last read, to the minute')),
  previous_secret_expires_at: nullable(instantSchema('Until when the address before the last rotation works')),
});

const NewFeedView = titled('NewFeed', {
  feed: FeedView,
  path: textSchema('Address of the calendar on this service. It holds the secret, and is shown only once.'),
});

const feedParams = Type.Object({ feedId: Type.String({ description: 'Id of the feed as listed.' }) });

const viewNew = ({ feed, path }: Awaited<ReturnType<typeof feeds.create>>) => ({ feed: serializeFeed(feed), path });

export function feedRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/feeds',
    calls: feeds.list,
    summary: 'List your calendar feeds, oldest first',
    description: 'Admins see those of others as well, unless they show the shifts of a person.',
    response: envelope(Type.Array(FeedView)),
    handle: async (scope) => answer((await feeds.list(scope, {})).map(serializeFeed)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/feeds',
    calls: feeds.create,
    summary: 'Create a calendar feed',
    description: `The calendar at \`path\` is read without other credentials, with the rights that you have then. It shows ${limits.feedDaysBack} days back and ${limits.spanDaysMax} ahead. With \`?cancelled=omit\` it leaves out what is canceled, and with \`?cancelled=title\` it says so in the title.`,
    conflicts: true,
    body: feeds.createFeedInput,
    example: { kind: 'business', name: 'All events' },
    status: 201,
    response: envelope(NewFeedView),
    handle: async (scope, { body }) => answer(viewNew(await feeds.create(scope, body)), 'Feed created.'),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/feeds/:feedId/actions/rotate',
    calls: feeds.rotate,
    summary: 'Give a calendar feed a new address',
    description:
      'The address before works for seven days more. Rotated once more meanwhile, the one between ends at once.',
    params: feedParams,
    response: envelope(NewFeedView),
    handle: async (scope, { params }) =>
      answer(viewNew(await feeds.rotate(scope, { id: params.feedId })), 'Feed rotated.'),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/feeds/:feedId',
    calls: feeds.revoke,
    summary: 'Revoke a calendar feed',
    params: feedParams,
    response: Revoked,
    handle: async (scope, { params }) =>
      answer({ revoked: await feeds.revoke(scope, { id: params.feedId }) }, 'Feed revoked.'),
  });

  calendarRoute(app);
}

const calendarType = 'text/calendar';

/** The calendar itself. It is no part of the API, and so not in its description: its address is that of calendar programs. */
function calendarRoute({ http }: RestApp): void {
  const build = digestBuild();
  const config = { entry: feeds.use.operation, mediaTypes: [calendarType] };
  http.get('/v1/feeds/:feedId', { schema: { hide: true }, config }, async (request, reply) => {
    const { feedId: file } = request.params as { feedId: string };
    const { cancelled = 'mark' } = request.query as { cancelled?: CanceledStyle };
    const { name, revision, now, today, readEntries } = await feeds.use(request.scope, { file, cancelled });
    // Feeds have limits of their own: programs that read those of many people share an address.
    await request.consume(-1);
    const etag = `W/"${revision}.${digestParts([build, file, cancelled, today.toISOString()])}"`;
    // A data version is the time of its commit in microseconds. Others may follow within its second, which is therefore not named.
    const changedMs = Math.max(Math.floor(Number(revision) / 1e6) * 1000, today.getTime());
    const isOver = changedMs + 1000 <= now.getTime();
    reply.headers({ etag, 'cache-control': `private, max-age=${limits.feedAgeS}` });
    if (isOver) reply.header('last-modified', new Date(changedMs).toUTCString());
    const { 'if-none-match': held, 'if-modified-since': since = '' } = request.headers;
    const isHeld =
      held === undefined ? isOver && Date.parse(since) >= changedMs : isAnyTag(held) || includesTag(held, etag);
    if (isHeld) return reply.code(304).send();
    return reply
      .type(`${calendarType}; charset=utf-8`)
      .send(printCalendar(name, await readEntries(), cancelled, today));
  });
}
