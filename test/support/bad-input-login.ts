import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { limits } from '../../src/config/limits.ts';
import {
  asked,
  given,
  graphqlError,
  methodNotAllowed,
  tooLarge,
  unauthenticated,
  invalidFields,
  type BadInput,
  type Scene,
  type Verdict,
} from './bad-input.ts';
import { password } from './factories.ts';
import { written } from './wire.ts';

const wrong: Verdict = { ...unauthenticated, code: 'INVALID_CREDENTIALS' };

const login = (email: unknown, secret: unknown) =>
  written('POST', '/v1/auth/login', { body: { email, password: secret } });
const unknown = () => `${randomUUID()}@example.com`;

/** Cases for both dialects: the service refuses the fields, or GraphQL's types do. */
const refusing = (fields: readonly string[], email: unknown, secret: unknown) => [
  given(invalidFields(...fields), login(email, secret)),
  given(
    { status: [200, 400] },
    asked(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { tokenType } }',
      {
        variables: { email, password: secret },
      },
    ),
    ({ body }) => expect(['VALIDATION_FAILED', 'BAD_USER_INPUT']).toContain(body.errors[0].extensions.code),
  ),
];

const newUser = ({ tenant: { as } }: Scene, fields: object) =>
  written('POST', '/api/v1/users', {
    as: as.admin,
    body: { email: unknown(), name: 'Robin Fields', role: 'staff', password: 'enough of a password', ...fields },
  });

/** Checks that all answers are equal byte by byte, except for request id and rate limit. */
const alike = () => {
  const bodies: unknown[] = [];
  return ({ body }: { body: unknown }) => {
    bodies.push(body);
    expect(body).toEqual(bodies[0]);
  };
};

export const logins: readonly BadInput[] = [
  {
    title: 'Cyrillic a, fullwidth a',
    cases: (scene) =>
      [
        '\u0430dmin@example.com',
        '\uff41dmin@example.com',
        '\u212aim@example.com',
        'o\u017fcar@example.com',
        'a@\u0435xample.com',
      ].flatMap((email) => [
        ...refusing(['email'], email, password),
        given(invalidFields('email'), newUser(scene, { email })),
      ]),
  },
  {
    title: 'zero-width/RTL in email',
    cases: (scene) =>
      [
        'ad\u200bmin@example.com',
        '\u202eadmin@example.com',
        'admin@example.com\u200f',
        '\ufeffa@example.com',
        ' a@example.com',
        'a@example.com\n',
        'a@localhost',
        'a..b@example.com',
        '"a b"@example.com',
        'a@example.com,b@example.com',
        `${'a'.repeat(250)}@example.com`,
        '',
        '@',
      ].flatMap((email) => [
        // Phones add white space around an address: the log-in does without it.
        ...(/^\s|\s$/.test(email.replaceAll('\ufeff', 'x')) ? [] : refusing(['email'], email, password)),
        given(invalidFields('email'), newUser(scene, { email })),
      ]),
  },
  {
    title: 'password >1,024 bytes',
    cases: (scene) =>
      ['x'.repeat(1025), 'é'.repeat(513), 'x'.repeat(30_000), 'x'.repeat(200_000)].flatMap((secret) => [
        ...(secret.length < limits.anonymousBodyBytes
          ? refusing(['password'], scene.tenant.staff.email, secret)
          : [given(tooLarge, login(scene.tenant.staff.email, secret))]),
        given(invalidFields('password'), newUser(scene, { password: secret })),
      ]),
  },
  {
    title: 'password ["x"], {}, 1, null',
    cases: (scene) =>
      [[password], {}, 1, null, true, [], { toString: 'x' }].flatMap((secret) => [
        ...refusing(['password'], scene.tenant.staff.email, secret),
        given(invalidFields('password'), newUser(scene, { password: secret })),
        given(invalidFields('email'), login(secret, password)),
      ]),
  },
  {
    title: 'empty password',
    cases: (scene) => [
      ...refusing(['password'], scene.tenant.staff.email, ''),
      given(invalidFields('password'), newUser(scene, { password: '' })),
      given(invalidFields('email', 'password'), written('POST', '/v1/auth/login', { body: {} })),
      given(
        invalidFields('remember'),
        written('POST', '/v1/auth/login', { body: { email: unknown(), password, remember: true } }),
      ),
    ],
  },
  {
    title: 'corrupt stored hash',
    cases: async ({ service, tenant }) => {
      const same = alike();
      const alerting = { ...wrong, alerts: ['a stored password hash is corrupt'] };
      const { email } = await service.createUser(tenant.business, 'staff', { passwordHash: '$argon2id$v=19$broken' });
      return [given(wrong, login(unknown(), password), same), given(alerting, login(email, password), same)];
    },
  },
  {
    title: 'login by GET/query',
    cases: ({ tenant, log }) => {
      const credentials = `email=${encodeURIComponent(tenant.staff.email)}&password=${encodeURIComponent(password)}`;
      const mutation = `mutation{login(email:"${tenant.staff.email}",password:"${password}"){accessToken}}`;
      const unlogged = () => {
        expect(log.join('')).not.toContain(encodeURIComponent(password));
        expect(log.join('')).not.toContain(tenant.staff.email);
      };
      return [
        given(methodNotAllowed('POST'), written('GET', `/v1/auth/login?${credentials}`), unlogged),
        given(
          invalidFields('email', 'password'),
          written('POST', `/v1/auth/login?${credentials}`, { body: {} }),
          unlogged,
        ),
        given(
          graphqlError('BAD_REQUEST', 405),
          written('GET', `/graphql?query=${encodeURIComponent(mutation)}`, {
            headers: { 'apollo-require-preflight': '1' },
          }),
          unlogged,
        ),
      ];
    },
  },
];
