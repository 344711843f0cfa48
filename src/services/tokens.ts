import Type from 'typebox';
import { fullScopes, normalizeScopes } from '../access/actor.ts';
import { operation } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { parseCredentialScopes } from '../config/credential-scopes.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { endLogIn, revokeTokens } from '../db/log-ins.ts';
import { forbidden } from '../errors.ts';
import { closedObject, noInput, nullable, password, typedEmail } from '../validation/schemas.ts';

export const loginInput = closedObject({
  email: typedEmail(),
  password: password(),
  scope: Type.Optional(
    nullable(
      Type.String({
        format: 'credential-scopes',
        maxLength: limits.textChars,
        description:
          'Scopes of the token, with a single space between them (`read events:write`), for a token that may do less than its user. Without it, the token is `full`.',
        examples: ['full'],
      }),
    ),
  ),
});

/** Makes a personal access token for a caller who knows e-mail and password. Returns the scopes that it has, as text. */
export const login = operation({
  name: 'tokens.login',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.logIn,
  input: loginInput,
  run: async ({ logIn }, { email: address, password: secret, scope }) => {
    const scopes = normalizeScopes((scope && parseCredentialScopes(scope)) || fullScopes);
    const { accessToken } = await logIn(address, secret, { scopes, isConsole: false });
    return { accessToken, scope: scopes.join(' ') };
  },
});

/** Revokes the personal token used in the call, and ends the lasting session that it was made from. */
export const revokeUsed = operation({
  name: 'tokens.revokeUsed',
  roles: everyRole,
  scopes: 'none',
  apiKey: false,
  writes: true,
  audited: true,
  input: noInput,
  run: (scope) =>
    scope.transaction(async (tx) => {
      const own = await readOwnLogIn(tx);
      const revokedTokens = await endLogIn(tx, own);
      if (revokedTokens > 0) tx.record({ kind: 'user', id: own.userId, details: { revokedTokens } });
      return revokedTokens;
    }),
});

/** Revokes every personal token of the caller, including the one used, and ends their lasting sessions. Returns how many tokens there were. */
export const revokeAllOwn = operation({
  name: 'tokens.revokeAllOwn',
  roles: everyRole,
  scopes: ['full'],
  apiKey: false,
  writes: true,
  audited: true,
  input: noInput,
  run: (scope) =>
    scope.transaction(async (tx) => {
      const { userId } = userActor(tx);
      const revokedTokens = await revokeTokens(tx, { userId });
      if (revokedTokens > 0) tx.record({ kind: 'user', id: userId, details: { revokedTokens } });
      return revokedTokens;
    }),
});

/** The log-in that the call is made with. */
export async function readOwnLogIn(scope: Scope) {
  const { userId, jti } = userActor(scope);
  const token = await scope.db.personalToken.findFirst({ where: { userId, jti }, select: { sessionId: true } });
  return { userId, jti, sessionId: token?.sessionId ?? null };
}

export function userActor({ actor }: Scope) {
  if (actor.kind !== 'user') throw forbidden();
  return actor;
}
