/* A result as tables: each list in it is one, with its nested objects flattened by their paths. */

export type Scalar = string | number | boolean | null;

/** A list inside a row. */
export interface Inner {
  readonly items: readonly unknown[];
}

export type Cell = Scalar | Inner;

export type Row = ReadonlyMap<string, Cell>;

export interface Table {
  /** Where the list stands in the result, such as `events.nodes.callTimes`. */
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

export const isInner = (cell: Cell | undefined): cell is Inner => typeof cell === 'object' && cell !== null;

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/**
 * All lists of objects in `data`, outer ones first. A row of a nested list starts with what stands directly in the rows
 * around it, so that each can be read by itself. An empty list is a table without rows.
 */
export function tablesIn(data: unknown): Table[] {
  const rowsByPath = new Map<string, Row[]>();
  gather((data ?? {}) as Json, '', null, rowsByPath);
  return [...rowsByPath]
    .map(([path, rows]) => ({ path, columns: columnsOf(rows), rows }))
    .toSorted((a, b) => a.path.split('.').length - b.path.split('.').length);
}

/** The row that a list stands in, and where the list of that row stands. */
interface Around {
  readonly path: string;
  readonly row: Row;
}

function gather(value: Json, path: string, around: Around | null, found: Map<string, Row[]>): void {
  if (!isObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = join(path, key);
    if (isObject(inner)) gather(inner, at, around, found);
    // A nested list without items says nothing, not even whether it is one of objects.
    if (!isList(inner) || !(isTable(inner) || (inner.length === 0 && !around))) continue;
    const rows = found.get(at) ?? [];
    found.set(at, rows);
    const prefix = around ? `${at.slice(around.path.length + 1)}.` : '';
    for (const item of inner.filter(isObject)) {
      const own = prefixed(flatten(item), prefix);
      const outer = around?.row ?? [];
      rows.push(new Map([...outer, ...own]));
      const plain = own.filter(([, cell]) => !isInner(cell));
      gather(item, at, { path: at, row: new Map([...outer, ...plain]) }, found);
    }
  }
}

const prefixed = (row: Row, prefix: string): [string, Cell][] => [...row].map(([key, cell]) => [prefix + key, cell]);

const plainOf = (row: Row): Row => new Map([...row].filter(([, cell]) => !isInner(cell)));

/** An object with everything below it, by dotted paths. */
export function flatten(value: unknown, path = ''): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const at = join(path, key);
    if (isObject(inner)) for (const [below, cell] of flatten(inner, at)) cells.set(below, cell);
    else if (!isList(inner)) cells.set(at, inner);
    else if (inner.some((item) => typeof item === 'object')) cells.set(at, { items: inner });
    else cells.set(at, inner.length === 0 ? { items: [] } : (inner as readonly Scalar[]).join(', '));
  }
  return cells;
}

/** What a result says besides its lists. */
export const besideLists = (data: unknown): Row => plainOf(flatten(data ?? {}));

/** In the order of their first appearance; an object that is null here and there has no column of its own. */
function columnsOf(rows: readonly Row[]): string[] {
  const columns = new Set(rows.flatMap((row) => [...row.keys()]));
  const parents = new Set([...columns].flatMap(parentsOf));
  return [...columns].filter((column) => !parents.has(column));
}

const parentsOf = (path: string): string[] =>
  path
    .split('.')
    .slice(0, -1)
    .map((_, index, keys) => keys.slice(0, index + 1).join('.'));

/** What orders two cells of a column: numbers by size, also those told as text; nothing comes last. */
export function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : collator.compare(String(left), String(right));
}

const collator = new Intl.Collator('en', { numeric: true });

function keyOf(cell: Cell | undefined): string | number | null {
  if (cell === undefined || cell === null || cell === '') return null;
  if (isInner(cell)) return cell.items.length;
  return isNumeric(cell) ? Number(cell) : String(cell);
}

/** A number, or a decimal that is exact as text. */
export const isNumeric = (cell: Cell | undefined): boolean =>
  typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell));
