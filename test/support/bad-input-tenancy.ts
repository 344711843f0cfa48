import { expect } from '@jest/globals';
import { asked, changed, given, ok, type BadInput } from './bad-input.ts';
import { written } from './wire.ts';

export const tenancy: readonly BadInput[] = [
  {
    title: 'total/last_page',
    cases: async ({ service, tenant, other }) => {
      for (let count = 0; count < 3; count++) await service.createEvent(other.business);
      const totals = (as: string, events: number, users: number) => [
        given(ok, written('GET', '/v1/events?per_page=1', { as }), ({ body: { data } }) =>
          expect(data).toMatchObject({ total: events, last_page: events }),
        ),
        given(ok, written('GET', '/api/v1/users?per_page=1', { as }), ({ body }) =>
          expect(body.meta.total).toBe(users),
        ),
        given(ok, asked('{ events(perPage: 1) { totalCount pageInfo { lastPage } } }', { as }), ({ body }) =>
          expect(body.data.events).toEqual({ totalCount: events, pageInfo: { lastPage: events } }),
        ),
      ];
      return [
        given(changed, written('GET', '/v1/events', { as: tenant.as.admin })),
        ...totals(tenant.as.admin, 1, 3),
        ...totals(other.as.admin, 4, 3),
      ];
    },
  },
];
