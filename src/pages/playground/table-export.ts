import { isNestedList, type Row, type TableCell } from './tables.ts';

/* Writes the rows that a table shows as CSV and as TSV. */

/**
 * The characters that begin a formula in some spreadsheet, and what they skip before it: white space and characters
 * without a shape. The service guards its CSV files by the same rule.
 */
const formula =
  /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@\t\r\u207a-\u207c\u208a-\u208c\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/u;
const signedNumber = /^-\d+(\.\d+)?$/;

const disarmFormula = (text: string): string => (formula.test(text) && !signedNumber.test(text) ? `'${text}` : text);

/** The text of a cell in a file: nothing for null, and the number of items for a nested list. */
function exportText(cell: TableCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (isNestedList(cell)) return String(cell.items.length);
  return typeof cell === 'string' ? disarmFormula(cell) : String(cell);
}

const exportRows = (columns: readonly string[], rows: readonly Row[]): string[][] => [
  columns.map(disarmFormula),
  ...rows.map((row) => columns.map((column) => exportText(row.get(column)))),
];

/** CSV by RFC 4180. */
export function formatCsv(columns: readonly string[], rows: readonly Row[]): string {
  const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  // Readers skip an empty line, so a single empty cell is written as "".
  const line = (cells: string[]): string => (cells.length === 1 && cells[0] === '' ? '""' : cells.map(quote).join(','));
  return exportRows(columns, rows)
    .map((cells) => `${line(cells)}\r\n`)
    .join('');
}

/** Tab-separated text, which spreadsheets paste into cells. Tabs and line breaks in a cell become spaces. */
export const formatTsv = (columns: readonly string[], rows: readonly Row[]): string =>
  exportRows(columns, rows)
    .map((cells) => cells.map((text) => text.replaceAll(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');

/** Names a file by the question and the list, such as `UpcomingEvents-callTimes-2026-11-23.csv`. */
export function nameFile(operationName: string | null | undefined, path: string, ending: string, now: Date): string {
  const list = path
    .split('.')
    .filter((key) => key !== 'nodes')
    .at(-1);
  const parts = [operationName || 'Query', list, now.toISOString().slice(0, 10)];
  return `${parts
    .filter(Boolean)
    .join('-')
    .replaceAll(/[^\w-]+/g, '_')}.${ending}`;
}

/** Saves CSV of a page or of the service. It begins with a byte order mark, without which Excel misreads every letter outside ASCII. */
export const saveCsv = (csv: string | Blob, name: string): void =>
  saveFile(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }), name);

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Resolves to false if the browser does not allow it, as on a page without HTTPS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
