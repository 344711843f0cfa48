import {
  HomeDocument,
  HomeStepsDocument,
  HomeWeekDocument,
  type HomeQuery,
  type HomeStepsQuery,
  type HomeWeekQuery,
} from '../../../generated/pages/console/home.ts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { readStored, store } from '../../application/storage.ts';
import { useMinute } from '../../time/clock.ts';
import { resolveSpan, setZone } from '../../time/span.ts';
import { formatDay, formatTime, formatZone } from '../../time/zones.ts';
import { useLive, useRead, useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { EndingQualifications } from '../qualifications/ending.tsx';
import { SinceAway } from '../staffing/away.tsx';
import { fullName } from '../changes/steps.ts';
import './home.css';

interface Period {
  readonly startsAt: string | null;
  readonly endsAt: string | null;
}

type WeekEvent = HomeQuery['events']['nodes'][number];

/** Each change of a busy business would be too many; a minute late is soon enough. */
const following = { ofAll: true, collectMs: 60_000 } as const;

/** What an admin needs first: the way to the first event, and from then on what today asks for. */
export default function HomePage() {
  const { home } = useMessages();
  const { timezone, id } = useViewer().business;
  setZone(timezone);
  useLive(following);
  const nowMs = useMinute();
  const [day, week] = [resolveSpan('today', null, nowMs), resolveSpan('week', null, nowMs)];
  // Events that are over count no more. They end on quarters of an hour, so that the page need not read each minute.
  const fromMs = Math.floor(nowMs / 900_000) * 900_000;
  const [now, weekTo] = [fromMs, week.toMs].map((ms) => new Date(ms).toISOString());
  const read = useRead(HomeDocument, { now, weekTo });
  const events = read.data?.events;
  const { data } = read;
  const isBusy = [events?.nodes.flatMap(({ workShifts }) => workShifts), data?.requests.nodes, data?.swaps.nodes].some(
    (list = []) => list.length > 0,
  );
  const isMore = events !== undefined && events.totalCount > events.nodes.length;
  const wholeWeek = useRead(isMore ? HomeWeekDocument : null, { now, weekTo });
  const key = `callboard:begun:${id}`;
  const hasBegun = readStored('localStorage', key) === true;
  const steps = useRead(events && !isBusy && !hasBegun ? HomeStepsDocument : null);
  useEffect(() => {
    if (isBusy || (steps.data?.shifts.totalCount ?? 0) > 0) store('localStorage', key, true);
  });
  const newEvent = (
    <LinkButton isPrimary href="/events/new">
      {home.newEvent}
    </LinkButton>
  );
  return (
    <Page title={home.title} actions={newEvent}>
      <SinceAway event={null} />
      <Loaded read={read}>
        {(shown) => {
          const today = (
            <Today data={shown} wholeWeek={wholeWeek.data} now={{ fromMs, dayEndMs: day.toMs, toMs: week.toMs }} />
          );
          if (isBusy || hasBegun) return today;
          return (
            <Loaded read={steps}>
              {(known) => (known.shifts.totalCount === 0 ? <Steps data={known} hasZone={timezone !== 'UTC'} /> : today)}
            </Loaded>
          );
        }}
      </Loaded>
    </Page>
  );
}

const mostToday = 50;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** By the clocks at the event: with its day where that is not today for the reader, and its zone where that is another one. */
function describeTime(event: WeekEvent, zone: string, nowMs: number): string {
  const { timezone, startTimeTbd, endTimeTbd } = event;
  const [startMs, endMs] = [Date.parse(event.startsAt), Date.parse(event.endsAt)];
  const [start, end] = [
    startTimeTbd ? '?' : formatTime(startMs, timezone),
    endTimeTbd ? '?' : formatTime(endMs, timezone),
  ];
  const day = formatDay(startMs, timezone);
  const offset = formatZone(startMs, timezone);
  return [
    day !== formatDay(nowMs, zone) && `${day},`,
    `${start}–${end}`,
    offset !== formatZone(startMs, zone) && `(${offset})`,
  ]
    .filter(Boolean)
    .join(' ');
}

function Steps({ data: { positions, people, first }, hasZone }: { data: HomeStepsQuery; hasZone: boolean }) {
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

interface TodayProps {
  readonly data: HomeQuery;
  /** The figures of a week of which not all events were read. */
  readonly wholeWeek: HomeWeekQuery | null;
  readonly now: Readonly<Record<'fromMs' | 'dayEndMs' | 'toMs', number>>;
}

function Today({ data: { events, requests, swaps }, wholeWeek, now: { fromMs, dayEndMs, toMs } }: TodayProps) {
  const { home, offers, swaps: swapTexts } = useMessages();
  const { timezone: zone } = useViewer().business;
  // What is over counts no more. While a time is to be determined, that of the event counts.
  const isIn = ({ startsAt, endsAt }: Period, event: WeekEvent) =>
    Date.parse(endsAt ?? event.endsAt) > fromMs && Date.parse(startsAt ?? event.startsAt) < toMs;
  const listPending = (event: WeekEvent) => event.callTimes.filter((call) => isIn(call, event));
  const countOpen = (event: WeekEvent) => sum(listPending(event).map(({ coverage }) => coverage?.open ?? 0));
  const shifts = events.nodes.flatMap((event) => event.workShifts.filter((shift) => isIn(shift, event)));
  const total = wholeWeek?.week.total;
  const open = total?.open ?? sum(events.nodes.map(countOpen));
  const waiting = total ? total.shifts - total.confirmedShifts : shifts.filter(({ confirmed }) => !confirmed).length;
  const today = events.nodes.filter(({ startsAt }) => Date.parse(startsAt) < dayEndMs);
  return (
    <div className="cs-today">
      <section aria-labelledby="today">
        <h2 id="today">{home.today}</h2>
        {today.length === 0 && (
          <Empty title={home.nothingToday} action={<Link href="/events">{home.events}</Link>}>
            {home.nothingLead}
          </Empty>
        )}
        <ul>
          {today.slice(0, mostToday).map((event) => (
            <li key={event.uuid}>
              <Link href={`/events/${event.uuid}`}>{event.title}</Link>
              <span>{describeTime(event, zone, fromMs)}</span>
              <span>{event.venueName}</span>
              {listPending(event).some(({ coverage }) => (coverage?.needed ?? 0) > 0) && (
                <strong>{countOpen(event) > 0 ? home.openPlaces(countOpen(event)) : home.filled}</strong>
              )}
            </li>
          ))}
        </ul>
        {today.length > mostToday && <Link href="/board">{home.more(today.length - mostToday)}</Link>}
      </section>
      <section aria-labelledby="week">
        <h2 id="week">{home.week}</h2>
        <p>
          {home.openInWeek(open)} {open > 0 && <Link href="/board?span=week&show=open">{home.showGaps}</Link>}
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
                    fullName({ firstName: names.toFirstName ?? '', lastName: names.toLastName ?? '' }),
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
