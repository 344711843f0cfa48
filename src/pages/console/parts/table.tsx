import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { useMessages } from '../messages/messages.ts';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly renderCell: (row: Row) => ReactNode;
  readonly isSortable?: boolean;
  readonly isNumber?: boolean;
  /** Left out on phones. */
  readonly isMinor?: boolean;
}

export interface Sort {
  readonly key: string;
  readonly isDescending: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** Shown in place of the table without rows. */
  readonly empty: ReactNode;
}

/** Rows from which on only those in sight are in the page. */
const virtualFrom = 100;
const rowHeightPx = 45;

export interface RowsInSight {
  readonly count: number;
  readonly body: RefObject<HTMLElement | null>;
  /** Makes a row. Its element has the number as `data-index`, and `measure` as its reference. */
  readonly renderRow: (index: number, measure: ((element: HTMLElement | null) => void) | null) => ReactNode;
  /** Rows come after the event of scrolling, so that another table of the page need not compute the layout again within it. */
  readonly isDeferred?: boolean;
}

/**
 * The rows of a long table that are in sight, and how much room the others take. A row is made again only when one of `facts` has
 * changed, not while one scrolls.
 */
export function useRowsInSight({ count, body, renderRow, isDeferred = false }: RowsInSight, facts: readonly unknown[]) {
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setTopPx(body.current.getBoundingClientRect().top + scrollY);
  }, [count, body]);
  const isVirtual = count >= virtualFrom;
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => rowHeightPx,
    overscan: 10,
    scrollMargin: topPx,
    useFlushSync: !isDeferred,
  });
  const items = virtualizer.getVirtualItems();
  // oxlint-disable-next-line react/exhaustive-deps -- the caller names them
  const made = useMemo(() => new Map<number, ReactNode>(), facts);
  const shown = isVirtual ? items.map(({ index }) => index) : Array.from({ length: count }, (_, index) => index);
  return {
    rows: shown.map((index) => {
      const row = made.get(index) ?? renderRow(index, isVirtual ? virtualizer.measureElement : null);
      made.set(index, row);
      return row;
    }),
    abovePx: (items[0]?.start ?? topPx) - topPx,
    belowPx: isVirtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? topPx) + topPx : 0,
    scrollTo: (index: number) => isVirtual && virtualizer.scrollToIndex(index),
  };
}

export function Table<Row>({ caption, columns, rows, rowKey, sort, onSort, empty }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const renderRow: RowsInSight['renderRow'] = (index, measure) => {
    const row = rows[index];
    return (
      row !== undefined && (
        <tr key={rowKey(row)} aria-rowindex={index + 2} data-index={index} ref={measure}>
          {columns.map((column) => (
            <td key={column.key} className={classOf(column)}>
              {column.renderCell(row)}
            </td>
          ))}
        </tr>
      )
    );
  };
  const { rows: shown, abovePx, belowPx } = useRowsInSight({ count: rows.length, body, renderRow }, [rows, columns]);
  if (rows.length === 0) return empty;

  /** Arrow keys go to the same control of the row above or below. */
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const control = event.target as HTMLElement;
    const row = control.closest('tr');
    if (by === undefined || !row || control.matches('input, select, textarea')) return;
    const controls = (of: Element | null) => [...(of?.querySelectorAll<HTMLElement>('a, button') ?? [])];
    const next = body.current?.querySelector(`[aria-rowindex="${Number(row.ariaRowIndex) + by}"]`) ?? null;
    const target = controls(next)[controls(row).indexOf(control)] ?? controls(next)[0];
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <div className="cs-table">
      <table aria-rowcount={rows.length + 1}>
        <caption className="app-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears the controls in its rows */}
        <tbody ref={body} onKeyDown={onKeyDown}>
          <Space heightPx={abovePx} columns={columns.length} />
          {shown}
          <Space heightPx={belowPx} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are not in the page. */
export const Space = ({ heightPx, columns }: { heightPx: number; columns: number }) =>
  heightPx > 0 && (
    <tr aria-hidden="true" className="cs-space">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it is no control, and hidden */}
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  );

const classOf = ({ isNumber, isMinor }: Pick<Column<never>, 'isNumber' | 'isMinor'>): string =>
  [isNumber && 'cs-number', isMinor && 'cs-minor'].filter(Boolean).join(' ');

interface HeadProps {
  readonly column: Pick<Column<never>, 'key' | 'title' | 'isSortable' | 'isNumber' | 'isMinor'>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function Head({ column, sort, onSort }: HeadProps) {
  const { parts } = useMessages();
  const direction = sort?.key === column.key ? (sort.isDescending ? 'descending' : 'ascending') : undefined;
  return (
    <th scope="col" className={classOf(column)} aria-sort={direction}>
      {column.isSortable && onSort ? (
        <button
          type="button"
          title={direction && parts.sorted[direction]}
          onClick={() => onSort({ key: column.key, isDescending: direction === 'ascending' })}
        >
          {column.title} <span aria-hidden="true">{direction ? (sort?.isDescending ? '▾' : '▴') : '↕'}</span>
        </button>
      ) : (
        column.title
      )}
    </th>
  );
}
