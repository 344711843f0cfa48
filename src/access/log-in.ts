import type { CredentialScope } from '../config/credential-scopes.ts';
import { Failure } from '../errors.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { withoutBlanksAround } from '../validation/text-forms.ts';
import { callerAt } from './address.ts';
import type { Audit, Caller } from './audit.ts';
import { isFull } from './credential-scopes.ts';
import type { Passwords } from './passwords.ts';
import type { Tokens } from './tokens.ts';

export interface LoggedIn {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

/** Makes a token that has these scopes. */
export type LogIn = (
  email: string,
  password: string,
  scopes: readonly CredentialScope[],
  caller: Caller,
) => Promise<LoggedIn>;

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
  return async (email, password, scopes, caller) => {
    // Not findUnique: Prisma joins simultaneous ones, of several log-ins, into one statement.
    const user = await prisma.user.findFirst({
      where: { emailKey: emailKeyOf(email) },
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
    const { token, jti, expiresAt } = tokens.sign({ businessId: user.businessId, userId: user.id }, now);
    const details = isFull(scopes) ? null : JSON.stringify({ scopes });
    // The token is stored only if the password is still the one that was checked: a change or a deletion in between has
    // already ended earlier tokens. The same statement stores the entry of the audit trail.
    const stored = await prisma.$executeRaw(Prisma.sql`
      WITH stored AS (
        INSERT INTO personal_tokens (business_id, user_id, jti, created_at, expires_at, scopes)
        SELECT u.business_id, u.id, ${jti}::uuid, ${now}::timestamptz, ${expiresAt}::timestamptz, ${scopes}::text[]
          FROM users u
         WHERE u.business_id = ${user.businessId} AND u.id = ${user.id} AND u.deleted_at IS NULL
           AND u.password_hash = ${user.passwordHash}
           FOR SHARE
        RETURNING business_id, user_id)
      INSERT INTO audit_entries (business_id, at, action, outcome, actor_kind, actor_id, actor_name,
                                 subject_kind, subject_id, address, request_id, details)
      SELECT business_id, ${now}::timestamptz, 'tokens.login', 'done', 'user', user_id, ${user.name},
             'user', user_id, ${caller.address}, ${caller.requestId}, ${details}::jsonb
        FROM stored`);
    if (stored === 0) throw wrongCredentials();
    if (result === 'oldMatch')
      await prisma.user.updateMany({
        where: { businessId: user.businessId, id: user.id, passwordHash: user.passwordHash },
        data: { passwordHash: await passwords.hash(password, payer) },
      });
    await prisma.personalToken.deleteMany({
      where: { businessId: user.businessId, userId: user.id, expiresAt: { lt: now } },
    });
    return { accessToken: token, expiresAt };
  };
}

const wrongCredentials = () => new Failure('INVALID_CREDENTIALS', 'E-mail or password is wrong.');
