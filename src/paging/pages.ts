import { limits } from '../config/limits.ts';
import { invalid, type FieldErrors } from '../errors.ts';
import { memoize } from '../memoize.ts';
import {
  decodeCursor,
  decodePlace,
  encodeCursor,
  encodePlace,
  type CursorOrder,
  type CursorPosition,
} from './cursors.ts';

/** The page that a caller asks for: by number (`page`, `perPage`), or behind a cursor (`first`, `after`). */
export interface PageRequest {
  readonly page?: number;
  readonly perPage?: number;
  readonly first?: number;
  readonly after?: string;
  /** Whether the caller needs the total in any case: it is then counted before the page is given. */
  readonly withTotal?: boolean;
}

/** The rows that a statement reads. Only a page by number has an offset, and only a page behind a cursor a position. */
export interface PageWindow {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly after?: CursorPosition | undefined;
}

/** The rows of a window in one list. `total` is the length of the whole list, or counts it. */
export interface ListSlice<Row> {
  readonly rows: Row[];
  readonly total: number | (() => Promise<number>);
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: Row[];
  /** Null if the page was read behind a cursor; likewise `perPage` and `lastPage`. */
  readonly page: number | null;
  readonly perPage: number | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Rows on all pages. The list is counted on the first call at the latest. */
  readonly total: () => Promise<number>;
  /** Number of the last page, at least 1. Needs the total. */
  readonly lastPage: () => Promise<number | null>;
  /** Cursor of a row, which is at this index of the page. */
  readonly cursorOf: (row: Row, index: number) => string;
}

/** Bounds on the pages of a caller. */
interface Caller {
  /** Largest page that is read behind a cursor. */
  readonly pageRowsMax: number;
}

/** How many rows a request asks for. The only place that applies the default page size. */
export function requestedPageSize({ perPage, first }: PageRequest): number {
  return first ?? perPage ?? limits.perPageDefault;
}

/** Reads one page of a list. Cursors of a list without an order count its items. */
export async function readPage<Row>(
  caller: Caller,
  request: PageRequest,
  list: {
    readonly rows: (window: PageWindow) => Promise<Row[]>;
    readonly count: () => Promise<number>;
    readonly order?: CursorOrder<Row>;
  },
): Promise<ListPage<Row>> {
  const window = toWindow(caller, request, list.order);
  const total = memoize(list.count);
  // One after the other: an operation uses one connection at a time.
  const rows = await list.rows(window);
  if (request.withTotal) await total();
  return toListPage(request, window, { rows, total }, list.order);
}

/** Reads the same page of the lists of many parents, in the order of the ids. `read` returns the slice of each parent. */
export async function readPagesByParent<Row>(
  caller: Caller,
  request: PageRequest,
  parentIds: readonly number[],
  read: (window: PageWindow) => Promise<(parentId: number) => ListSlice<Row>>,
  order?: CursorOrder<Row>,
): Promise<ListPage<Row>[]> {
  const window = toWindow(caller, request, order);
  const sliceOf = await read(window);
  return parentIds.map((id) => toListPage(request, window, sliceOf(id), order));
}

/** Finds the faults of a request by cursor, except a cursor that the list does not have. */
function findPageFaults({ pageRowsMax }: Caller, { page, perPage, first, after }: PageRequest): FieldErrors {
  const errors: FieldErrors = {};
  if (first === undefined && after === undefined) return errors;
  if (page !== undefined || perPage !== undefined)
    errors[first === undefined ? 'after' : 'first'] = ['must not be given together with page or perPage'];
  if (first !== undefined && first > pageRowsMax) errors['first'] = [`must be at most ${pageRowsMax}`];
  return errors;
}

/** The rule on the input of a list that `toWindow` enforces. */
export const pageRule = {
  over: ['page', 'perPage', 'first', 'after'],
  check: findPageFaults,
} as const;

/** The window holds one row more than the page, which tells whether another page follows. */
function toWindow<Row>({ pageRowsMax }: Caller, request: PageRequest, order?: CursorOrder<Row>): PageWindow {
  const { page, first, after } = request;
  const size = requestedPageSize(request);
  if (first === undefined && after === undefined) return { limit: size + 1, offset: ((page ?? 1) - 1) * size };
  const errors = findPageFaults({ pageRowsMax }, request);
  const position = after === undefined || !order ? undefined : decodeCursor(order, after);
  const place = after === undefined || order ? 0 : decodePlace(after);
  if (position === null || place === null) errors['after'] ??= ['must be a cursor of a list in this order'];
  if (position === null || place === null || Object.keys(errors).length > 0) throw invalid(errors);
  return { limit: size + 1, ...(order ? { after: position } : { offset: place }) };
}

function toListPage<Row>(
  request: PageRequest,
  { limit, offset, after }: PageWindow,
  slice: ListSlice<Row>,
  order?: CursorOrder<Row>,
): ListPage<Row> {
  const size = limit - 1;
  const isNumbered = request.first === undefined && request.after === undefined;
  const { total } = slice;
  const countRows = typeof total === 'number' ? async () => total : total;
  return {
    rows: slice.rows.slice(0, size),
    page: isNumbered ? (request.page ?? 1) : null,
    perPage: isNumbered ? size : null,
    hasNextPage: slice.rows.length > size,
    hasPreviousPage: offset === undefined ? after !== undefined : offset > 0,
    total: countRows,
    lastPage: async () => (isNumbered ? Math.max(1, Math.ceil((await countRows()) / size)) : null),
    cursorOf: (row, index) => (order ? encodeCursor(order, row) : encodePlace((offset ?? 0) + index + 1)),
  };
}
