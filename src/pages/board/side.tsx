import { openPanel } from './address.ts';
import { useMinute } from './clock.ts';
import { listGaps } from './lanes.ts';
import { type Audience, fullName, type Conflict } from './model.ts';
import type { EventView } from './view.ts';
import { formatMinutes, formatMoment, formatUntil } from './zones.ts';

/** Longer lists are cut, and say so. */
const mostRows = 12;

interface SideProps {
  readonly views: readonly EventView[];
  readonly conflicts: readonly Conflict[];
  readonly role: Audience;
}

/** Lists of missing people, double bookings and open confirmations, each with the most urgent first. */
export const Side = ({ views, conflicts, role }: SideProps) => (
  <aside className="bd-side" aria-label="What needs attention">
    {role !== 'STAFF' && <Missing views={views} />}
    {role === 'ADMIN' && conflicts.length > 0 && <DoubleBookings conflicts={conflicts} />}
    <Waiting views={views} isOwn={role === 'STAFF'} />
  </aside>
);

function Missing({ views }: { views: readonly EventView[] }) {
  const nowMs = useMinute();
  const gaps = listGaps(views, nowMs);
  return (
    <section className="bd-list" aria-labelledby="missing">
      <h2 id="missing">Missing, soonest first</h2>
      {gaps.length === 0 && <p className="bd-soft">Nobody is missing.</p>}
      <ul>
        {gaps.slice(0, mostRows).map(({ event, lane, call }) => (
          <li key={lane.uuid}>
            <button type="button" className="bd-row" onClick={() => openPanel(event.uuid, call.uuid)}>
              <strong>
                {lane.coverage.open} × {lane.title}
              </strong>{' '}
              <span className={lane.fromMs - nowMs < 6 * 3_600_000 ? 'bd-missing' : ''}>
                {formatUntil(lane.fromMs, nowMs)}
              </span>
              <small>
                {formatMoment(lane.fromMs, event.timezone)} · {event.title}
              </small>
            </button>
          </li>
        ))}
      </ul>
      <More count={gaps.length - mostRows} />
    </section>
  );
}

const DoubleBookings = ({ conflicts }: { conflicts: readonly Conflict[] }) => (
  <section className="bd-list" aria-labelledby="clashes">
    <h2 id="clashes">Double bookings</h2>
    <ul>
      {conflicts.slice(0, mostRows).map(({ first, second, staff, minutes }) => (
        <li key={`${first.uuid} ${second.uuid}`}>
          <button
            type="button"
            className="bd-row"
            onClick={() => first.event && openPanel(first.event.uuid, first.uuid)}
          >
            <strong>
              <span aria-hidden="true">⚠</span> {staff.name}
            </strong>{' '}
            <span>{minutes === null ? 'perhaps' : formatMinutes(minutes)}</span>
            <small>
              {first.event?.title} ↔ {second.event?.title}
            </small>
          </button>
        </li>
      ))}
    </ul>
    <More count={conflicts.length - mostRows} />
  </section>
);

function Waiting({ views, isOwn }: { views: readonly EventView[]; isOwn: boolean }) {
  const nowMs = useMinute();
  const waiting = views
    .flatMap(({ event }) => event.workShifts.filter(({ confirmed }) => !confirmed).map((shift) => ({ event, shift })))
    .toSorted((a, b) => a.shift.createdAt.localeCompare(b.shift.createdAt));
  return (
    <section className="bd-list" aria-labelledby="waiting">
      <h2 id="waiting">{isOwn ? 'Waiting for your answer' : 'Waiting to confirm, longest first'}</h2>
      {waiting.length === 0 && (
        <p className="bd-soft">{isOwn ? 'You have answered all.' : 'Everybody has confirmed.'}</p>
      )}
      <ul>
        {waiting.slice(0, mostRows).map(({ event, shift }) => (
          <li key={shift.uuid}>
            <button type="button" className="bd-row" onClick={() => openPanel(event.uuid, shift.uuid)}>
              <strong>{isOwn ? shift.position.title : fullName(shift)}</strong>{' '}
              <span>{formatUntil(Date.parse(shift.createdAt), nowMs)}</span>
              <small>
                {isOwn
                  ? formatMoment(Date.parse(shift.startsAt ?? event.startsAt), event.timezone)
                  : shift.position.title}{' '}
                · {event.title}
              </small>
            </button>
          </li>
        ))}
      </ul>
      <More count={waiting.length - mostRows} />
    </section>
  );
}

const More = ({ count }: { count: number }) => (count > 0 ? <p className="bd-soft">and {count} more</p> : null);
