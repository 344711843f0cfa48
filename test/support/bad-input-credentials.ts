import { expect } from '@jest/globals';
import { asked, given, unauthenticated, type BadInput } from './bad-input.ts';
import { written } from './wire.ts';

/** On every surface, with this for `Authorization`. */
const shown = (authorization: string | readonly string[]) =>
  [
    written('GET', '/v1/events', { headers: { authorization } }),
    written('GET', '/api/v1/users', { headers: { authorization } }),
    written('GET', '/v1/objects/events', { headers: { authorization } }),
    asked('{ viewer { name } }', { headers: { authorization } }),
  ].map((wire) => given(unauthenticated, wire));

export const credentials: readonly BadInput[] = [
  {
    title: 'none, Basic, "Bearer", two headers',
    cases: ({ tenant: { as } }) => [
      ...[
        '',
        'Basic YWRtaW46cGFzc3dvcmQ=',
        'Bearer',
        'Bearer ',
        'Token x',
        'Bearer a b',
        `Basic ${as.admin}`,
        as.admin,
        `Bearer, ${as.admin}`,
        `"Bearer ${as.admin}"`,
      ].flatMap(shown),
      ...shown([`Bearer ${as.admin}`, `Bearer ${as.admin}`]),
      ...shown(['Basic eDp5', `Bearer ${as.admin}`]),
    ],
  },
  {
    title: 'token in query or cookie',
    cases: ({ tenant: { as }, log }) =>
      ['access_token', 'token', 'api_key', 'authorization'].flatMap((name) =>
        [as.admin, as.key].map((token) =>
          given(
            unauthenticated,
            written('GET', `/v1/events?${name}=${token}`, {
              headers: { cookie: `${name}=${token}`, 'x-api-key': token },
            }),
            () => expect(log.join('')).not.toContain(token),
          ),
        ),
      ),
  },
];
