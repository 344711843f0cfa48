import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import { hashOf } from '../access/api-keys.ts';
import { operation } from '../access/operation.ts';
import { userEdit } from '../access/permissions.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { lockUser } from '../db/users.ts';
import { conflict, Failure, notFound } from '../errors.ts';
import { closedObject, newPassword } from '../validation/schemas.ts';
import { requireUncommon } from './passwords-rule.ts';
import { changeAdmins, requireMayTouch, userParams } from './users.ts';

/** Makes the link with which a user sets their first password. Only this answer holds its secret; an earlier link is void. */
export const create = operation({
  ...userEdit,
  name: 'invitations.create',
  attempts: attemptLimits.invite,
  input: userParams,
  run: (scope, { id }) =>
    changeAdmins(scope, async (tx) => {
      const user = await lockUser(tx.db, id);
      if (!user) throw notFound('user');
      requireMayTouch(tx, user.role);
      const hasPassword = (await tx.db.user.count({ where: { id, passwordHash: { not: null } } })) > 0;
      if (hasPassword)
        throw conflict(
          'The user has a password already: set another one with PUT /v1/passwords/users/{id} (passwords.reset) or resetPassword.',
        );
      const secret = randomBytes(limits.secretBytes).toString('base64url');
      const now = tx.clock();
      const expiresAt = new Date(now.getTime() + limits.invitationS * 1000);
      const made = { secretHash: hashOf(secret), createdAt: now, expiresAt };
      const key = { businessId: tx.businessId, userId: id };
      await tx.db.invitation.upsert({ where: { businessId_userId: key }, create: { ...key, ...made }, update: made });
      tx.record({ kind: 'user', id, details: { role: user.role, email: user.email } });
      return { path: `/app/invitation#${secret}`, expiresAt };
    }),
});

export const claimInput = closedObject({
  secret: Type.String({
    minLength: 1,
    maxLength: limits.labelChars,
    description: 'The secret in the link, behind the `#`.',
  }),
  password: newPassword(),
});

/** Sets the first password of an invited user. Returns the e-mail with which they log in. */
export const claim = operation({
  name: 'invitations.claim',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.claimInvitation,
  input: claimInput,
  run: async (capabilities, { secret, password }) => {
    requireUncommon('password', password, capabilities);
    const email = await capabilities.claimInvitation(secret, password);
    if (email === null)
      throw new Failure('INVALID_CREDENTIALS', 'This invitation is no longer valid: ask for a new link.');
    return { email };
  },
});
