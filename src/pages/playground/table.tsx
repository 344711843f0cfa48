import { useMemo, useState } from 'react';
import {
  compareCells,
  flatten,
  isNestedList,
  isNumeric,
  type TableCell,
  type NestedList,
  type Row,
  type Table,
} from './tables.ts';

const firstRows = 200;

interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A table that can be sorted by any column; long tables show their first rows at first. */
export function TableView({ table: { path, columns, rows } }: { table: Table }) {
  const [order, setOrder] = useState<Order | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const sorted = useMemo(() => sortRows(rows, order), [rows, order]);
  const numeric = useMemo(
    () =>
      new Set(columns.filter((column) => rows.some((row) => isNumeric(row.get(column))) && allNumeric(rows, column))),
    [columns, rows],
  );
  if (rows.length === 0) return <p className="pg-empty">No rows: nothing is like this.</p>;
  const visible = showsAll ? sorted : sorted.slice(0, firstRows);
  const turn = (column: string): void =>
    setOrder({ column, isDescending: order?.column === column ? !order.isDescending : false });

  return (
    <>
      <table className="pg-table">
        <caption className="app-hidden">{path}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                data-numeric={numeric.has(column)}
                aria-sort={order?.column === column ? (order.isDescending ? 'descending' : 'ascending') : undefined}
              >
                <button type="button" onClick={() => turn(column)} title={`Sort by ${column}`}>
                  {column}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} data-numeric={numeric.has(column)}>
                  <div className="pg-cell">
                    <CellView cell={row.get(column)} column={column} />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {visible.length < sorted.length && (
        <p className="pg-more">
          <button type="button" className="cb-button app-slim" onClick={() => setShowsAll(true)}>
            Show all {sorted.length.toLocaleString('en-US')} rows
          </button>
        </p>
      )}
    </>
  );
}

const sortRows = (rows: readonly Row[], order: Order | null): readonly Row[] =>
  order
    ? rows.toSorted((a, b) => {
        const [left, right] = [a.get(order.column), b.get(order.column)];
        const isEither = left === null || right === null || left === undefined || right === undefined;
        return compareCells(left, right) * (order.isDescending && !isEither ? -1 : 1);
      })
    : rows;

const allNumeric = (rows: readonly Row[], column: string): boolean =>
  rows.every((row) => {
    const cell = row.get(column);
    return cell === null || cell === undefined || isNumeric(cell);
  });

/** A single object as a list of fields. */
export const RecordView = ({ cells, caption, isCompact = false }: RecordProps) => (
  <table className={isCompact ? 'pg-record pg-compact' : 'pg-record'}>
    <caption className="app-hidden">{caption}</caption>
    <tbody>
      {[...cells].map(([path, cell]) => (
        <tr key={path}>
          <th scope="row">{isCompact ? path.slice(path.indexOf('.') + 1) : path}</th>
          <td>
            <CellView cell={cell} column={path} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

interface RecordProps {
  readonly cells: Row;
  readonly caption: string;
  readonly isCompact?: boolean;
}

const states = new Set([
  'FILLED',
  'PARTIAL',
  'EMPTY',
  'OVERFILLED',
  'NONE_NEEDED',
  'ACTIVE',
  'DRAFT',
  'CANCELED',
  'DELETED',
  'OVERLAP',
  'POSSIBLE_OVERLAP',
]);

function CellView({ cell, column }: { cell: TableCell | undefined; column: string }) {
  if (cell === null || cell === undefined || cell === '')
    return (
      <span className="pg-none">
        <span aria-hidden="true">–</span>
        <span className="app-hidden">nothing</span>
      </span>
    );
  if (isNestedList(cell)) return <NestedListView inner={cell} column={column} />;
  if (typeof cell === 'boolean') return <>{cell ? 'yes' : 'no'}</>;
  if (typeof cell === 'number')
    return <>{column.endsWith('fillRate') ? `${Math.round(cell * 1000) / 10} %` : String(cell)}</>;
  if (states.has(cell))
    return (
      <span className="pg-state" data-state={cell}>
        {cell.toLowerCase().replaceAll('_', ' ')}
      </span>
    );
  return <>{cell}</>;
}

/** A nested list in a cell: its length, and its items when opened. */
function NestedListView({ inner: { items }, column }: { inner: NestedList; column: string }) {
  if (items.length === 0) return <span className="pg-none">0</span>;
  return (
    <details className="pg-inner">
      <summary>
        {items.length}
        <span className="app-hidden"> in {column}</span>
      </summary>
      <ol>
        {items.slice(0, firstRows).map((item, index) => (
          <li key={index}>{lineOf(item)}</li>
        ))}
      </ol>
    </details>
  );
}

/** Formats an item of a nested list in one line. */
function lineOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  return [...flatten(item)]
    .filter(([, cell]) => cell !== null && cell !== '' && !(isNestedList(cell) && cell.items.length === 0))
    .map(([path, cell]) => {
      if (isNestedList(cell)) return `${path}: ${cell.items.length}`;
      return typeof cell === 'string' && !isNumeric(cell) ? cell : `${path}: ${String(cell)}`;
    })
    .join(' · ');
}
