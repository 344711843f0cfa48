import { ofOpenBusiness } from '../db/businesses.ts';
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { callerAt } from './address.ts';
import { hashOf } from './api-keys.ts';
import type { Caller } from './audit.ts';
import type { Passwords } from './passwords.ts';

/** Sets the first password of the user whose link has the secret. Returns their e-mail; null if the link is void. */
export type ClaimInvitation = (secret: string, password: string, caller: Caller) => Promise<string | null>;

/** The business of a claim is that of the invitation: its secret names none. */
export function createInvitationClaim(prisma: PrismaClient, passwords: Passwords, clock: () => Date): ClaimInvitation {
  return async (secret, password, { address, requestId }) => {
    const secretHash = hashOf(secret);
    const invitation = await prisma.invitation.findFirst({
      where: { secretHash, expiresAt: { gt: clock() }, ...ofOpenBusiness },
    });
    if (!invitation) return null;
    const passwordHash = await passwords.hash(password, { key: `address ${callerAt(address)}` });
    const now = clock();
    // The user is locked first, as by those who change them: whoever voids the link has done so by then.
    const [claimed] = await prisma.$queryRaw<{ email: string }[]>(Prisma.sql`
      WITH invited AS (
        SELECT u.business_id, u.id
          FROM invitations i JOIN users u ON u.business_id = i.business_id AND u.id = i.user_id
         WHERE i.business_id = ${invitation.businessId} AND i.secret_hash = ${secretHash} AND i.expires_at > ${now}::timestamptz
           AND u.deleted_at IS NULL AND u.password_hash IS NULL
           FOR UPDATE OF u),
      claimed AS (
        DELETE FROM invitations i USING invited u
         WHERE i.business_id = u.business_id AND i.user_id = u.id AND i.secret_hash = ${secretHash}
        RETURNING i.business_id, i.user_id),
      changed AS (
        UPDATE users u SET password_hash = ${passwordHash}, updated_at = ${now}::timestamptz
          FROM claimed c WHERE u.business_id = c.business_id AND u.id = c.user_id AND u.password_hash IS NULL
        RETURNING u.business_id, u.id, u.name, u.email),
      noted AS (
        INSERT INTO audit_entries (business_id, at, action, outcome, actor_kind, actor_id, actor_name,
                                   subject_kind, subject_id, address, request_id)
        SELECT business_id, ${now}::timestamptz, 'invitations.claim', 'done', 'user', id, name, 'user', id, ${address}, ${requestId}
          FROM changed)
      SELECT email FROM changed`);
    return claimed?.email ?? null;
  };
}
