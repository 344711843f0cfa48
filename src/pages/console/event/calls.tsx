import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { useMessages, type Messages } from '../messages/messages.ts';
import { Button } from '../parts/button.tsx';
import { CheckField } from '../parts/fields.tsx';
import { Empty } from '../parts/notice.tsx';
import { Space, useRowsInSight } from '../parts/table.tsx';
import { readTime } from '../parts/time.ts';
import { copyRow, differences, isChanged, isFaulty, putCells, withEmptyRow, type CallRow } from './call-rows.ts';
import type { Choices } from './documents.ts';
import {
  findByName,
  findCallSpan,
  findEndDay,
  needsDays,
  readCall,
  readCells,
  tbd,
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

/** The values of a column to choose from, in words. */
function choicesOf(column: CallColumn, { units, claims }: Messages['event']['calls']) {
  const words: Readonly<Record<string, string>> | undefined = { unit: units, billUnit: units, claims }[
    column as string
  ];
  return words;
}

/** The call times of an event as a table to type in. */
export function CallTable({ rows, event, choices, most, showsFaults, onChange }: Props) {
  const { calls, faults: faultTexts } = useMessages().event;
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [news, setNews] = useState('');
  const [asksDays, setAsksDays] = useState(false);
  const drafts = rows.map(({ draft }) => draft);
  const hasDays = asksDays || needsDays(event, drafts);
  const hasBills = [...choices.positions.map(({ billRate }) => billRate), ...drafts.map(({ bill }) => bill)].some(
    Boolean,
  );
  const columns: readonly CallColumn[] = [
    'position',
    'staff',
    ...(hasDays ? (['startDay', 'start', 'end', 'endDay'] as const) : (['start', 'end'] as const)),
    'rate',
    'unit',
    ...(hasBills ? (['bill', 'billUnit'] as const) : []),
    ...(choices.skillLevels.length > 0 ? (['skill'] as const) : []),
    'claims',
    'notes',
  ];

  const set = (key: string, next: Partial<CallRow>) =>
    onChange(withEmptyRow(rows.map((row) => (row.key === key ? { ...row, ...next } : row))));

  /** What a typed or pasted text means, where it means something. */
  const read = (column: CallColumn, text: string): string => {
    if (column === 'position') return findByName(choices.positions, text, ({ title }) => title)?.title ?? text;
    if (column === 'skill') return findByName(choices.skillLevels, text, ({ name }) => name)?.name ?? text;
    if (column === 'start' || column === 'end')
      return text.trim().toUpperCase() === tbd ? tbd : (readTime(text) ?? text.trim());
    const words = choicesOf(column, calls);
    if (words)
      return (
        Object.keys(words).find((key) => [key.toLowerCase(), words[key]?.toLowerCase()].includes(text.toLowerCase())) ??
        ''
      );
    return column === 'rate' || column === 'bill' ? text.replace(/[$\s]/g, '') : text;
  };

  const indexOf = (target: EventTarget) =>
    Number((target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index']);

  function onKeyDown(pressed: KeyboardEvent<HTMLElement>) {
    const { column } = (pressed.target as HTMLElement).dataset;
    if (!column || pressed.nativeEvent.isComposing) return;
    const isEnter = pressed.key === 'Enter';
    // A button is pressed by Enter.
    if (isEnter && column === 'remove') return;
    const by = isEnter ? (pressed.shiftKey ? -1 : 1) : pressed.altKey && { ArrowUp: -1, ArrowDown: 1 }[pressed.key];
    if (!by) return;
    pressed.preventDefault();
    if (!isEnter || !(pressed.ctrlKey || pressed.metaKey))
      return focusCell(indexOf(pressed.target) + by, isEnter ? 'position' : column);
    // What is typed is read when the cell is left.
    (pressed.target as HTMLInputElement).blur();
    setTimeout(() => table.current?.closest('form')?.requestSubmit());
  }

  function onPaste(pasted: ClipboardEvent<HTMLElement>) {
    const column = (pasted.target as HTMLElement).dataset['column'] as CallColumn | undefined;
    const text = pasted.clipboardData.getData('text/plain');
    if (!column || !/[\t\n]/.test(text.trimEnd())) return;
    pasted.preventDefault();
    const cells = readCells(text);
    const room = most - rows.filter(isChanged).length + 1;
    const place = { from: indexOf(pasted.target), column, columns, names: calls.columns };
    const { rows: next, put } = putCells(rows, cells.slice(0, room), place, read);
    const faulty = next.filter((row) => put.includes(row.key) && isFaulty(row, event, choices));
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

  const renderRow = (index: number, measure: ((element: HTMLElement | null) => void) | null) => {
    const row = rows[index];
    if (!row) return null;
    const { key, draft, isRemoved } = row;
    const isUsed = row.stored !== null || isChanged(row);
    const isShown = isChanged(row) && !isRemoved && (showsFaults || touched.has(key));
    const said = Object.entries(isShown ? readCall(draft, event, choices).faults : {}) as [CallColumn, CallFault][];
    const noteId = `${id}-${key}`;
    const hasNote = said.length > 0 || row.refusal !== null || row.before !== null || isRemoved;
    return (
      <tbody key={key} ref={measure} data-index={index} className={isRemoved ? 'ev-removed' : undefined}>
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
                onLeave={(text, isForButton) => {
                  const meant = read(column, text);
                  if (meant !== text) set(key, { draft: { ...draft, [column]: meant }, refusal: null });
                  // A fault that appears would move the button away under the pointer.
                  if (text !== '' && !isForButton) setTouched(new Set([...touched, key]));
                }}
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
                onClick={() => copy(row, index)}
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
                onClick={() => (isRemoved ? set(key, { isRemoved: false }) : remove(row, index))}
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
  };

  const facts = [rows, event, choices, touched, showsFaults, hasDays];
  const {
    rows: shown,
    abovePx,
    belowPx,
    scrollTo,
  } = useRowsInSight({ count: rows.length, body: table, renderRow }, facts);
  /** A row that is out of sight is brought into the page first. */
  function focusCell(index: number, column: string) {
    const find = () => table.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-column="${column}"]`);
    if (!find() && index >= 0 && index < rows.length) scrollTo(index);
    let frames = 20;
    const focus = () => {
      const found = find();
      found?.focus();
      if (!found && frames-- > 0) requestAnimationFrame(focus);
    };
    focus();
  }

  const firstFaulty = showsFaults ? rows.findIndex((row) => isFaulty(row, event, choices)) : -1;
  const wasShown = useRef(false);
  useEffect(() => {
    if (firstFaulty >= 0 && !wasShown.current) scrollTo(firstFaulty);
    wasShown.current = showsFaults;
  });

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
          aria-rowcount={rows.length + 1}
          aria-describedby={`${id}-lead`}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        >
          <caption className="app-hidden">{calls.caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
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
          <tbody>
            <Space heightPx={abovePx} columns={columns.length + 1} />
          </tbody>
          {shown}
          <tbody>
            <Space heightPx={belowPx} columns={columns.length + 1} />
          </tbody>
        </table>
      </div>
      <Names id={`${id}-position`} names={choices.positions.map(({ title }) => title)} />
      <Names id={`${id}-skill`} names={choices.skillLevels.map(({ name }) => name)} />
      <p role="status" className="ev-hint">
        {news}
      </p>
      {!needsDays(event, drafts) && <CheckField label={calls.days} value={asksDays} onChange={setAsksDays} />}
    </div>
  );
}

const Names = ({ id, names }: { id: string; names: readonly string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name}>{name}</option>
    ))}
  </datalist>
);

/** What somebody else has changed in a row. */
function describeTheirs(
  before: CallDraft,
  now: CallDraft,
  { columns, changedBy }: { columns: Readonly<Record<CallColumn, string>>; changedBy: string },
): string {
  const changed = (Object.keys(differences(before, now)) as CallColumn[]).filter((column) => column in columns);
  const list = changed.map((column) => `${columns[column]} ${before[column] || '–'} → ${now[column] || '–'}`);
  return `${changedBy} ${list.join(', ')}`;
}

/** What an empty cell stands for. */
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
      type={isDay ? 'date' : 'text'}
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
