import type { User } from '../generated/prisma/client.ts';
import { fieldList, rowVersion, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

/** The fields of a user that the API shows, in the order of GraphQL. */
export const userFields = fieldList({
  id: { kind: 'integer', isGenerated: true },
  name: { kind: 'text', description: 'Full name, exactly as it was sent.' },
  email: {
    kind: 'text',
    description: 'E-mail address. Null unless the caller is an admin or reads their own account.',
  },
  role: { kind: 'role', description: 'Role of the user.' },
  phone: {
    kind: 'text',
    isNullable: true,
    description:
      'Phone number; null if there is none. Null too unless the caller is an admin or reads their own account.',
  },
  mailFault: {
    kind: 'text',
    isNullable: true,
    description:
      'What the mail server said when it refused the last mail to the person for good; null if it did not. Null unless the caller is an admin.',
  },
  createdAt: { kind: 'instant', description: 'Created, UTC.' },
  updatedAt: { kind: 'instant', description: 'Last changed, UTC.' },
  version: rowVersion,
});

/**
 * Columns that are never shown: two forms of the name and the e-mail for look-ups, the password, and whether the user
 * is deleted.
 */
type Inner = 'businessId' | 'firstName' | 'lastName' | 'emailKey' | 'passwordHash' | 'mailOff' | 'deletedAt';

export type UserRow = RowOf<typeof userFields, Differences<StoredRowOf<typeof userFields>, Omit<User, Inner>>>;

/** A user as others see them: the e-mail is null for callers who may not see it. */
export type ShownUser = Omit<UserRow, 'email'> & { email: string | null };
