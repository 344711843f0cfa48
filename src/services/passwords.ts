import { operation } from '../access/operation.ts';
import { admin, everyRole } from '../access/permissions.ts';
import { attemptLimits } from '../config/limits.ts';
import { revokeTokens } from '../db/log-ins.ts';
import { conflict, forbidden, invalid, notFound } from '../errors.ts';
import { closedObject, idOf, newPassword, password } from '../validation/schemas.ts';
import { newPasswordRule, requireUncommon } from './passwords-rule.ts';
import { userActor } from './tokens.ts';
import { changeAdmins, requireMayTouch, userOrNotFound } from './users.ts';

export const passwordChange = closedObject({ current: password(), next: newPassword() });

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
