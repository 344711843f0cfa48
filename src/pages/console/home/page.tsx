import { Link } from 'wouter';
import { useMinute } from '../../board/clock.ts';
import { resolveSpan, setZone } from '../../board/span.ts';
import { useRead, useViewer } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { SinceAway } from '../staffing/away.tsx';
import './home.css';

const document = `query Home($from: DateTimeISO!, $to: DateTimeISO!, $weekTo: DateTimeISO!) {
  positions { defaultPayRate }
  people: users(role: STAFF, perPage: 1) { totalCount }
  first: events(first: 5) { nodes { callTimes { uuid } } }
  shifts: workShifts(perPage: 1) { totalCount }
  today: events(filter: { runsFrom: $from, runsTo: $to, statuses: [ACTIVE] }, sort: { by: START, order: ASC }, first: 50) {
    nodes { uuid title timezone startsAt endsAt startTimeTbd endTimeTbd venueName coverage { open } }
  }
  week: coverage(from: $from, to: $weekTo, groupBy: [POSITION], running: true) { total { open } }
  waiting: workShifts(filter: { from: $from, confirmed: false }, perPage: 1) { totalCount }
}`;

interface Counted {
  readonly totalCount: number;
}

interface TodayEvent {
  readonly uuid: string;
  readonly title: string;
  readonly timezone: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly startTimeTbd: boolean;
  readonly endTimeTbd: boolean;
  readonly venueName: string | null;
  readonly coverage: { readonly open: number };
}

interface HomeData {
  readonly positions: readonly { readonly defaultPayRate: string | null }[];
  readonly people: Counted;
  readonly first: { readonly nodes: readonly { readonly callTimes: readonly unknown[] }[] };
  readonly shifts: Counted;
  readonly today: { readonly nodes: readonly TodayEvent[] };
  readonly week: { readonly total: { readonly open: number } };
  readonly waiting: Counted;
}

/** What an admin needs first: the way to the first event, and from then on what today asks for. */
export default function HomePage() {
  const { home } = useMessages();
  const { timezone } = useViewer().business;
  setZone(timezone);
  const nowMs = useMinute();
  const [day, week] = [resolveSpan('today', null, nowMs), resolveSpan('week', null, nowMs)];
  const iso = (ms: number) => new Date(ms).toISOString();
  const variables = { from: iso(day.fromMs), to: iso(day.toMs), weekTo: iso(week.toMs) };
  const read = useRead<HomeData>(document, variables);
  const newEvent = (
    <Link className="cb-button cb-primary" href="/events/new">
      {home.newEvent}
    </Link>
  );
  return (
    <Page title={home.title} actions={newEvent}>
      <SinceAway event={null} />
      <Loaded read={read}>
        {(data) =>
          data.shifts.totalCount === 0 ? <Steps data={data} hasZone={timezone !== 'UTC'} /> : <Today data={data} />
        }
      </Loaded>
    </Page>
  );
}

function Steps({ data: { positions, people, first }, hasZone }: { data: HomeData; hasZone: boolean }) {
  const { home } = useMessages();
  const steps = [
    { key: 'settings', isDone: hasZone, href: '/settings' },
    {
      key: 'position',
      isDone: positions.some(({ defaultPayRate }) => defaultPayRate !== null),
      href: '/settings/positions',
    },
    { key: 'people', isDone: people.totalCount > 0, href: '/people' },
    { key: 'event', isDone: first.nodes.some(({ callTimes }) => callTimes.length > 0), href: '/events/new' },
    { key: 'assigned', isDone: false, href: '/board?span=week' },
  ] as const;
  return (
    <section className="cs-steps" aria-labelledby="steps">
      <h2 id="steps">{home.start}</h2>
      <ol>
        {steps.map(({ key, isDone, href }) => (
          <li key={key} data-done={isDone}>
            <div>
              <h3>
                {home.steps[key].title}
                {isDone && <span className="cs-done"> ✓ {home.done}</span>}
              </h3>
              <p>{home.steps[key].lead}</p>
            </div>
            <Link className="cb-button cs-button" href={href}>
              {home.steps[key].action}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Today({ data: { today, week, waiting } }: { data: HomeData }) {
  const { home } = useMessages();
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
          {today.nodes.map((event) => (
            <TodayItem key={event.uuid} event={event} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="week">
        <h2 id="week">{home.week}</h2>
        <p>
          {home.openInWeek(week.total.open)} <Link href="/board?span=week&show=open">{home.showGaps}</Link>
        </p>
        <p>
          {home.waiting(waiting.totalCount)} <Link href="/board?span=week&show=waiting">{home.showWaiting}</Link>
        </p>
      </section>
    </div>
  );
}

function TodayItem({ event }: { event: TodayEvent }) {
  const { home, language } = useMessages();
  const time = (at: string, isOpen: boolean) =>
    isOpen
      ? '?'
      : new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: event.timezone }).format(new Date(at));
  const { open } = event.coverage;
  return (
    <li>
      <Link href={`/events/${event.uuid}`}>{event.title}</Link>
      <span>
        {time(event.startsAt, event.startTimeTbd)}–{time(event.endsAt, event.endTimeTbd)}
      </span>
      <span>{event.venueName}</span>
      <strong>{open > 0 ? home.openPlaces(open) : home.filled}</strong>
    </li>
  );
}
