import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ChartChoice, ChartColumns } from './chart-columns.ts';
import { createValueFormat, type ChartData } from './chart-data.ts';
import { fillDays, sortBars, sortings, type Sorting } from './chart-layout.ts';
import { savePng, saveSvg } from './chart-picture.ts';
import { BarPlot, LinePlot } from './chart-plots.tsx';
import { nameFile } from './table-export.ts';

const mostBars = 40;

interface ChartProps {
  readonly chartData: ChartData;
  readonly operationName: string | null | undefined;
  /** Set if the user chooses what the chart shows. */
  readonly choosing: ChartChoosing | null;
}

export interface ChartChoosing {
  readonly columns: ChartColumns;
  readonly choice: ChartChoice;
  readonly onChoose: (choice: ChartChoice) => void;
}

/** Bars, or lines over days, with a table of the same numbers below. */
export function Chart({ chartData, operationName, choosing }: ChartProps) {
  const { ref, width } = useWidth();
  const hatch = `hatch-${useId().replaceAll(/\W/g, '')}`;
  const { title, series, bars } = chartData;
  const days = useMemo(() => fillDays(bars), [bars]);
  const [kind, setKind] = useState<'bars' | 'line'>('line');
  const [sorting, setSorting] = useState<Sorting>('As listed');
  const [showsAll, setShowsAll] = useState(false);
  const openIndex = series.findIndex(({ key }) => key === 'open');
  const isLine = days !== null && kind === 'line';
  const ordered = sortBars(days ?? bars, sorting, openIndex);
  const shown = isLine ? days : showsAll ? ordered : ordered.slice(0, mostBars);
  const save = (ending: 'png' | 'svg'): void => {
    const svg = ref.current?.querySelector<SVGSVGElement>('svg[role=img]');
    const name = nameFile(operationName, title.toLowerCase(), ending, new Date());
    if (!svg) return;
    if (ending === 'svg') saveSvg(svg, title, name);
    else void savePng(svg, title, name);
  };

  return (
    <figure className="pg-chart" ref={ref}>
      <figcaption>
        <h3>{title}</h3>
        <ul className="pg-legend">
          {series.map(({ key, name }) => (
            <li key={key} data-series={key}>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <div className="pg-chart-tools" role="group" aria-label="Chart tools">
        {choosing && <ColumnSelects {...choosing} />}
        {days && (
          <label>
            Kind{' '}
            <select value={kind} onChange={(event) => setKind(event.target.value as 'bars' | 'line')}>
              <option value="line">Line over days</option>
              <option value="bars">Bars</option>
            </select>
          </label>
        )}
        {!isLine && (
          <label>
            Order{' '}
            <select value={sorting} onChange={(event) => setSorting(event.target.value as Sorting)}>
              {sortings
                .filter((each) => each !== 'Most open first' || openIndex !== -1)
                .map((each) => (
                  <option key={each}>{each}</option>
                ))}
            </select>
          </label>
        )}
        <span className="pg-push" />
        <button type="button" className="pg-quiet" onClick={() => save('png')}>
          Save as PNG
        </button>
        <button type="button" className="pg-quiet" onClick={() => save('svg')}>
          Save as SVG
        </button>
      </div>
      {bars.every(({ total }) => total === 0) && <p>All values are zero.</p>}
      {width > 0 &&
        (isLine ? (
          <LinePlot chartData={chartData} bars={shown} width={width} hatch={hatch} />
        ) : (
          <BarPlot chartData={chartData} bars={shown} width={width} hatch={hatch} />
        ))}
      {shown.length < ordered.length && (
        <button type="button" className="cb-button app-slim" onClick={() => setShowsAll(true)}>
          Show all {ordered.length} bars
        </button>
      )}
      <ChartTable chartData={chartData} />
    </figure>
  );
}

function ColumnSelects({ columns: { labels, values }, choice, onChoose }: ChartChoosing) {
  const select = (name: string, key: keyof ChartChoice, columns: readonly string[]) => (
    <label>
      {name}{' '}
      <select value={choice[key]} onChange={(event) => onChoose({ ...choice, [key]: event.target.value })}>
        {columns.map((column) => (
          <option key={column}>{column}</option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      {select('Sum of', 'value', values)}
      {select('by', 'label', labels)}
    </>
  );
}

const ChartTable = ({ chartData }: { chartData: ChartData }) => {
  const { title, series, bars } = chartData;
  const format = createValueFormat(chartData);
  return (
    <details className="pg-chart-table">
      <summary>The same as a table</summary>
      <table className="pg-table">
        <caption className="app-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="app-hidden">Group</span>
            </th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col" data-numeric="true">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, values }, row) => (
            <tr key={row}>
              <th scope="row">{label}</th>
              {values.map((value, index) => (
                <td key={index} data-numeric="true">
                  {format(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

function useWidth() {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return { ref, width };
}
