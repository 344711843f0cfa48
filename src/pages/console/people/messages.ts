import { plural } from '../messages/plural.ts';

export const people = {
  title: 'People',
  count: (count: number) => plural(count, 'person', 'people'),
  tooMany: (shown: number, all: number) =>
    `The first ${shown.toLocaleString('en')} of ${all.toLocaleString('en')} people are shown. Narrow the search to see the others.`,
  add: 'Add a person',
  import: 'Import from a file',
  filters: {
    label: 'Filters',
    text: 'Search by name or e-mail',
    role: 'Role',
    anyRole: 'Any role',
    position: 'Has worked as',
    anyPosition: 'Any position',
  },
  roles: { STAFF: 'Staff', CLIENT: 'Client', ADMIN: 'Admin' },
  columns: { name: 'Name', email: 'E-mail', phone: 'Phone', role: 'Role' },
  noPassword: 'no log-in yet',
  none: {
    title: 'Nobody here',
    lead: 'No one matches the search and the filters.',
    clear: 'Clear filters',
  },
  fields: {
    name: 'Full name',
    email: 'E-mail',
    emailHint: 'They log in with it.',
    phone: 'Phone',
    role: 'Role',
    roleHint: {
      ADMIN: 'Admins see and change everything.',
      STAFF: 'Staff see their own shifts and answer them.',
      CLIENT: 'Clients see their own events.',
    },
  },
  adding: {
    title: 'Add a person',
    save: 'Add and invite',
    without: 'Add without an invitation',
    added: (name: string) => `${name} is added.`,
  },
  invitation: {
    title: (name: string) => `Invitation for ${name}`,
    lead: (name: string) =>
      `Hand this link over to ${name}. Whoever opens it sets the password of the account, so send it to nobody else.`,
    mailed: 'It is sent by mail as well.',
    ends: (moment: string) => `It works once, until ${moment}. A new invitation voids it.`,
    failed: (why: string) => `There is no invitation yet: ${why}`,
  },
};
