import { useMemo, useState, type KeyboardEvent } from 'react';
import { ResponseEditor } from '@graphiql/react';
import { Chart } from './chart.tsx';
import { CsvButton } from './csv-button.tsx';
import type { Example } from './examples.ts';
import { figureOf } from './figures.ts';
import { Record, TableView } from './table.tsx';
import { besideLists, tablesIn, type Table } from './tabular.ts';
import { Troubles } from './troubles.tsx';
import type { Result } from './service.ts';
import type { Run } from './runs.ts';
import './results.css';

type View = 'table' | 'chart' | 'json';

interface Choice {
  readonly opened: Example | null;
  readonly path: string | null;
  readonly view: View | null;
}

const viewNames: { readonly [key in View]: string } = { table: 'Table', chart: 'Chart', json: 'JSON' };

/** What the query in front came to: as a table, as a chart where there is something to draw, as JSON, and as a file. */
export function Results({ run, opened }: { run: Run | null; opened: Example | null }) {
  const [shown, setShown] = useState<Run | null>(run);
  // What was there stays until the next result is.
  if (run !== shown && (run === null || run.result !== null)) setShown(run);
  const isRunning = run !== null && run.result === null;
  const result = shown?.result ?? null;

  // What the reader chose holds until the next example.
  const [choice, setChoice] = useState<Choice>({ opened, path: null, view: null });
  const { path, view: chosen } = choice.opened === opened ? choice : { path: null, view: null };
  const choose = (next: Partial<Choice>): void => setChoice({ path, view: chosen, ...next, opened });

  const tables = useMemo(() => tablesIn(result?.data), [result]);
  const at = (wanted: string | null | undefined) => tables.find((table) => table.path === wanted);
  const table = at(path) ?? at(opened?.list) ?? tables[0] ?? null;
  const figure = useMemo(() => (table ? figureOf(table) : null), [table]);

  const views: View[] = figure ? ['table', 'chart', 'json'] : ['table', 'json'];
  const usual = figure?.isReport ? 'chart' : 'table';
  const view = chosen !== null && views.includes(chosen) ? chosen : usual;

  return (
    <section className="pg-results" aria-label="Result" aria-busy={isRunning}>
      <div className="pg-views">
        <ViewTabs views={views} view={view} onChoose={(next) => choose({ view: next })} />
        {tables.length > 1 && view !== 'json' && (
          <ListChoice tables={tables} table={table} onChoose={(next) => choose({ path: next })} />
        )}
        <CsvButton key={shown?.endedAtMs} run={shown} />
      </div>
      {isRunning && <div className="pg-progress" aria-hidden="true" />}
      <p className="pg-status" role="status" aria-live="polite">
        {statusOf(run, table)}
      </p>
      {shown && <Troubles run={shown} />}
      <div
        className="pg-body"
        role="tabpanel"
        id="result-panel"
        aria-labelledby={`view-${view}`}
        tabIndex={view === 'json' ? -1 : 0}
        data-view={view}
      >
        {!result && view !== 'json' && <p className="pg-empty">{invitation(run, opened)}</p>}
        {table && view !== 'json' && <Beside result={result} />}
        {view === 'chart' && figure && <Chart figure={figure} />}
        {view === 'table' && <Tabular result={result} table={table} />}
        <div className="pg-editor pg-json" hidden={view !== 'json'}>
          <ResponseEditor aria-live="off" />
        </div>
      </div>
    </section>
  );
}

function Tabular({ result, table }: { result: Result | null; table: Table | null }) {
  if (!result?.data) return null;
  return table ? (
    <TableView key={table.path} table={table} />
  ) : (
    <Record cells={besideLists(result.data)} caption="The result" />
  );
}

/** What stands around the list, such as totals. */
function Beside({ result }: { result: Result | null }) {
  const cells = besideLists(result?.data);
  return cells.size > 0 && cells.size <= 16 ? <Record cells={cells} caption="Beside the list" isCompact /> : null;
}

function invitation(run: Run | null, opened: Example | null): string {
  if (run) return '';
  return opened?.changes
    ? 'This changes something. Look at the variables, then press Run.'
    : 'Choose an example, or write a query and run it.';
}

/** The tabs of one panel: arrow keys go from one to the next. */
function ViewTabs({ views, view, onChoose }: { views: View[]; view: View; onChoose: (view: View) => void }) {
  const press = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = views[(views.indexOf(view) + step + views.length) % views.length];
    if (next === undefined) return;
    onChoose(next);
    document.getElementById(`view-${next}`)?.focus();
  };
  return (
    <div className="pg-segments" role="tablist" aria-label="View of the result">
      {views.map((name) => (
        <button
          key={name}
          id={`view-${name}`}
          type="button"
          role="tab"
          aria-selected={name === view}
          aria-controls="result-panel"
          tabIndex={name === view ? 0 : -1}
          onClick={() => onChoose(name)}
          onKeyDown={press}
        >
          {viewNames[name]}
        </button>
      ))}
    </div>
  );
}

interface ListChoiceProps {
  readonly tables: readonly Table[];
  readonly table: Table | null;
  readonly onChoose: (path: string) => void;
}

const ListChoice = ({ tables, table, onChoose }: ListChoiceProps) => (
  <label className="pg-choice">
    <span>List</span>
    <select value={table?.path} onChange={(event) => onChoose(event.target.value)}>
      {tables.map(({ path, rows }) => (
        <option key={path} value={path}>
          {path} ({rows.length})
        </option>
      ))}
    </select>
  </label>
);

function statusOf(run: Run | null, table: Table | null): string {
  if (!run) return '';
  if (!run.result) return 'Running…';
  const { data, errors } = run.result;
  const took = run.elapsedMs > 0 ? ` in ${Math.round(run.elapsedMs).toLocaleString('en-US')} ms` : '';
  const failed = errors ? `, ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}` : '';
  if (!data) return errors ? `No result${failed}` : 'No result';
  if (!table) return `Done${took}${failed}`;
  const { length } = table.rows;
  return `${length.toLocaleString('en-US')} ${length === 1 ? 'row' : 'rows'}${took}${failed}`;
}
