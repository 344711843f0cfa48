import type { FastifyReply } from 'fastify';
import { IsArray, IsObject, type Static, type TObject } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import * as exports from '../services/exports.ts';

type CsvExport = Parameters<FastifyReply['sendCsv']>[0];
type Cell = string | number | boolean | null;

/** Where a list is read from: a cursor on, or as the query says. */
export interface Place {
  readonly first?: number;
  readonly after?: string;
}

/** How a list is sent as CSV. */
export interface ListCsv<P extends TObject, Q extends TObject> {
  /** Of the file. */
  readonly name: string;
  /** Its fields in their order are the columns. */
  readonly row: TObject;
  /** Paths of further columns, which are another business's others. */
  readonly more?: (scope: CallScope) => Promise<string[][]>;
  /** What a reader of the API must know beside what is true of every CSV. */
  readonly says?: string;
  /** A page of rows, and the cursor that the next one begins behind. */
  readonly read: (
    scope: CallScope,
    input: { params: Static<P>; query: Static<Q> },
    place: Place,
  ) => Promise<{ rows: readonly object[]; next?: string | null | undefined }>;
}

/** What `browse` gives, as a page of rows. */
export const pageOfRows = <Row>(
  { rows, cursors, hasNextPage }: { rows: Row[]; cursors?: readonly string[]; hasNextPage: boolean },
  print: (row: Row) => object,
) => ({ rows: rows.map(print), next: hasNextPage ? cursors?.at(-1) : null });

export const csvOf = <P extends TObject, Q extends TObject>(
  list: ListCsv<P, Q>,
  scope: CallScope,
  input: { params: Static<P>; query: Static<Q> },
): CsvExport => ({
  name: list.name,
  openSnapshot: () => exports.open(scope, { pageRowsMax: limits.csvPageRows }),
  read: async (snapshot) => {
    const paths = [...pathsOf(list.row), ...((await list.more?.(snapshot)) ?? [])];
    return { columns: paths.map((path) => path.join('.')), pages: pagesOf(list, snapshot, input, paths) };
  },
});

/** The page that the query asks for; without one, the whole list page by page. */
async function* pagesOf<P extends TObject, Q extends TObject>(
  { read }: ListCsv<P, Q>,
  scope: CallScope,
  input: { params: Static<P>; query: Static<Q> },
  paths: readonly string[][],
): AsyncGenerator<Cell[][]> {
  const isPage = 'page' in input.query || 'perPage' in input.query;
  const first = limits.csvPageRows;
  let place: Place | null = isPage ? {} : { first };
  while (place) {
    const { rows, next }: Awaited<ReturnType<typeof read>> = await read(scope, input, place);
    yield rows.map((row) => paths.map((path) => cellAt(row, path)));
    place = next && !isPage ? { first, after: next } : null;
  }
}

/** Paths to the fields of a shape; a list has no place in a row. */
function pathsOf({ properties }: TObject): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (IsArray(schema)) throw new Error(`${name} is a list: a row of CSV has no place for it.`);
    return IsObject(schema) ? pathsOf(schema).map((path) => [name, ...path]) : [[name]];
  });
}

function cellAt(row: object, path: readonly string[]): Cell {
  let value: unknown = row;
  for (const name of path)
    value = value !== null && typeof value === 'object' && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return value as Cell;
}

/** What is true of every list as CSV, for the reference. */
export const csvDescription = (says = '') =>
  [
    'With `Accept: text/csv` the answer is CSV (RFC 4180, a header row first): the fields of an item are its columns.',
    says,
    'Without `page` and `per_page` it holds the whole list, as it was at one moment, else that page.',
    'Text that a spreadsheet would take for a formula begins with an apostrophe. A file that could not be read to its end ends in a broken connection.',
  ]
    .filter(Boolean)
    .join(' ');
