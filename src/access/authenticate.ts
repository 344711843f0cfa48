import { limits } from '../config/limits.ts';
import { openBusinesses } from '../db/businesses.ts';
import type { Database } from '../db/engine/database.ts';
import { isDiskFull } from '../db/engine/failures.ts';
import { unauthenticated } from '../errors.ts';
import { Prisma, type Feed } from '../generated/prisma/client.ts';
import { type KeyActor, type KnownActor, readScopes, type ScreenActor, type UserActor } from './actor.ts';
import { isSecretOf, looksLikeApiKey, looksLikeBoardToken, parseApiKey } from './api-keys.ts';
import type { Tokens } from './tokens.ts';

type Credentials = Pick<Database, 'prisma' | 'read'>;

/** Finds the caller by the values of the `Authorization` header. Throws UNAUTHENTICATED. */
export type Authenticate = (authorization: readonly string[]) => Promise<KnownActor>;

/** One indexed look-up joins credential, user, business and revision, so that expiry, revocation, scopes, role, plan and deletion take effect at once. */
export function createAuthenticate(database: Credentials, tokens: Tokens, clock: () => Date): Authenticate {
  const findActor = (credential: string, now: Date): Promise<KnownActor | null> => {
    if (looksLikeApiKey(credential)) return findKeyActor(database, credential, now);
    if (looksLikeBoardToken(credential)) return findScreenActor(database, credential, now);
    return findUserActor(database, tokens, credential, now);
  };
  return async (authorization) => {
    const credential = readBearer(authorization);
    const actor = await findActor(credential, clock());
    if (!actor) throw unauthenticated();
    return actor;
  };
}

function readBearer(authorization: readonly string[]): string {
  const [value = ''] = authorization;
  const [, credential] = /^Bearer +([\x21-\x7e]+)$/i.exec(value.slice(0, limits.tokenChars + 10)) ?? [];
  if (authorization.length !== 1 || !credential || credential.length > limits.tokenChars) throw unauthenticated();
  return credential;
}

/** The fields of the business that each caller is told. */
const ofBusiness = Prisma.sql`
           b.id AS "businessId", b.name AS "businessName", b.plan, b.timezone, b.week_start AS "weekStart",
           b.strict_queries AS "strictQueries", b.rest_hours AS "restHours", b.weekly_hours AS "weeklyHours",
           b.drop_deadline_hours AS "dropDeadlineHours", b.admins_drop AS "adminsDrop", coalesce(r.revision, 0)::text AS revision`;

/** Joins the business of the row of a credential, and its revision. A closed one has no callers. */
const joinBusiness = (credential: string) => Prisma.sql`
      JOIN ${openBusinesses} AS b ON b.id = ${Prisma.raw(credential)}.business_id
      LEFT JOIN business_revisions r ON r.business_id = b.id`;

type UserRow = Omit<UserActor, 'kind' | 'jti' | 'isConsole' | 'scopes'> & { scopes: string };

async function findUserActor(
  { read }: Credentials,
  tokens: Tokens,
  token: string,
  now: Date,
): Promise<UserActor | null> {
  const claims = tokens.verify(token, now);
  if (!claims) return null;
  const [row] = await read<UserRow>(Prisma.sql`
    SELECT u.id AS "userId", u.name, u.email, u.role,
           ${ofBusiness},
           array_to_string(t.scopes, ' ') AS scopes
      FROM personal_tokens t
      JOIN users u ON u.business_id = t.business_id AND u.id = t.user_id
      ${joinBusiness('t')}
     WHERE t.business_id = ${claims.businessId} AND t.jti = ${claims.jti}::uuid AND t.user_id = ${claims.userId}
       AND t.revoked_at IS NULL AND t.expires_at > ${now}::timestamptz AND u.deleted_at IS NULL`);
  if (!row) return null;
  const { scopes, ...user } = row;
  const { jti, isConsole } = claims;
  return { kind: 'user', jti, isConsole, scopes: readScopes(scopes), ...user };
}

/** A staff member as a caller with a link of a mail: they may see and answer what they are offered. */
export async function findStaffActor(
  read: Database['read'],
  { businessId, userId }: { readonly businessId: number; readonly userId: number },
): Promise<UserActor | null> {
  const [row] = await read<Omit<UserRow, 'scopes'>>(Prisma.sql`
    SELECT u.id AS "userId", u.name, u.email, u.role,
           ${ofBusiness}
      FROM users u
      ${joinBusiness('u')}
     WHERE u.business_id = ${businessId} AND u.id = ${userId} AND u.role = 'staff' AND u.deleted_at IS NULL`);
  return row ? { kind: 'user', jti: '', isConsole: false, scopes: ['read', 'staffing:write'], ...row } : null;
}

type KeyRow = Omit<KeyActor, 'kind' | 'role' | 'scopes'> & {
  secretHash: Uint8Array;
  lastUsedAt: Date | null;
  scopes: string;
};

async function findKeyActor({ prisma, read }: Credentials, credential: string, now: Date): Promise<KeyActor | null> {
  const parsed = parseApiKey(credential);
  if (!parsed) return null;
  const [row] = await read<KeyRow>(Prisma.sql`
    SELECT k.id AS "keyId", k.name, k.secret_hash AS "secretHash", k.last_used_at AS "lastUsedAt",
           ${ofBusiness},
           array_to_string(k.scopes, ' ') AS scopes
      FROM api_keys k
      ${joinBusiness('k')}
     WHERE k.public_id = ${parsed.publicId} AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > ${now}::timestamptz)`);
  if (!row || !isSecretOf(row.secretHash, parsed.secret)) return null;
  const { secretHash: _, lastUsedAt, scopes, ...actor } = row;
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > limits.resolutionS * 1000) {
    const use = prisma.apiKey.update({
      where: { businessId_id: { businessId: row.businessId, id: row.keyId } },
      data: { lastUsedAt: now },
    });
    await use.catch(ignoreFullDisk);
  }
  return { kind: 'apiKey', role: 'admin', scopes: readScopes(scopes), ...actor };
}

type ScreenRow = Omit<ScreenActor, 'kind' | 'scopes' | 'filter'> &
  ScreenActor['filter'] & { secretHash: Uint8Array; lastSeenAt: Date };

/** A screen reads. Beside that, people can check in on one that was approved for it. */
const screenScopes = ['read'] as const;

async function findScreenActor(
  { prisma, read }: Credentials,
  credential: string,
  now: Date,
): Promise<ScreenActor | null> {
  const parsed = parseApiKey(credential);
  if (!parsed) return null;
  const [row] = await read<ScreenRow>(Prisma.sql`
    SELECT s.id AS "screenId", s.uuid, s.name, s.names::text AS names, s.secret_hash AS "secretHash", s.last_seen_at AS "lastSeenAt",
           s.client_id AS "clientId", s.position_id AS "positionId", s.city, s.text, s.check_in_event_uuid AS "checkInEventUuid",
           ${ofBusiness}
      FROM screens s
      ${joinBusiness('s')}
     WHERE s.public_id = ${parsed.publicId} AND s.revoked_at IS NULL`);
  if (!row || !isSecretOf(row.secretHash, parsed.secret)) return null;
  const { secretHash: _, lastSeenAt, clientId, positionId, city, text, ...actor } = row;
  if (now.getTime() - lastSeenAt.getTime() > limits.resolutionS * 1000) {
    await prisma.screen.update({
      where: { businessId_id: { businessId: row.businessId, id: row.screenId } },
      data: { lastSeenAt: now },
    });
  }
  return { kind: 'screen', scopes: screenScopes, filter: { clientId, positionId, city, text }, ...actor };
}

export interface UsedFeed {
  readonly actor: UserActor;
  readonly feed: Pick<Feed, 'kind' | 'name' | 'userId' | 'eventUuid' | 'clientId'>;
}

type UsedFeedRow = Omit<UserRow, 'scopes' | 'name'> &
  UsedFeed['feed'] & {
    feedId: number;
    ownerName: string;
    secretHash: Uint8Array;
    previousSecretHash: Uint8Array | null;
    lastUsedAt: Date | null;
  };

/** The owner of a calendar feed as a caller who reads, and what they may see of it. Null unless the secret opens it, and their role still may. */
export async function useFeed(
  { prisma, read }: Credentials,
  publicId: string,
  secret: string,
  now: Date,
): Promise<UsedFeed | null> {
  const [row] = await read<UsedFeedRow>(Prisma.sql`
    SELECT f.id AS "feedId", f.kind::text AS kind, f.name, f.event_uuid AS "eventUuid", f.client_id AS "clientId",
           f.secret_hash AS "secretHash", f.last_used_at AS "lastUsedAt",
           CASE WHEN f.previous_secret_expires_at > ${now}::timestamptz THEN f.previous_secret_hash END AS "previousSecretHash",
           u.id AS "userId", u.name AS "ownerName", u.email, u.role,
           ${ofBusiness}
      FROM feeds f
      JOIN users u ON u.business_id = f.business_id AND u.id = f.user_id
      ${joinBusiness('f')}
     WHERE f.public_id = ${publicId} AND u.deleted_at IS NULL
       AND (f.kind = 'shifts' OR u.role = 'admin' OR f.kind = 'client' AND u.role = 'client' AND f.client_id = u.id)`);
  if (!row) return null;
  const {
    feedId: id,
    kind,
    name,
    eventUuid,
    clientId,
    secretHash,
    previousSecretHash,
    lastUsedAt,
    ownerName,
    ...user
  } = row;
  if (!isSecretOf(secretHash, secret) && !(previousSecretHash && isSecretOf(previousSecretHash, secret))) return null;
  const { businessId, userId } = user;
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > limits.resolutionS * 1000)
    await prisma.feed.updateMany({ where: { businessId, id }, data: { lastUsedAt: now } }).catch(ignoreFullDisk);
  return {
    actor: { kind: 'user', jti: '', isConsole: false, scopes: ['read'], name: ownerName, ...user },
    feed: { kind, name, userId, eventUuid, clientId },
  };
}

/** Reads go on while the disk is full. */
function ignoreFullDisk(error: unknown): void {
  if (!isDiskFull(error)) throw error;
}
