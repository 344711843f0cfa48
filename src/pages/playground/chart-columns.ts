import { lastSegment, readNumber, readText, type Bar, type ChartData } from './chart-data.ts';
import { findNumericColumns, isAdditive } from './table-rows.ts';
import { isNestedList, type Row, type Table } from './tables.ts';

/* A chart of any table that has texts or dates to group by and numbers to add up. */

export interface ChartColumns {
  readonly labels: readonly string[];
  readonly values: readonly string[];
}

/** What the user chose to see of a table. */
export interface ChartChoice {
  readonly label: string;
  readonly value: string;
}

/** Columns by which a chart can group the rows, dates first, and columns that it can add up; null if one kind is missing. */
export function listChartColumns({ columns, rows }: Table): ChartColumns | null {
  const numeric = findNumericColumns(columns, rows);
  const isDate = (column: string): boolean =>
    rows.every((row) => /^(\d{4}-\d\d-\d\d|$)/.test(readText(row, column))) &&
    rows.some((row) => readText(row, column));
  const labels = columns.filter((column) => !numeric.has(column) && canLabel(rows, column));
  const values = [...numeric].filter(
    (column) => isAdditive(column) && rows.every((row) => readNumber(row, column) >= 0),
  );
  if (labels.length === 0 || values.length === 0) return null;
  return { labels: [...labels.filter(isDate), ...labels.filter((column) => !isDate(column))], values };
}

/** Texts that name something: at least two different ones, and no identifiers. */
function canLabel(rows: readonly Row[], column: string): boolean {
  if (/id$/i.test(lastSegment(column)) || rows.some((row) => isNestedList(row.get(column)))) return false;
  return new Set(rows.map((row) => readText(row, column))).size > 1;
}

/** Adds up one column for each text of another, or for each day if those texts are dates or times. */
export function sumByLabel({ rows }: Table, { label, value }: ChartChoice): ChartData {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const text = readText(row, label);
    const group = /^\d{4}-\d\d-\d\d([T ]|$)/.test(text) ? text.slice(0, 10) : text || '(none)';
    sums.set(group, (sums.get(group) ?? 0) + readNumber(row, value));
  }
  const bars: Bar[] = [...sums].map(([text, sum]) => ({ label: text, values: [sum], total: sum }));
  return {
    title: `${value} by ${label}`,
    isReport: false,
    unit: 'number',
    currency: 'USD',
    series: [{ key: 'value', name: value }],
    bars,
  };
}
