import { useState } from 'react';
import { ColumnChoice } from './column-choice.tsx';
import type { Columns } from './table-columns.ts';
import { copyText, formatCsv, formatTsv, nameFile, saveCsv } from './table-export.ts';
import type { Row, Table } from './tables.ts';
import { Quiet, Search, Slim } from './controls.tsx';

interface TableToolsProps {
  readonly table: Table;
  readonly columns: Columns;
  /** The rows in sight. */
  readonly rows: readonly Row[];
  readonly measure: (column: string) => number;
  readonly operationName: string | null | undefined;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
}

/** Filter, column menu, and exports of exactly the rows and columns in sight. */
export function TableTools({ table, columns, rows, measure, operationName, filter, onFilter }: TableToolsProps) {
  const [message, setMessage] = useState('');
  const count = rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en-US')} rows`;

  const download = (): void => {
    const name = nameFile(operationName, table.path, 'csv', new Date());
    saveCsv(formatCsv(columns.shown, rows), name);
    setMessage(`${count} saved as ${name}`);
  };
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(formatTsv(columns.shown, rows));
    setMessage(isCopied ? `${count} copied` : 'The browser does not allow copying here.');
  };

  return (
    <div className="pg-table-tools" role="group" aria-label="Table tools">
      <Search label="Filter rows" value={filter} onChange={onFilter} placeholder="Filter rows" />
      {filter.trim() !== '' && (
        <span role="status">
          {rows.length.toLocaleString('en-US')} of {table.rows.length.toLocaleString('en-US')} match
        </span>
      )}
      <ColumnChoice columns={columns} measure={measure} />
      <span className="pg-push pg-message" role="status">
        {message}
      </span>
      <Quiet onClick={() => void copy()} title="Tab-separated, for pasting into a spreadsheet">
        Copy as TSV
      </Quiet>
      <Slim onClick={download}>Download CSV</Slim>
    </div>
  );
}
