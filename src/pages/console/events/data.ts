import { useMemo, useState } from 'react';
import type { Viewer } from '../../application/session.ts';
import { formatLocalDay, startOfDay } from '../../board/span.ts';
import { readMinuteOfDay } from '../../board/zones.ts';
import { useRead, type ReadState } from '../data.ts';
import type { Address, EventStatus } from './address.ts';
import { addDays, type Days } from './dates.ts';

/* The events of the calendar. */

export interface CalendarEvent extends Readonly<
  Record<'uuid' | 'title' | 'timezone' | 'startTime' | 'startsAt' | 'endsAt', string> &
    Record<'startTimeTbd' | 'endTimeTbd', boolean> &
    Record<'venueName' | 'city', string | null>
> {
  readonly version: number;
  readonly status: EventStatus;
  readonly client?: { readonly name: string } | null;
  readonly coverage: Readonly<Record<'needed' | 'assigned' | 'open', number>> | null;
}

const fields = `uuid version title status timezone startTime startsAt startTimeTbd endsAt endTimeTbd venueName city
  coverage { needed assigned open }`;

const pageSize = 100;
const pagesMax = 10;

/** Clients have no filter by time, so all their events are read. */
const queryOf = (isClient: boolean, pages: number) => {
  const list = isClient ? 'myEvents(statuses: $statuses' : 'events(filter: $filter, sort: { by: START, order: ASC }';
  const nodes = `totalCount nodes { ${fields} ${isClient ? '' : 'client { name }'} }`;
  const read = Array.from(
    { length: pages },
    (_, page) => `page${page}: ${list}, perPage: ${pageSize}, page: ${page + 1}) { ${nodes} }`,
  );
  return `query CalendarEvents(${isClient ? '$statuses: [EventStatus!]' : '$filter: EventFilter!'}) { ${read.join('\n')} }`;
};

type Pages = Readonly<Record<string, { readonly totalCount: number; readonly nodes: readonly CalendarEvent[] }>>;

interface Calendar extends Omit<ReadState<unknown>, 'data'> {
  /** Null until they are read. */
  readonly events: readonly CalendarEvent[] | null;
  readonly totalCount: number;
}

/** Reads the events that run in the days, or all that match a search where the days are null. */
export function useCalendar({ role }: Viewer, days: Days | null, address: Address): Calendar {
  const [pages, setPages] = useState(1);
  const statuses: EventStatus[] = address.status ? [address.status] : ['ACTIVE', 'DRAFT', 'CANCELED'];
  const isClient = role === 'CLIENT';
  const { data, ...state } = useRead<Pages>(
    queryOf(isClient, pages),
    isClient
      ? { statuses: statuses.filter((status) => status !== 'DRAFT') }
      : {
          filter: {
            statuses,
            // An event whose start is to be determined stands under its date, wherever its zone is.
            ...(days && { runsFrom: toInstant(addDays(days.from, -1)), runsTo: toInstant(addDays(days.to, 1)) }),
            ...(address.text && { text: address.text }),
            ...(address.client && { clientId: address.client }),
            ...(address.isUnfilled && { coverageBelow: 1 }),
          },
        },
  );
  const totalCount = data?.['page0']?.totalCount ?? 0;
  const wanted = Math.min(pagesMax, Math.max(1, Math.ceil(totalCount / pageSize)));
  // Fewer pages than before are not worth another read.
  if (!state.isLoading && wanted > pages) setPages(wanted);
  const events = useMemo(() => {
    if (!data) return null;
    const text = address.text.toLocaleLowerCase();
    const all = Object.values(data).flatMap(({ nodes }) => nodes);
    return isClient && text ? all.filter(({ title }) => title.toLocaleLowerCase().includes(text)) : all;
  }, [data, isClient, address.text]);
  return { ...state, events, totalCount };
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
