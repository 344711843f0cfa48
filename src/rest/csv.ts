import { IsArray, IsObject, IsUnion, type Static, type TObject } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import type { AnswerSize } from '../http/answer-memory.ts';
import { readInPages, readOnePage } from '../http/csv-pages.ts';
import type { CsvCell } from '../http/csv.ts';
import type { CsvExport } from '../http/exports.ts';
import type { ListPage, PageRequest } from '../paging/pages.ts';
import * as exports from '../services/exports.ts';

export interface ListCsv<P extends TObject, Q extends TObject> {
  /** File name without date and extension. */
  readonly name: string;
  /** Its fields are the columns, in this order. */
  readonly row: TObject;
  /** Paths of extra columns; they differ from business to business. */
  readonly extraColumns?: (scope: CallScope) => Promise<string[][]>;
  /** Sentences for the reference about the CSV of this list only. */
  readonly description?: string;
  readonly read: (scope: CallScope, input: CsvInput<P, Q>) => Promise<CsvPage>;
}

/** The input of the route. Without a page number, the query is given the cursor to read behind. */
interface CsvInput<P extends TObject, Q extends TObject> {
  readonly params: Static<P>;
  readonly query: Static<Q> & PageRequest;
}

/** A page of rows, and the cursor of its last row if another page follows. */
interface CsvPage {
  readonly rows: readonly object[];
  readonly next: string | null;
}

export function toCsvPage<Row>(
  { rows, hasNextPage, cursorOf }: Pick<ListPage<Row>, 'rows' | 'hasNextPage' | 'cursorOf'>,
  serialize: (row: Row) => object,
): CsvPage {
  const last = rows.at(-1);
  return {
    rows: rows.map(serialize),
    next: hasNextPage && last !== undefined ? cursorOf(last, rows.length - 1) : null,
  };
}

export function toCsvExport<P extends TObject, Q extends TObject>(
  list: ListCsv<P, Q>,
  scope: CallScope,
  input: { params: Static<P>; query: Static<Q> },
  size: AnswerSize,
): CsvExport {
  return {
    name: list.name,
    openSnapshot: () => exports.open(scope, { pageRowsMax: limits.pageRows }),
    read: async (snapshot) => {
      const paths = [...findPaths(list.row), ...((await list.extraColumns?.(snapshot)) ?? [])];
      return { columns: paths.map((path) => path.join('.')), pages: readList(list, snapshot, input, paths, size) };
    },
  };
}

/** Reads the page that the query asks for; without one, the whole list page by page. */
function readList<P extends TObject, Q extends TObject>(
  { read }: ListCsv<P, Q>,
  scope: CallScope,
  { params, query }: { params: Static<P>; query: Static<Q> },
  paths: readonly string[][],
  size: AnswerSize,
): AsyncGenerator<CsvCell[][]> {
  const readPage = async (request: PageRequest) => {
    const { rows, next }: CsvPage = await read(scope, { params, query: { ...query, ...request } });
    return { rows: rows.map((row) => paths.map((path) => readCell(row, path))), next };
  };
  if (['page', 'perPage', 'after', 'before'].some((name) => name in query))
    return readOnePage(size, async () => (await readPage({})).rows);
  return readInPages<string>(size, limits.pageRows, (first, after) =>
    readPage({ first, ...(after !== undefined && { after }) }),
  );
}

/** Finds the paths to the fields of a shape. A list cannot be a cell of a row. */
function findPaths({ properties }: TObject): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (IsArray(schema)) throw new Error(`${name} is a list: a row of CSV has no place for it.`);
    const part = IsUnion(schema) ? schema.anyOf.find((each) => IsObject(each)) : schema;
    return IsObject(part) ? findPaths(part).map((path) => [name, ...path]) : [[name]];
  });
}

function readCell(row: object, path: readonly string[]): CsvCell {
  let value: unknown = row;
  for (const name of path)
    value = value !== null && typeof value === 'object' && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return value as CsvCell;
}

/** Describes CSV for the reference: what holds for every list, and what only this one has. */
export function describeCsv(ofThisList = ''): string {
  return [
    'With `Accept: text/csv` the answer is CSV (RFC 4180, a header row first): the fields of an item are its columns.',
    ofThisList,
    'Without `page` and `per_page` it contains the whole list as of one moment, otherwise that page.',
    'Text that a spreadsheet would treat as a formula starts with an apostrophe. If the export fails midway, the connection is cut instead of closed.',
  ]
    .filter(Boolean)
    .join(' ');
}
