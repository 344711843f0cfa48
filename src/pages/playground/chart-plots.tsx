import type { ReactNode } from 'react';
import { createValueFormat, isWhole, type Bar, type ChartData } from './chart-data.ts';
import { listTicks, measureText, wrapLabel } from './chart-layout.ts';

const barHeight = 16;
const lineHeight = 17;
const totalWidth = 76;
const axisHeight = 26;

interface PlotProps {
  readonly chartData: ChartData;
  readonly bars: readonly Bar[];
  readonly width: number;
  readonly hatch: string;
}

/** Stacked horizontal bars above an axis. */
export function BarPlot({ chartData, bars, width, hatch }: PlotProps) {
  const format = createValueFormat(chartData);
  const widest = Math.max(48, ...bars.map(({ label }) => measureText(label)));
  const labelWidth = Math.min(Math.ceil(widest) + 14, Math.max(110, width * 0.4));
  const labels = bars.map(({ label }) => wrapLabel(label, labelWidth - 14, measureText));
  const tops: number[] = [];
  let height = 0;
  for (const lines of labels) {
    tops.push(height);
    height += Math.max(30, lines.length * lineHeight + 10);
  }
  const ticks = listTicks(Math.max(1, ...bars.map(({ total }) => total)), isWhole(chartData));
  const scale = Math.max(10, width - labelWidth - totalWidth) / ticks.at(-1)!;
  return (
    <Frame chartData={chartData} width={width} height={height + axisHeight} hatch={hatch}>
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(${labelWidth + tick * scale} 0)`}>
          <line className="pg-grid" y2={height} />
          <text className="pg-tick" y={height + 14} textAnchor="middle">
            {format(tick)}
          </text>
        </g>
      ))}
      {bars.map((bar, row) => (
        <g key={row} transform={`translate(0 ${tops[row]!})`}>
          <BarRow {...{ chartData, bar, labelWidth, scale, hatch, format }} lines={labels[row]!} />
        </g>
      ))}
    </Frame>
  );
}

interface BarRowProps {
  readonly chartData: ChartData;
  readonly bar: Bar;
  readonly lines: readonly string[];
  readonly labelWidth: number;
  readonly scale: number;
  readonly hatch: string;
  readonly format: (value: number) => string;
}

function BarRow({ chartData: { series }, bar, lines, labelWidth, scale, hatch, format }: BarRowProps) {
  const middle = Math.max(30, lines.length * lineHeight + 10) / 2;
  const startOf = (index: number): number =>
    labelWidth + bar.values.slice(0, index).reduce((sum, value) => sum + value, 0) * scale;
  return (
    <>
      <text className="pg-label" textAnchor="end">
        {lines.map((line, index) => (
          <tspan key={index} x={labelWidth - 12} y={middle + (index - (lines.length - 1) / 2) * lineHeight}>
            {line}
          </tspan>
        ))}
      </text>
      {bar.values.map((value, index) => {
        const key = series[index]?.key;
        const box = { x: startOf(index), y: middle - barHeight / 2, width: value * scale, height: barHeight };
        return value === 0 ? null : (
          <g key={key}>
            <rect {...box} data-series={key}>
              <title>{`${bar.label}: ${format(value)} ${series[index]?.name.toLowerCase()}`}</title>
            </rect>
            {key === 'open' && <rect {...box} fill={`url(#${hatch})`} pointerEvents="none" />}
          </g>
        );
      })}
      <text x={labelWidth + bar.total * scale + 8} y={middle} className="pg-total">
        {format(bar.total)}
      </text>
    </>
  );
}

const plotHeight = 260;
const axisWidth = 64;

/** One line per series over the days. */
export function LinePlot({ chartData, bars, width, hatch }: PlotProps) {
  const format = createValueFormat(chartData);
  const ticks = listTicks(Math.max(1, ...bars.flatMap(({ values }) => values)), isWhole(chartData));
  const inner = Math.max(40, width - axisWidth - 16);
  const x = (index: number): number => axisWidth + (bars.length < 2 ? 0 : (index / (bars.length - 1)) * inner);
  const y = (value: number): number => 10 + plotHeight - (value / ticks.at(-1)!) * plotHeight;
  const every = Math.max(1, Math.ceil((bars.length * 58) / inner));
  return (
    <Frame chartData={chartData} width={width} height={plotHeight + 10 + axisHeight} hatch={hatch}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="pg-grid" x1={axisWidth} x2={axisWidth + inner} y1={y(tick)} y2={y(tick)} />
          <text className="pg-tick" x={axisWidth - 8} y={y(tick)} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {bars.map(({ label }, index) =>
        index % every === 0 ? (
          <text key={label} className="pg-tick" x={x(index)} y={plotHeight + 26} textAnchor="middle">
            {dayFormat.format(new Date(label))}
          </text>
        ) : null,
      )}
      {chartData.series.map(({ key, name }, at) => (
        <g key={key} data-line={key}>
          <polyline points={bars.map(({ values }, index) => `${x(index)},${y(values[at] ?? 0)}`).join(' ')} />
          {bars.map(({ label, values }, index) => (
            <circle key={label} cx={x(index)} cy={y(values[at] ?? 0)} r="3">
              <title>{`${label}: ${format(values[at] ?? 0)} ${name.toLowerCase()}`}</title>
            </circle>
          ))}
        </g>
      ))}
    </Frame>
  );
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

interface FrameProps {
  readonly chartData: ChartData;
  readonly width: number;
  readonly height: number;
  readonly hatch: string;
  readonly children: ReactNode;
}

const Frame = ({ chartData, width, height, hatch, children }: FrameProps) => (
  <svg
    role="img"
    aria-labelledby={`${hatch}-title ${hatch}-text`}
    width={width}
    height={height}
    viewBox={`0 0 ${width} ${height}`}
  >
    <title id={`${hatch}-title`}>{chartData.title}</title>
    <desc id={`${hatch}-text`}>{describe(chartData)}</desc>
    <defs>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="pg-hatch" width="2.5" height="6" />
      </pattern>
    </defs>
    {children}
  </svg>
);

function describe(chartData: ChartData): string {
  const format = createValueFormat(chartData);
  const sums = chartData.series.map(
    ({ name }, index) => `${name} ${format(chartData.bars.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}`,
  );
  return `${chartData.bars.length} groups, altogether: ${sums.join(', ')}. The table below has the same numbers.`;
}
