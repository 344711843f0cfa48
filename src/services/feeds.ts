import Type, { type Static } from 'typebox';
import { generateFeed, isPublicId } from '../access/api-keys.ts';
import { operation, variantOf } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { readEventsByUuids } from '../db/events.ts';
import { readFeedEntries, readFeeds, shownFeed, type FeedContent, type FeedRow } from '../db/feeds.ts';
import { lockInBusiness } from '../db/lock.ts';
import { isClient } from '../db/users.ts';
import { conflict, invalid, notFound, type FieldErrors } from '../errors.ts';
import { FeedKind } from '../generated/prisma/enums.ts';
import { closedObject, noInput, nullable, oneOf, rowNumber, visibleText } from '../validation/schemas.ts';
import { userActor } from './tokens.ts';

const own = { roles: everyRole, apiKey: false } as const;
const edit = { ...own, scopes: ['full'], writes: true, audited: true } as const;

/** Lists the feeds of the caller, oldest first; admins see those of others as well, unless they show these people's own shifts. */
export const list = operation({
  ...own,
  name: 'feeds.list',
  scopes: ['read'],
  input: noInput,
  run: (scope) => readFeeds(scope.db, userActor(scope).userId),
});

export const getByPublicIds = variantOf(list, {
  input: closedObject({ publicIds: Type.Array(Type.String()) }),
  run: (scope, { publicIds }) => readFeeds(scope.db, userActor(scope).userId, publicIds),
});

export const createFeedInput = closedObject({
  kind: oneOf(
    Object.values(FeedKind),
    'What it shows: `SHIFTS`, those of the caller, who is staff; `EVENT`, one event with its shifts, and `BUSINESS`, all events, for admins; `CLIENT`, the events of one client, for admins and that client.',
  ),
  name: visibleText(limits.labelChars, { description: 'Name of the calendar.', examples: ['My shifts'] }),
  eventUuid: Type.Optional(
    nullable(Type.String({ format: 'uuid', description: 'UUID of the event, for the kind `EVENT` only.' })),
  ),
  clientId: Type.Optional(
    nullable(rowNumber('Id of the client (a user), for the kind `CLIENT` only. For clients, it is their own.')),
  ),
});

type NewFeed = Static<typeof createFeedInput>;

async function findFaults(
  scope: Scope,
  { kind, eventUuid = null, clientId = null }: Partial<NewFeed>,
): Promise<FieldErrors> {
  const { role, userId } = userActor(scope);
  const mine = { admin: ['event', 'client', 'business'], staff: ['shifts'], client: ['client'] }[role];
  const errors: FieldErrors = {};
  const isMine = kind !== undefined && mine.includes(kind);
  if (kind && !isMine) errors['kind'] = [`must be ${mine.map((each) => `'${each}'`).join(' or ')}`];
  const [isEvent, isOfClient] = [isMine && kind === 'event', isMine && kind === 'client'];
  const isFound = eventUuid !== null && (await readEventsByUuids(scope.db, [eventUuid])).length > 0;
  if (isEvent ? !isFound : eventUuid !== null)
    errors['eventUuid'] = [`must be ${isEvent ? 'the UUID of an event of this business' : 'left out'}`];
  const known =
    clientId !== null && (role === 'client' ? clientId === userId : await isClient(scope.db, clientId, 'none'));
  if (isOfClient ? !known && (role === 'admin' || clientId !== null) : clientId !== null)
    errors['clientId'] = [`must be ${isOfClient ? 'the id of a client whose events the caller sees' : 'left out'}`];
  return errors;
}

/** Creates a feed. Only this answer holds its address. */
export const create = operation({
  ...edit,
  name: 'feeds.create',
  idempotent: {
    insteadOfSecret:
      'The feed was made by the first call, and its address was shown once. Where that answer was lost, rotate the feed.',
  },
  input: createFeedInput,
  rules: [{ over: ['kind', 'eventUuid', 'clientId'], check: findFaults }],
  run: async (scope, input) => {
    const errors = await findFaults(scope, input);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return scope.transaction(async (tx) => {
      const { db, businessId } = tx;
      const { userId, role } = userActor(tx);
      await lockInBusiness(db, 'catalog');
      if ((await db.feed.count({ where: { userId } })) >= limits.receiversMax)
        throw conflict(`A person can have at most ${limits.receiversMax} feeds: revoke one that is not in use.`);
      const { secret, ...stored } = generateFeed();
      const whose = input.kind === 'client' && role === 'client' ? { clientId: userId } : {};
      const { id, ...feed } = await db.feed.create({
        data: { ...input, ...whose, ...stored, businessId, userId, createdAt: tx.clock() },
        select: { ...shownFeed, id: true },
      });
      tx.record({ kind: 'feed', id, details: detailsOf(feed) });
      return withPath(feed, secret);
    });
  },
});

/** Facts about a feed for the audit trail. */
const detailsOf = ({ publicId, kind, name, userId, eventUuid, clientId }: FeedRow) => ({
  ...{ feed: publicId, kind, name, owner: userId },
  ...(eventUuid !== null && { event: eventUuid }),
  ...(clientId !== null && { client: clientId }),
});

const withPath = (feed: FeedRow, secret: string) => ({ feed, path: `/v1/feeds/${feed.publicId}.${secret}.ics` });

const feedId = closedObject({ id: Type.String() });

/** Finds a feed that the caller lists. */
async function findListed({ db, ...scope }: Scope, publicId: string) {
  const [listed] = isPublicId(publicId) ? await readFeeds(db, userActor({ db, ...scope }).userId, [publicId]) : [];
  const feed = listed && (await db.feed.findFirst({ where: { publicId } }));
  if (!feed) throw notFound('feed');
  return feed;
}

/**
 * Gives a feed a new address. The one before works for some days. If the feed is rotated once more meanwhile, the address between
 * the two ends at once, because its answer may have been lost: calendars still have the one before, which works no longer for that.
 */
export const rotate = operation({
  ...edit,
  name: 'feeds.rotate',
  input: feedId,
  run: (scope, { id: publicId }) =>
    scope.transaction(async (tx) => {
      await lockInBusiness(tx.db, 'catalog');
      const before = await findListed(tx, publicId);
      const now = tx.clock();
      const isRotating = before.previousSecretExpiresAt !== null && before.previousSecretExpiresAt > now;
      const { secret, secretHash } = generateFeed();
      const [feed] = await tx.db.feed.updateManyAndReturn({
        where: { id: before.id },
        data: {
          secretHash,
          ...(!isRotating && {
            previousSecretHash: before.secretHash,
            previousSecretExpiresAt: new Date(now.getTime() + limits.feedRotationS * 1000),
          }),
        },
        select: shownFeed,
      });
      if (!feed) throw notFound('feed');
      tx.record({ kind: 'feed', id: before.id, details: detailsOf(feed) });
      return withPath(feed, secret);
    }),
});

/** Revokes a feed. Nothing of it stays but the entry of the audit trail. */
export const revoke = operation({
  ...edit,
  name: 'feeds.revoke',
  input: feedId,
  run: (scope, { id: publicId }) =>
    scope.transaction(async (tx) => {
      const { id, ...feed } = await findListed(tx, publicId);
      const { count } = await tx.db.feed.deleteMany({ where: { id } });
      if (count === 0) throw notFound('feed');
      tx.record({ kind: 'feed', id, details: detailsOf(feed) });
      return count;
    }),
});

/** How a feed shows what is canceled: as RFC 5545 says, not at all, or in the title, for programs that hide the first. */
export const canceledStyles = ['mark', 'omit', 'title'] as const;

const feedAddress = closedObject({
  file: Type.String({ maxLength: limits.textChars, description: 'Id and secret of the feed: `<id>.<secret>.ics`.' }),
  cancelled: Type.Optional(oneOf(canceledStyles, 'How what is canceled is shown. Default: `mark`.')),
});

const readEntries = variantOf(list, {
  input: Type.Unsafe<FeedContent>({ type: 'object' }),
  run: ({ db }, content) => readFeedEntries(db, content),
});

const dayMs = 86_400_000;

/**
 * Opens the calendar of an address, with the rights that its owner has now. Its content follows from the data version and the day.
 * It counts as a write, because it notes its use and its address holds a secret: no credential is looked at, and it is refused
 * without https.
 */
export const use = operation({
  name: 'feeds.use',
  roles: 'anyone',
  writes: true,
  attempts: attemptLimits.useFeed,
  input: feedAddress,
  run: async ({ useFeed }, { file }) => {
    const [, publicId = '', secret = ''] = /^([^.]+)\.([^.]+)\.ics$/.exec(file) ?? [];
    const used = isPublicId(publicId) ? await useFeed(publicId, secret) : null;
    if (!used) throw notFound('feed');
    const { scope, feed } = used;
    const now = scope.clock();
    const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
    return {
      ...{ name: feed.name, revision: scope.actor.revision, now, today },
      readEntries: () => readEntries(scope, { ...feed, today }),
    };
  },
});
