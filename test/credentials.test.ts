import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './support/app.ts';
import { signingSecret } from './support/config.ts';
import type { Tenant } from './support/factories.ts';
import {
  decode,
  forge as forgeFrom,
  jwk,
  part,
  publicPem,
  signedByRsa,
  unsigned as unsignedFrom,
  type Parts,
} from './support/forged.ts';

const start = new Date('2026-11-20T12:00:00.000Z');
const startS = start.getTime() / 1000;
const lifetimeS = 86_400;
const retiredSecret = 'a-secret-of-last-month-0123456789-0123456789';

let now: Date;
let service: TestApp;
let tenant: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  now = start;
  service = await startApp({
    env: {
      CALLBOARD_ANONYMOUS_PER_MINUTE: '100000',
      JWT_SECRETS: `test:${signingSecret},retired:${retiredSecret}`,
    },
    clock: () => now,
  });
  tenant = await service.createTenant();
  stranger = await service.createTenant();
});

afterAll(() => service.close());

/** The admin's own valid token, made anew by hand with some parts changed. */
const forge = (parts?: Parts) => forgeFrom(tenant.as.admin, parts);
const unsigned = (alg: string) => unsignedFrom(tenant.as.admin, alg);

const rest = (as: string) => service.call('GET', '/v1/events', { as });
const graphql = (as: string) => service.graphql('{ viewer { name } }', { as });

async function expectRefused(credential: string): Promise<void> {
  const inRest = await rest(credential);
  expect(inRest).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  expect(inRest.body).toEqual({
    success: false,
    data: null,
    message: 'A valid bearer credential is required.',
    code: 'UNAUTHENTICATED',
  });
  const inGraphql = await graphql(credential);
  expect(inGraphql).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
  expect(inGraphql.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
}

async function expectAccepted(credential: string): Promise<void> {
  expect((await rest(credential)).status).toBe(200);
  expect((await graphql(credential)).body.errors).toBeUndefined();
}

describe('a personal token', () => {
  test('contains its signing key id, business and row id, and nothing else', () => {
    expect(decode(tenant.as.admin)).toEqual([
      { alg: 'HS256', typ: 'at+jwt', kid: 'test' },
      {
        iss: 'callboard',
        aud: 'callboard-api',
        sub: String(tenant.admin.id),
        bid: tenant.business.id,
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
        iat: startS,
        exp: startS + lifetimeS,
      },
    ]);
  });

  const accepted: Record<string, () => string> = {
    'as it was signed': () => tenant.as.admin,
    'made by hand in the same way': () => forge(),
    'signed with a secret that no longer signs, but verifies': () =>
      forge({ header: { kid: 'retired' }, secret: retiredSecret }),
    'with keys in its header, which are ignored': () =>
      forge({ header: { jwk, jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/chain', x5c: ['AAAA'] } }),
    'of a node whose clock is a minute ahead': () => forge({ claims: { iat: startS + 60, exp: startS + 60 + 900 } }),
    'for several audiences, ours among them': () => forge({ claims: { aud: ['others', 'callboard-api'] } }),
  };

  test.each(Object.keys(accepted))('is accepted %s', async (how) => {
    await expectAccepted(accepted[how]!());
  });

  const refused: Record<string, () => string> = {
    'unsigned, alg none': () => unsigned('none'),
    'unsigned, alg None': () => unsigned('None'),
    'unsigned, alg nOnE': () => unsigned('nOnE'),
    'unsigned, though it says HS256': () => unsigned('HS256'),
    'signed with HS512': () => forge({ header: { alg: 'HS512' }, digest: 'sha512' }),
    'signed with HS384': () => forge({ header: { alg: 'HS384' }, digest: 'sha384' }),
    'signed by an RSA key that it brings along': () => signedByRsa(tenant.as.admin),
    'signed by HMAC with a public key for a secret': () => forge({ header: { jwk }, secret: publicPem }),
    'signed with another secret': () => forge({ secret: 'another secret of more than thirty-two bytes' }),
    'signed with the secret of another kid': () => forge({ header: { kid: 'retired' } }),
    'without kid': () => forge({ header: { kid: undefined } }),
    'with an unknown kid': () => forge({ header: { kid: 'unknown' } }),
    'with a path for a kid, signed with what the file holds': () =>
      forge({ header: { kid: '../../dev/null' }, secret: '' }),
    'with SQL for a kid': () => forge({ header: { kid: "x' UNION SELECT 'secret" }, secret: 'secret' }),
    'with a list for a kid': () => forge({ header: { kid: ['test'] } }),
    'with __proto__ for a kid': () => forge({ header: { kid: '__proto__' }, secret: '[object Object]' }),
    'with crit': () => forge({ header: { crit: ['exp'] } }),
    'with another typ': () => forge({ header: { typ: 'JWT' } }),
    'without typ': () => forge({ header: { typ: undefined } }),
    'without exp': () => forge({ claims: { exp: undefined } }),
    'with exp as text': () => forge({ claims: { exp: String(startS + 900) } }),
    'with exp null': () => forge({ claims: { exp: null } }),
    'that ends more than 24 hours after it began': () => forge({ claims: { exp: startS + lifetimeS + 1 } }),
    'whose exp is now': () => forge({ claims: { iat: startS - 900, exp: startS } }),
    'without iat': () => forge({ claims: { iat: undefined } }),
    'with iat as text': () => forge({ claims: { iat: String(startS) } }),
    'issued more than a minute ahead': () => forge({ claims: { iat: startS + 61, exp: startS + 900 } }),
    'not to be used before later': () => forge({ claims: { nbf: startS + 900 } }),
    'of another issuer': () => forge({ claims: { iss: 'elsewhere' } }),
    'without issuer': () => forge({ claims: { iss: undefined } }),
    'for another audience': () => forge({ claims: { aud: 'elsewhere' } }),
    'without audience': () => forge({ claims: { aud: undefined } }),
    'of another user of the business': () => forge({ claims: { sub: String(tenant.staff.id) } }),
    'without subject': () => forge({ claims: { sub: undefined } }),
    'with a number for a subject': () => forge({ claims: { sub: tenant.admin.id } }),
    'with SQL for a subject': () => forge({ claims: { sub: '1 OR 1=1' } }),
    'of another business': () => forge({ claims: { bid: stranger.business.id } }),
    'of another business and its admin': () =>
      forge({ claims: { bid: stranger.business.id, sub: String(stranger.admin.id) } }),
    'with text for a business': () => forge({ claims: { bid: String(tenant.business.id) } }),
    'with a business beyond int4': () => forge({ claims: { bid: 2_147_483_648 } }),
    'with a fraction for a business': () => forge({ claims: { bid: tenant.business.id + 0.5 } }),
    'with an unknown jti': () => forge({ claims: { jti: randomUUID() } }),
    'with SQL for a jti': () => forge({ claims: { jti: "' OR '1'='1" } }),
    'without jti': () => forge({ claims: { jti: undefined } }),
    'whose payload is text': () => {
      const signed = `${part(decode(tenant.as.admin)[0])}.${part('admin')}`;
      return `${signed}.${createHmac('sha256', signingSecret).update(signed).digest('base64url')}`;
    },
    'with a claim changed after signing': () => {
      const [header, , signature] = forge().split('.');
      return [header, part({ ...decode(forge())[1], exp: startS + 900 }), signature].join('.');
    },
    'of two parts': () => forge().split('.').slice(0, 2).join('.'),
    'of five parts': () => `${forge()}.AAAA.AAAA`,
    'of 8 KB': () => forge({ claims: { padding: 'x'.repeat(6000) } }),
    'that is not a token': () => 'no-token-at-all',
    'that is three dots': () => '...',
  };

  test.each(Object.keys(refused))('is refused %s', async (how) => {
    await expectRefused(refused[how]!());
  });

  test('expires at its own exp, to the second', async () => {
    const token = forge({ claims: { exp: startS + 900 } });
    now = new Date((startS + 900) * 1000 - 1);
    await expectAccepted(token);
    now = new Date((startS + 900) * 1000);
    await expectRefused(token);
    now = start;
    await expectAccepted(token);
  });

  test('expires after 24 hours, as its row says too', async () => {
    now = new Date((startS + lifetimeS) * 1000 - 1);
    await expectAccepted(tenant.as.admin);
    now = new Date((startS + lifetimeS) * 1000);
    await expectRefused(tenant.as.admin);
    now = start;
    const token = await service.tokenOf(tenant.admin);
    await service.prisma.personalToken.updateMany({
      where: { jti: decode(token)[1].jti },
      data: { createdAt: new Date(0), expiresAt: start },
    });
    await expectRefused(token);
  });
});

describe('the Authorization header', () => {
  const by = async (headers: Record<string, string>, url = '/v1/events') => {
    const { status, body } = await service.call('GET', url, { headers });
    return { status, code: body.code };
  };

  test.each(['bearer', 'BEARER', 'Bearer  '])('accepts its scheme in any case: %s', async (scheme) => {
    expect(await by({ authorization: `${scheme} ${tenant.as.admin}` })).toMatchObject({ status: 200 });
  });
});
