import { openPanel } from './address.ts';
import { useMinute } from './clock.ts';
import { listGaps } from './lanes.ts';
import { type Audience, fullName, type Conflict } from './model.ts';
import { countPending, listPending, type EventView } from './view.ts';
import { formatMinutes, formatMoment, formatUntil } from './zones.ts';

/** Longer lists are cut, and say so. */
const mostRows = 12;

interface SideProps {
  /** The events of which the lists speak. */
  readonly views: readonly EventView[];
  /** Days of the events, as a sentence names them. */
  readonly days: string;
  readonly conflicts: readonly Conflict[];
  readonly role: Audience;
}

/** Lists of missing people, double bookings and open confirmations, each with the most urgent first. */
export const Side = ({ views, days, conflicts, role }: SideProps) => (
  <aside className="bd-side" aria-label="What needs attention">
    {role !== 'STAFF' && <Missing views={views} days={days} />}
    {role === 'ADMIN' && conflicts.length > 0 && <DoubleBookings conflicts={conflicts} />}
    <Waiting views={views} days={days} isOwn={role === 'STAFF'} />
  </aside>
);

function Missing({ views, days }: Pick<SideProps, 'views' | 'days'>) {
  const nowMs = useMinute();
  const gaps = listGaps(views, nowMs);
  const isNeeded = views.some((view) => countPending(view, nowMs).needed > 0);
  return (
    <section className="bd-list" aria-labelledby="missing">
      <h2 id="missing">Missing, soonest first</h2>
      {gaps.length === 0 && (
        <p className="bd-soft">
          {isNeeded ? 'Nobody is missing' : 'Nobody is needed any more'} {days}.
        </p>
      )}
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

interface WaitingProps extends Pick<SideProps, 'views' | 'days'> {
  readonly isOwn: boolean;
}

function Waiting({ views, days, isOwn }: WaitingProps) {
  const nowMs = useMinute();
  const people = views.flatMap((view) =>
    listPending(view, nowMs).flatMap(({ shifts }) => shifts.map((shift) => ({ event: view.event, shift }))),
  );
  const waiting = people
    .filter(({ shift }) => !shift.confirmed)
    .toSorted((a, b) => a.shift.createdAt.localeCompare(b.shift.createdAt));
  return (
    <section className="bd-list" aria-labelledby="waiting">
      <h2 id="waiting">{isOwn ? 'Waiting for your answer' : 'Waiting to confirm, longest first'}</h2>
      {waiting.length === 0 && <p className="bd-soft">{describeNoneWaiting(people.length, days, isOwn)}</p>}
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

/** A staff member's list has all shifts to come; the others have those of the days shown. */
function describeNoneWaiting(people: number, days: string, isOwn: boolean): string {
  if (isOwn) return people === 0 ? 'No shift is waiting for your answer.' : 'You have answered all.';
  return people === 0 ? `Nobody is still to come ${days}.` : `Everybody has confirmed ${days}.`;
}

const More = ({ count }: { count: number }) => (count > 0 ? <p className="bd-soft">and {count} more</p> : null);
