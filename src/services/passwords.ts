import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { conflict, forbidden, invalid, notFound } from '../errors.ts';
import { closed, idOf, newPassword, password } from '../validation/schemas.ts';
import { revokeTokens, userActor } from './tokens.ts';
import { changingAdmins, requireMayTouch, userOrNotFound } from './users.ts';

/** The caller's own, by the one they have. Their other personal tokens end; answers how many. */
export const change = operation(
  'passwords.change',
  Type.Object({ current: password(), next: newPassword() }, closed),
  async (scope, { current, next }) => {
    const { userId, jti } = userActor(scope);
    const user = await scope.db.user.findFirst({
      where: { id: userId, deletedAt: null },
      select: { passwordHash: true },
    });
    const passwordHash = user?.passwordHash ?? null;
    if ((await scope.checkPassword(passwordHash, current)) !== 'match')
      throw invalid({ current: ['is not your password'] });
    const newHash = await scope.hashPassword(next);
    return scope.transaction(async (tx) => {
      const { count } = await tx.db.user.updateMany({
        // Only over the one that was checked: of two changes at once, the second stands against the first.
        where: { id: userId, passwordHash, deletedAt: null },
        data: { passwordHash: newHash, updatedAt: tx.clock() },
      });
      if (count === 0) throw conflict('The password has been changed in the meantime: try again.');
      const revokedTokens = await revokeTokens(tx, { userId, jti: { not: jti } });
      tx.note({ id: userId, details: { revokedTokens } });
      return revokedTokens;
    });
  },
);

/** Another's, by an admin. All of the user's personal tokens end; answers how many. */
export const reset = operation(
  'passwords.reset',
  Type.Object({ userId: idOf('user'), password: newPassword() }, closed),
  async (scope, { userId, password: next }) => {
    const { actor } = scope;
    if (actor.kind === 'user' && actor.userId === userId)
      throw forbidden('To change your own password, use changePassword with your current one.');
    requireMayTouch(scope, (await userOrNotFound(scope, userId)).role);
    const passwordHash = await scope.hashPassword(next);
    return changingAdmins(scope, async (tx) => {
      // The role may have changed since.
      requireMayTouch(tx, (await userOrNotFound(tx, userId)).role);
      const { count } = await tx.db.user.updateMany({
        where: { id: userId, deletedAt: null },
        data: { passwordHash, updatedAt: tx.clock() },
      });
      if (count === 0) throw notFound('user');
      const revokedTokens = await revokeTokens(tx, { userId });
      tx.note({ id: userId, details: { revokedTokens } });
      return revokedTokens;
    });
  },
);
