import {
  CalendarEventsDocument,
  CalendarOfClientDocument,
  type CalendarEventFragment,
  type CalendarEventsQuery,
} from '../../../generated/pages/console/events.ts';
import { useMemo } from 'react';
import type { Viewer } from '../../application/session.ts';
import { formatLocalDay, startOfDay } from '../../time/span.ts';
import { readMinuteOfDay } from '../../time/zones.ts';
import type { ReadState } from '../../application/data.ts';
import { usePages } from '../../application/list-pages.ts';
import type { Address, EventStatus } from './address.ts';
import { addDays, type Days } from '../../time/dates.ts';

/* The events of the calendar. */

/** Clients are not told who the client is. */
export type CalendarEvent = CalendarEventFragment & Partial<CalendarEventsQuery['page1']['nodes'][number]>;

const pagesMax = 10;

interface Calendar extends Omit<ReadState<unknown>, 'data'> {
  /** Null until they are read. */
  readonly events: readonly CalendarEvent[] | null;
  readonly totalCount: number;
}

/** Reads the events that run in the days, or all that match a search where the days are null. */
export function useCalendar({ role }: Viewer, days: Days | null, address: Address): Calendar {
  const statuses: EventStatus[] = address.status ? [address.status] : ['ACTIVE', 'DRAFT', 'CANCELED'];
  const isClient = role === 'CLIENT';
  const ofClient = usePages(
    isClient ? CalendarOfClientDocument : null,
    { statuses: statuses.filter((status) => status !== 'DRAFT') },
    pagesMax,
  );
  const ofOthers = usePages(
    isClient ? null : CalendarEventsDocument,
    {
      filter: {
        statuses,
        // An event whose start is to be determined stands under its date, wherever its zone is.
        ...(days && { runsFrom: toInstant(addDays(days.from, -1)), runsTo: toInstant(addDays(days.to, 1)) }),
        ...(address.text && { text: address.text }),
        ...(address.client && { clientId: address.client }),
        ...(address.isUnfilled && { coverageBelow: 1 }),
      },
    },
    pagesMax,
  );
  const { nodes, ...state } = isClient ? ofClient : ofOthers;
  const events = useMemo(() => {
    if (!nodes) return null;
    const text = address.text.toLocaleLowerCase();
    return isClient && text ? nodes.filter(({ title }) => title.toLocaleLowerCase().includes(text)) : nodes;
  }, [nodes, isClient, address.text]);
  return { ...state, events };
}

const toInstant = (day: string): string => new Date(startOfDay(day)).toISOString();

/** Hour of the day until which an event belongs to the night before. */
const nightEndsMinute = 6 * 60;

const knownDays = new WeakMap<CalendarEvent, { readonly zone: string; readonly days: Days }>();

/** The days on which an event is shown: those on which it runs, by the clocks of the business. */
export function daysOfEvent(event: CalendarEvent, zone: string): Days {
  const known = knownDays.get(event);
  if (known?.zone === zone) return known.days;
  const days = findDays(event, zone);
  knownDays.set(event, { zone, days });
  return days;
}

function findDays(event: CalendarEvent, zone: string): Days {
  const first = event.startTimeTbd ? event.startTime.slice(0, 10) : formatLocalDay(Date.parse(event.startsAt));
  const endMs = Date.parse(event.endsAt) - 1;
  const end = formatLocalDay(endMs);
  const last = readMinuteOfDay(endMs, zone) < nightEndsMinute ? addDays(end, -1) : end;
  return { from: first, to: addDays(last > first && !event.endTimeTbd ? last : first, 1) };
}

/** The events of each day in the days. */
export function groupByDay(
  events: readonly CalendarEvent[],
  { from, to }: Days,
  zone: string,
): ReadonlyMap<string, readonly CalendarEvent[]> {
  const groups = new Map<string, CalendarEvent[]>();
  for (const event of events) {
    const runs = daysOfEvent(event, zone);
    for (let day = runs.from > from ? runs.from : from; day < runs.to && day < to; day = addDays(day, 1)) {
      const group = groups.get(day);
      if (group) group.push(event);
      else groups.set(day, [event]);
    }
  }
  return groups;
}
