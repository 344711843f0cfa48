import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { useMessages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField } from '../parts/fields.tsx';
import { Empty } from '../parts/notice.tsx';
import { readTime } from '../parts/time.ts';
import { copyRow, isChanged, newRow, putCells, withEmptyRow, type CallRow } from './call-rows.ts';
import type { Choices, PayUnit } from './documents.ts';
import {
  findByName,
  findCallSpan,
  findEndDay,
  needsDays,
  noCall,
  readCall,
  readCells,
  tbd,
  toCallDraft,
  type CallColumn,
  type CallDraft,
  type CallFault,
  type Span,
} from './draft.ts';

interface Props {
  readonly rows: readonly CallRow[];
  readonly event: Span;
  readonly choices: Choices;
  /** How many rows one save takes. */
  readonly most: number;
  /** Whether what is missing is said already. */
  readonly showsFaults: boolean;
  readonly onChange: (rows: readonly CallRow[]) => void;
}

const units: readonly PayUnit[] = ['HOUR', 'DAY', 'FLAT'];

/** The call times of an event as a table to type in. */
export function CallTable({ rows, event, choices, most, showsFaults, onChange }: Props) {
  const { event: texts } = useMessages();
  const { calls } = texts;
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [news, setNews] = useState('');
  const [asksDays, setAsksDays] = useState(false);
  const drafts = rows.map(({ draft }) => draft);
  const hasDays = asksDays || needsDays(event, drafts);
  const columns: readonly CallColumn[] = [
    'position',
    'staff',
    ...(hasDays ? (['startDay', 'start', 'end', 'endDay'] as const) : (['start', 'end'] as const)),
    'rate',
    'unit',
    ...(choices.skillLevels.length > 0 ? (['skill'] as const) : []),
    'notes',
  ];

  const set = (key: string, next: Partial<CallRow>) =>
    onChange(withEmptyRow(rows.map((row) => (row.key === key ? { ...row, ...next } : row))));
  const setCell = ({ key, draft }: CallRow, column: CallColumn, text: string) =>
    set(key, { draft: { ...draft, [column]: text }, refusal: null });

  /** What a typed or pasted text means, where it means something. */
  const read = (column: CallColumn, text: string): string => {
    if (column === 'position') return findByName(choices.positions, text, ({ title }) => title)?.title ?? text;
    if (column === 'skill') return findByName(choices.skillLevels, text, ({ name }) => name)?.name ?? text;
    if (column === 'start' || column === 'end')
      return text.trim().toUpperCase() === tbd ? tbd : (readTime(text) ?? text.trim());
    if (column === 'unit')
      return units.find((unit) => [unit.toLowerCase(), calls.units[unit]].includes(text.toLowerCase())) ?? '';
    return column === 'rate' ? text.replace(/[$\s]/g, '') : text;
  };

  const focusCell = (index: number, column: string) =>
    table.current?.querySelector<HTMLElement>(`[data-row="${index}"] [data-column="${column}"]`)?.focus();

  function onKeyDown(pressed: KeyboardEvent<HTMLElement>) {
    const { column } = (pressed.target as HTMLElement).dataset;
    const index = Number((pressed.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row']);
    if (!column || pressed.nativeEvent.isComposing) return;
    if (pressed.key === 'Enter' && (pressed.ctrlKey || pressed.metaKey)) {
      pressed.preventDefault();
      // What is typed is read when the cell is left.
      (pressed.target as HTMLInputElement).blur();
      setTimeout(() => table.current?.closest('form')?.requestSubmit());
    } else if (pressed.key === 'Enter') {
      pressed.preventDefault();
      focusCell(index + (pressed.shiftKey ? -1 : 1), 'position');
    } else if (pressed.altKey && /^Arrow(Up|Down)$/.test(pressed.key)) {
      pressed.preventDefault();
      focusCell(index + (pressed.key === 'ArrowUp' ? -1 : 1), column);
    }
  }

  function onPaste(pasted: ClipboardEvent<HTMLElement>) {
    const column = (pasted.target as HTMLElement).dataset['column'] as CallColumn | undefined;
    const text = pasted.clipboardData.getData('text/plain');
    if (!column || !/[\t\n]/.test(text.trimEnd())) return;
    pasted.preventDefault();
    const from = Number((pasted.target as HTMLElement).closest<HTMLElement>('[data-row]')?.dataset['row']);
    const cells = readCells(text);
    const room = most - from + 1;
    const { rows: next, put } = putCells(
      rows,
      cells.slice(0, room),
      { from, column, columns, names: calls.columns },
      read,
    );
    const faulty = next.filter(
      ({ key, draft }) => put.includes(key) && Object.keys(readCall(draft, event, choices).faults).length > 0,
    );
    setTouched(new Set([...touched, ...put]));
    setNews(
      [calls.pasted(put.length, faulty.length), cells.length > room && calls.tooMany(most)].filter(Boolean).join(' '),
    );
    onChange(next);
  }

  function remove(row: CallRow, index: number) {
    if (row.stored) set(row.key, { isRemoved: true, refusal: null });
    else onChange(withEmptyRow(rows.filter(({ key }) => key !== row.key)));
    // The button is gone; what is in its place now gets the focus.
    setTimeout(() => focusCell(index, row.stored ? 'remove' : 'position'));
  }

  function copy(row: CallRow, index: number) {
    onChange(withEmptyRow(rows.toSpliced(index + 1, 0, copyRow(row, choices))));
    setTimeout(() => focusCell(index + 1, 'position'));
  }

  if (choices.positions.length === 0)
    return (
      <Empty
        title={calls.noPositions}
        action={
          <Link className="cb-button cb-primary" href="/settings/positions">
            {calls.addPositions}
          </Link>
        }
      >
        {calls.positionsLead}
      </Empty>
    );

  return (
    <div className="ev-calls-edit">
      <p className="ev-hint" id={`${id}-lead`}>
        {calls.lead}
      </p>
      <div className="ev-scroll">
        {/* Keys and pasted cells are heard where they come up. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <table
          className="ev-table ev-edit"
          ref={table}
          aria-describedby={`${id}-lead`}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        >
          <caption className="app-hidden">{calls.caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" className={`ev-${column}`}>
                  {calls.columns[column]}
                </th>
              ))}
              <th scope="col">
                <span className="app-hidden">{calls.actions}</span>
              </th>
            </tr>
          </thead>
          {rows.map((row, index) => {
            const { faults } = readCall(row.draft, event, choices);
            const isShown = isChanged(row) && !row.isRemoved && (showsFaults || touched.has(row.key));
            const said = isShown ? (Object.entries(faults) as [CallColumn, CallFault][]) : [];
            const noteId = `${id}-${row.key}`;
            const hasNote = said.length > 0 || row.refusal !== null || row.theirs !== null || row.isRemoved;
            return (
              <tbody key={row.key} data-row={index} className={row.isRemoved ? 'ev-removed' : undefined}>
                <tr>
                  {columns.map((column) => (
                    <td key={column} className={`ev-${column}`} data-label={calls.columns[column]}>
                      <Cell
                        column={column}
                        label={calls.cell(calls.columns[column], index + 1)}
                        value={row.draft[column]}
                        placeholder={findPlaceholder(column, row.draft, event, choices)}
                        list={column === 'position' || column === 'skill' ? `${id}-${column}` : undefined}
                        isDisabled={row.isRemoved}
                        isInvalid={said.some(([each]) => each === column)}
                        noteId={hasNote ? noteId : undefined}
                        onChange={(text) => setCell(row, column, text)}
                        onLeave={(text, isForButton) => {
                          const meant = read(column, text);
                          if (meant !== text) setCell(row, column, meant);
                          // A fault that appears would move the button away under the pointer.
                          if (text !== '' && !isForButton) setTouched(new Set([...touched, row.key]));
                        }}
                      />
                    </td>
                  ))}
                  <td className="ev-row-actions">
                    {(row.stored || isChanged(row)) && !row.isRemoved && (
                      <button
                        type="button"
                        className="app-icon"
                        aria-label={calls.copyRow(index + 1)}
                        title={calls.copy}
                        onClick={() => copy(row, index)}
                      >
                        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
                          <path d="M7 7h9v9H7zM4 13V4h9" fill="none" stroke="currentColor" strokeWidth="1.6" />
                        </svg>
                      </button>
                    )}
                    {(row.stored || isChanged(row)) && (
                      <button
                        type="button"
                        className="app-icon"
                        data-column="remove"
                        aria-label={row.isRemoved ? calls.restoreRow(index + 1) : calls.removeRow(index + 1)}
                        title={row.isRemoved ? calls.restore : calls.remove}
                        onClick={() => (row.isRemoved ? set(row.key, { isRemoved: false }) : remove(row, index))}
                      >
                        {row.isRemoved ? '↺' : '✕'}
                      </button>
                    )}
                  </td>
                </tr>
                {hasNote && (
                  <tr className="ev-note-row">
                    <td colSpan={columns.length + 1} id={noteId}>
                      {row.isRemoved && calls.willGo}
                      {said.map(([column, fault]) => (
                        <span key={column} className="ev-fault">
                          {calls.columns[column]}: {texts.faults[fault]}{' '}
                        </span>
                      ))}
                      {row.refusal !== null && <span className="ev-fault">{row.refusal}</span>}
                      {row.theirs !== null && (
                        <Theirs row={row} event={event} onResolve={(next) => set(row.key, next)} />
                      )}
                    </td>
                  </tr>
                )}
              </tbody>
            );
          })}
        </table>
      </div>
      <datalist id={`${id}-position`}>
        {choices.positions.map(({ id: key, title }) => (
          <option key={key}>{title}</option>
        ))}
      </datalist>
      <datalist id={`${id}-skill`}>
        {choices.skillLevels.map(({ id: key, name }) => (
          <option key={key}>{name}</option>
        ))}
      </datalist>
      <p role="status" className="ev-hint">
        {news}
      </p>
      {!needsDays(event, drafts) && <CheckField label={calls.days} value={asksDays} onChange={setAsksDays} />}
    </div>
  );
}

/** What an empty cell stands for. */
function findPlaceholder(column: CallColumn, draft: CallDraft, event: Span, { positions }: Choices): string {
  const span = findCallSpan(draft, event);
  if (column === 'start' || column === 'end') return event[column];
  if (column === 'startDay') return span.startDay;
  if (column === 'endDay') return findEndDay(span);
  if (column === 'staff') return '1';
  const position = column === 'rate' && findByName(positions, draft.position, ({ title }) => title);
  return position ? position.defaultPayRate : '';
}

interface CellProps {
  readonly column: CallColumn;
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly list: string | undefined;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  readonly noteId: string | undefined;
  readonly onChange: (text: string) => void;
  readonly onLeave: (text: string, isForButton: boolean) => void;
}

function Cell({
  column,
  label,
  value,
  placeholder,
  list,
  isDisabled,
  isInvalid,
  noteId,
  onChange,
  onLeave,
}: CellProps) {
  const { event: texts } = useMessages();
  const common = {
    'data-column': column,
    'aria-label': label,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': noteId,
    disabled: isDisabled,
  };
  if (column === 'unit')
    return (
      <select {...common} value={value} onChange={(changed) => onChange(changed.target.value)}>
        <option value="">–</option>
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {texts.calls.units[unit]}
          </option>
        ))}
      </select>
    );
  const isDay = column === 'startDay' || column === 'endDay';
  return (
    <input
      {...common}
      type={isDay ? 'date' : 'text'}
      inputMode={column === 'staff' ? 'numeric' : column === 'rate' ? 'decimal' : undefined}
      value={value === '' && isDay ? placeholder : value}
      placeholder={placeholder}
      list={list}
      autoComplete="off"
      onChange={(changed) => onChange(changed.target.value)}
      onBlur={(left) => !isDay && onLeave(left.target.value, left.relatedTarget instanceof HTMLButtonElement)}
    />
  );
}

interface TheirsProps {
  readonly row: CallRow;
  readonly event: Span;
  readonly onResolve: (next: Partial<CallRow>) => void;
}

/** What somebody else has made of a row, and whose version is to stay. */
function Theirs({ row, event, onResolve }: TheirsProps) {
  const { event: texts } = useMessages();
  const { calls } = texts;
  if (row.theirs === 'gone')
    return (
      <span className="ev-theirs">
        {calls.goneMeanwhile}{' '}
        <Button onClick={() => onResolve({ ...newRow(row.draft), key: row.key })}>{calls.addAgain}</Button>{' '}
        <Button onClick={() => onResolve({ ...newRow(noCall), key: row.key })}>{calls.takeTheirs}</Button>
      </span>
    );
  if (!row.theirs || !row.stored) return null;
  const { uuid, version } = row.theirs;
  const draft = toCallDraft(row.theirs, event);
  const before = row.stored.draft;
  const changed = (Object.keys(calls.columns) as CallColumn[]).filter((column) => draft[column] !== before[column]);
  const mine = Object.fromEntries(
    Object.entries(row.draft).filter(([column, text]) => text !== before[column as keyof CallDraft]),
  );
  const resolve = (decided: CallDraft) =>
    onResolve({ draft: decided, stored: { uuid, version, draft }, theirs: null, refusal: null });
  return (
    <span className="ev-theirs">
      {calls.changedBy}{' '}
      {changed
        .map((column) => `${calls.columns[column]} ${before[column] || '–'} → ${draft[column] || '–'}`)
        .join(', ')}{' '}
      <Button onClick={() => resolve(draft)}>{calls.takeTheirs}</Button>{' '}
      <Button onClick={() => resolve({ ...draft, ...mine })}>{calls.overwrite}</Button>
    </span>
  );
}
