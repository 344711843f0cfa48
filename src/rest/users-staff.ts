import Type from 'typebox';
import { pageNumberInput } from '../paging/input.ts';
import * as users from '../services/users.ts';
import { listRoute } from './lists.ts';
import type { RestApp } from './route.ts';
import { userFields, type UserRow } from './users.ts';
import { viewOf } from './views.ts';

/** A user in the routes beyond the contract, with their phone number. */
export const { schema: FullUser, serialize: serializeFullUser } = viewOf<UserRow>('FullUser')({
  ...userFields,
  phone: Type.Union([Type.String(), Type.Null()], { description: 'Phone number; null for none.' }),
});

export function staffRoutes(app: RestApp): void {
  listRoute(app, {
    url: '/v1/staff',
    calls: users.listStaff,
    tag: 'Users',
    isExtension: true,
    summary: 'Find staff members who can be assigned',
    description:
      '`free_for` names a call time, and leaves out those who work at that time, or may do so because a time is still open.',
    query: Type.Object({ ...users.staffFilter.properties, ...pageNumberInput() }),
    item: FullUser,
    csvName: 'staff',
    read: (scope, { query }) => users.listStaff(scope, query),
    serializeAll: () => serializeFullUser,
  });
}
