import type { CredentialScope } from '../config/credential-scopes.ts';
import { limits } from '../config/limits.ts';
import { ofOpenBusiness } from '../db/businesses.ts';
import { Failure } from '../errors.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { withoutBlanksAround } from '../validation/text-forms.ts';
import { isFull } from './actor.ts';
import { callerAt } from './address.ts';
import type { Audit, Caller } from './audit.ts';
import type { Passwords } from './passwords.ts';
import { newSession } from './sessions.ts';
import type { Tokens } from './tokens.ts';

export interface LoggedIn {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

export interface TokenKind {
  readonly scopes: readonly CredentialScope[];
  readonly isConsole: boolean;
}

export interface LogIn {
  /** Makes a token that has these scopes; `isConsole`: for a tab of the pages. */
  makeToken(email: string, password: string, kind: TokenKind, caller: Caller): Promise<LoggedIn>;
  /** Makes a lasting session. Returns its cookie. */
  keep(email: string, password: string, caller: Caller): Promise<string>;
}

/** A user who has shown that they know the password. */
interface Proven {
  readonly businessId: number;
  readonly id: number;
}

/** The e-mail in the form in which it is compared: trimmed, ASCII letters in lower case, others unchanged (the Kelvin sign is no k). */
export function emailKeyOf(email: string): string {
  return withoutBlanksAround(email).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Log-in: the one look-up across businesses, because a log-in names none. An unknown e-mail, a deleted user, a user
 * without a password and a wrong password get the same answer after the same work.
 */
export function createLogIn(
  prisma: PrismaClient,
  passwords: Passwords,
  tokens: Tokens,
  clock: () => Date,
  audit: Audit,
  onFailure: () => void = () => undefined,
): LogIn {
  /** `credentialOf` returns the INSERT of a credential up to its VALUES, which are selected from the row `u` of the user. */
  async function proveAnd(
    email: string,
    password: string,
    caller: Caller,
    credentialOf: (user: Proven, now: Date) => Prisma.Sql,
    details: object | null,
  ): Promise<void> {
    // Not findUnique: Prisma joins simultaneous ones, of several log-ins, into one statement.
    const user = await prisma.user.findFirst({
      where: { emailKey: emailKeyOf(email), ...ofOpenBusiness },
      select: { businessId: true, id: true, name: true, passwordHash: true },
    });
    // Not by business: how long a log-in waits would tell whether its e-mail belongs to a busy one.
    const payer = { key: `address ${callerAt(caller.address)}`, group: `account ${emailKeyOf(email)}` };
    const result = await passwords.check(user?.passwordHash ?? null, password, payer);
    if (result === 'corrupt')
      caller.log.error({ businessId: user?.businessId, userId: user?.id }, 'a stored password hash is corrupt');
    if (!user || (result !== 'match' && result !== 'oldMatch')) {
      onFailure();
      if (user) audit.logInFailed(user, caller);
      throw wrongCredentials();
    }
    const now = clock();
    // The credential is stored only if the password is still the one that was checked: a change or a deletion in between has
    // already ended earlier tokens. The same statement stores the entry of the audit trail.
    const stored = await prisma.$executeRaw(Prisma.sql`
      WITH stored AS (
        ${credentialOf(user, now)}
          FROM users u
         WHERE u.business_id = ${user.businessId} AND u.id = ${user.id} AND u.deleted_at IS NULL
           AND u.password_hash = ${user.passwordHash}
           FOR SHARE
        RETURNING business_id, user_id)
      INSERT INTO audit_entries (business_id, at, action, outcome, actor_kind, actor_id, actor_name,
                                 subject_kind, subject_id, address, request_id, details)
      SELECT business_id, ${now}::timestamptz, 'tokens.login', 'done', 'user', user_id, ${user.name},
             'user', user_id, ${caller.address}, ${caller.requestId}, ${details && JSON.stringify(details)}::jsonb
        FROM stored`);
    if (stored === 0) throw wrongCredentials();
    if (result === 'oldMatch')
      await prisma.user.updateMany({
        where: { businessId: user.businessId, id: user.id, passwordHash: user.passwordHash },
        data: { passwordHash: await passwords.hash(password, payer) },
      });
    const expired = { businessId: user.businessId, userId: user.id, expiresAt: { lt: now } };
    await prisma.personalToken.deleteMany({ where: expired });
    await prisma.session.deleteMany({ where: expired });
  }

  return {
    async makeToken(email, password, { scopes, isConsole }, caller) {
      let made: LoggedIn | undefined;
      const tokenOf = ({ businessId, id: userId }: Proven, now: Date) => {
        const { token, jti, expiresAt } = tokens.sign({ businessId, userId, isConsole }, now);
        made = { accessToken: token, expiresAt };
        return Prisma.sql`
        INSERT INTO personal_tokens (business_id, user_id, jti, created_at, expires_at, scopes, user_agent)
        SELECT u.business_id, u.id, ${jti}::uuid, ${now}::timestamptz, ${expiresAt}::timestamptz, ${scopes}::text[], ${caller.userAgent}`;
      };
      await proveAnd(email, password, caller, tokenOf, isFull(scopes) ? null : { scopes });
      return made!;
    },
    async keep(email, password, caller) {
      const { cookie, publicId, secretHash } = newSession();
      const sessionOf = (_: Proven, now: Date) => Prisma.sql`
        INSERT INTO sessions (business_id, user_id, public_id, secret_hash, user_agent, created_at, last_used_at, expires_at)
        SELECT u.business_id, u.id, ${publicId}, ${secretHash}::bytea, ${caller.userAgent}, ${now}::timestamptz, ${now}::timestamptz,
               ${new Date(now.getTime() + limits.sessionLifetimeS * 1000)}::timestamptz`;
      await proveAnd(email, password, caller, sessionOf, { kept: true });
      return cookie;
    },
  };
}

const wrongCredentials = () => new Failure('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
