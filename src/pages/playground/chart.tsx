import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ChartChoice, ChartColumns } from './chart-columns.ts';
import { createValueFormat, type ChartData } from './chart-data.ts';
import { fillDays, sortBars, sortings, type Sorting } from './chart-layout.ts';
import { savePng, saveSvg } from './chart-picture.ts';
import { BarPlot, LinePlot } from './chart-plots.tsx';
import { nameFile } from './table-export.ts';
import { Quiet, Select, Slim } from './controls.tsx';

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
  const [kind, setKind] = useState<'Line over days' | 'Bars'>('Line over days');
  const [sorting, setSorting] = useState<Sorting>('As listed');
  const [showsAll, setShowsAll] = useState(false);
  const openIndex = series.findIndex(({ key }) => key === 'open');
  const isLine = days !== null && kind !== 'Bars';
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
        {choosing && (
          <>
            <Select
              label="Sum of"
              value={choosing.choice.value}
              options={choosing.columns.values}
              onChange={(value) => choosing.onChoose({ ...choosing.choice, value })}
            />
            <Select
              label="by"
              value={choosing.choice.label}
              options={choosing.columns.labels}
              onChange={(label) => choosing.onChoose({ ...choosing.choice, label })}
            />
          </>
        )}
        {days && <Select label="Kind" value={kind} options={['Line over days', 'Bars']} onChange={setKind} />}
        {!isLine && (
          <Select
            label="Order"
            value={sorting}
            options={sortings.filter((each) => each !== 'Most open first' || openIndex !== -1)}
            onChange={setSorting}
          />
        )}
        <span className="pg-push" />
        <Quiet onClick={() => save('png')}>Save as PNG</Quiet>
        <Quiet onClick={() => save('svg')}>Save as SVG</Quiet>
      </div>
      {bars.every(({ total }) => total === 0) && <p>All values are zero.</p>}
      {width > 0 &&
        (isLine ? (
          <LinePlot chartData={chartData} bars={shown} width={width} hatch={hatch} />
        ) : (
          <BarPlot chartData={chartData} bars={shown} width={width} hatch={hatch} />
        ))}
      {shown.length < ordered.length && <Slim onClick={() => setShowsAll(true)}>Show all {ordered.length} bars</Slim>}
      <ChartTable chartData={chartData} />
    </figure>
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
