import { limits } from '../config.ts';

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
  return { rows, page, perPage, total, lastPage: Math.max(1, Math.ceil(total / perPage)) };
}
