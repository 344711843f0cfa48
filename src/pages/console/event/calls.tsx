import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
} from 'react';
import { Link } from 'wouter';
import { fetchWhenIdle } from '../../application/lazily.tsx';
import { loadAllMessages, readMessages, useMessages } from '../messages/messages.ts';
import { CheckField } from '../parts/fields.tsx';
import { Empty } from '../parts/notice.tsx';
import { Space, useRowsInSight, type RowsInSight } from '../parts/table.tsx';
import { CallTableRow, type RowActs } from './call-row.tsx';
import { copyRow, isChanged, isFaulty, withEmptyRow, type CallRow } from './call-rows.ts';
import type { Choices } from '../model/events.ts';
import { needsDays, readTyped, type CallColumn, type Span } from './draft.ts';

const loadPaste = async () => (await Promise.all([import('./paste.ts'), loadAllMessages()]))[0];
fetchWhenIdle(loadPaste);

type Paste = Awaited<ReturnType<typeof loadPaste>>;

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

const listColumns = (has: Readonly<Record<'hasDays' | 'hasBills' | 'hasSkills', boolean>>): readonly CallColumn[] => [
  'position',
  'staff',
  ...(has.hasDays ? (['startDay', 'start', 'end', 'endDay'] as const) : (['start', 'end'] as const)),
  'rate',
  'unit',
  ...(has.hasBills ? (['bill', 'billUnit'] as const) : []),
  ...(has.hasSkills ? (['skill'] as const) : []),
  'claims',
  'notes',
];

/** The call times of an event as a table to type in. */
export function CallTable({ rows, event, choices, most, showsFaults, onChange }: Props) {
  const { calls } = useMessages().event;
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
  const hasSkills = choices.skillLevels.length > 0 || drafts.some(({ skill }) => skill !== '');
  // oxlint-disable-next-line react/preserve-manual-memoization -- the rows are made again when this is another list
  const columns = useMemo(() => listColumns({ hasDays, hasBills, hasSkills }), [hasDays, hasBills, hasSkills]);

  const set = (key: string, next: Partial<CallRow>) =>
    onChange(withEmptyRow(rows.map((row) => (row.key === key ? { ...row, ...next } : row))));

  function leave({ key, draft }: CallRow, column: CallColumn, text: string, isForButton: boolean) {
    const meant = readTyped(column, text, choices);
    if (meant !== text) set(key, { draft: { ...draft, [column]: meant }, refusal: null });
    // A fault that appears would move the button away under the pointer.
    if (text !== '' && !isForButton) setTouched(new Set([...touched, key]));
  }

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
    // The browser pastes a single text into a field of text. It would drop it elsewhere.
    const takesText = pasted.target instanceof HTMLInputElement && pasted.target.type === 'text';
    if (!column || (takesText && !/[\t\n]/.test(text.trimEnd()))) return;
    pasted.preventDefault();
    void put(text, { from: indexOf(pasted.target), column, columns });
  }

  async function put(text: string, place: Parameters<Paste['putCells']>[2]) {
    const paste = await loadPaste().catch(() => null);
    if (!paste) return setNews(calls.notPasted);
    const messages = readMessages();
    const { pasting } = messages;
    const cells = paste.readCells(text);
    const before = current.current;
    const room = most - before.filter(isChanged).length + 1;
    const { rows: next, put: keys, leftOut } = paste.putCells(before, cells.slice(0, room), place, choices, messages);
    const faulty = next.filter((row) => keys.includes(row.key) && isFaulty(row, event, choices));
    setTouched(new Set([...touched, ...keys]));
    setNews(
      [
        pasting.pasted(keys.length, faulty.length),
        leftOut.length > 0 && pasting.leftOut(leftOut),
        cells.length > room && pasting.tooMany(most),
      ]
        .filter(Boolean)
        .join(' '),
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

  const acts: RowActs = { set, leave, remove, copy };
  // A reference stays the same, so that only rows that have changed are made again.
  const latest = useRef(acts);
  const current = useRef(rows);
  useLayoutEffect(() => {
    latest.current = acts;
    current.current = rows;
  });
  const renderRow: RowsInSight['renderRow'] = (index, measure) => {
    const row = rows[index];
    const look = { index, columns, id, event, choices, measure, acts: latest };
    return row && <CallTableRow key={row.key} {...look} row={row} showsFaults={showsFaults || touched.has(row.key)} />;
  };

  const facts = [rows, columns, event, choices, touched, showsFaults];
  const {
    rows: shown,
    abovePx,
    belowPx,
    scrollTo,
  } = useRowsInSight({ count: rows.length, body: table, renderRow, isDeferred: true }, facts);
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
