import Type from 'typebox';
import { operation, publicOperation } from '../access/operation.ts';
import type { Scope } from '../access/scope.ts';
import { forbidden } from '../errors.ts';
import { closed, email, password } from '../validation/schemas.ts';

export const loginInput = Type.Object(
  {
    email: email({ examples: ['admin@aurora.example'] }),
    password: password(),
  },
  closed,
);

/** A new personal access token for whoever knows e-mail and password. */
export const login = publicOperation('tokens.login', loginInput, (scope, input) =>
  scope.logIn(input.email, input.password),
);

/** Revokes the personal token used in the call. */
export const revokeUsed = operation('tokens.revokeUsed', Type.Object({}, closed), (scope) => {
  const { userId, jti } = userActor(scope);
  return revokeOwn(scope, userId, { jti });
});

/** Revokes every personal token of the caller, the used one included; answers how many. */
export const revokeAllOwn = operation('tokens.revokeAllOwn', Type.Object({}, closed), (scope) => {
  const { userId } = userActor(scope);
  return revokeOwn(scope, userId, { userId });
});

const revokeOwn = (scope: Scope, id: number, whose: Whose): Promise<number> =>
  scope.transaction(async (tx) => {
    const revokedTokens = await revokeTokens(tx, whose);
    if (revokedTokens > 0) tx.note({ id, details: { revokedTokens } });
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
