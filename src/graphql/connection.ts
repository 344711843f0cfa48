import type { Listing, Page } from '../paging/paging.ts';

/** A page as GraphQL shows it; null stays null. */
export const connectionOf = <Row>(page: Page<Row> | null) =>
  page && {
    nodes: page.rows,
    totalCount: page.total,
    pageInfo: {
      page: page.page,
      perPage: page.perPage,
      lastPage: page.lastPage,
      hasNextPage: page.page < page.lastPage,
      hasPreviousPage: page.page > 1,
      startCursor: null,
      endCursor: null,
    },
  };

/** The same of a listing: what costs a count is a getter, which execution reads where it is asked for. */
export function lazyConnectionOf<Row>(listing: Listing<Row> | null) {
  if (!listing) return null;
  const { rows, total, lastPage, cursors = [], ...info } = listing;
  return {
    nodes: rows,
    edges: rows.map((node, index) => ({ cursor: cursors[index], node })),
    get totalCount() {
      return total();
    },
    pageInfo: {
      ...info,
      get lastPage() {
        return lastPage();
      },
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
  };
}
