import { useState } from 'react';
import { copyText, formatCsv, formatTsv, nameFile, saveFile } from './table-export.ts';
import type { Row, Table } from './tables.ts';

interface TableToolsProps {
  readonly table: Table;
  readonly shown: { readonly columns: readonly string[]; readonly rows: readonly Row[] };
  readonly operationName: string | null | undefined;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (columns: ReadonlySet<string>) => void;
}

/** Filter, choice of columns, and exports of exactly the rows and columns in sight. */
export function TableTools({ table, shown, operationName, filter, onFilter, hidden, onHide }: TableToolsProps) {
  const [message, setMessage] = useState('');
  const { columns, rows } = shown;
  const count = rows.length === 1 ? '1 row' : `${rows.length.toLocaleString('en-US')} rows`;

  const download = (): void => {
    const name = nameFile(operationName, table.path, 'csv', new Date());
    saveFile(new Blob([formatCsv(columns, rows)], { type: 'text/csv;charset=utf-8' }), name);
    setMessage(`${count} saved as ${name}`);
  };
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(formatTsv(columns, rows));
    setMessage(isCopied ? `${count} copied` : 'The browser does not allow copying here.');
  };

  return (
    <div className="pg-table-tools" role="group" aria-label="Table tools">
      <input
        type="search"
        placeholder="Filter rows"
        aria-label="Filter rows"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
      />
      {filter.trim() !== '' && (
        <span role="status">
          {rows.length.toLocaleString('en-US')} of {table.rows.length.toLocaleString('en-US')} match
        </span>
      )}
      <ColumnChoice columns={table.columns} hidden={hidden} onHide={onHide} />
      <span className="pg-push pg-message" role="status">
        {message}
      </span>
      <button
        type="button"
        className="pg-quiet"
        onClick={() => void copy()}
        title="Tab-separated, for pasting into a spreadsheet"
      >
        Copy as TSV
      </button>
      <button type="button" className="cb-button app-slim" onClick={download}>
        Download CSV
      </button>
    </div>
  );
}

type ColumnChoiceProps = Pick<TableToolsProps, 'hidden' | 'onHide'> & { readonly columns: readonly string[] };

function ColumnChoice({ columns, hidden, onHide }: ColumnChoiceProps) {
  const shown = columns.filter((column) => !hidden.has(column));
  const toggle = (column: string): void => {
    const next = new Set(hidden);
    if (!next.delete(column)) next.add(column);
    onHide(next);
  };
  return (
    <details className="pg-menu">
      <summary>{shown.length < columns.length ? `${shown.length} of ${columns.length} columns` : 'Columns'}</summary>
      <fieldset>
        <legend className="app-hidden">Columns to show</legend>
        {columns.map((column) => (
          <label key={column}>
            <input
              type="checkbox"
              checked={!hidden.has(column)}
              disabled={shown.length === 1 && shown[0] === column}
              onChange={() => toggle(column)}
            />
            {column}
          </label>
        ))}
        <button type="button" className="pg-quiet" disabled={hidden.size === 0} onClick={() => onHide(new Set())}>
          Show all columns
        </button>
      </fieldset>
    </details>
  );
}
