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
  mail_fault: Type.Union([Type.String(), Type.Null()], {
    description: 'What the mail server said when it refused the last mail to the person for good; null if it did not.',
  }),
});

const { schema: StaffMember, serialize: serializeStaffMember } = viewOf<UserRow & { readonly canLogIn: boolean }>(
  'StaffMember',
)({
  ...FullUser.properties,
  can_log_in: Type.Boolean({
    description: 'Whether the user can log in. One who has no password yet sets it by an invitation.',
  }),
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
    item: StaffMember,
    csvName: 'staff',
    read: (scope, { query }) => users.listStaff(scope, query),
    serializeAll: async (scope, rows) => {
      const logIns = await users.getLogIns(scope, { userIds: rows.map(({ id }) => id) });
      const canLogIn = new Map(logIns.map((each) => [each.id, each.canLogIn]));
      return (row) => serializeStaffMember({ ...row, canLogIn: canLogIn.get(row.id) ?? false });
    },
  });
}
