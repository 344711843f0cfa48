import { expect, jest, test } from '@jest/globals';
import { importing } from '../src/pages/console/people/import-messages.ts';
import { findLeftOut, judgeRows, matchColumns, readTable, type Table } from '../src/pages/console/people/csv.ts';
import { useService } from './support/app.ts';

/* Files of people, which the console reads and judges before it sends any. */

const service = useService();
const { words, roleWords } = importing;

const read = (content: string | Buffer) => readTable(new Blob([content as BlobPart]));
const judge = (table: Table) =>
  judgeRows(table.rows, {
    width: table.header.length,
    match: matchColumns(table.header, words),
    otherRole: 'STAFF',
    roleWords,
    known: new Set(),
    mayAddAdmins: true,
  });
const judgeFile = async (content: string | Buffer) => judge(await read(content));

const mark = Buffer.from([0xff, 0xfe]);
const names = 'Name\tE-mail\r\nJürgen Żółć\tj@x.example\r\n';
const bigEndian = Buffer.from(names, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from(names)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${names}`)],
  ['UTF-16 with a mark', Buffer.concat([mark, Buffer.from(names, 'utf16le')])],
  ['UTF-16 without a mark', Buffer.from(names, 'utf16le')],
  ['UTF-16, big end first', Buffer.concat([Buffer.from([0xfe, 0xff]), bigEndian])],
  ['UTF-16, big end first, without a mark', bigEndian],
])('a file in %s is read', async (_, content) => {
  expect(await judgeFile(content)).toMatchObject([
    { input: { name: 'Jürgen Żółć', email: 'j@x.example' }, faults: [] },
  ]);
});

test('a file of old spreadsheets is read, and the replacement character of another one stays', async () => {
  expect(await judgeFile(Buffer.from('Name,E-mail\nJ\u00fcrgen,j@x.example\n', 'latin1'))).toMatchObject([
    { input: { name: 'Jürgen' } },
  ]);
  expect(await judgeFile('Name,E-mail\nZoë\ufffd,j@x.example\n')).toMatchObject([{ input: { name: 'Zoë\ufffd' } }]);
});

test('rows are numbered as a spreadsheet does, with empty ones and those that begin the file', async () => {
  const rows = await judgeFile(
    'sep=;\r\n\r\nName;E-mail\r\nAnn;a@x.example\r\n\r\n;\r\n"Bob\r\nJr";b@x.example\r\nEve;none\r\n',
  );
  expect(rows.map(({ number, input, faults }) => [number, input.name, faults])).toEqual([
    [3, 'Ann', []],
    [6, 'Bob\r\nJr', []],
    [7, 'Eve', ['badEmail']],
  ]);
});

test('columns that are not read are named, and so are rows with more cells than columns or an open quotation mark', async () => {
  const table = await read('Name,E-mail,Notes,Empty\nAnn,a@x.example,"tall, blond",\nBob,b@x.example,tall,,dark\n');
  expect(findLeftOut(table, matchColumns(table.header, words)).map((index) => table.header[index])).toEqual(['Notes']);
  expect(judge(table).map(({ faults }) => faults)).toEqual([[], ['tooManyCells']]);
  const [open] = await judgeFile('Name,E-mail\n"Ann,a@x.example\nBob,b@x.example\n');
  expect(open!.faults).toContain('unclosed');
});

test('a row that is at fault does not stand against a later one with its e-mail', async () => {
  const rows = await judgeFile('Name,E-mail\n,a@x.example\nAnn,A@x.example\nAnn again,a@x.example\n');
  expect(rows.map(({ faults }) => faults)).toEqual([['noName'], [], ['twice']]);
});

test('column names are found whatever the language of the browser', () => {
  const lower = String.prototype.toLocaleLowerCase;
  const turkish = jest.spyOn(String.prototype, 'toLocaleLowerCase').mockImplementation(function (this: string) {
    return lower.call(this, 'tr');
  });
  expect(matchColumns(['NAME', 'E-MAIL ADDRESS', 'MOBILE NUMBER'], words)).toEqual({ name: 0, email: 1, phone: 2 });
  turkish.mockRestore();
});

test('the page takes the names, addresses and phone numbers that the service takes, and no others', async () => {
  const { as, business } = await service.createTenant();
  const host = `${business.id}.example`;
  const phones = [
    "'+49 151 234",
    '\u202a+49 151 234\u202c',
    '+49\u2011151\u2011234',
    '555-0100 ext. 12',
    '12',
    'call me',
    '1'.repeat(41),
  ];
  const emails = ['a.b+c@', "o'neil@", '"quoted"@', 'jürgen@', 'a..b@', 'ends.@', `${'l'.repeat(250)}@`].map(
    (each) => each + host,
  );
  const people = [
    ...phones.map((phone, at) => ({ name: 'X', email: `p${at}@${host}`, phone })),
    ...emails.map((email) => ({ name: 'X', email, phone: '' })),
    ...['\u200b\u2060', '𝒳'.repeat(200), 'X'.repeat(201)].map((name, at) => ({
      name,
      email: `n${at}@${host}`,
      phone: '',
    })),
  ];
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = await judgeFile(
    ['Name,E-mail,Phone', ...people.map((row) => [row.name, row.email, row.phone].map(quote).join(','))].join('\n'),
  );
  const { body } = await service.graphql(
    'mutation ($inputs: [CreateUserInput!]!) { createUsers(inputs: $inputs) { user { id } } }',
    { as: as.admin, variables: { inputs: rows.map(({ input }) => ({ ...input, password: null })) } },
  );
  const taken = (body.data.createUsers as { user: object | null }[]).map(({ user }) => user !== null);
  expect(rows.map(({ faults }) => faults.length === 0)).toEqual(taken);
  expect(taken).toContain(true);
  expect(taken).toContain(false);
});
