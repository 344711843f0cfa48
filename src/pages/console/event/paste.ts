import type { Messages } from '../messages/messages.ts';
import { choicesOf, newRow, withEmptyRow, type CallRow } from './call-rows.ts';
import type { Choices } from '../model/events.ts';
import { readTyped, type CallColumn } from './draft.ts';

/* Cells that are pasted into the table of call times. */

/** The cells of a spreadsheet, as it copies them: by tabs and lines. A cell with either is in quotes. */
export function readCells(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text
    .replaceAll('\r', '')
    .replace(/\n$/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^\t\n]*))(\t|\n|$)/g)) {
    rows.at(-1)!.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
    if (end === '\n') rows.push([]);
    else if (end === '') break;
  }
  return rows;
}

/** The choice that a text means. A word that says nothing of this stays, and is a fault of the cell. */
function readChoice(
  words: Readonly<Record<string, string>>,
  text: string,
  { noChoice, otherWords }: Messages['pasting'],
): string {
  const wanted = fold(text);
  const isMeant = (key: string) =>
    [key, words[key] ?? '', ...(otherWords[key] ?? [])].some((word) => fold(word) === wanted);
  return noChoice.includes(wanted) ? '' : (Object.keys(words).find(isMeant) ?? text);
}

/** Where cells are put: from one cell on to the right and down, or by a first row of column names. */
interface Place {
  readonly from: number;
  readonly column: CallColumn;
  /** The columns of the table. */
  readonly columns: readonly CallColumn[];
}

interface Put {
  readonly rows: readonly CallRow[];
  /** Keys of the rows that got cells. */
  readonly put: readonly string[];
  /** What had no column to go to: the name of its column, else the first text of it. */
  readonly leftOut: readonly string[];
}

const fold = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ');

/** Puts cells into the table. */
export function putCells(
  rows: readonly CallRow[],
  cells: readonly (readonly string[])[],
  { from, column, columns }: Place,
  choices: Choices,
  { event: { calls }, pasting }: Pick<Messages, 'event' | 'pasting'>,
): Put {
  // Those that the table does not show are among them.
  const all = Object.keys(calls.columns) as CallColumn[];
  const isNamed = (each: CallColumn, cell: string) =>
    [calls.columns[each], ...pasting.names[each]].some((name) => fold(name) === fold(cell));
  const found = (cells[0] ?? []).map((cell) => all.find((each) => isNamed(each, cell)));
  const read = (target: CallColumn, text: string) => {
    const words = choicesOf(target, calls);
    return words ? readChoice(words, text, pasting) : readTyped(target, text, choices);
  };
  // Of two columns with one meaning, the first is taken.
  const head = found.map((each, index) => (found.indexOf(each) === index ? each : undefined));
  const isHead = head.filter(Boolean).length > 1;
  const targets = isHead ? head : columns.slice(columns.indexOf(column));
  const lines = cells.slice(isHead ? 1 : 0);
  const next = [...rows];
  const put: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.every((cell) => cell === '')) continue;
    const values = targets.flatMap((target, at) =>
      target && line[at] !== undefined ? [[target, read(target, line[at])] as const] : [],
    );
    const row = next[from + index] ?? newRow();
    next[from + index] = { ...row, isRemoved: false, draft: { ...row.draft, ...Object.fromEntries(values) } };
    put.push(row.key);
  }
  const width = Math.max(0, ...cells.map(({ length }) => length));
  const leftOut = Array.from({ length: width }, (_, at) => {
    const text = targets[at] === undefined ? lines.map((line) => line[at]).find(Boolean) : undefined;
    return text && ((isHead && cells[0]?.[at]) || text);
  }).filter((text) => text !== undefined);
  return { rows: withEmptyRow(next.filter(Boolean)), put, leftOut };
}
