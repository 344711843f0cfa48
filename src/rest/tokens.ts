import Type, { type Static } from 'typebox';
import { credentialScopes } from '../config/credential-scopes.ts';
import { limits } from '../config/limits.ts';
import * as apiKeys from '../services/api-keys.ts';
import * as tokens from '../services/tokens.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope, Revoked } from './envelopes.ts';
import { textSchema, utcStampSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { titled, viewOf } from './views.ts';

const tag = 'Authentication and tokens';

type KeyRow = Awaited<ReturnType<typeof apiKeys.list>>[number];

const { schema: KeyView, serialize: serializeKey } = viewOf<KeyRow>('ApiKey')({
  id: [Type.String({ description: 'Id of the key, its public part.' }), ({ publicId }) => publicId],
  name: textSchema('Purpose of the key.'),
  last_four: textSchema('The last four characters of the key.'),
  created_at: utcStampSchema('Created'),
  last_used_at: Type.Union([Type.String(), Type.Null()], {
    description: 'Last used, UTC, `Y-m-d H:i:s`, to the minute; null if never.',
  }),
  scopes: Type.Array(oneOf<string>(credentialScopes), { description: 'What the key may do.' }),
  expires_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When the key ends, UTC, `Y-m-d H:i:s`; null if it does not expire.',
  }),
});
/** A cell of CSV holds no list. */
const KeyCsvRow = Type.Object({
  ...KeyView.properties,
  scopes: textSchema('What the key may do, with spaces between the scopes.'),
});
const NewKeyView = titled('NewApiKey', {
  ...KeyView.properties,
  key: textSchema('The key itself. Shown only once and not stored.'),
});

const serializeKeyForCsv = (row: KeyRow): Static<typeof KeyCsvRow> => ({
  ...serializeKey(row),
  scopes: row.scopes.join(' '),
});

export function tokenRoutes(app: RestApp): void {
  route(app, {
    method: 'POST',
    url: '/v1/auth/login',
    calls: tokens.login,
    tag,
    summary: 'Log in',
    description:
      'E-mail and password give a personal access token. With `scope`, the token may do less than its user, and the answer names its scopes.',
    body: tokens.loginInput,
    example: { email: 'admin@aurora.example', password: 'callboard-demo' },
    response: envelope(
      Type.Object({
        access_token: textSchema('Personal access token.'),
        token_type: Type.Literal('Bearer'),
        expires_in: Type.Integer({ description: 'Lifetime in seconds.', examples: [limits.credentialLifetimeS] }),
        scope: Type.Optional(textSchema('Scopes of the token. Only present if the request has `scope`.')),
      }),
    ),
    handle: async (scope, { body }) => {
      const { accessToken, scope: scopes } = await tokens.login(scope, body);
      const token = {
        access_token: accessToken,
        token_type: 'Bearer' as const,
        expires_in: limits.credentialLifetimeS,
        ...((body.scope ?? null) !== null && { scope: scopes }),
      };
      return answer(token, 'Logged in.');
    },
  });

  route(app, {
    method: 'GET',
    url: '/v1/tokens/business',
    calls: apiKeys.list,
    tag,
    summary: "List the business's active API keys",
    response: envelope(Type.Array(KeyView)),
    csv: {
      name: 'api-keys',
      row: KeyCsvRow,
      read: async (scope) => ({ rows: (await apiKeys.list(scope, {})).map(serializeKeyForCsv), next: null }),
    },
    handle: async (scope) => answer((await apiKeys.list(scope, {})).map(serializeKey)),
  });

  route(app, {
    method: 'POST',
    url: '/v1/tokens/business',
    calls: apiKeys.create,
    tag,
    summary: 'Create a business API key',
    isExtension: true,
    body: apiKeys.createKeyInput,
    example: { name: 'Booking form', scopes: ['events:write'] },
    status: 201,
    created: '/v1/tokens/business/:id',
    response: envelope(NewKeyView),
    handle: async (scope, { body }) => {
      const { key, ...record } = await apiKeys.create(scope, body);
      return answer({ ...serializeKey(record), key }, 'API key created. It is shown this once.');
    },
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/tokens/business',
    calls: apiKeys.revokeAll,
    tag,
    summary: "Revoke all of the business's API keys",
    response: Revoked,
    handle: async (scope) => answer({ revoked: await apiKeys.revokeAll(scope, {}) }, 'All API keys revoked.'),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/tokens/business/:keyId',
    calls: apiKeys.revoke,
    tag,
    summary: 'Revoke one business API key',
    params: Type.Object({ keyId: Type.String({ description: 'Key id as listed.' }) }),
    response: Revoked,
    handle: async (scope, { params }) => {
      await apiKeys.revoke(scope, { id: params.keyId });
      return answer({ revoked: 1 }, 'API key revoked.');
    },
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/tokens/personal',
    calls: tokens.revokeUsed,
    tag,
    summary: 'Log out: revoke the personal access token used in the call',
    response: Revoked,
    handle: async (scope) => answer({ revoked: await tokens.revokeUsed(scope, {}) }, 'Token revoked.'),
  });

  route(app, {
    method: 'DELETE',
    url: '/v1/tokens/personal/all',
    calls: tokens.revokeAllOwn,
    tag,
    summary: 'Log out everywhere: revoke all personal access tokens of the account',
    response: Revoked,
    handle: async (scope) => answer({ revoked: await tokens.revokeAllOwn(scope, {}) }, 'All tokens revoked.'),
  });
}
