import { useEffect, useId, useRef, useState } from 'react';
import { createValueFormat, type ChartData } from './chart-data.ts';

const mostBars = 40;
const rowHeight = 30;
const barHeight = 16;

/** Bars of confirmed, assigned and open amounts, with a table of the same numbers below. */
export function Chart({ chartData }: { chartData: ChartData }) {
  const { ref, width } = useWidth();
  const id = useId();
  const { title, series, bars } = chartData;
  const shown = bars.slice(0, mostBars);
  const format = createValueFormat(chartData);
  const most = Math.max(1, ...shown.map(({ total }) => total));
  const labelWidth = Math.min(240, Math.max(96, width * 0.3));
  const totalWidth = 76;
  const scale = Math.max(0, width - labelWidth - totalWidth) / most;
  const left = bars.length - shown.length;

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
      {width > 0 && (
        <svg
          role="img"
          aria-labelledby={`${id}-title ${id}-text`}
          width={width}
          height={shown.length * rowHeight + 4}
          viewBox={`0 0 ${width} ${shown.length * rowHeight + 4}`}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-text`}>{describe(chartData, format)}</desc>
          <defs>
            <pattern
              id={`${id}-hatch`}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect className="pg-hatch" width="2.5" height="6" />
            </pattern>
          </defs>
          {shown.map(({ label, values, total }, row) => {
            let x = labelWidth;
            return (
              <g key={row} transform={`translate(0 ${row * rowHeight})`}>
                <text x={labelWidth - 12} y={rowHeight / 2} className="pg-label" textAnchor="end">
                  {shorten(label, labelWidth)}
                </text>
                {values.map((value, index) => {
                  const from = x;
                  x += value * scale;
                  const key = series[index]?.key;
                  const box = { x: from, y: (rowHeight - barHeight) / 2, width: value * scale, height: barHeight };
                  return value === 0 ? null : (
                    <g key={key}>
                      <rect {...box} data-series={key}>
                        <title>{`${label}: ${format(value)} ${series[index]?.name.toLowerCase()}`}</title>
                      </rect>
                      {key === 'open' && <rect {...box} fill={`url(#${CSS.escape(id)}-hatch)`} pointerEvents="none" />}
                    </g>
                  );
                })}
                <text x={x + 8} y={rowHeight / 2} className="pg-total">
                  {format(total)}
                </text>
              </g>
            );
          })}
        </svg>
      )}
      {left > 0 && <p className="app-small cb-soft">And {left} more, which the table shows.</p>}
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
    </figure>
  );
}

function describe({ bars, series }: ChartData, format: (value: number) => string): string {
  const sums = series.map(
    ({ name }, index) => `${name} ${format(bars.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}`,
  );
  return `${bars.length} bars, altogether: ${sums.join(', ')}. The table below has the same numbers.`;
}

/** Cuts a label to about the number of letters that fit. */
function shorten(label: string, width: number): string {
  const letters = Math.floor((width - 14) / 7);
  return label.length > letters ? `${label.slice(0, letters - 1).trimEnd()}…` : label;
}

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
