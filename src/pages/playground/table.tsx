import { useMemo, useRef, useState } from 'react';
import { CellView } from './cells.tsx';
import { useColumns } from './table-columns.ts';
import { TableHead, widthStyle } from './table-head.tsx';
import { filterRows, findNumericColumns, sortRows, sumColumns, type Order } from './table-rows.ts';
import { TableTools } from './table-tools.tsx';
import type { Row, Table } from './tables.ts';
import { Slim } from './controls.tsx';

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
  const [showsAll, setShowsAll] = useState(false);
  const arranged = useColumns(columns);
  const { shown, hidden, widths } = arranged;
  const matching = useMemo(() => {
    const searched = columns.filter((column) => !hidden.has(column));
    return sortRows(filterRows(rows, searched, filter), order);
  }, [columns, hidden, rows, filter, order]);
  const head = useRef<HTMLTableRowElement>(null);
  const numeric = useMemo(() => findNumericColumns(columns, rows), [columns, rows]);
  if (rows.length === 0) return <p className="pg-empty">No rows: nothing matches.</p>;
  const visible = showsAll ? matching : matching.slice(0, firstRows);
  const sort = (column: string): void =>
    setOrder({ column, isDescending: order?.column === column ? !order.isDescending : false });
  const measure = (column: string): number =>
    (head.current?.cells[shown.indexOf(column)]?.firstElementChild as HTMLElement | undefined)?.offsetWidth ?? 0;

  return (
    <>
      <TableTools
        table={table}
        columns={arranged}
        rows={matching}
        measure={measure}
        operationName={operationName}
        filter={filter}
        onFilter={setFilter}
      />
      <table className="pg-table" data-sized={widths.size > 0}>
        <caption className="app-hidden">{path}</caption>
        <TableHead columns={arranged} numeric={numeric} order={order} onSort={sort} ref={head} />
        <tbody>
          {visible.map((row, index) => (
            <tr key={index}>
              {shown.map((column) => (
                <td key={column} data-numeric={numeric.has(column)}>
                  <div className="pg-cell" style={widthStyle(widths.get(column))}>
                    <CellView cell={row.get(column)} column={column} />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <Totals columns={shown} numeric={numeric} rows={matching} />
      </table>
      {visible.length < matching.length && (
        <p className="pg-more">
          <Slim onClick={() => setShowsAll(true)}>Show all {matching.length.toLocaleString('en-US')} rows</Slim>
        </p>
      )}
    </>
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
