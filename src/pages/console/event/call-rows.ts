import type { CallTime, Choices } from './documents.ts';
import {
  findByName,
  isEmptyCall,
  noCall,
  readCall,
  toCallDraft,
  type CallColumn,
  type CallDraft,
  type Span,
} from './draft.ts';

/* The rows of the table of call times. The last one is empty: typing in it adds a call time. */

export interface CallRow {
  readonly key: string;
  readonly draft: CallDraft;
  /** The call time that the row changes; null: a new one. */
  readonly stored: { readonly uuid: string; readonly version: number; readonly draft: CallDraft } | null;
  readonly isRemoved: boolean;
  /** Why the service has refused it. */
  readonly refusal: string | null;
  /** What somebody else has made of it meanwhile; `gone` if it was removed. */
  readonly theirs: CallTime | 'gone' | null;
}

export const newRow = (draft: CallDraft = noCall): CallRow => ({
  key: crypto.randomUUID(),
  draft,
  stored: null,
  isRemoved: false,
  refusal: null,
  theirs: null,
});

export function toRow(call: CallTime, event: Span): CallRow {
  const { uuid, version } = call;
  const draft = toCallDraft(call, event);
  return { ...newRow(draft), key: uuid, stored: { uuid, version, draft } };
}

export const withEmptyRow = (rows: readonly CallRow[]): readonly CallRow[] => {
  const last = rows.at(-1);
  return last && !last.stored && isEmptyCall(last.draft) ? rows : [...rows, newRow()];
};

const isSame = (one: CallDraft, other: CallDraft): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Whether saving would store something of the row. */
export const isChanged = ({ draft, stored, isRemoved }: CallRow): boolean =>
  stored ? isRemoved || !isSame(draft, stored.draft) : !isEmptyCall(draft);

export const isFaulty = (row: CallRow, event: Span, choices: Choices): boolean =>
  isChanged(row) && !row.isRemoved && Object.keys(readCall(row.draft, event, choices).faults).length > 0;

/** The rows with what is stored now. What was typed stays, with a word on what others have changed in it. */
export function mergeRows(rows: readonly CallRow[], calls: readonly CallTime[], event: Span): readonly CallRow[] {
  const left = new Map(calls.map((call) => [call.uuid, call]));
  const merged = rows.flatMap((row): readonly CallRow[] => {
    if (!row.stored) return [row];
    const call = left.get(row.stored.uuid);
    left.delete(row.stored.uuid);
    const isKept = isChanged(row);
    if (!call) return isKept && !row.isRemoved ? [{ ...row, theirs: 'gone' }] : [];
    const now = toRow(call, event);
    if (!isKept || (isSame(row.draft, now.draft) && !row.isRemoved)) return [now];
    return [call.version === row.stored.version ? { ...row, theirs: null } : { ...row, theirs: call }];
  });
  const added = [...left.values()].map((call) => toRow(call, event));
  const end = merged.findLastIndex(({ stored }) => stored) + 1;
  return withEmptyRow(merged.toSpliced(end, 0, ...added));
}

/** A row like another. A rate that is that of the position stays so. */
export function copyRow({ draft }: CallRow, { positions }: Choices): CallRow {
  const position = findByName(positions, draft.position, ({ title }) => title);
  const isDefault =
    Number(position?.defaultPayRate) === Number(draft.rate) && (draft.unit === '' || position?.payUnit === draft.unit);
  return newRow({ ...draft, ...(isDefault && { rate: '', unit: '' }) });
}

/** Puts cells into the table, from one cell on to the right and down, or by a first row of column names. */
export function putCells(
  rows: readonly CallRow[],
  cells: readonly (readonly string[])[],
  {
    from,
    column,
    columns,
    names,
  }: Readonly<{
    from: number;
    column: CallColumn;
    columns: readonly CallColumn[];
    names: Readonly<Record<CallColumn, string>>;
  }>,
  read: (column: CallColumn, text: string) => string,
): { readonly rows: readonly CallRow[]; readonly put: readonly string[] } {
  const head = (cells[0] ?? []).map((cell) => columns.find((each) => names[each].toLowerCase() === cell.toLowerCase()));
  const isHead = head.filter(Boolean).length > 1;
  const targets = isHead ? head : columns.slice(columns.indexOf(column));
  const next = [...rows];
  const put: string[] = [];
  for (const [index, line] of cells.slice(isHead ? 1 : 0).entries()) {
    if (line.every((cell) => cell === '')) continue;
    const values = targets.flatMap((target, at) =>
      target && line[at] !== undefined ? [[target, read(target, line[at])] as const] : [],
    );
    const row = next[from + index] ?? newRow();
    next[from + index] = { ...row, draft: { ...row.draft, ...Object.fromEntries(values) } };
    put.push(row.key);
  }
  return { rows: withEmptyRow(next.filter(Boolean)), put };
}
