import { useMemo, useState } from 'react';
import { CellView } from './cells.tsx';
import { filterRows, findNumericColumns, sortRows, sumColumns, type Order } from './table-rows.ts';
import { TableTools } from './table-tools.tsx';
import type { Row, Table } from './tables.ts';

const firstRows = 200;

interface TableViewProps {
  readonly table: Table;
  readonly operationName: string | null | undefined;
}

/** A table that can be filtered, sorted, totalled and exported; long tables show their first rows at first. */
export function TableView({ table, operationName }: TableViewProps) {
  const { path, columns, rows } = table;
  const [order, setOrder] = useState<Order | null>(null);
  const [filter, setFilter] = useState('');
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [showsAll, setShowsAll] = useState(false);
  const shownColumns = useMemo(() => columns.filter((column) => !hidden.has(column)), [columns, hidden]);
  const matching = useMemo(
    () => sortRows(filterRows(rows, shownColumns, filter), order),
    [rows, shownColumns, filter, order],
  );
  const numeric = useMemo(() => findNumericColumns(columns, rows), [columns, rows]);
  if (rows.length === 0) return <p className="pg-empty">No rows: nothing matches.</p>;
  const visible = showsAll ? matching : matching.slice(0, firstRows);
  const sort = (column: string): void =>
    setOrder({ column, isDescending: order?.column === column ? !order.isDescending : false });

  return (
    <>
      <TableTools
        table={table}
        shown={{ columns: shownColumns, rows: matching }}
        operationName={operationName}
        filter={filter}
        onFilter={setFilter}
        hidden={hidden}
        onHide={setHidden}
      />
      <table className="pg-table">
        <caption className="app-hidden">{path}</caption>
        <thead>
          <tr>
            {shownColumns.map((column) => (
              <Heading key={column} column={column} isNumeric={numeric.has(column)} order={order} onSort={sort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map((row, index) => (
            <tr key={index}>
              {shownColumns.map((column) => (
                <td key={column} data-numeric={numeric.has(column)}>
                  <div className="pg-cell">
                    <CellView cell={row.get(column)} column={column} />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <Totals columns={shownColumns} numeric={numeric} rows={matching} />
      </table>
      {visible.length < matching.length && (
        <p className="pg-more">
          <button type="button" className="cb-button app-slim" onClick={() => setShowsAll(true)}>
            Show all {matching.length.toLocaleString('en-US')} rows
          </button>
        </p>
      )}
    </>
  );
}

interface HeadingProps {
  readonly column: string;
  readonly isNumeric: boolean;
  readonly order: Order | null;
  readonly onSort: (column: string) => void;
}

/** The path of the column in two lines, so that the column can be as narrow as its values. */
function Heading({ column, isNumeric, order, onSort }: HeadingProps) {
  const split = column.lastIndexOf('.') + 1;
  const direction = order?.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" data-numeric={isNumeric} aria-sort={order?.column === column ? direction : undefined}>
      <button type="button" onClick={() => onSort(column)} title={`Sort by ${column}`} aria-label={column}>
        {split > 0 && <small>{column.slice(0, split)}</small>}
        {column.slice(split)}
      </button>
    </th>
  );
}

interface TotalsProps {
  readonly columns: readonly string[];
  readonly numeric: ReadonlySet<string>;
  readonly rows: readonly Row[];
}

/** The sums of the rows in sight. */
function Totals({ columns, numeric, rows }: TotalsProps) {
  const sums = useMemo(() => sumColumns(numeric, rows), [numeric, rows]);
  if (rows.length < 2 || !columns.some((column) => sums.has(column))) return null;
  return (
    <tfoot>
      <tr>
        {columns.map((column, index) => (
          <td key={column} data-numeric={numeric.has(column)}>
            {index === 0 && !sums.has(column) ? 'Total' : sums.get(column)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}
