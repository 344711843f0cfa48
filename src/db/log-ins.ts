import { endMailLinks } from './mails.ts';
import type { TenantDb } from './tenant.ts';

interface Bound {
  readonly db: TenantDb;
  readonly clock: () => Date;
}

/** The tokens of a user: all, all but one, or those that were made from one lasting session. */
interface Whose {
  readonly userId: number;
  readonly jti?: { readonly not: string };
  readonly sessionId?: number;
}

/** A log-in of a user: a personal token, with the lasting session that it was made from; null if it stands alone. */
interface LogInOf {
  readonly userId: number;
  readonly jti: string;
  readonly sessionId: number | null;
}

/** Ends lasting sessions of a user: all, or one. Their tokens go on until they expire. */
export async function endSessions({ db, clock }: Bound, whose: { userId: number; id?: number }): Promise<void> {
  await db.session.updateMany({ where: { ...whose, endedAt: null }, data: { endedAt: clock() } });
}

/**
 * Revokes personal tokens and ends the lasting sessions that could make more of them: the one that is named, or all of the user.
 * With all of the user, the links in their mails end. Returns how many tokens there were. Sessions come first, so that none makes a token in between.
 */
export async function revokeTokens(bound: Bound, whose: Whose): Promise<number> {
  const { userId, sessionId } = whose;
  if (sessionId === undefined) await endMailLinks(bound.db, userId);
  await endSessions(bound, { userId, ...(sessionId !== undefined && { id: sessionId }) });
  return revoke(bound, whose);
}

/** Ends one log-in: its token, or its lasting session with all tokens. Returns how many tokens there were. */
export function endLogIn(bound: Bound, { userId, jti, sessionId }: LogInOf): Promise<number> {
  return sessionId === null ? revoke(bound, { userId, jti }) : revokeTokens(bound, { userId, sessionId });
}

async function revoke({ db, clock }: Bound, whose: Whose | Omit<LogInOf, 'sessionId'>): Promise<number> {
  const now = clock();
  const { count } = await db.personalToken.updateMany({
    where: { ...whose, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
  return count;
}
