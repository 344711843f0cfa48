import { randomBytes } from 'node:crypto';
import { limits } from '../config/limits.ts';
import { ofOpenBusiness } from '../db/businesses.ts';
import { bindToBusiness } from '../db/tenant.ts';
import { revokeTokens } from '../db/log-ins.ts';
import { Prisma, type PrismaClient, type Session } from '../generated/prisma/client.ts';
import { hashOf, isSecretOf } from './api-keys.ts';
import type { Caller } from './audit.ts';
import type { KeyedDigests } from './keyed-digests.ts';
import type { Tokens } from './tokens.ts';

/*
 * A log-in that a browser keeps. The secret in its cookie is replaced at each use, and the next secret is a keyed digest of the
 * one before: tabs that use one secret at the same time, and a browser that lost the answer, get the same next secret.
 */

interface UsedSession {
  readonly accessToken: string;
  readonly expiresInS: number;
  /** The next cookie; null where the browser has it already. */
  readonly cookie: string | null;
  /** When the session ends, however often it is used. */
  readonly endsInS: number;
}

export interface Sessions {
  /** Makes a short personal token. Null if the session is over. */
  use(cookie: string, caller: Caller): Promise<UsedSession | null>;
  /** Ends the session and its tokens. Returns whether there was one. */
  end(cookie: string, caller: Caller): Promise<boolean>;
}

const shape = /^([0-9a-f]{24})\.([0-9a-f]{64})$/;

export function newSession() {
  const publicId = randomBytes(12).toString('hex');
  const secret = randomBytes(limits.secretBytes).toString('hex');
  return { cookie: `${publicId}.${secret}`, publicId, secretHash: hashOf(secret) };
}

/** The business of a call is that of its cookie: this is the one look-up of a session that names none. */
export function createSessions(
  prisma: PrismaClient,
  tokens: Tokens,
  digests: KeyedDigests,
  clock: () => Date,
): Sessions {
  async function find(cookie: string) {
    const [, publicId, secret] = shape.exec(cookie) ?? [];
    if (!publicId || !secret) return null;
    const session = await prisma.session.findFirst({
      where: { publicId, endedAt: null, expiresAt: { gt: clock() }, ...ofOpenBusiness },
    });
    if (!session) return null;
    const isCurrent = isSecretOf(session.secretHash, secret);
    const isFormer =
      !isCurrent &&
      session.previousHash !== null &&
      isSecretOf(session.previousHash, secret) &&
      clock().getTime() - session.lastUsedAt.getTime() <= limits.replacedS * 1000;
    return { session, secret, isCurrent, isGood: isCurrent || isFormer };
  }

  const endIt = ({ businessId, id, userId }: Session, { address, requestId }: Caller, by: 'user' | 'anonymous') =>
    bindToBusiness(prisma, businessId).transact(async (db) => {
      const revokedTokens = await revokeTokens({ db, clock }, { userId, sessionId: id });
      const user = by === 'user' ? await db.user.findFirst({ where: { id: userId }, select: { name: true } }) : null;
      const done = { action: 'sessions.revokeKept', outcome: 'done', actorId: userId, actorName: user?.name ?? null };
      const entry = {
        ...{ businessId, at: clock(), actorKind: by, subjectKind: 'user', subjectId: userId, address, requestId },
        ...(by === 'user' ? done : { action: 'sessions.use', outcome: 'failed' }),
        details: { revokedTokens },
      };
      await db.auditEntry.createMany({ data: [entry] });
    });

  return {
    async use(cookie, caller) {
      const found = await find(cookie);
      if (!found) return null;
      const { session, secret, isCurrent } = found;
      if (!found.isGood) {
        // Two browsers have had this cookie, and one of them has stolen it.
        await endIt(session, caller, 'anonymous');
        return null;
      }
      const now = clock();
      const { businessId, id, userId, publicId, secretHash, expiresAt } = session;
      const candidates = digests(secret);
      const next = isCurrent ? candidates[0] : candidates.find((each) => isSecretOf(secretHash, each));
      if (isCurrent)
        await prisma.session.updateMany({
          where: { businessId, id, secretHash },
          data: { secretHash: hashOf(next!), previousHash: secretHash, lastUsedAt: now },
        });
      const endsInS = Math.ceil((expiresAt.getTime() - now.getTime()) / 1000);
      const expiresInS = Math.min(limits.sessionTokenS, endsInS);
      const { token, jti, expiresAt: until } = tokens.sign({ businessId, userId, isConsole: true }, now, expiresInS);
      // A session that was ended in the meantime makes no token: whoever ends it changes its row before they revoke its tokens.
      const stored = await prisma.$executeRaw(Prisma.sql`
        INSERT INTO personal_tokens (business_id, user_id, jti, created_at, expires_at, scopes, session_id, user_agent)
        SELECT s.business_id, s.user_id, ${jti}::uuid, ${now}::timestamptz, ${until}::timestamptz, '{full}', s.id, s.user_agent
          FROM sessions s
         WHERE s.business_id = ${businessId} AND s.id = ${id} AND s.ended_at IS NULL
           FOR SHARE`);
      if (stored === 0) return null;
      await prisma.personalToken.deleteMany({ where: { businessId, userId, expiresAt: { lt: now } } });
      return { accessToken: token, expiresInS, cookie: next ? `${publicId}.${next}` : null, endsInS };
    },
    async end(cookie, caller) {
      const found = await find(cookie);
      if (found?.isGood) await endIt(found.session, caller, 'user');
      return found?.isGood === true;
    },
  };
}
