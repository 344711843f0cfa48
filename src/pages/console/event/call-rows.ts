import { createKey } from '../../application/keys.ts';
import type { Fault } from '../../application/data.ts';
import type { Messages } from '../messages/messages.ts';
import type { StoredRequirement } from '../qualifications/data.ts';
import type { CallTime, Choices } from '../model/events.ts';
import {
  findByName,
  findChanges,
  isEmptyCall,
  noCall,
  readCall,
  toCallDraft,
  type CallColumn,
  type CallDraft,
  type Input,
  type Span,
} from './draft.ts';

/* The rows of the table of call times. The last one is empty: typing in it adds a call time. */

export interface CallRow {
  readonly key: string;
  readonly draft: CallDraft;
  /** The call time that the row changes, as it is stored; null: a new one. */
  readonly stored: (Pick<CallTime, 'uuid' | 'version'> & { readonly draft: CallDraft }) | null;
  readonly isRemoved: boolean;
  /** What its people must be qualified for. The table does not show it; a copy and what comes back have it. */
  readonly requirements: readonly StoredRequirement[];
  /** Why the service has refused it. */
  readonly refusal: string | null;
  /** What was stored before somebody else has changed or removed it meanwhile. */
  readonly before: CallDraft | null;
}

export const newRow = (draft: CallDraft = noCall, key: string = createKey()): CallRow => ({
  key,
  draft,
  stored: null,
  isRemoved: false,
  requirements: [],
  refusal: null,
  before: null,
});

/** The row of a call time as it is stored. */
export function toRow(call: CallTime, event: Span): CallRow {
  const { uuid, version, requirements } = call;
  const draft = toCallDraft(call, event);
  return { ...newRow(draft, uuid), stored: { uuid, version, draft }, requirements };
}

export const withEmptyRow = (rows: readonly CallRow[]): readonly CallRow[] => {
  const last = rows.at(-1);
  return last && !last.stored && isEmptyCall(last.draft) ? rows : [...rows, newRow()];
};

/** The cells of the second row that the first has otherwise. */
export const differences = (one: CallDraft, other: CallDraft): Partial<CallDraft> =>
  findChanges({ ...one }, { ...other });

/** Whether saving would store something of the row. */
export const isChanged = ({ draft, stored, isRemoved }: CallRow): boolean =>
  stored
    ? isRemoved || (draft !== stored.draft && Object.keys(differences(stored.draft, draft)).length > 0)
    : !isEmptyCall(draft);

/** Whether saving the row ends what was offered of its call time, which taking it back does not bring back. */
export const endsOffers = ({ draft, stored, isRemoved }: CallRow): boolean =>
  stored !== null &&
  (isRemoved ||
    (['position', 'startDay', 'start', 'end', 'endDay'] as const).some(
      (column) => draft[column] !== stored.draft[column],
    ));

export const isFaulty = (row: CallRow, event: Span, choices: Choices): boolean =>
  isChanged(row) && !row.isRemoved && Object.keys(readCall(row.draft, event, choices).faults).length > 0;

/** What is kept of a row that was typed in: of one that is as stored, the place alone. */
export type TypedRow = CallRow | string;

export const toTyped = (rows: readonly CallRow[]): readonly TypedRow[] =>
  rows.map((row) => (row.stored && !isChanged(row) ? row.key : row));

/** The rows as stored now, with what was typed, also in a row that somebody else has changed. */
export function mergeRows(rows: readonly TypedRow[], storedRows: readonly CallRow[]): readonly CallRow[] {
  const left = new Map(storedRows.map((row) => [row.key, row]));
  const merged = rows.flatMap((row): readonly CallRow[] => {
    const key = typeof row === 'string' ? row : row.key;
    const now = left.get(key);
    left.delete(key);
    if (typeof row === 'string') return now ? [now] : [];
    const { stored, isRemoved } = row;
    if (!stored) return [row];
    if (!now) return isChanged(row) && !isRemoved ? [{ ...row, stored: null, before: stored.draft }] : [];
    if (!isChanged(row)) return [now];
    if (now.stored?.version === stored.version) return [row];
    const next = { ...row, draft: { ...now.draft, ...differences(stored.draft, row.draft) }, stored: now.stored };
    return isChanged(next) ? [{ ...next, before: stored.draft, refusal: null }] : [now];
  });
  const end = merged.findLastIndex(({ stored }) => stored) + 1;
  return withEmptyRow(merged.toSpliced(end, 0, ...left.values()));
}

/** A rate that is that of the position stays so. */
function withoutDefaultRate(draft: CallDraft, { positions }: Choices): CallDraft {
  const position = findByName(positions, draft.position, ({ title }) => title);
  const isDefault =
    Number(position?.defaultPayRate) === Number(draft.rate) && (draft.unit === '' || position?.payUnit === draft.unit);
  return { ...draft, ...(isDefault && { rate: '', unit: '' }) };
}

export const copyRow = ({ draft, requirements }: CallRow, choices: Choices): CallRow => ({
  ...newRow(withoutDefaultRate(draft, choices)),
  requirements,
});

/** A qualification that is gone is required no more. A row that was typed before requirements were kept has none. */
const toRequirements = ({ requirements = [] }: Partial<CallRow>): Input => ({
  ...(requirements.length > 0 && {
    requirements: requirements.flatMap(({ qualification, minLevel }) =>
      qualification ? [{ qualificationId: qualification.id, minLevel }] : [],
    ),
  }),
});

/** What saving a row sends. */
export function toChange(row: CallRow, event: Span, choices: Choices): Input {
  const { draft, stored, isRemoved } = row;
  const { input } = readCall(draft, event, choices);
  if (!stored) return { ...input, ...toRequirements(row) };
  const of = { callTimeId: stored.uuid, version: stored.version };
  return isRemoved
    ? { ...of, delete: true }
    : { ...of, ...findChanges(readCall(stored.draft, event, choices).input, input) };
}

/** What takes back the saving of a row, of which this call time came. */
export function toUndo(
  row: CallRow,
  { uuid, version }: Pick<CallTime, 'uuid' | 'version'>,
  event: Span,
  choices: Choices,
): Input {
  const { draft, stored, isRemoved } = row;
  const of = { callTimeId: uuid, version };
  if (!stored) return { ...of, delete: true };
  const { input } = readCall(withoutDefaultRate(stored.draft, choices), event, choices);
  return isRemoved
    ? { ...input, ...toRequirements(row) }
    : { ...of, ...findChanges(readCall(draft, event, choices).input, input) };
}

/** The rows with what the service says against those that were sent. */
export function refuseRows(rows: readonly CallRow[], sent: readonly CallRow[], { code, fields }: Fault) {
  const refusals = new Map<string | undefined, string>();
  // Clashes are asked about, and a row that somebody else has changed shows how.
  for (const [path, text] of code === 'CLASH' || code === 'PRECONDITION_FAILED' ? [] : Object.entries(fields))
    refusals.set(sent[Number(/^(?:callTimes|changes)\D+(\d+)/.exec(path)?.[1])]?.key, text);
  return rows.map((row) => ({ ...row, refusal: refusals.get(row.key) ?? null }));
}

/** The values of a column to choose from, in words. */
export function choicesOf(column: CallColumn, { units, claims }: Messages['event']['calls']) {
  const words: Readonly<Record<string, string>> | undefined = { unit: units, billUnit: units, claims }[
    column as string
  ];
  return words;
}
