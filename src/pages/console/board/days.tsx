import { useMessages } from '../messages/messages.ts';
import { changeAddress, type Address } from './address.ts';
import { useMinute } from '../../time/clock.ts';
import { CoverageBar } from './coverage.tsx';
import { sumCoverage } from './lanes.ts';
import { formatLocalDay, formatShortDay, resolveSpan, spanDays, startOfDay } from '../../time/span.ts';
import { countPending, type EventView } from './view.ts';

/** Coverage by the day on which events start, also of days without any. A day leads to itself. */
export function DayStrip({ views, address: { span, day } }: { views: readonly EventView[]; address: Address }) {
  const { board: texts } = useMessages();
  const nowMs = useMinute();
  const { fromMs, toMs } = resolveSpan(span, day, nowMs);
  const days = Array.from({ length: spanDays[span] }, (_, index) => startOfDay(formatLocalDay(fromMs), index));
  // An event that began before the span counts on its first day, and one that begins after it, with a call inside, on its last day.
  const dayOf = ({ event }: EventView) =>
    formatLocalDay(Math.min(toMs - 1, Math.max(fromMs, Date.parse(event.startsAt))));
  return (
    <ol className="bd-days" aria-label={texts.days}>
      {days.map((ms) => {
        const key = formatLocalDay(ms);
        const ofDay = views.filter((view) => dayOf(view) === key);
        const coverage = sumCoverage(ofDay.map((view) => countPending(view, nowMs)));
        return (
          <li key={key}>
            <button
              type="button"
              className="bd-day"
              onClick={() => changeAddress({ span: 'today', day: key === formatLocalDay(nowMs) ? null : key })}
            >
              <strong>{formatShortDay(ms)}</strong>
              <CoverageBar coverage={coverage} />
              <span>
                {coverage.needed === 0
                  ? texts.dayEvents(ofDay.length)
                  : coverage.open > 0
                    ? texts.dayOpen(coverage.open, coverage.needed)
                    : texts.dayFilled(coverage.needed)}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
