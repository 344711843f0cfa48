import { memo, type RefObject } from 'react';
import { useMessages } from '../messages/messages.ts';
import { isDay as isDate } from '../../time/dates.ts';
import { Button } from '../parts/button.tsx';
import { choicesOf, differences, isChanged, type CallRow } from './call-rows.ts';
import type { Choices } from '../model/events.ts';
import {
  findByName,
  findCallSpan,
  findEndDay,
  readCall,
  type CallColumn,
  type CallDraft,
  type CallFault,
  type Span,
} from './draft.ts';

export interface RowActs {
  readonly set: (key: string, next: Partial<CallRow>) => void;
  /** A cell is left. `isForButton`: for a button. */
  readonly leave: (row: CallRow, column: CallColumn, text: string, isForButton: boolean) => void;
  readonly remove: (row: CallRow, index: number) => void;
  readonly copy: (row: CallRow, index: number) => void;
}

interface Props {
  readonly row: CallRow;
  readonly index: number;
  readonly columns: readonly CallColumn[];
  /** The beginning of the ids in the table. */
  readonly id: string;
  readonly event: Span;
  readonly choices: Choices;
  readonly showsFaults: boolean;
  readonly measure: ((element: HTMLElement | null) => void) | null;
  /** The events of the table that its rows pass on. */
  readonly acts: RefObject<RowActs>;
}

/** A row of the table of call times, and what is to be said of it. */
export const CallTableRow = memo(function CallTableRow(props: Props) {
  const { row, index, columns, id, event, choices, showsFaults, measure, acts } = props;
  const { calls, faults: faultTexts } = useMessages().event;
  const set: RowActs['set'] = (...args) => acts.current.set(...args);
  const { key, draft, isRemoved } = row;
  const isUsed = row.stored !== null || isChanged(row);
  const isShown = isChanged(row) && !isRemoved && showsFaults;
  const said = Object.entries(isShown ? readCall(draft, event, choices).faults : {}) as [CallColumn, CallFault][];
  const noteId = `${id}-${key}`;
  const hasNote = said.length > 0 || row.refusal !== null || row.before !== null || isRemoved;
  return (
    <tbody ref={measure} data-index={index} className={isRemoved ? 'ev-removed' : undefined}>
      <tr aria-rowindex={index + 2}>
        {columns.map((column) => (
          <td key={column} className={`ev-${column}`} data-label={calls.columns[column]}>
            <Cell
              column={column}
              value={draft[column]}
              placeholder={findPlaceholder(column, draft, event, choices)}
              control={{
                'data-column': column,
                'aria-label': calls.cell(calls.columns[column], index + 1),
                'aria-invalid': said.some(([each]) => each === column) || undefined,
                'aria-describedby': hasNote ? noteId : undefined,
                list: column === 'position' || column === 'skill' ? `${id}-${column}` : undefined,
                disabled: isRemoved,
              }}
              onChange={(text) => set(key, { draft: { ...draft, [column]: text }, refusal: null })}
              onLeave={(text, isForButton) => acts.current.leave(row, column, text, isForButton)}
            />
          </td>
        ))}
        <td className="ev-row-actions">
          {isUsed && !isRemoved && (
            <button
              type="button"
              className="app-icon"
              aria-label={calls.copyRow(index + 1)}
              title={calls.copy}
              onClick={() => acts.current.copy(row, index)}
            >
              <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
                <path d="M7 7h9v9H7zM4 13V4h9" fill="none" stroke="currentColor" strokeWidth="1.6" />
              </svg>
            </button>
          )}
          {isUsed && (
            <button
              type="button"
              className="app-icon"
              data-column="remove"
              aria-label={(isRemoved ? calls.restoreRow : calls.removeRow)(index + 1)}
              title={isRemoved ? calls.restore : calls.remove}
              onClick={() => (isRemoved ? set(key, { isRemoved: false }) : acts.current.remove(row, index))}
            >
              {isRemoved ? '↺' : '✕'}
            </button>
          )}
        </td>
      </tr>
      {hasNote && (
        <tr className="ev-note-row">
          <td colSpan={columns.length + 1} id={noteId}>
            {isRemoved && calls.willGo}
            {said.map(([column, fault]) => (
              <span key={column} className="ev-fault">
                {calls.columns[column]}: {faultTexts[fault]}{' '}
              </span>
            ))}
            {row.refusal !== null && <span className="ev-fault">{row.refusal}</span>}
            {row.before !== null && (
              <span className="ev-theirs">
                {row.stored ? describeTheirs(row.before, row.stored.draft, calls) : calls.goneMeanwhile}{' '}
                {row.stored && (
                  <Button onClick={() => set(key, { draft: row.stored!.draft, before: null, isRemoved: false })}>
                    {calls.takeTheirs}
                  </Button>
                )}
              </span>
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
});

/** The fields of a row that somebody else has changed. */
function describeTheirs(
  before: CallDraft,
  now: CallDraft,
  { columns, changedBy }: { columns: Readonly<Record<CallColumn, string>>; changedBy: string },
): string {
  const changed = (Object.keys(differences(before, now)) as CallColumn[]).filter((column) => column in columns);
  const list = changed.map((column) => `${columns[column]} ${before[column] || '–'} → ${now[column] || '–'}`);
  return `${changedBy} ${list.join(', ')}`;
}

/** The values that empty cells stand for. */
function findPlaceholder(column: CallColumn, draft: CallDraft, event: Span, { positions }: Choices): string {
  if (column === 'start' || column === 'end') return event[column];
  if (column === 'startDay') return findCallSpan(draft, event).startDay;
  if (column === 'endDay') return findEndDay(findCallSpan(draft, event));
  if (column === 'staff') return '1';
  if (column !== 'rate' && column !== 'bill') return '';
  const position = findByName(positions, draft.position, ({ title }) => title);
  return (column === 'rate' ? position?.defaultPayRate : position?.billRate) ?? '';
}

interface CellProps {
  readonly column: CallColumn;
  readonly value: string;
  readonly placeholder: string;
  readonly control: Readonly<Record<string, string | boolean | undefined>>;
  readonly onChange: (text: string) => void;
  readonly onLeave: (text: string, isForButton: boolean) => void;
}

function Cell({ column, value, placeholder, control: { list, ...control }, onChange, onLeave }: CellProps) {
  const { calls } = useMessages().event;
  const words = choicesOf(column, calls);
  if (words)
    return (
      <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">–</option>
        {value !== '' && !Object.hasOwn(words, value) && <option value={value}>{value}</option>}
        {Object.entries(words).map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
    );
  const isDay = column === 'startDay' || column === 'endDay';
  return (
    <input
      {...control}
      list={list as string | undefined}
      // A field of dates shows nothing of what is none.
      type={isDay && (value === '' || isDate(value)) ? 'date' : 'text'}
      inputMode={{ staff: 'numeric' as const, rate: 'decimal' as const, bill: 'decimal' as const }[column as string]}
      value={value === '' && isDay ? placeholder : value}
      placeholder={placeholder}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
      onBlur={({ target, relatedTarget }) =>
        !isDay && onLeave(target.value, relatedTarget instanceof HTMLButtonElement)
      }
    />
  );
}
