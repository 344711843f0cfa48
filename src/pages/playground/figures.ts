import { isInner, isNumeric, type Row, type Table } from './tabular.ts';

/* What of a table can be drawn: how far something is staffed, or what it costs. */

export interface Series {
  readonly key: 'confirmed' | 'unconfirmed' | 'open';
  readonly name: string;
}

export interface Bar {
  readonly label: string;
  /** One for each series, in its order. */
  readonly values: readonly number[];
  readonly total: number;
}

export interface Figure {
  readonly title: string;
  /** Made to be looked at, not a list that has such figures besides. */
  readonly isReport: boolean;
  readonly unit: 'people' | 'money';
  readonly currency: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
}

const labelColumns = ['label', 'title', 'name', 'position', 'key'];

const kinds = [
  {
    unit: 'people',
    title: 'Coverage',
    whole: 'assigned',
    names: { confirmed: 'Confirmed', unconfirmed: 'Assigned, not confirmed', open: 'Open' },
  },
  {
    unit: 'money',
    title: 'Labour cost',
    whole: 'planned',
    names: { confirmed: 'Confirmed', unconfirmed: 'Planned, not confirmed', open: 'Open places' },
  },
] as const;

/** Null where the table holds no such thing. */
export function figureOf({ path, columns, rows }: Table): Figure | null {
  const labels = labelColumns.flatMap((name) => columns.filter((column) => lastOf(column) === name));
  if (labels.length === 0 || rows.length === 0) return null;
  const labelOf = labeller(rows, labels);
  for (const { unit, title, whole, names } of kinds) {
    const place = columns.find((column) => lastOf(column) === whole);
    if (place === undefined) continue;
    const prefix = place.slice(0, -whole.length);
    const [hasConfirmed, hasOpen] = ['confirmed', 'open'].map((name) => columns.includes(prefix + name));
    if (!hasOpen && !hasConfirmed) continue;
    const number = (row: Row, name: string): number => numberIn(row, prefix + name);
    const series = (['confirmed', 'unconfirmed', 'open'] as const)
      .filter((key) => (key === 'open' ? hasOpen : key !== 'confirmed' || hasConfirmed))
      .map((key) => ({ key, name: key === 'unconfirmed' && !hasConfirmed ? capital(whole) : names[key] }));
    const valueOf = {
      confirmed: (row: Row) => number(row, 'confirmed'),
      unconfirmed: (row: Row) => Math.max(0, number(row, whole) - (hasConfirmed ? number(row, 'confirmed') : 0)),
      open: (row: Row) => number(row, 'open'),
    };
    const bars = rows.map((row) => {
      const values = series.map(({ key }) => valueOf[key](row));
      return { label: labelOf(row), values, total: values.reduce((sum, value) => sum + value, 0) };
    });
    const currency = rows.map((row) => row.get(`${prefix}currency`)).find((cell) => typeof cell === 'string');
    return { title, isReport: path.endsWith('groups'), unit, currency: currency ?? 'USD', series, bars };
  }
  return null;
}

const lastOf = (column: string): string => column.slice(column.lastIndexOf('.') + 1);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function numberIn(row: Row, column: string): number {
  const cell = row.get(column);
  return isNumeric(cell) ? Number(cell) : 0;
}

/** By the first column that names something, and by the next one where that does not tell rows apart. */
function labeller(rows: readonly Row[], [label = '', next]: readonly string[]): (row: Row) => string {
  const textOf = (row: Row, column: string): string => {
    const cell = row.get(column) ?? '';
    return cell === '' || isInner(cell) ? '(none)' : String(cell);
  };
  const isEnough = next === undefined || new Set(rows.map((row) => textOf(row, label))).size === rows.length;
  return (row) => (isEnough ? textOf(row, label) : `${textOf(row, label)}, ${textOf(row, next)}`);
}

export const formatOf = ({ unit, currency }: Figure): ((value: number) => string) => {
  const format =
    unit === 'people'
      ? new Intl.NumberFormat('en-US')
      : new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 });
  return (value) => format.format(value);
};
