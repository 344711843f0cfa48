import type { Role } from '../../application/session.ts';
import type { Messages } from '../messages/messages.ts';

/* Reads people from a file of comma-separated values, and judges each row before anything is stored. */

export const fields = ['name', 'firstName', 'lastName', 'email', 'phone', 'role'] as const;
type Field = (typeof fields)[number];

/** The number of the column of each field. */
export type Match = Readonly<Partial<Record<Field, number>>>;

type FaultKey = keyof Messages['people']['importing']['faults'];

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ImportRow {
  /** Number of the row in the file. */
  readonly number: number;
  readonly input: { readonly name: string; readonly email: string; readonly phone: string | null; readonly role: Role };
  readonly faults: readonly FaultKey[];
}

/** Reads a file. One that is not UTF-8 is read as old spreadsheets write it. */
export async function readTable(file: Blob): Promise<Table> {
  const { default: papa } = await import('papaparse');
  const bytes = await file.arrayBuffer();
  const utf8 = new TextDecoder().decode(bytes);
  const text = utf8.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : utf8;
  // Excel may name the separator in a line of its own.
  const { data } = papa.parse<string[]>(text.replace(/^sep=.\r?\n/i, ''), { skipEmptyLines: 'greedy' });
  const [header = [], ...rows] = data;
  return { header: header.map((name) => name.trim()), rows };
}

type Words = Messages['people']['importing']['words'];

const fold = (text: string): string =>
  text
    .trim()
    .toLocaleLowerCase()
    .replace(/[_\s]+/g, ' ');

const isNamed = (column: string, words: readonly string[]): boolean => words.includes(fold(column));

/** Finds the column of each field by its name. */
export const matchColumns = (header: readonly string[], words: Words): Match =>
  Object.fromEntries(
    fields
      .map((field) => [field, header.findIndex((column) => isNamed(column, words[field]))] as const)
      .filter(([, column]) => column >= 0),
  );

/** The name of a column of passwords, which is not read. */
export const findPasswords = (header: readonly string[], words: Words): string | undefined =>
  header.find((column) => isNamed(column, words.password));

interface Judging {
  readonly match: Match;
  /** Role of rows without one. */
  readonly otherRole: Role;
  readonly roleWords: Readonly<Record<Role, readonly string[]>>;
  /** E-mail addresses of the business, in lower case. */
  readonly known: ReadonlySet<string>;
  readonly mayAddAdmins: boolean;
}

const addressForm = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
const phoneForm = /^\+?[\d\s+().-]*\d[\d\s+().-]*(?:\s*x\s*\d+)?$/i;

export function judgeRows(rows: Table['rows'], judging: Judging): ImportRow[] {
  const { match, otherRole, roleWords, known, mayAddAdmins } = judging;
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const read = (field: Field) => {
      const column = match[field];
      return column === undefined ? '' : (row[column] ?? '').trim();
    };
    const name = read('name') || `${read('firstName')} ${read('lastName')}`.trim();
    const [email, phone, roleText] = [read('email'), read('phone'), read('role')];
    const words = Object.entries(roleWords) as [Role, readonly string[]][];
    const role = roleText === '' ? otherRole : words.find(([, each]) => each.includes(fold(roleText)))?.[0];
    const key = email.toLowerCase();
    const faults: readonly (FaultKey | false)[] = [
      name === '' && 'noName',
      name.length > 200 && 'longName',
      email === '' && 'noEmail',
      email !== '' && !addressForm.test(email) && 'badEmail',
      email !== '' && seen.has(key) && 'twice',
      known.has(key) && 'known',
      phone !== '' && (phone.length > 40 || !phoneForm.test(phone)) && 'badPhone',
      role === undefined && 'badRole',
      role === 'ADMIN' && !mayAddAdmins && 'adminRole',
    ];
    seen.add(key);
    return {
      number: index + 2,
      input: { name, email, phone: phone || null, role: role ?? otherRole },
      faults: faults.filter((fault) => fault !== false),
    };
  });
}
