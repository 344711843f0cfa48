import type { Bar } from './chart-data.ts';

/* Arranges the parts of a chart: order of bars, days without values, ticks of the axis, and lines of labels. */

export const sortings = ['As listed', 'Largest first', 'Most open first', 'By name'] as const;
export type Sorting = (typeof sortings)[number];

export function sortBars(bars: readonly Bar[], sorting: Sorting, openIndex: number): readonly Bar[] {
  if (sorting === 'As listed') return bars;
  if (sorting === 'By name') return bars.toSorted((a, b) => a.label.localeCompare(b.label, 'en', { numeric: true }));
  const size = (bar: Bar): number => (sorting === 'Largest first' ? bar.total : (bar.values[openIndex] ?? 0));
  return bars.toSorted((a, b) => size(b) - size(a));
}

const dayMs = 86_400_000;
const isDay = ({ label }: Bar): boolean => /^\d{4}-\d\d-\d\d$/.test(label);
/** A longer span is not filled up, because one odd date could make it endless. */
const mostDays = 800;

/** The bars by day, with zeros for the days between that have none; null if the bars do not stand for days. */
export function fillDays(bars: readonly Bar[]): readonly Bar[] | null {
  if (bars.length < 2 || !bars.every(isDay)) return null;
  const byDay = new Map(bars.map((bar) => [bar.label, bar]));
  const times = bars.map(({ label }) => Date.parse(label));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const count = (last - first) / dayMs + 1;
  if (byDay.size !== bars.length || count > mostDays) return null;
  return Array.from({ length: count }, (_, index) => {
    const label = new Date(first + index * dayMs).toISOString().slice(0, 10);
    return byDay.get(label) ?? { label, values: bars[0]!.values.map(() => 0), total: 0 };
  });
}

/** Round values from 0 to at least `most`, about five of them. */
export function listTicks(most: number, isWhole: boolean): number[] {
  const rough = Math.max(most, isWhole ? 1 : 0.01) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const wide = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= rough)!;
  const step = isWhole ? Math.max(1, Math.ceil(wide)) : wide;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** Breaks a label into lines of at most `width`; a word that is longer is broken itself. Nothing is cut off. */
export function wrapLabel(label: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of label.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (measure(line) > width && line.length > 1) {
      let end = line.length - 1;
      while (end > 1 && measure(line.slice(0, end)) > width) end--;
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  return [...lines, line];
}

let context: CanvasRenderingContext2D | null | undefined;

/** Measures text in the font of the charts. */
export function measureText(text: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * 7.5;
  context.font = '13.5px system-ui, sans-serif';
  return context.measureText(text).width * 1.06;
}
