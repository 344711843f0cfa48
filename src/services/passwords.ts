import { operation } from '../access/operation.ts';
import { admin, everyRole } from '../access/permissions.ts';
import { attemptLimits, limits, newPasswordText } from '../config/limits.ts';
import { revokeTokens } from '../db/log-ins.ts';
import { conflict, Failure, forbidden, invalid, notFound } from '../errors.ts';
import { closedObject, idOf, newPassword, password, typedEmail } from '../validation/schemas.ts';
import { linkSecret } from './mails.ts';
import { newPasswordRule, requireUncommon } from './passwords-rule.ts';
import { userActor } from './tokens.ts';
import { changeAdmins, requireMayTouch, userOrNotFound } from './users.ts';

export const passwordChange = closedObject({
  current: { ...password(), description: 'Your current password.' },
  next: { ...newPassword(), description: `Your new password: ${newPasswordText}.` },
});

export const passwordReset = closedObject({ password: newPassword() });

/**
 * Changes the password of the caller, who must know the current one. Revokes their other personal tokens, returns how
 * many there were, and ends all their lasting sessions.
 */
export const change = operation({
  name: 'passwords.change',
  roles: everyRole,
  scopes: ['full'],
  apiKey: false,
  writes: true,
  audited: true,
  attempts: attemptLimits.changePassword,
  input: passwordChange,
  rules: [newPasswordRule('next')],
  run: async (scope, { current, next }, capabilities) => {
    const { checkPassword, hashPassword } = capabilities;
    requireUncommon('next', next, capabilities);
    const { userId, jti } = userActor(scope);
    const user = await scope.db.user.findFirst({
      where: { id: userId, deletedAt: null },
      select: { passwordHash: true },
    });
    const passwordHash = user?.passwordHash ?? null;
    const checked = await checkPassword(passwordHash, current);
    if (checked !== 'match' && checked !== 'oldMatch') throw invalid({ current: ['is not your password'] });
    const newHash = await hashPassword(next);
    return scope.transaction(async (tx) => {
      const { count } = await tx.db.user.updateMany({
        // Only the password that was checked is replaced: of two simultaneous changes, the second is refused.
        where: { id: userId, passwordHash, deletedAt: null },
        data: { passwordHash: newHash, updatedAt: tx.clock() },
      });
      if (count === 0) throw conflict('The password has been changed in the meantime: try again.');
      const revokedTokens = await revokeTokens(tx, { userId, jti: { not: jti } });
      tx.record({ kind: 'user', id: userId, details: { revokedTokens } });
      return revokedTokens;
    });
  },
});

export const forgetInput = closedObject({ email: typedEmail() });

/** Sends a link to a new password to whoever has an address, if a user does. The answer is the same if none does. */
export const forget = operation({
  name: 'passwords.forget',
  roles: 'anyone',
  writes: true,
  attempts: attemptLimits.forgetPassword,
  input: forgetInput,
  run: async ({ isSendingMail, forgetPassword }, { email }) => {
    if (!isSendingMail) throw conflict('This service sends no mail: ask an admin to set a new password for you.');
    await forgetPassword(email);
    return { expiresIn: limits.passwordLinkS };
  },
});

export const setForgottenInput = closedObject({ secret: linkSecret, password: newPassword() });

/** Sets a new password with the secret of a link that was mailed. Returns the e-mail with which the user logs in. */
export const setForgotten = operation({
  name: 'passwords.setForgotten',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.mailLink,
  input: setForgottenInput,
  run: async (capabilities, { secret, password: next }) => {
    requireUncommon('password', next, capabilities);
    const email = await capabilities.setForgottenPassword(secret, next);
    if (email === null) throw new Failure('INVALID_CREDENTIALS', 'This link no longer works: ask for a new one.');
    return { email };
  },
});

/** Sets the password of another user. Revokes all personal tokens of that user and returns how many there were. */
export const reset = operation({
  name: 'passwords.reset',
  roles: admin,
  scopes: ['full'],
  writes: true,
  audited: true,
  attempts: attemptLimits.resetPassword,
  input: closedObject({ userId: idOf('user'), ...passwordReset.properties }),
  rules: [newPasswordRule('password')],
  run: async (scope, { userId, password: next }, capabilities) => {
    requireUncommon('password', next, capabilities);
    const { actor } = scope;
    if (actor.kind === 'user' && actor.userId === userId)
      throw forbidden('To change your own password, use changePassword with your current one.');
    requireMayTouch(scope, (await userOrNotFound(scope, userId)).role);
    const passwordHash = await capabilities.hashPassword(next);
    return changeAdmins(scope, async (tx) => {
      // The role may have changed since it was read first.
      requireMayTouch(tx, (await userOrNotFound(tx, userId)).role);
      const { count } = await tx.db.user.updateMany({
        where: { id: userId, deletedAt: null },
        data: { passwordHash, updatedAt: tx.clock() },
      });
      if (count === 0) throw notFound('user');
      const revokedTokens = await revokeTokens(tx, { userId });
      tx.record({ kind: 'user', id: userId, details: { revokedTokens } });
      return revokedTokens;
    });
  },
});
