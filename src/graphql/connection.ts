import type { Page } from '../db/paging.ts';

/** A page as GraphQL shows it. */
export const connectionOf = <Row>({ rows, page, perPage, total, lastPage }: Page<Row>) => ({
  nodes: rows,
  totalCount: total,
  pageInfo: { page, perPage, lastPage, hasNextPage: page < lastPage, hasPreviousPage: page > 1 },
});
