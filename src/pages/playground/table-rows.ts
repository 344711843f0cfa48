import { compareCells, flatten, isNestedList, isNumeric, type Row, type TableCell } from './tables.ts';

/* Sorts, filters and totals the rows of a table. */

export interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Empty cells stay last in both directions. */
export function sortRows(rows: readonly Row[], order: Order | null): readonly Row[] {
  if (!order) return rows;
  const { column, isDescending } = order;
  return rows.toSorted((a, b) => {
    const [left, right] = [a.get(column) ?? null, b.get(column) ?? null];
    return compareCells(left, right) * (isDescending && left !== null && right !== null ? -1 : 1);
  });
}

/** The rows in which one of the columns contains the text, in any case of letters. */
export function filterRows(rows: readonly Row[], columns: readonly string[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => columns.some((column) => searchText(row.get(column)).toLowerCase().includes(wanted)));
}

function searchText(cell: TableCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (isNestedList(cell)) return cell.items.map(describeItem).join(' ');
  return typeof cell === 'string' ? cell.replaceAll('_', ' ') : String(cell);
}

/** Formats an item of a nested list in one line. */
export function describeItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  return [...flatten(item)]
    .filter(([, cell]) => cell !== null && cell !== '' && !(isNestedList(cell) && cell.items.length === 0))
    .map(([path, cell]) => {
      if (isNestedList(cell)) return `${path}: ${cell.items.length}`;
      return typeof cell === 'string' && !isNumeric(cell) ? cell : `${path}: ${String(cell)}`;
    })
    .join(' · ');
}

export const findNumericColumns = (columns: readonly string[], rows: readonly Row[]): ReadonlySet<string> =>
  new Set(
    columns.filter((column) => {
      const cells = rows.map((row) => row.get(column) ?? null).filter((cell) => cell !== null);
      return cells.length > 0 && cells.every(isNumeric);
    }),
  );

/** Numbers that name or rate something, so that their sum means nothing. */
const notAdditive = /(id|rate|latitude|longitude|page|version|number|postcode|zip|year)$/i;

export const isAdditive = (column: string): boolean => !notAdditive.test(column);

/** The exact sum of each numeric column, as text. */
export function sumColumns(numeric: ReadonlySet<string>, rows: readonly Row[]): ReadonlyMap<string, string> {
  const columns = [...numeric].filter(isAdditive);
  return new Map(columns.map((column) => [column, sumDecimals(rows.map((row) => row.get(column)))]));
}

/** Adds decimals without the rounding errors of binary fractions: money is text with two places. */
function sumDecimals(cells: readonly (TableCell | undefined)[]): string {
  const texts = cells.filter(isNumeric).map((cell) => String(cell as string | number));
  if (texts.some((text) => text.includes('e'))) return String(texts.reduce((sum, text) => sum + Number(text), 0));
  const places = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const sum = texts.reduce((total, text) => total + toUnits(text, places), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  return `${sum < 0n ? '-' : ''}${whole}${places > 0 ? `.${digits.slice(-places)}` : ''}`;
}

function toUnits(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}
