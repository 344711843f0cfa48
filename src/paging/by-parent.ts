import { limits } from '../config/limits.ts';
import { lastPageOf, type Page, type PageInput } from './paging.ts';

/** A page of one parent's rows, and how many rows the parent has in all, by the parent's id. */
type SlicesByParent<Row> = ReadonlyMap<number, { readonly rows: Row[]; readonly total: number }>;

/** The same page of many parents' lists, in the order of the ids; `read` gives the slices of all parents at once. */
export async function pagesOf<Row>(
  parentIds: readonly number[],
  window: PageInput,
  read: (slice: { limit: number; offset: number }) => Promise<SlicesByParent<Row>>,
): Promise<Page<Row>[]> {
  const { page = limits.pageDefault, perPage = limits.perPageDefault } = window;
  const slices = await read({ limit: perPage, offset: (page - 1) * perPage });
  return parentIds.map((id) => {
    const { rows, total } = slices.get(id) ?? { rows: [], total: 0 };
    return { rows, page, perPage, total, lastPage: lastPageOf(total, perPage) };
  });
}

/** Rows of many parents, to be taken parent by parent, in the order in which they came. */
export function groupBy<Parent extends string, Row extends Readonly<Record<Parent, number | null>>>(
  parent: Parent,
  rows: readonly Row[],
): (id: number) => Row[] {
  const groups = new Map<number | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(row[parent]);
    if (group) group.push(row);
    else groups.set(row[parent], [row]);
  }
  return (id) => groups.get(id) ?? [];
}
