import { plural } from '../messages/plural.ts';

export const inviting = {
  make: (count: number) => `Make invitation links for all ${plural(count, 'person', 'people')}`,
  mails: (count: number) =>
    `The links go to ${plural(count, 'person', 'people')} by mail as well, where the service sends mails.`,
  mailed: (count: number) =>
    count === 0 ? 'No mail was sent.' : `${plural(count, 'mail is', 'mails are')} sent with them.`,
  title: 'Invitations',
  link: 'Link',
  lead: (moment: string) =>
    `These links are shown now and never again. Each works once, until ${moment}, for whoever opens it: hand it to its person only.`,
  copy: 'Copy the list',
  copied: (count: number) => `${plural(count, 'link is', 'links are')} copied, each with name and e-mail.`,
  download: 'Download the list as CSV',
};

export const importing = {
  title: 'Import people',
  lead: 'Choose a file of comma-separated values (CSV), as spreadsheets and other programs save it. Nothing is stored before you have seen every row.',
  file: 'File',
  fileHint: 'The first row names the columns: name, e-mail, and if you have them, phone and role.',
  unread: 'The file could not be read. Check the connection and choose it again.',
  noRows: 'The file has no rows below the names of its columns.',
  tooMany: (max: number) =>
    `The file has more than ${max.toLocaleString('en')} rows. Split it, and import the parts one after the other.`,
  columns: 'Columns',
  from: (field: string) => `${field} is in`,
  noColumn: 'no column',
  unnamed: (number: number) => `Column ${number}`,
  otherRole: 'Role of rows without one',
  password: (column: string) =>
    `The column “${column}” is ignored: passwords are never imported. People set their own by an invitation.`,
  leftOut: (columns: readonly string[]) =>
    `Not imported: ${columns.map((column) => `“${column}”`).join(', ')}. Choose above what a column holds, if it is one of these fields.`,
  fields: {
    name: 'Full name',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail',
    phone: 'Phone',
    role: 'Role',
  },
  /** How files name the columns. */
  words: {
    name: ['name', 'full name', 'fullname', 'display name', 'person', 'employee', 'staff'],
    firstName: ['first name', 'firstname', 'given name', 'forename'],
    lastName: ['last name', 'lastname', 'surname', 'family name'],
    email: ['e-mail', 'email', 'mail', 'e-mail address', 'email address'],
    phone: ['phone', 'telephone', 'mobile', 'cell', 'phone number', 'mobile number', 'tel'],
    role: ['role', 'type', 'kind'],
    password: ['password', 'pass', 'pwd', 'passwd', 'initial password'],
  },
  roleWords: {
    ADMIN: ['admin', 'administrator', 'admins'],
    STAFF: ['staff', 'employee', 'crew', 'worker', 'freelancer'],
    CLIENT: ['client', 'customer', 'clients'],
  },
  preview: 'Rows of the file',
  row: 'Row',
  faultsTitle: 'What is wrong',
  right: 'Right',
  faults: {
    unclosed: 'A quotation mark is not closed, or stands inside a text: rows below it may be in one cell.',
    tooManyCells: 'It has more cells than the file has columns. Put texts with a separator in quotation marks.',
    noName: 'The name is missing.',
    longName: 'The name is longer than 200 characters.',
    noEmail: 'The e-mail is missing.',
    badEmail: 'The e-mail is not an address.',
    twice: 'The e-mail is in an earlier row, too.',
    known: 'Somebody in your business has this e-mail.',
    badPhone:
      'The phone number must have at least three digits, and besides digits only spaces, + - ( ) . and an extension such as x12.',
    badRole: 'The role is none of admin, staff and client.',
    adminRole: 'You cannot add admins.',
  },
  summary: (right: number, faulty: number) =>
    faulty === 0
      ? `${plural(right, 'row', 'rows')}, all right.`
      : `${plural(right, 'row is', 'rows are')} right, ${plural(faulty, 'row has', 'rows have')} faults.`,
  leaveOut: (count: number) => `Leave out ${plural(count, 'row', 'rows')} with faults`,
  save: (count: number) => `Import ${plural(count, 'person', 'people')}`,
  mend: 'Mend the file and choose it again, or leave out the rows with faults.',
  stored: (count: number) =>
    `${plural(count, 'person is', 'people are')} imported. They log in once they have set a password, by an invitation.`,
  refused: (count: number) => `${plural(count, 'row was', 'rows were')} refused. They are still here with the reason.`,
  back: 'Back to people',
};
