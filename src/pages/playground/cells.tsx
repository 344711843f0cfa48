import { isNestedList, type NestedList, type Row, type TableCell } from './tables.ts';
import { describeItem } from './table-rows.ts';

const mostItems = 200;
/** Fields beside a list that are shown at once; the others are folded. */
const shownBeside = 8;

interface RecordProps {
  readonly cells: Row;
  readonly caption: string;
}

/** A single object as a list of fields. */
export const RecordView = ({ cells, caption }: RecordProps) => (
  <table className="pg-record">
    <caption className="app-hidden">{caption}</caption>
    <tbody>
      {[...cells].map(([path, cell]) => (
        <tr key={path}>
          <th scope="row">{path}</th>
          <td>
            <CellView cell={cell} column={path} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The values outside the list, such as totals or the event whose call times the table shows. */
export function BesideList({ cells }: { cells: Row }) {
  if (cells.size === 0) return null;
  const entries = [...cells];
  return (
    <div className="pg-beside">
      <BesideFields entries={entries.slice(0, shownBeside)} />
      {entries.length > shownBeside && (
        <details>
          <summary>{entries.length - shownBeside} more fields</summary>
          <BesideFields entries={entries.slice(shownBeside)} />
        </details>
      )}
    </div>
  );
}

const BesideFields = ({ entries }: { entries: readonly (readonly [string, TableCell])[] }) => (
  <dl className="pg-compact">
    {entries.map(([path, cell]) => (
      <div key={path}>
        <dt>{path.slice(path.indexOf('.') + 1)}</dt>
        <dd>
          <CellView cell={cell} column={path} />
        </dd>
      </div>
    ))}
  </dl>
);

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

export function CellView({ cell, column }: { cell: TableCell | undefined; column: string }) {
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
        {items.slice(0, mostItems).map((item, index) => (
          <li key={index}>{describeItem(item)}</li>
        ))}
      </ol>
    </details>
  );
}
