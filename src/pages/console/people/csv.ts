import { personFaults } from '../../../validation/person-texts.ts';
import type { Role } from '../../application/session.ts';
import type { Messages } from '../messages/messages.ts';

/* Reads people from a file of comma-separated values, and judges each row before anything is stored. */

export const fields = ['name', 'firstName', 'lastName', 'email', 'phone', 'role'] as const;
type Field = (typeof fields)[number];

/** The number of the column of each field. */
export type Match = Readonly<Partial<Record<Field, number>>>;

type FaultKey = keyof Messages['importing']['faults'];

interface Row {
  /** Number of the row in the file, as a spreadsheet shows it. */
  readonly number: number;
  readonly cells: readonly string[];
  /** Whether a quotation mark is not closed, so that the rest of the file may be in one cell. */
  readonly isUnclosed: boolean;
}

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly Row[];
}

export interface ImportRow {
  readonly number: number;
  readonly input: { readonly name: string; readonly email: string; readonly phone: string | null; readonly role: Role };
  readonly faults: readonly FaultKey[];
}

/** The text of a file, as spreadsheets write it: UTF-16, which "Unicode text" means in Excel, UTF-8, or what was before. */
function decode(bytes: Uint8Array): string {
  // Without a mark of its order, every second byte of most languages is 0.
  const isZero = (at: number) => bytes[at] === 0 && bytes[at + 2] === 0;
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || isZero(1)) return new TextDecoder('utf-16le').decode(bytes);
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || isZero(0)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export const loadReader = () => import('papaparse');

export async function readTable(file: Blob): Promise<Table> {
  const { default: papa } = await loadReader();
  // Excel may name the separator in a line of its own, which it does not show.
  const [, named, text = ''] =
    /^(?:sep=(.)\r?\n)?([^]*)$/i.exec(decode(new Uint8Array(await file.arrayBuffer()))) ?? [];
  const { delimiter } = papa.parse(text, { preview: 10, skipEmptyLines: 'greedy' }).meta;
  // Empty lines are parsed too, because they count.
  const { data, errors } = papa.parse<string[]>(text, { delimiter: named ?? delimiter });
  const unclosed = new Set(errors.flatMap(({ type, row }) => (type === 'Quotes' && row !== undefined ? row : [])));
  const [header, ...rows] = data
    .map((cells, index): Row => ({ number: index + 1, cells, isUnclosed: unclosed.has(index) }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  return { header: header?.cells.map((name) => name.trim()) ?? [], rows };
}

type Words = Messages['importing']['words'];

const fold = (text: string): string =>
  text
    .trim()
    .toLowerCase()
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

/** The numbers of columns that nothing is read of, although they have texts. */
export const findLeftOut = ({ header, rows }: Table, match: Match): number[] =>
  [...header.keys()].filter(
    (index) => !Object.values(match).includes(index) && rows.some(({ cells }) => (cells[index] ?? '').trim() !== ''),
  );

interface Judging {
  /** How many columns the file has. */
  readonly width: number;
  readonly match: Match;
  /** Role of rows without one. */
  readonly otherRole: Role;
  readonly roleWords: Readonly<Record<Role, readonly string[]>>;
  /** E-mail addresses of the business, in lower case. */
  readonly known: ReadonlySet<string>;
  readonly mayAddAdmins: boolean;
}

export function judgeRows(rows: Table['rows'], judging: Judging): ImportRow[] {
  const { width, match, otherRole, roleWords, known, mayAddAdmins } = judging;
  const seen = new Set<string>();
  return rows.map(({ number, cells, isUnclosed }) => {
    const read = (field: Field) => {
      const column = match[field];
      return column === undefined ? '' : (cells[column] ?? '').trim();
    };
    const name = read('name') || `${read('firstName')} ${read('lastName')}`.trim();
    const [email, phone, roleText] = [read('email'), read('phone'), read('role')];
    const words = Object.entries(roleWords) as [Role, readonly string[]][];
    const role = roleText === '' ? otherRole : words.find(([, each]) => each.includes(fold(roleText)))?.[0];
    const key = email.toLowerCase();
    const faults = (
      [
        isUnclosed && 'unclosed',
        cells.slice(width).some((cell) => cell.trim() !== '') && 'tooManyCells',
        personFaults.noName({ name }) && 'noName',
        personFaults.longName({ name }) && 'longName',
        email === '' && 'noEmail',
        email !== '' && personFaults.badEmail({ email }) && 'badEmail',
        email !== '' && seen.has(key) && 'twice',
        known.has(key) && 'known',
        personFaults.badPhone({ phone }) && 'badPhone',
        role === undefined && 'badRole',
        role === 'ADMIN' && !mayAddAdmins && 'adminRole',
      ] as const
    ).filter((fault) => fault !== false);
    // A row that is left out does not stand against a later one.
    if (faults.length === 0) seen.add(key);
    return { number, input: { name, email, phone: phone || null, role: role ?? otherRole }, faults };
  });
}
