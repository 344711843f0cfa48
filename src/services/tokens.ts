import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits } from '../config/limits.ts';
import { forbidden } from '../errors.ts';
import { closed, email, noInput, password } from '../validation/schemas.ts';

export const loginInput = Type.Object(
  {
    email: email({ examples: ['admin@aurora.example'] }),
    password: password(),
  },
  closed,
);

/** Makes a personal access token for a caller who knows e-mail and password. */
export const login = operation({
  name: 'tokens.login',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.logIn,
  input: loginInput,
  run: ({ logIn }, input) => logIn(input.email, input.password),
});

/** Revokes the personal token used in the call. */
export const revokeUsed = operation({
  name: 'tokens.revokeUsed',
  roles: everyRole,
  apiKey: false,
  writes: true,
  audited: true,
  input: noInput,
  run: (scope) => {
    const { userId, jti } = userActor(scope);
    return revokeOwn(scope, userId, { jti });
  },
});

/** Revokes every personal token of the caller, including the one used. Returns how many. */
export const revokeAllOwn = operation({
  name: 'tokens.revokeAllOwn',
  roles: everyRole,
  apiKey: false,
  writes: true,
  audited: true,
  input: noInput,
  run: (scope) => {
    const { userId } = userActor(scope);
    return revokeOwn(scope, userId, { userId });
  },
});

const revokeOwn = (scope: Scope, id: number, whose: Whose): Promise<number> =>
  scope.transaction(async (tx) => {
    const revokedTokens = await revokeTokens(tx, whose);
    if (revokedTokens > 0) tx.record({ kind: 'user', id, details: { revokedTokens } });
    return revokedTokens;
  });

type Whose = { jti: string } | { userId: number; jti?: { not: string } };

export async function revokeTokens(scope: Pick<Scope, 'db' | 'clock'>, whose: Whose): Promise<number> {
  const now = scope.clock();
  const { count } = await scope.db.personalToken.updateMany({
    where: { ...whose, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
  return count;
}

export function userActor({ actor }: Scope) {
  if (actor.kind !== 'user') throw forbidden();
  return actor;
}
