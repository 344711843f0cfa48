import Type from 'typebox';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { invalid, type FieldErrors } from '../errors.ts';
import { int4, paging, text } from '../validation/schemas.ts';
import { encodeCursor, decodeCursor, type Order, type CursorPosition } from './cursor.ts';
import { memoize, readListing, type Listing } from './paging.ts';

/** A page by number, or from a cursor on; `pageRowsMax` of the scope bounds it further. */
export const browsing = () => ({
  ...paging(),
  first: Type.Optional(int4(1, limits.csvPageRows)),
  after: Type.Optional(text(limits.cursorChars)),
});

export interface Browsed {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly first?: number | undefined;
  readonly after?: string | undefined;
}

/** A list in an order, in which any row names a place. */
export interface Ordered<Row> {
  readonly order: Order;
  readonly placeOf: (row: Row) => CursorPosition;
  readonly isPlace: (place: CursorPosition) => boolean;
}

export interface From {
  /** One row more than the page has, which tells whether another page follows. */
  readonly limit: number;
  readonly after?: CursorPosition | undefined;
}

/** Where to read from; null where a page is asked for by its number. Throws where it is neither. */
export function readFrom<Row>(
  { pageRowsMax }: Scope,
  { page, perPage, first, after }: Browsed,
  { order, isPlace }: Ordered<Row>,
): From | null {
  if (first === undefined && after === undefined) return null;
  const errors: FieldErrors = {};
  const place = after === undefined ? undefined : decodeCursor(order, after);
  if (place === null || (place && !isPlace(place))) errors['after'] = ['must be a cursor of a list in this order'];
  if (page !== undefined || perPage !== undefined)
    errors[first === undefined ? 'after' : 'first'] = ['must not be given together with page or perPage'];
  if (first !== undefined && first > pageRowsMax) errors['first'] = [`must be at most ${pageRowsMax}`];
  if (Object.keys(errors).length > 0 || place === null) throw invalid(errors);
  return { limit: (first ?? limits.perPageDefault) + 1, after: place };
}

/** The listing of rows read from a place on. */
export function listingFrom<Row>(
  { limit, after }: From,
  rows: readonly Row[],
  countAll: () => Promise<number>,
  list: Ordered<Row>,
): Listing<Row> {
  const shown = rows.slice(0, limit - 1);
  return {
    rows: shown,
    page: null,
    perPage: null,
    hasNextPage: rows.length >= limit,
    hasPreviousPage: after !== undefined,
    total: memoize(countAll),
    lastPage: async () => null,
    cursors: cursorsOf(list, shown),
  };
}

export const cursorsOf = <Row>({ order, placeOf: place }: Ordered<Row>, rows: readonly Row[]): string[] =>
  rows.map((row) => encodeCursor(order, place(row)));

/** A page of a list by number, or, where `first` or `after` is given, from a cursor on. */
export async function browse<Row>(
  scope: Scope,
  asked: Browsed,
  list: Ordered<Row> & {
    readonly rows: (window: { limit: number; offset?: number; after?: CursorPosition | undefined }) => Promise<Row[]>;
    readonly countAll: () => Promise<number>;
  },
): Promise<Listing<Row>> {
  const from = readFrom(scope, asked, list);
  if (from) return listingFrom(from, await list.rows(from), list.countAll, list);
  const listing = await readListing(asked, list.rows, list.countAll);
  return { ...listing, cursors: cursorsOf(list, listing.rows) };
}
