import type { ListPage } from '../paging/pages.ts';

/**
 * A page as GraphQL shows it; null stays null. What costs a count or an encoding is a getter, which execution reads only
 * if the query selects the field.
 */
export function toConnection<Row>(listPage: ListPage<Row> | null) {
  if (!listPage) return null;
  const { rows, page, perPage, hasNextPage, hasPreviousPage, total, lastPage, cursorOf } = listPage;
  const cursorAt = (index: number) => {
    const row = rows[index];
    return row === undefined ? null : cursorOf(row, index);
  };
  return {
    nodes: rows,
    get edges() {
      return rows.map((node, index) => ({ cursor: cursorOf(node, index), node }));
    },
    get totalCount() {
      return total();
    },
    pageInfo: {
      page,
      perPage,
      hasNextPage,
      hasPreviousPage,
      get lastPage() {
        return lastPage();
      },
      get startCursor() {
        return cursorAt(0);
      },
      get endCursor() {
        return cursorAt(rows.length - 1);
      },
    },
  };
}
