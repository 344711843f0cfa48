import { Link } from 'wouter';
import { useMinute } from '../../board/clock.ts';
import { resolveSpan, setZone } from '../../board/span.ts';
import { formatTime } from '../../board/zones.ts';
import { useRead, useViewer } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { EndingQualifications } from '../qualifications/ending.tsx';
import { SinceAway } from '../staffing/away.tsx';
import { fullName } from '../staffing/steps.ts';
import './home.css';

const document = `query Home($from: DateTimeISO!, $to: DateTimeISO!, $now: DateTimeISO!, $weekTo: DateTimeISO!) {
  positions { defaultPayRate }
  people: users(role: STAFF, perPage: 1) { totalCount }
  first: events(first: 5) { nodes { timezone callTimes { uuid } } }
  shifts: workShifts(perPage: 1) { totalCount }
  today: events(filter: { runsFrom: $from, runsTo: $to, statuses: [ACTIVE] }, sort: { by: START, order: ASC }, first: 50) {
    totalCount
    nodes { uuid title timezone startsAt endsAt startTimeTbd endTimeTbd venueName coverage { needed open } }
  }
  week: work(from: $now, to: $weekTo, groupBy: [MONTH], running: true) { total { open shifts confirmedShifts } }
  requests: offerRecipients(filter: { states: [REQUESTED] }, first: 10) {
    nodes { uuid firstName lastName position eventTitle eventUuid }
  }
  swaps: shiftSwaps(filter: { states: [TAKEN] }, first: 10) {
    nodes { uuid fromFirstName fromLastName toFirstName toLastName position eventTitle eventUuid }
  }
}`;

interface TodayEvent extends Readonly<
  Record<'uuid' | 'title' | 'timezone' | 'startsAt' | 'endsAt', string> & Record<'startTimeTbd' | 'endTimeTbd', boolean>
> {
  readonly venueName: string | null;
  readonly coverage: { readonly needed: number; readonly open: number };
}

interface HomeData extends Readonly<Record<'people' | 'shifts', { readonly totalCount: number }>> {
  readonly positions: readonly { readonly defaultPayRate: string | null }[];
  readonly first: { readonly nodes: readonly { readonly timezone: string; readonly callTimes: readonly unknown[] }[] };
  readonly today: { readonly totalCount: number; readonly nodes: readonly TodayEvent[] };
  readonly week: { readonly total: Readonly<Record<'open' | 'shifts' | 'confirmedShifts', number>> };
  readonly requests: {
    readonly nodes: readonly Readonly<
      Record<'uuid' | 'firstName' | 'lastName' | 'position' | 'eventTitle' | 'eventUuid', string>
    >[];
  };
  readonly swaps: {
    readonly nodes: readonly Readonly<
      Record<
        | 'uuid'
        | 'fromFirstName'
        | 'fromLastName'
        | 'toFirstName'
        | 'toLastName'
        | 'position'
        | 'eventTitle'
        | 'eventUuid',
        string
      >
    >[];
  };
}

/** What an admin needs first: the way to the first event, and from then on what today asks for. */
export default function HomePage() {
  const { home } = useMessages();
  const { timezone } = useViewer().business;
  setZone(timezone);
  const nowMs = useMinute();
  const [day, week] = [resolveSpan('today', null, nowMs), resolveSpan('week', null, nowMs)];
  // Events that are over count no more. They end on quarters of an hour, so that the page need not read each minute.
  const quarterMs = Math.floor(nowMs / 900_000) * 900_000;
  const [from, to, now, weekTo] = [day.fromMs, day.toMs, quarterMs, week.toMs].map((ms) => new Date(ms).toISOString());
  const read = useRead<HomeData>(document, { from, to, now, weekTo });
  const newEvent = (
    <LinkButton isPrimary href="/events/new">
      {home.newEvent}
    </LinkButton>
  );
  return (
    <Page title={home.title} actions={newEvent}>
      <SinceAway event={null} />
      <Loaded read={read}>
        {(data) =>
          data.shifts.totalCount + data.requests.nodes.length === 0 ? (
            <Steps data={data} hasZone={timezone !== 'UTC'} />
          ) : (
            <Today data={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Steps({ data: { positions, people, first }, hasZone }: { data: HomeData; hasZone: boolean }) {
  const { home } = useMessages();
  const hasCallTimes = first.nodes.some(({ callTimes }) => callTimes.length > 0);
  const steps = [
    // Nothing says that a business means UTC until it has made an event in it.
    ['settings', hasZone || first.nodes.some(({ timezone }) => timezone === 'UTC'), '/settings'],
    ['position', positions.some(({ defaultPayRate }) => defaultPayRate !== null), '/settings/positions'],
    ['people', people.totalCount > 0, '/people'],
    ['event', hasCallTimes, '/events/new'],
    ['assigned', false, '/board?span=week'],
  ] as const;
  const [next] = steps.find(([, isDone]) => !isDone)!;
  return (
    <section className="cs-steps" aria-labelledby="steps">
      <h2 id="steps">{home.start}</h2>
      <ol>
        {steps.map(([key, isDone, href]) => (
          <li key={key} data-done={isDone}>
            <div>
              <h3>
                {home.steps[key].title}
                {isDone && <span className="cs-done"> ✓ {home.done}</span>}
              </h3>
              <p>{home.steps[key].lead}</p>
            </div>
            <Link className={`cb-button cs-button${key === next ? ' cb-primary' : ''}`} href={href}>
              {home.steps[key].action}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Today({ data: { today, week, requests, swaps } }: { data: HomeData }) {
  const { home, offers, swaps: swapTexts } = useMessages();
  const waiting = week.total.shifts - week.total.confirmedShifts;
  const time = (at: string, isTbd: boolean, zone: string) => (isTbd ? '?' : formatTime(Date.parse(at), zone));
  return (
    <div className="cs-today">
      <section aria-labelledby="today">
        <h2 id="today">{home.today}</h2>
        {today.nodes.length === 0 && (
          <Empty title={home.nothingToday} action={<Link href="/events">{home.events}</Link>}>
            {home.nothingLead}
          </Empty>
        )}
        <ul>
          {today.nodes.map(({ uuid, title, timezone, venueName, coverage, ...times }) => (
            <li key={uuid}>
              <Link href={`/events/${uuid}`}>{title}</Link>
              <span>
                {time(times.startsAt, times.startTimeTbd, timezone)}–{time(times.endsAt, times.endTimeTbd, timezone)}
              </span>
              <span>{venueName}</span>
              {coverage.needed > 0 && (
                <strong>{coverage.open > 0 ? home.openPlaces(coverage.open) : home.filled}</strong>
              )}
            </li>
          ))}
        </ul>
        {today.totalCount > today.nodes.length && (
          <Link href="/board">{home.more(today.totalCount - today.nodes.length)}</Link>
        )}
      </section>
      <section aria-labelledby="week">
        <h2 id="week">{home.week}</h2>
        <p>
          {home.openInWeek(week.total.open)}{' '}
          {week.total.open > 0 && <Link href="/board?span=week&show=open">{home.showGaps}</Link>}
        </p>
        <p>
          {home.waiting(waiting)} {waiting > 0 && <Link href="/board?span=week&show=waiting">{home.showWaiting}</Link>}
        </p>
      </section>
      {requests.nodes.length > 0 && (
        <section aria-labelledby="requests">
          <h2 id="requests">{offers.requests}</h2>
          <ul>
            {requests.nodes.map((part) => (
              <li key={part.uuid}>
                <Link href={`/events/${part.eventUuid}`}>
                  {offers.request(fullName(part), part.position, part.eventTitle)}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {swaps.nodes.length > 0 && (
        <section aria-labelledby="swaps">
          <h2 id="swaps">{swapTexts.requests}</h2>
          <ul>
            {swaps.nodes.map(({ uuid, eventUuid, position, eventTitle, ...names }) => (
              <li key={uuid}>
                <Link href={`/events/${eventUuid}`}>
                  {swapTexts.request(
                    fullName({ firstName: names.fromFirstName, lastName: names.fromLastName }),
                    fullName({ firstName: names.toFirstName, lastName: names.toLastName }),
                    position,
                    eventTitle,
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <EndingQualifications />
    </div>
  );
}
