import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import {
  asked,
  badRequest,
  created,
  forbidden,
  given,
  tooLarge,
  methodNotAllowed,
  notFound,
  ok,
  unsupportedType,
  unauthenticated,
  invalidFields,
  type BadInput,
  type Case,
} from './bad-input.ts';
import { written } from './wire.ts';

/** The rate limit is in the headers, with the reset in seconds and not as a time. */
const told: Case['also'] = ({ headers }) => {
  expect(headers).toMatchObject({
    'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^([1-5]?\d|60)$/),
  });
};

const spent = {
  status: 429,
  code: 'RATE_LIMITED',
  headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
};

export const rateLimitInputs: readonly BadInput[] = [
  {
    title: '61st call, Free',
    cases: async ({ service }) => {
      const { as } = await service.createTenant('free');
      const call = written('GET', '/v1/events?per_page=1', { as: as.admin });
      return [
        ...Array.from({ length: 60 }, (_, index) =>
          given({ status: 200, headers: { 'x-ratelimit-remaining': String(59 - index) } }, call, told),
        ),
        given(spent, call, told),
        given(spent, written('GET', '/api/v1/users', { as: as.key }), told),
        given(spent, written('GET', '/nothing', { as: as.admin }), told),
        given(spent, written('POST', '/v1/events', { as: as.admin, body: {} }), told),
        given(spent, asked('{ viewer { name } }', { as: as.staff }), told),
      ];
    },
  },
  {
    title: 'headers on 2xx/4xx/429',
    cases: ({ tenant: { as } }) => [
      given(ok, written('GET', '/v1/events', { as: as.admin }), told),
      given(ok, asked('{ viewer { name } }', { as: as.admin }), told),
      given(created, written('POST', '/v1/tokens/business', { as: as.admin, body: { name: 'x' } }), told),
      given(unauthenticated, written('GET', '/v1/events'), told),
      given(unauthenticated, asked('{ viewer { name } }'), told),
      given(forbidden, written('GET', '/v1/events', { as: as.staff }), told),
      given(notFound, written('GET', `/v1/events/${randomUUID()}`, { as: as.admin }), told),
      given(notFound, written('GET', '/nothing'), told),
      given(methodNotAllowed('GET, HEAD, POST'), written('PATCH', '/v1/events', { as: as.admin }), told),
      given({ status: 406 }, written('GET', '/v1/events', { as: as.admin, headers: { accept: 'text/csv+xml' } }), told),
      given(badRequest, written('POST', '/v1/events', { as: as.admin, body: '{' }), told),
      given(tooLarge, written('POST', '/v1/events', { as: as.admin, body: 'x'.repeat(300_000) }), told),
      given(
        unsupportedType,
        written('POST', '/v1/events', { as: as.admin, body: 'x', headers: { 'content-type': 'text/plain' } }),
        told,
      ),
      given(invalidFields('page'), written('GET', '/v1/events?page=0', { as: as.admin }), told),
      given({ status: 400 }, asked('{ nothing }', { as: as.admin }), told),
    ],
  },
];
