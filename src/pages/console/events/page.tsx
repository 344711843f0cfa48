import { useCallback, useMemo } from 'react';
import { Link } from 'wouter';
import { useMinute } from '../../time/clock.ts';
import { formatLocalDay, readZone, setZone } from '../../time/span.ts';
import { useViewer } from '../../application/data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Empty, Loaded } from '../parts/notice.tsx';
import { useAddress, writeAddress, type Address } from './address.ts';
import { daysOfEvent, groupByDay, useCalendar, type CalendarEvent } from './data.ts';
import { daysOf, formatDate, formatDays, step, type Days, type View } from '../../time/dates.ts';
import { Filters } from './filters.tsx';
import { Agenda, type AgendaRow } from './agenda.tsx';
import { Grid } from './grid.tsx';
import './events.css';

/** The calendar of events. */
export default function EventsPage() {
  const { events: texts, callSheet, language } = useMessages();
  const viewer = useViewer();
  const { address, change } = useAddress();
  setZone(viewer.business.timezone);
  const today = formatLocalDay(useMinute());
  const { view } = address;
  const day = address.day ?? today;
  const isSearch = view === 'list' && address.text !== '';
  const days = daysOf(view, day, viewer.business.weekStart);
  const { events, totalCount, ...read } = useCalendar(viewer, isSearch ? null : days, address);
  const isAdmin = viewer.role === 'ADMIN';
  const goTo = useCallback((next: string) => change({ day: next }), [change]);
  const zone = readZone();
  const { from, to } = days;
  const groups = useMemo(() => groupByDay(events ?? [], { from, to }, zone), [events, from, to, zone]);
  const rows = useMemo(
    () =>
      isSearch ? (events ?? []).map((event) => ({ event, day: daysOfEvent(event, zone).from })) : listGroups(groups),
    [isSearch, events, groups, zone],
  );
  const shown = { days, day, today, address, groups, firstWeekday: viewer.business.weekStart, onGo: goTo };
  const name = isSearch ? texts.count(totalCount) : nameDays(view, day, days, language);
  const isGrid = view === 'month' || view === 'week';
  return (
    <Page
      title={texts.title}
      actions={
        isAdmin ? (
          <>
            {view === 'day' && <LinkButton href={`/call-sheet?day=${day}`}>{callSheet.many}</LinkButton>}
            <LinkButton isPrimary href={`/events/new?day=${day}`}>
              {texts.create}
            </LinkButton>
          </>
        ) : (
          <LinkButton href="/settings/feeds">{texts.addToCalendar}</LinkButton>
        )
      }
    >
      <div className="cal-bar">
        <div className="cal-steps">
          <button type="button" aria-label={texts.previous} onClick={() => change({ day: step(view, day, -1) })}>
            ‹
          </button>
          <button type="button" onClick={() => change({ day: null })}>
            {texts.today}
          </button>
          <button type="button" aria-label={texts.next} onClick={() => change({ day: step(view, day, 1) })}>
            ›
          </button>
          <label>
            <span className="app-hidden">{texts.goTo}</span>
            <input type="date" value={day} onChange={({ target }) => target.value && change({ day: target.value })} />
          </label>
        </div>
        <h2 aria-live="polite">{name}</h2>
        <nav className="app-segments cal-views" aria-label={texts.views.label}>
          {(['day', 'week', 'month', 'list'] as const).map((each) => (
            <Link
              key={each}
              href={writeAddress({ ...address, view: each })}
              {...(each === view && { 'aria-current': 'page' })}
            >
              {texts.views[each]}
            </Link>
          ))}
        </nav>
      </div>
      <Filters address={address} change={change} isAdmin={isAdmin} />
      <Loaded read={{ ...read, data: events }}>
        {({ length }) => (
          <div aria-busy={read.isLoading}>
            {isGrid && <Grid {...shown} mayCreate={isAdmin} />}
            {!isGrid && rows.length > 0 && (
              <Agenda key={`${view} ${from}`} caption={name} rows={rows} isAdmin={isAdmin} />
            )}
            {rows.length === 0 && !read.isLoading && (
              <Nothing address={address} day={day} isSearch={isSearch} isAdmin={isAdmin} />
            )}
            {totalCount > length && <p role="status">{texts.tooManyEvents(length, totalCount)}</p>}
          </div>
        )}
      </Loaded>
      <p className="cal-zone">{texts.zone(zone)}</p>
    </Page>
  );
}

function nameDays(view: View, day: string, days: Days, language: string): string {
  if (view === 'day') return formatDate(day, 'long', language);
  if (view === 'week') return formatDays(days, language);
  return formatDate(day, 'month', language);
}

const listGroups = (groups: ReadonlyMap<string, readonly CalendarEvent[]>): AgendaRow[] =>
  [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([day, events]) => events.map((event) => ({ day, event })));

interface NothingProps {
  readonly address: Address;
  readonly day: string;
  readonly isSearch: boolean;
  readonly isAdmin: boolean;
}

function Nothing({ address, day, isSearch, isAdmin }: NothingProps) {
  const { create, none } = useMessages().events;
  const isFiltered = address.text !== '' || address.status || address.client || address.isUnfilled;
  const link = (href: string, text: string) => <LinkButton href={href}>{text}</LinkButton>;
  const everywhere = address.text !== '' && !isSearch;
  const first = isAdmin && link(`/events/new?day=${day}`, create);
  const action = isFiltered ? everywhere && link(writeAddress({ ...address, view: 'list' }), none.everywhere) : first;
  const lead = isFiltered ? (isSearch ? none.searched : none.filtered) : isAdmin ? none.lead : none.clientLead;
  return (
    <Empty title={none.title} action={action}>
      {lead}
    </Empty>
  );
}
