import Type from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import * as users from '../services/users.ts';
import { toCsvPage } from './csv.ts';
import { answer, envelope, pageOf, serializePage } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { serializeUser, UserView } from './users.ts';

export function staffRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/staff',
    calls: users.listStaff,
    tag: 'Users',
    isExtension: true,
    summary: 'Find staff members who can be assigned',
    description:
      '`free_for` names a call time, and leaves out those who work at that time, or may do so because a time is still open.',
    query: Type.Object({ ...users.staffFilter.properties, ...pageNumberInput() }),
    response: envelope(pageOf(UserView)),
    csv: {
      name: 'staff',
      row: UserView,
      read: async (scope, { query }) => toCsvPage(await users.listStaff(scope, query), serializeUser),
    },
    handle: async (scope, { query }) => {
      const page = await users.listStaff(scope, { ...query, withTotal: true });
      return answer(await serializePage(page, serializeUser));
    },
  });
}
