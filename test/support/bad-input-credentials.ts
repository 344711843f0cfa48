import { expect } from '@jest/globals';
import { asked, forbidden, given, notFound, ok, unauthenticated, type BadInput, type Scene } from './bad-input.ts';
import { decode, forge, jwk, part, publicPem, signedByRsa, unsigned, type Parts } from './forged.ts';
import { sqlCount } from './sql-watch.ts';
import { written } from './wire.ts';

/** On every surface, with this for `Authorization`. */
const shown = (authorization: string | readonly string[]) =>
  [
    written('GET', '/v1/events', { headers: { authorization } }),
    written('GET', '/api/v1/users', { headers: { authorization } }),
    written('GET', '/v1/objects/events', { headers: { authorization } }),
    asked('{ viewer { name } }', { headers: { authorization } }),
  ].map((wire) => given(unauthenticated, wire));

const refused = (tokens: readonly string[]) => tokens.flatMap((token) => shown(`Bearer ${token}`));

/** The admin's token, good but for the parts. */
const forged = ({ tenant: { as } }: Scene, ...all: Parts[]) => refused(all.map((parts) => forge(as.admin, parts)));

const nowS = () => Math.floor(Date.now() / 1000);

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
    title: 'alg none/None/nOnE',
    cases: ({ tenant: { as } }) => refused(['none', 'None', 'nOnE', 'HS256', ''].map((alg) => unsigned(as.admin, alg))),
  },
  {
    title: 'HS512, RS256, RS→HS confusion',
    cases: (scene) => [
      ...forged(
        scene,
        { header: { alg: 'HS512' }, digest: 'sha512' },
        { header: { alg: 'HS384' }, digest: 'sha384' },
        { header: { jwk }, secret: publicPem },
        { secret: 'another secret of more than thirty-two bytes' },
        { secret: '' },
      ),
      ...refused([signedByRsa(scene.tenant.as.admin)]),
    ],
  },
  { title: 'no exp', cases: (scene) => forged(scene, { claims: { exp: undefined } }, { claims: { iat: undefined } }) },
  {
    title: 'exp string or >24 h after iat',
    cases: (scene) => {
      const [, { iat }] = decode(scene.tenant.as.admin);
      return forged(
        scene,
        { claims: { exp: String(iat + 900) } },
        { claims: { exp: null } },
        { claims: { exp: iat + 86_401 } },
        { claims: { exp: 1e300 } },
        { claims: { iat: nowS() + 3600, exp: nowS() + 7200 } },
        { claims: { nbf: nowS() + 3600 } },
      );
    },
  },
  {
    title: 'wrong iss/aud/typ',
    cases: (scene) =>
      forged(
        scene,
        { claims: { iss: 'elsewhere' } },
        { claims: { iss: undefined } },
        { claims: { aud: 'elsewhere' } },
        { claims: { aud: undefined } },
        { header: { typ: 'JWT' } },
        { header: { typ: undefined } },
        { header: { crit: ['exp'] } },
        { claims: { sub: String(scene.tenant.staff.id) } },
        { claims: { bid: scene.other.business.id } },
        { claims: { bid: 2_147_483_648 } },
        { claims: { jti: `' OR '1'='1` } },
      ),
  },
  {
    title: 'kid ../../dev/null, SQL, unknown',
    cases: (scene) =>
      forged(
        scene,
        { header: { kid: '../../dev/null' }, secret: '' },
        { header: { kid: `x' UNION SELECT 'secret` }, secret: 'secret' },
        { header: { kid: 'unknown' } },
        { header: { kid: undefined } },
        { header: { kid: ['test'] } },
        { header: { kid: '__proto__' }, secret: '[object Object]' },
      ),
  },
  {
    title: 'jwk/jku/x5u header',
    cases: ({ tenant: { as } }) => [
      given(
        ok,
        written('GET', '/v1/events', {
          as: forge(as.admin, { header: { jwk, jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/chain' } }),
        }),
      ),
      ...refused([signedByRsa(as.admin)]),
    ],
  },
  { title: 'exp == now', cases: (scene) => forged(scene, { claims: { iat: nowS() - 900, exp: nowS() } }) },
  {
    title: '8 KB token',
    cases: (scene) => [
      ...forged(scene, { claims: { padding: 'x'.repeat(6000) } }),
      ...refused(['x'.repeat(8192), '.'.repeat(8000), `${part({ alg: 'HS256' })}.${'A'.repeat(8000)}.x`]),
    ],
  },
  {
    title: 'API key bad checksum',
    cases: ({ tenant: { as } }) => {
      const last = as.key.at(-1) === 'A' ? 'B' : 'A';
      let before = 0;
      return [
        as.key.slice(0, -1) + last,
        as.key.slice(0, -1),
        `${as.key}A`,
        as.key.toUpperCase(),
        'cbk_',
        'cbk_x_y',
      ].map((key) => {
        const one = given(unauthenticated, written('GET', '/v1/events', { as: key }), () =>
          expect(sqlCount()).toBe(before),
        );
        before = sqlCount();
        return one;
      });
    },
  },
  {
    title: 'revoked key',
    cases: async ({ service, tenant }) => {
      const { key, apiKey } = await service.createKey(tenant.business);
      await service.call('DELETE', `/v1/tokens/business/${apiKey.publicId}`, { as: tenant.as.admin });
      return refused([key]);
    },
  },
  {
    title: 'keyId other tenant/malformed',
    cases: ({ tenant: { as }, other }) =>
      [other.apiKey.publicId, 'A1b2C3d4E5f6', 'x', '1', '%27', '*', 'a'.repeat(90), '%F0%9F%8E%AA'].map((id) =>
        given(notFound, written('DELETE', `/v1/tokens/business/${id}`, { as: as.admin })),
      ),
  },
  {
    title: 'DELETE key twice',
    cases: async ({ service, tenant }) => {
      const { apiKey } = await service.createKey(tenant.business);
      const wire = written('DELETE', `/v1/tokens/business/${apiKey.publicId}`, { as: tenant.as.admin });
      return [given({ status: 200, writes: true }, wire), given(notFound, wire)];
    },
  },
  {
    title: 'list keys',
    cases: ({ tenant: { as, apiKey } }) => [
      given(ok, written('GET', '/v1/tokens/business', { as: as.admin }), ({ body: { data }, text }) => {
        expect(data.map(Object.keys).flat()).toEqual([
          ...['id', 'name', 'last_four', 'created_at', 'last_used_at'],
          ...['scopes', 'expires_at'],
        ]);
        expect(text).not.toContain(as.key);
        expect(text).not.toContain(Buffer.from(apiKey.secretHash).toString('base64'));
      }),
    ],
  },
  {
    title: 'key list by staff/client',
    cases: ({ tenant: { as } }) =>
      [as.staff, as.client, as.key].flatMap((who) => [
        given(forbidden, written('GET', '/v1/tokens/business', { as: who })),
        given(forbidden, written('POST', '/v1/tokens/business', { as: who, body: { name: 'x' } })),
        given(forbidden, written('DELETE', '/v1/tokens/business', { as: who })),
      ]),
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
  {
    title: 'API key on DELETE personal',
    cases: ({ tenant: { as } }) => [
      given(forbidden, written('DELETE', '/v1/tokens/personal', { as: as.key })),
      given(forbidden, written('DELETE', '/v1/tokens/personal/all', { as: as.key })),
    ],
  },
  {
    title: '/api/v1/users without credential',
    cases: ({ tenant: { staff } }) => [
      ...['GET', 'POST'].map((verb) => given(unauthenticated, written(verb, '/api/v1/users'))),
      ...['GET', 'PUT', 'DELETE'].map((verb) => given(unauthenticated, written(verb, `/api/v1/users/${staff.id}`))),
    ],
  },
  {
    title: 'GET /v1/objects/events',
    cases: ({ tenant: { as }, event }) =>
      ['/v1/objects/events', `/v1/objects/events/${event.uuid}`].flatMap((path) => [
        given(unauthenticated, written('GET', path)),
        given(forbidden, written('GET', path, { as: as.staff })),
        given(forbidden, written('GET', path, { as: as.client })),
        given(ok, written('GET', path, { as: as.key }), ({ headers, text }) => {
          expect(headers).toMatchObject({ 'x-ratelimit-limit': '1000' });
          expect(text).not.toContain('Event 2"');
        }),
      ]),
  },
];
