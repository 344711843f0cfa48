import { useRef, useState, type PointerEvent, type Ref } from 'react';
import type { Columns } from './table-columns.ts';
import type { Order } from './table-rows.ts';

interface TableHeadProps {
  readonly columns: Columns;
  readonly numeric: ReadonlySet<string>;
  readonly order: Order | null;
  readonly onSort: (column: string) => void;
  readonly ref: Ref<HTMLTableRowElement>;
}

/** Pixels that a pointer may move during a click. */
const clickSlop = 6;

interface Drag {
  readonly column: string;
  readonly startX: number;
  readonly target: string | null;
}

/** Headings: a click sorts, dragging one moves its column, and dragging its right edge changes the width. */
export function TableHead({ columns, numeric, order, onSort, ref }: TableHeadProps) {
  const [drag, setDrag] = useState<Drag | null>(null);
  // The click that ends a drag sorts nothing.
  const hasDragged = useRef(false);

  const start = (column: string, event: PointerEvent): void => {
    hasDragged.current = false;
    // A finger scrolls the table.
    if (event.pointerType === 'touch' || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ column, startX: event.clientX, target: null });
  };
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    if (!drag || (!hasDragged.current && Math.abs(clientX - drag.startX) < clickSlop)) return;
    hasDragged.current = true;
    const heading = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('th[data-column]');
    const column = heading?.dataset['column'] ?? null;
    setDrag({ ...drag, target: column === drag.column ? null : column });
  };
  const end = (): void => {
    if (drag?.target) columns.move(drag.column, drag.target);
    setDrag(null);
  };

  return (
    <thead>
      <tr ref={ref}>
        {columns.shown.map((column) => (
          <th
            key={column}
            scope="col"
            data-column={column}
            data-numeric={numeric.has(column)}
            data-target={drag?.target === column}
            aria-sort={order?.column === column ? (order.isDescending ? 'descending' : 'ascending') : undefined}
          >
            <div className="pg-heading" style={widthStyle(columns.widths.get(column))}>
              <button
                type="button"
                title={`Sort by ${column}`}
                aria-label={column}
                onClick={() => !hasDragged.current && onSort(column)}
                onPointerDown={(event) => start(column, event)}
                onPointerMove={follow}
                onPointerUp={end}
                onPointerCancel={() => setDrag(null)}
              >
                <HeadingText column={column} />
              </button>
            </div>
            <Edge onResize={(width) => columns.resize(column, width)} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Applied to what a cell contains, because a table makes its cells as wide as that. */
export const widthStyle = (width: number | undefined) => (width === undefined ? undefined : { width, maxWidth: width });

/** The path of the column in two lines, so that the column can be as narrow as its values. */
function HeadingText({ column }: { column: string }) {
  const split = column.lastIndexOf('.') + 1;
  return (
    <>
      {split > 0 && <small>{column.slice(0, split)}</small>}
      {column.slice(split)}
    </>
  );
}

/** The right edge of a heading. The column menu does the same without dragging. */
function Edge({ onResize }: { onResize: (width: number) => void }) {
  const start = useRef({ x: 0, width: 0 });
  return (
    <span
      className="pg-edge"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const heading = event.currentTarget.previousElementSibling as HTMLElement;
        start.current = { x: event.clientX, width: heading.offsetWidth };
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        onResize(start.current.width + event.clientX - start.current.x);
      }}
    />
  );
}
