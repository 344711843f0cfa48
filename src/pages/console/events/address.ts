import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import { isDay, type View } from '../../time/dates.ts';

/* What the calendar shows stands in its address. */

export type EventStatus = 'ACTIVE' | 'DRAFT' | 'CANCELED';

export interface Address {
  readonly view: View;
  /** Null: today. */
  readonly day: string | null;
  readonly status: EventStatus | null;
  /** Id of the client. */
  readonly client: string | null;
  readonly isUnfilled: boolean;
  readonly text: string;
}

const views: readonly string[] = ['day', 'week', 'month', 'list'];
const statuses: readonly string[] = ['ACTIVE', 'DRAFT', 'CANCELED'];

// A month has no room for words on a phone.
const defaultView: View = matchMedia('(max-width: 40rem)').matches ? 'list' : 'month';

function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const [view, day, status] = [query.get('view'), query.get('day'), query.get('status')?.toUpperCase()];
  return {
    view: view && views.includes(view) ? (view as View) : defaultView,
    day: isDay(day) ? day : null,
    status: status && statuses.includes(status) ? (status as EventStatus) : null,
    client: query.get('client'),
    isUnfilled: query.has('unfilled'),
    text: query.get('text') ?? '',
  };
}

export function writeAddress({ view, day, status, client, isUnfilled, text }: Address): string {
  const query = new URLSearchParams({
    view,
    ...(day && { day }),
    ...(status && { status: status.toLowerCase() }),
    ...(client && { client }),
    ...(isUnfilled && { unfilled: '1' }),
    ...(text && { text }),
  });
  return `/events?${query}`;
}

export function useAddress() {
  const address = readAddress(useSearch());
  const [, navigate] = useLocation();
  const change = useCallback(
    (next: Partial<Address>) => navigate(writeAddress({ ...readAddress(location.search), ...next }), { replace: true }),
    [navigate],
  );
  return { address, change };
}
