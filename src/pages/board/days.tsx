import { changeAddress, type Address } from './address.ts';
import { useMinute } from './clock.ts';
import { CoverageBar } from './coverage.tsx';
import { sumCoverage } from './lanes.ts';
import { formatLocalDay, resolveSpan, spanDays } from './span.ts';
import type { EventView } from './view.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** Coverage by the day on which events start, also of days without any. A day leads to itself. */
export function DayStrip({ views, address: { span, day } }: { views: readonly EventView[]; address: Address }) {
  const nowMs = useMinute();
  const { fromMs, toMs } = resolveSpan(span, day, nowMs);
  const first = new Date(fromMs);
  const days = Array.from({ length: spanDays[span] }, (_, index) =>
    new Date(first.getFullYear(), first.getMonth(), first.getDate() + index).getTime(),
  );
  // An event that began before the span counts on its first day, and one that begins after it, with a call inside, on its last day.
  const dayOf = ({ event }: EventView) =>
    formatLocalDay(Math.min(toMs - 1, Math.max(fromMs, Date.parse(event.startsAt))));
  return (
    <ol className="bd-days" aria-label="Days of the span">
      {days.map((ms) => {
        const key = formatLocalDay(ms);
        const ofDay = views.filter((view) => dayOf(view) === key);
        const coverage = sumCoverage(ofDay.map((view) => view.coverage));
        return (
          <li key={key}>
            <button
              type="button"
              className="bd-day"
              onClick={() => changeAddress({ span: 'today', day: key === formatLocalDay(nowMs) ? null : key })}
            >
              <strong>{dayFormat.format(ms).replace(',', '')}</strong>
              <CoverageBar coverage={coverage} />
              <span>{describeDay(ofDay.length, coverage)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function describeDay(events: number, { needed, open }: { needed: number; open: number }): string {
  if (events === 0) return 'no events';
  return open > 0 ? `${open} open of ${needed}` : `all ${needed} filled`;
}
