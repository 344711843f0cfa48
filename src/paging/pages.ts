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

/** The page that a caller asks for: by number (`page`, `perPage`), behind a cursor (`first`, `after`) or before one (`last`, `before`). */
export interface PageRequest {
  readonly page?: number;
  readonly perPage?: number;
  readonly first?: number;
  readonly after?: string;
  readonly last?: number;
  readonly before?: string;
  /** Whether the caller needs the total in any case: it is then counted before the page is given. */
  readonly withTotal?: boolean;
}

/** The rows that a statement reads. Only a page by number has an offset, and only a page at a cursor a position. */
export interface PageWindow {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly after?: CursorPosition | undefined;
  /** Whether the list is read from its end: the rows are wanted in reverse order, and `after` is the position before which they lie. */
  readonly isReverse?: boolean;
  /** In a list without an order, the rows wanted are the last ones, up to and with this place if it is given. */
  readonly endsAt?: number | 'end';
}

/** The rows of a window in one list. `total` is the length of the whole list, or counts it. */
export interface ListSlice<Row> {
  readonly rows: Row[];
  readonly total: number | (() => Promise<number>);
  /** Rows before the first one, where the window does not say it. */
  readonly offset?: number;
}

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
export function requestedPageSize({ perPage, first, last }: PageRequest): number {
  return first ?? last ?? perPage ?? limits.perPageDefault;
}

const isByCursor = ({ first, after, last, before }: PageRequest): boolean =>
  [first, after, last, before].some((value) => value !== undefined);

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
  const read = window.endsAt === undefined ? window : windowAtEnd(window, await total());
  const rows = await list.rows(read);
  if (request.withTotal) await total();
  return toListPage(request, window, { rows, total, offset: read.offset ?? 0 }, list.order);
}

/** Finds the window of the last rows of a list without an order. */
export function windowAtEnd({ limit, endsAt }: PageWindow, total: number): { limit: number; offset: number } {
  const end = endsAt === 'end' || endsAt === undefined ? total : Math.min(endsAt, total);
  const offset = Math.max(0, end - (limit - 1));
  return { limit: end - offset, offset };
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
function findPageFaults({ pageRowsMax }: Caller, request: PageRequest): FieldErrors {
  const errors: FieldErrors = {};
  if (!isByCursor(request)) return errors;
  const { page, perPage, first, after, last, before } = request;
  const nameOf = (names: Readonly<Record<string, unknown>>) =>
    Object.entries(names).find(([, value]) => value !== undefined)?.[0];
  const refuse = (name: string | undefined, beside: string | undefined) => {
    if (name !== undefined && beside !== undefined) errors[name] = [`must not be given together with ${beside}`];
  };
  refuse(nameOf({ after, before, first, last }), nameOf({ page, perPage }));
  refuse(nameOf({ before, last }), nameOf({ after, first }));
  for (const [name, size] of Object.entries({ first, last }))
    if (size !== undefined && size > pageRowsMax) errors[name] = [`must be at most ${pageRowsMax}`];
  return errors;
}

/** The rule on the input of a list that `toWindow` enforces. */
export const pageRule = {
  over: ['page', 'perPage', 'first', 'after', 'last', 'before'],
  check: findPageFaults,
} as const;

/** The window holds one row more than the page, which tells whether another page follows. */
function toWindow<Row>({ pageRowsMax }: Caller, request: PageRequest, order?: CursorOrder<Row>): PageWindow {
  const limit = requestedPageSize(request) + 1;
  if (!isByCursor(request)) return { limit, offset: ((request.page ?? 1) - 1) * (limit - 1) };
  const errors = findPageFaults({ pageRowsMax }, request);
  const isReverse = request.last !== undefined || request.before !== undefined;
  const cursor = request.after ?? request.before;
  const position = cursor === undefined || !order ? undefined : decodeCursor(order, cursor);
  const place = cursor === undefined || order ? 0 : decodePlace(cursor);
  if (position === null || place === null)
    errors[isReverse ? 'before' : 'after'] ??= ['must be a cursor of a list in this order'];
  if (position === null || place === null || Object.keys(errors).length > 0) throw invalid(errors);
  if (order) return { limit, after: position, ...(isReverse && { isReverse }) };
  return isReverse ? { limit, endsAt: cursor === undefined ? 'end' : place - 1 } : { limit, offset: place };
}

function toListPage<Row>(
  request: PageRequest,
  window: PageWindow,
  slice: ListSlice<Row>,
  order?: CursorOrder<Row>,
): ListPage<Row> {
  const size = window.limit - 1;
  const isNumbered = !isByCursor(request);
  const { total } = slice;
  const offset = window.offset ?? slice.offset ?? 0;
  const isBefore = window.isReverse ?? window.endsAt !== undefined;
  const hasMore = slice.rows.length > size;
  const rows = slice.rows.slice(0, size);
  const countRows = typeof total === 'number' ? async () => total : total;
  return {
    rows: window.isReverse ? rows.toReversed() : rows,
    page: isNumbered ? (request.page ?? 1) : null,
    perPage: isNumbered ? size : null,
    hasNextPage: isBefore ? request.before !== undefined : hasMore,
    hasPreviousPage: window.isReverse ? hasMore : order && !isNumbered ? window.after !== undefined : offset > 0,
    total: countRows,
    lastPage: async () => (isNumbered ? Math.max(1, Math.ceil((await countRows()) / size)) : null),
    cursorOf: (row, index) => (order ? encodeCursor(order, row) : encodePlace(offset + index + 1)),
  };
}
