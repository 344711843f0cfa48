import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { asked, B, created, F, given, L, M, N, ok, T, U, V, type BadInput, type Case } from './bad-input.ts';
import { written } from './wire.ts';

/** The budget is told, as seconds and not as a moment. */
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

export const budgets: readonly BadInput[] = [
  {
    title: '61st call, Free',
    cases: async ({ service }) => {
      const { as } = await service.createCast('free');
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
    cases: ({ cast: { as } }) => [
      given(ok, written('GET', '/v1/events', { as: as.admin }), told),
      given(ok, asked('{ viewer { name } }', { as: as.admin }), told),
      given(created, written('POST', '/v1/tokens/business', { as: as.admin, body: { name: 'x' } }), told),
      given(U, written('GET', '/v1/events'), told),
      given(U, asked('{ viewer { name } }'), told),
      given(F, written('GET', '/v1/events', { as: as.staff }), told),
      given(N, written('GET', `/v1/events/${randomUUID()}`, { as: as.admin }), told),
      given(N, written('GET', '/nothing'), told),
      given(M('GET, HEAD, POST'), written('PATCH', '/v1/events', { as: as.admin }), told),
      given({ status: 406 }, written('GET', '/v1/events', { as: as.admin, headers: { accept: 'text/csv+xml' } }), told),
      given(B, written('POST', '/v1/events', { as: as.admin, body: '{' }), told),
      given(L, written('POST', '/v1/events', { as: as.admin, body: 'x'.repeat(300_000) }), told),
      given(
        T,
        written('POST', '/v1/events', { as: as.admin, body: 'x', headers: { 'content-type': 'text/plain' } }),
        told,
      ),
      given(V('page'), written('GET', '/v1/events?page=0', { as: as.admin }), told),
      given({ status: 400 }, asked('{ nothing }', { as: as.admin }), told),
    ],
  },
];
