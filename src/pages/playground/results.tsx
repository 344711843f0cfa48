import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { ResponseEditor } from '@graphiql/react';
import { Chart, type ChartChoosing } from './chart.tsx';
import { listChartColumns, sumByLabel, type ChartChoice } from './chart-columns.ts';
import type { Example } from './examples.ts';
import { readChartData, type ChartData } from './chart-data.ts';
import { BesideList, RecordView } from './cells.tsx';
import { Paging, ResultStatus } from './result-status.tsx';
import { TableView } from './table.tsx';
import { readOutsideLists, findTables, type Table } from './tables.ts';
import { RunErrors } from './run-errors.tsx';
import type { Run, Runs } from './runs.ts';
import './results.css';
import './table.css';
import './chart.css';

type View = 'table' | 'chart' | 'json';

interface Choice {
  readonly opened: Example | null;
  readonly path: string | null;
  readonly view: View | null;
}

const viewNames: { readonly [key in View]: string } = { table: 'Table', chart: 'Chart', json: 'JSON' };

interface ResultsProps {
  readonly run: Run | null;
  readonly runs: Runs;
  readonly opened: Example | null;
  /** Whether drawer and query are hidden. */
  readonly isAlone: boolean;
  readonly onAlone: (isAlone: boolean) => void;
}

/** Shows the result of the active tab as a table, as a chart where possible, as JSON, and as a download. */
export function Results({ run, runs, opened, isAlone, onAlone }: ResultsProps) {
  const [shown, setShown] = useState<Run | null>(run);
  // The previous result stays visible until the next one arrives.
  if (run !== shown && (run === null || run.result !== null)) setShown(run);
  const isRunning = run !== null && run.result === null;
  const result = shown?.result ?? null;

  // The user's choice of list and view holds until another example is opened.
  const [choice, setChoice] = useState<Choice>({ opened, path: null, view: null });
  const { path, view: chosen } = choice.opened === opened ? choice : { path: null, view: null };
  const choose = (next: Partial<Choice>): void => setChoice({ path, view: chosen, ...next, opened });

  const tables = useMemo(() => findTables(result?.data), [result]);
  const at = (wanted: string | null | undefined) => tables.find((table) => table.path === wanted);
  const table = at(path) ?? at(opened?.list) ?? tables[0] ?? null;
  const { chartData, choosing } = useChart(table);

  const views: View[] = chartData ? ['table', 'chart', 'json'] : ['table', 'json'];
  const usual = chartData?.isReport ? 'chart' : 'table';
  const view = chosen !== null && views.includes(chosen) ? chosen : usual;

  const body = useRef<HTMLDivElement>(null);

  return (
    <section className="pg-results" id="result-section" tabIndex={-1} aria-label="Result" aria-busy={isRunning}>
      <div className="pg-views">
        <ViewTabs views={views} view={view} onChoose={(next) => choose({ view: next })} />
        {tables.length > 1 && view !== 'json' && (
          <ListChoice
            tables={tables}
            table={table}
            onChoose={(next) => {
              choose({ path: next });
              body.current?.scrollTo(0, 0);
            }}
          />
        )}
        <button
          type="button"
          className="pg-quiet pg-alone"
          aria-pressed={isAlone}
          title="Hides the drawer and the query"
          onClick={() => onAlone(!isAlone)}
        >
          Result only
        </button>
      </div>
      {isRunning && <div className="pg-progress" aria-hidden="true" />}
      <ResultStatus run={run} table={table} />
      {shown && <RunErrors run={shown} />}
      <div
        className="pg-body"
        ref={body}
        role="tabpanel"
        id="result-panel"
        aria-labelledby={`view-${view}`}
        tabIndex={view === 'json' ? -1 : 0}
        data-view={view}
      >
        {!result && view !== 'json' && <p className="pg-empty">{invitation(run, opened)}</p>}
        {table && view !== 'json' && <BesideList cells={readOutsideLists(result?.data)} />}
        {view === 'chart' && chartData && (
          <Chart chartData={chartData} operationName={shown?.request.operationName} choosing={choosing} />
        )}
        {view === 'table' && <TableOrRecord run={shown} table={table} />}
        {view !== 'json' && shown && table && <Paging run={shown} runs={runs} table={table} />}
        <div className="pg-editor pg-json" hidden={view !== 'json'}>
          <ResponseEditor aria-live="off" />
        </div>
      </div>
    </section>
  );
}

/** The chart of a table: of coverage or labour cost if it has them, otherwise of columns that the user chooses. */
function useChart(table: Table | null): { chartData: ChartData | null; choosing: ChartChoosing | null } {
  const [chosen, setChosen] = useState<Partial<ChartChoice>>({});
  return useMemo(() => {
    const report = table && readChartData(table);
    const columns = table && !report ? listChartColumns(table) : null;
    if (!columns) return { chartData: report, choosing: null };
    const pick = (wanted: string | undefined, among: readonly string[]): string =>
      wanted !== undefined && among.includes(wanted) ? wanted : among[0]!;
    const choice = { label: pick(chosen.label, columns.labels), value: pick(chosen.value, columns.values) };
    return { chartData: sumByLabel(table!, choice), choosing: { columns, choice, onChoose: setChosen } };
  }, [chosen, table]);
}

function TableOrRecord({ run, table }: { run: Run | null; table: Table | null }) {
  if (!run?.result?.data) return null;
  const { operationName } = run.request;
  return table ? (
    <TableView key={`${operationName} ${table.path}`} table={table} operationName={operationName} />
  ) : (
    <RecordView cells={readOutsideLists(run.result.data)} caption="The result" />
  );
}

function invitation(run: Run | null, opened: Example | null): string {
  if (run) return '';
  return opened?.changes
    ? 'This changes something. Look at the variables, then press Run.'
    : 'Choose an example, or write a query and run it.';
}

/** Tabs of the result panel; arrow keys move between them. */
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
    <div className="app-segments" role="tablist" aria-label="View of the result">
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
