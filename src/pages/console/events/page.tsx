import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { formatLocalDay, readZone, setZone } from '../../board/span.ts';
import { Waiting } from '../../application/waiting.tsx';
import { useViewer } from '../data.ts';
import { useMessages } from '../messages/messages.ts';
import { Page } from '../parts/frame.tsx';
import { useAddress, writeAddress, type Address } from './address.ts';
import { groupByDay, useCalendar, type CalendarEvent } from './data.ts';
import { daysOf, formatDate, formatDays, step, type Days, type View } from './dates.ts';
import { Filters } from './filters.tsx';
import { List } from './list.tsx';
import { Month } from './month.tsx';
import { Week } from './week.tsx';
import './events.css';

/** The calendar of events. */
export default function EventsPage() {
  const { events: texts, language } = useMessages();
  const viewer = useViewer();
  const { address, change } = useAddress();
  setZone(viewer.business.timezone);
  const today = formatLocalDay(Date.now());
  const { view, day = today } = { ...address, day: address.day ?? today };
  const isSearch = view === 'list' && address.text !== '';
  const days = daysOf(view, day, viewer.business.weekStart);
  const { events, totalCount, error, isLoading, retry } = useCalendar(viewer, isSearch ? null : days, address);
  const isAdmin = viewer.role === 'ADMIN';
  return (
    <Page
      title={texts.title}
      actions={
        isAdmin && (
          <Link className="cb-button cb-primary" href={`/events/new?day=${day}`}>
            {texts.create}
          </Link>
        )
      }
    >
      <div className="ev-bar">
        <div className="ev-steps">
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
        <h2 aria-live="polite">{isSearch ? texts.count(totalCount) : nameDays(view, day, days, language)}</h2>
        <nav className="app-segments ev-views" aria-label={texts.views.label}>
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
      {error !== null && (
        <p className="app-refusal" role="alert">
          {error}{' '}
          <button type="button" className="cb-button app-slim" onClick={retry}>
            {texts.retry}
          </button>
        </p>
      )}
    </Page>
  );
}

function nameDays(view: View, day: string, days: Days, language: string): string {
  if (view === 'day') return formatDate(day, 'long', language);
  if (view === 'week') return formatDays(days, language);
  return formatDate(day, 'month', language);
}
