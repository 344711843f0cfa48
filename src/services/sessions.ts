import Type from 'typebox';
import { fullScopes } from '../access/actor.ts';
import { operation, publicVariantOf } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { endLogIn } from '../db/log-ins.ts';
import { notFound, unauthenticated } from '../errors.ts';
import { closedObject, noInput, uuidOf } from '../validation/schemas.ts';
import { login, loginInput, readOwnLogIn } from './tokens.ts';

/*
 * The log-ins of a user: lasting sessions, which a browser keeps by a cookie, and personal tokens that were made by a log-in of
 * their own. The operations on the cookie serve one address of the pages.
 */

const { email, password } = loginInput.properties;

/**
 * A log-in on the pages: with `keep`, one that the browser keeps, whose cookie is returned; otherwise a token for one tab. It is
 * one like any other, so that wrong passwords count together.
 */
export const open = publicVariantOf(login, {
  input: closedObject({ email, password, keep: Type.Boolean() }),
  run: async ({ logIn, keepLogIn }, { email: address, password: secret, keep }) =>
    keep
      ? { cookie: await keepLogIn(address, secret) }
      : await logIn(address, secret, { scopes: fullScopes, isConsole: true }),
});

const cookieInput = closedObject({ cookie: Type.String({ maxLength: limits.textChars }) });

/** Makes a short personal token, and the next cookie. */
export const use = operation({
  name: 'sessions.use',
  roles: 'anyone',
  writes: true,
  attempts: attemptLimits.useSession,
  input: cookieInput,
  run: async ({ useSession }, { cookie }) => {
    const used = await useSession(cookie);
    if (!used) throw unauthenticated('This log-in is over: log in again.');
    return used;
  },
});

/** Ends the session of a cookie. Returns whether there was one. */
export const revokeKept = operation({
  name: 'sessions.revokeKept',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.useSession,
  input: cookieInput,
  run: ({ endSession }, { cookie }) => endSession(cookie),
});

/** Lists where the caller is logged in, oldest first: the newest log-ins, if there are very many. */
export const list = operation({
  name: 'sessions.list',
  roles: everyRole,
  scopes: ['full'],
  apiKey: false,
  input: noInput,
  run: async (scope) => {
    const own = await readOwnLogIn(scope);
    const newest = { orderBy: { createdAt: 'desc' }, take: limits.namedItemsMax } as const;
    const active = { userId: own.userId, expiresAt: { gt: scope.clock() } };
    const sessions = await scope.db.session.findMany({ where: { ...active, endedAt: null }, ...newest });
    const tokens = await scope.db.personalToken.findMany({
      where: { ...active, revokedAt: null, sessionId: null },
      ...newest,
    });
    return [
      ...sessions.map(({ id, uuid, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
        ...{ uuid, userAgent, createdAt, lastUsedAt, expiresAt },
        lasting: true,
        current: id === own.sessionId,
      })),
      ...tokens.map(({ jti, userAgent, createdAt, expiresAt }) => ({
        ...{ uuid: jti, userAgent, createdAt, lastUsedAt: null, expiresAt },
        lasting: false,
        current: jti === own.jti,
      })),
    ]
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      .slice(-limits.namedItemsMax);
  },
});

export const sessionParams = closedObject({ uuid: uuidOf('log-in') });

/** The record of an operation that ends log-ins of the caller. */
const ownLogIns = { roles: everyRole, scopes: ['full'], apiKey: false, writes: true, audited: true } as const;

/** Ends one log-in of the caller. */
export const revoke = operation({
  ...ownLogIns,
  name: 'sessions.revoke',
  input: sessionParams,
  run: (scope, { uuid }) =>
    scope.transaction(async (tx) => {
      const { userId } = await readOwnLogIn(tx);
      const active = { userId, expiresAt: { gt: tx.clock() } };
      const session = await tx.db.session.findFirst({
        where: { ...active, uuid, endedAt: null },
        select: { id: true },
      });
      const revokedTokens = await endLogIn(tx, { userId, jti: uuid, sessionId: session?.id ?? null });
      if (!session && revokedTokens === 0) throw notFound('log-in');
      tx.record({ kind: 'user', id: userId, details: { session: uuid } });
    }),
});

/** Ends all log-ins of the caller except the one that calls. Returns how many there were. */
export const revokeOthers = operation({
  ...ownLogIns,
  name: 'sessions.revokeOthers',
  input: noInput,
  run: (scope) =>
    scope.transaction(async (tx) => {
      const { userId, jti, sessionId } = await readOwnLogIn(tx);
      const now = tx.clock();
      const active = { userId, expiresAt: { gt: now } };
      const sessions = await tx.db.session.updateMany({
        where: { ...active, endedAt: null, id: { not: sessionId ?? 0 } },
        data: { endedAt: now },
      });
      const revoked = await tx.db.personalToken.updateManyAndReturn({
        where: {
          ...active,
          revokedAt: null,
          ...(sessionId === null
            ? { jti: { not: jti } }
            : { OR: [{ sessionId: null }, { sessionId: { not: sessionId } }] }),
        },
        data: { revokedAt: now },
        select: { sessionId: true },
      });
      const ended = sessions.count + revoked.filter((token) => token.sessionId === null).length;
      if (ended > 0) tx.record({ kind: 'user', id: userId, details: { ended } });
      return ended;
    }),
});
