import { columnWidths, type Columns } from './table-columns.ts';
import { Quiet } from './controls.tsx';

interface ColumnChoiceProps {
  readonly columns: Columns;
  /** The width at which a column is shown now. */
  readonly measure: (column: string) => number;
}

/** Hides, moves and resizes columns without dragging. */
export function ColumnChoice({ columns, measure }: ColumnChoiceProps) {
  const { all, shown, hidden } = columns;
  const resize = (column: string, by: number): void => columns.resize(column, measure(column) + by);
  return (
    <details className="pg-menu">
      <summary>{shown.length < all.length ? `${shown.length} of ${all.length} columns` : 'Columns'}</summary>
      <fieldset className="pg-columns">
        <legend className="app-hidden">Columns to show</legend>
        {all.map((column) => (
          <div key={column}>
            <label>
              <input
                type="checkbox"
                checked={!hidden.has(column)}
                disabled={shown.length === 1 && shown[0] === column}
                onChange={() => columns.toggle(column)}
              />
              {column}
            </label>
            {!hidden.has(column) && (
              <>
                <Tool sign="←" name={`Move ${column} left`} onPress={() => columns.step(column, -1)} />
                <Tool sign="→" name={`Move ${column} right`} onPress={() => columns.step(column, 1)} />
                <Tool sign="−" name={`Make ${column} narrower`} onPress={() => resize(column, -columnWidths.step)} />
                <Tool sign="+" name={`Make ${column} wider`} onPress={() => resize(column, columnWidths.step)} />
              </>
            )}
          </div>
        ))}
        <p>A heading can also be dragged to another place, and its right edge to another width.</p>
        <Quiet disabled={!columns.isChanged} onClick={columns.reset}>
          All columns as they were
        </Quiet>
      </fieldset>
    </details>
  );
}

const Tool = ({ sign, name, onPress }: { sign: string; name: string; onPress: () => void }) => (
  <Quiet aria-label={name} title={name} onClick={onPress}>
    {sign}
  </Quiet>
);
