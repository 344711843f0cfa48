/* Converts a result to tables: each list becomes one, with nested objects flattened into columns by path. */

type Scalar = string | number | boolean | null;

/** A list inside a row. */
export interface NestedList {
  readonly items: readonly unknown[];
}

export type TableCell = Scalar | NestedList;

export type Row = ReadonlyMap<string, TableCell>;

export interface Table {
  /** Path of the list in the result, such as `events.nodes.callTimes`. */
  readonly path: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

type Json = Scalar | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !isList(value);
const isTable = (value: Json): value is readonly JsonObject[] =>
  isList(value) && value.some(isObject) && value.every((item) => isObject(item) || item === null);

export const isNestedList = (cell: TableCell | undefined): cell is NestedList =>
  typeof cell === 'object' && cell !== null;

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/**
 * Returns all lists of objects in `data`, outer lists first. A row of a nested list has its own fields first and
 * then the direct fields of the rows around it, so that it can be read alone. An empty list becomes a table without rows.
 */
export function findTables(data: unknown): Table[] {
  const rowsByPath = new Map<string, Row[]>();
  collectRows((data ?? {}) as Json, '', null, rowsByPath);
  return [...rowsByPath]
    .map(([path, rows]) => ({ path, columns: listColumns(rows), rows }))
    .toSorted((a, b) => a.path.split('.').length - b.path.split('.').length);
}

/** The row around a nested list, and the path of that row's list. */
interface OuterRow {
  readonly path: string;
  readonly row: Row;
}

function collectRows(value: Json, path: string, around: OuterRow | null, found: Map<string, Row[]>): void {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = join(path, key);
    if (isObject(inner)) collectRows(inner, at, around, found);
    // An empty nested list is skipped: it is unknown whether it holds objects.
    if (!isList(inner) || !(isTable(inner) || (inner.length === 0 && !around))) continue;
    const rows = found.get(at) ?? [];
    found.set(at, rows);
    const prefix = around ? `${at.slice(around.path.length + 1)}.` : '';
    for (const item of inner.filter(isObject)) {
      const own = prefixed(flatten(item), prefix);
      const outer = around?.row ?? [];
      const named = new Set(own.map(([column]) => column));
      rows.push(new Map([...own, ...[...outer].filter(([column]) => !named.has(column))]));
      const plain = own.filter(([, cell]) => !isNestedList(cell));
      collectRows(item, at, { path: at, row: new Map([...plain, ...outer]) }, found);
    }
  }
}

const prefixed = (row: Row, prefix: string): [string, TableCell][] =>
  [...row].map(([key, cell]) => [prefix + key, cell]);

const withoutNestedLists = (row: Row): Row => new Map([...row].filter(([, cell]) => !isNestedList(cell)));

/** Whether a list holds values of custom fields with their names: in a row, each of them is a column. */
const areCustomFields = (list: readonly Json[]): list is readonly { fieldName: string; fieldValue: Scalar }[] =>
  list.length > 0 &&
  list.every(
    (item) => isObject(item) && typeof item['fieldName'] === 'string' && typeof item['fieldValue'] === 'string',
  );

/** Flattens an object into cells by dotted path. */
export function flatten(value: unknown, path = ''): Map<string, TableCell> {
  const cells = new Map<string, TableCell>();
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const at = join(path, key);
    if (isObject(inner)) for (const [below, cell] of flatten(inner, at)) cells.set(below, cell);
    else if (!isList(inner)) cells.set(at, inner);
    else if (areCustomFields(inner))
      // The dots of a name are no path.
      for (const { fieldName, fieldValue } of inner)
        cells.set(join(at, fieldName.replaceAll('.', '\u2024')), fieldValue ?? null);
    else if (inner.some((item) => typeof item === 'object')) cells.set(at, { items: inner });
    else cells.set(at, inner.length === 0 ? { items: [] } : (inner as readonly Scalar[]).join(', '));
  }
  return cells;
}

/** The values of a result outside its lists. */
export const readOutsideLists = (data: unknown): Row => withoutNestedLists(flatten(data ?? {}));

/** Columns in the order of their first appearance. An object that is null in some rows gets no column of its own. */
function listColumns(rows: readonly Row[]): string[] {
  const columns = new Set(rows.flatMap((row) => [...row.keys()]));
  const parents = new Set([...columns].flatMap(listParents));
  return [...columns].filter((column) => !parents.has(column));
}

const listParents = (path: string): string[] =>
  path
    .split('.')
    .slice(0, -1)
    .map((_, index, keys) => keys.slice(0, index + 1).join('.'));

/** Orders two cells of a column: numbers by value, even if they are text; empty cells come last. */
export function compareCells(a: TableCell | undefined, b: TableCell | undefined): number {
  const [left, right] = [sortKey(a), sortKey(b)];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : collator.compare(String(left), String(right));
}

const collator = new Intl.Collator('en', { numeric: true });

function sortKey(cell: TableCell | undefined): string | number | null {
  if (cell === undefined || cell === null || cell === '') return null;
  if (isNestedList(cell)) return cell.items.length;
  return isNumeric(cell) ? Number(cell) : String(cell);
}

/** Whether the cell is a number, or an exact decimal in text form. */
export const isNumeric = (cell: TableCell | undefined): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell));
