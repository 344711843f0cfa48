import { limits } from '../config/limits.ts';
import { isUnreachable } from '../db/engine/failures.ts';
import { AnswerTooLarge, invalid } from '../errors.ts';
import type { AnswerSize } from './answer-memory.ts';
import type { CsvCell } from './csv.ts';

type Rows = CsvCell[][];

/** Reads a page of at most `rowsMax` rows from a place on; undefined stands for the start of the list. */
type ReadPage<Place> = (rowsMax: number, place: Place | undefined) => Promise<{ rows: Rows; next: Place | null }>;

/**
 * Reads a list page by page. A page that is larger than an answer may be is read again with fewer rows. The pages behind it
 * grow again, so that a few large rows stop no export. The first page is small, because the size of the rows is not known yet.
 */
export async function* readInPages<Place>(
  size: AnswerSize,
  rowsMax: number,
  read: ReadPage<Place>,
): AsyncGenerator<Rows> {
  let most = Math.ceil(rowsMax / 4);
  let place: Place | undefined;
  for (;;) {
    size.restart();
    const page = await tryPage(size, () => read(most, place));
    if (page) {
      const chars = countChars(page.rows);
      yield page.rows;
      if (page.next === null) return;
      place = page.next;
      // The next page is twice as large if as many rows of this size would fit.
      if (2 * chars < size.bytesMax / 2) most = Math.min(rowsMax, 2 * most);
    } else if (most > 1) most = Math.ceil(most / 4);
    else throw refuseRow(size);
  }
}

/** Reads a page of a size that the caller has chosen. */
export async function* readOnePage(size: AnswerSize, read: () => Promise<Rows>): AsyncGenerator<Rows> {
  const rows = await read();
  if (!fits(size, rows)) throw size.refuseLength();
  yield rows;
}

/** Returns null if the page is larger than an answer may be. */
async function tryPage<Page extends { rows: Rows }>(size: AnswerSize, read: () => Promise<Page>): Promise<Page | null> {
  try {
    const page = await read();
    if (!size.refusal && !fits(size, page.rows)) size.refuseLength();
    return size.refusal ? null : page;
  } catch (error) {
    if (!size.refusal || isUnreachable(error)) throw error;
    return null;
  }
}

const fits = ({ bytesMax }: AnswerSize, rows: Rows): boolean => countChars(rows) <= bytesMax;

/** Counts texts only: numbers and empty cells are short, and their number is bounded. */
function countChars(rows: Rows): number {
  let chars = 0;
  for (const row of rows) for (const cell of row) if (typeof cell === 'string') chars += cell.length;
  return chars;
}

function refuseRow({ refusal }: AnswerSize): unknown {
  if (!(refusal instanceof AnswerTooLarge)) return refusal;
  return invalid({ input: [`has a row for which the answer would take ${refusal.excess}: ask for fewer columns`] });
}

/** Splits a page into parts whose text is short enough to be formatted at once. */
export function* splitPage(rows: readonly (readonly CsvCell[])[]): Generator<readonly (readonly CsvCell[])[]> {
  let from = 0;
  let chars = 0;
  for (const [index, row] of rows.entries()) {
    for (const cell of row) chars += typeof cell === 'string' ? cell.length : 0;
    if (chars < limits.answerStepBytes) continue;
    yield rows.slice(from, index + 1);
    from = index + 1;
    chars = 0;
  }
  if (from < rows.length) yield rows.slice(from);
}
