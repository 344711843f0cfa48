import { limits } from '../config/limits.ts';

/** One page of a list. */
export interface Page<Row> {
  readonly rows: Row[];
  readonly page: number;
  readonly perPage: number;
  /** Of all pages. */
  readonly total: number;
  /** At least 1. */
  readonly lastPage: number;
}

export interface PageInput {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Reads a page and its total side by side. */
export async function readPage<Row>(
  { page = limits.pageDefault, perPage = limits.perPageDefault }: PageInput,
  rowsIn: (window: { limit: number; offset: number }) => Promise<Row[]>,
  countAll: () => Promise<number>,
): Promise<Page<Row>> {
  const [rows, total] = await Promise.all([rowsIn({ limit: perPage, offset: (page - 1) * perPage }), countAll()]);
  return { rows, page, perPage, total, lastPage: lastPageOf(total, perPage) };
}

/** A page that was read without a count of all. */
export interface Listing<Row> {
  readonly rows: Row[];
  /** Null where the list is read from a cursor on. */
  readonly page: number | null;
  readonly perPage: number | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Counts when it is called, once. */
  readonly total: () => Promise<number>;
  readonly lastPage: () => Promise<number | null>;
  /** Of each row, in a list that can be gone on with behind any of them. */
  readonly cursors?: readonly string[];
}

/** Reads a page and one row more, which tells whether another page follows. */
export async function readListing<Row>(
  { page = limits.pageDefault, perPage = limits.perPageDefault }: PageInput,
  rowsIn: (window: { limit: number; offset: number }) => Promise<Row[]>,
  countAll: () => Promise<number>,
): Promise<Listing<Row>> {
  const rows = await rowsIn({ limit: perPage + 1, offset: (page - 1) * perPage });
  const total = memoize(countAll);
  return {
    rows: rows.slice(0, perPage),
    page,
    perPage,
    hasNextPage: rows.length > perPage,
    hasPreviousPage: page > 1,
    total,
    lastPage: async () => lastPageOf(await total(), perPage),
  };
}

/** A page with its total, as a listing. */
export const listingOf = <Row>({ rows, page, perPage, total, lastPage }: Page<Row>): Listing<Row> => ({
  rows,
  page,
  perPage,
  hasNextPage: page < lastPage,
  hasPreviousPage: page > 1,
  total: async () => total,
  lastPage: async () => lastPage,
});

export const lastPageOf = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));

export const memoize = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => (result ??= run());
};
