import { isNestedList, isNumeric, type Row, type Table } from './tables.ts';

/* Finds the data of a chart in a table: coverage, labour cost or hours. */

interface Series {
  readonly key: 'confirmed' | 'unconfirmed' | 'open' | 'value';
  readonly name: string;
}

export interface Bar {
  readonly label: string;
  /** One value per series, in the order of the series. */
  readonly values: readonly number[];
  readonly total: number;
}

export interface ChartData {
  readonly title: string;
  /** Whether the result is a report, which is shown as a chart first. */
  readonly isReport: boolean;
  readonly unit: 'people' | 'money' | 'number';
  readonly currency: string;
  readonly series: readonly Series[];
  readonly bars: readonly Bar[];
}

const labelColumns = ['label', 'secondLabel', 'title', 'name', 'position', 'key'];

const kinds = [
  {
    unit: 'people',
    title: 'Coverage',
    whole: 'assigned',
    part: 'confirmed',
    names: { confirmed: 'Confirmed', unconfirmed: 'Assigned, not confirmed', open: 'Open' },
  },
  {
    unit: 'money',
    title: 'Labour cost',
    whole: 'planned',
    part: 'confirmed',
    names: { confirmed: 'Confirmed', unconfirmed: 'Planned, not confirmed', open: 'Open places' },
  },
  {
    unit: 'number',
    title: 'Hours',
    whole: 'plannedHours',
    part: 'confirmedHours',
    names: { confirmed: 'Confirmed', unconfirmed: 'Planned, not confirmed', open: '' },
  },
] as const;

/** Returns the chart data of a table; null if the table contains no coverage, labour cost or hours. */
export function readChartData({ path, columns, rows }: Table): ChartData | null {
  const labels = labelColumns.flatMap((name) => columns.filter((column) => lastSegment(column) === name));
  if (labels.length === 0 || rows.length === 0) return null;
  const labelOf = createLabeller(rows, labels);
  for (const { unit, title, whole, part, names } of kinds) {
    const place = columns.find((column) => lastSegment(column) === whole);
    if (place === undefined) continue;
    const prefix = place.slice(0, -whole.length);
    const hasConfirmed = columns.includes(prefix + part);
    // Open places have no hours.
    const hasOpen = part === 'confirmed' && columns.includes(`${prefix}open`);
    if (!hasOpen && !hasConfirmed) continue;
    const number = (row: Row, name: string): number => readNumber(row, prefix + name);
    const series = (['confirmed', 'unconfirmed', 'open'] as const)
      .filter((key) => (key === 'open' ? hasOpen : key !== 'confirmed' || hasConfirmed))
      .map((key) => ({ key, name: key === 'unconfirmed' && !hasConfirmed ? capital(whole) : names[key] }));
    const valueOf = {
      confirmed: (row: Row) => number(row, part),
      unconfirmed: (row: Row) => Math.max(0, number(row, whole) - (hasConfirmed ? number(row, part) : 0)),
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

export const lastSegment = (column: string): string => column.slice(column.lastIndexOf('.') + 1);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The text of a cell; empty for a nested list. */
export function readText(row: Row, column: string): string {
  const cell = row.get(column) ?? '';
  return isNestedList(cell) ? '' : String(cell);
}

/** The number in a cell; 0 for anything else. */
export function readNumber(row: Row, column: string): number {
  const cell = row.get(column);
  return isNumeric(cell) ? Number(cell) : 0;
}

/** Labels rows by the first naming column, or by two columns if one does not tell the rows apart. */
function createLabeller(rows: readonly Row[], [label = '', next]: readonly string[]): (row: Row) => string {
  const textOf = (row: Row, column: string): string => readText(row, column) || '(none)';
  const isEnough = next === undefined || new Set(rows.map((row) => textOf(row, label))).size === rows.length;
  return (row) => (isEnough ? textOf(row, label) : `${textOf(row, label)}, ${textOf(row, next)}`);
}

/** Whether the axis needs no fractions. */
export const isWhole = ({ unit, bars }: ChartData): boolean =>
  unit === 'people' || (unit === 'number' && bars.every(({ values }) => values.every(Number.isInteger)));

export const createValueFormat = ({ unit, currency }: ChartData): ((value: number) => string) => {
  const format =
    unit !== 'money'
      ? new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
      : new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 });
  return (value) => format.format(value);
};
