import type { Span } from '../../time/span.ts';

/* What the board shows stands in its address, so that it survives a reload and can be sent to a colleague. */

/** A figure that is used as a filter. */
export type Show = 'open' | 'waiting' | 'filled' | 'clashes';

export interface Address {
  readonly span: Span;
  /** First day of the span, `YYYY-MM-DD`; null: today. */
  readonly day: string | null;
  readonly client: string | null;
  readonly city: string | null;
  readonly position: string | null;
  readonly text: string;
  readonly show: Show | null;
  /** UUID of the event whose panel is open. */
  readonly event: string | null;
  /** UUID of the call time or shift in the panel. */
  readonly item: string | null;
  readonly isTable: boolean;
  readonly isWall: boolean;
}

const isSpan = (text: string | null): text is Span => text === 'today' || text === '3days' || text === 'week';
const isShow = (text: string | null): text is Show =>
  text === 'open' || text === 'waiting' || text === 'filled' || text === 'clashes';
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

export function parseAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const [span, show, day] = ['span', 'show', 'day'].map((name) => query.get(name)) as [string, string, string];
  return {
    span: isSpan(span) ? span : 'today',
    day: isDay(day) ? day : null,
    client: query.get('client'),
    city: query.get('city'),
    position: query.get('position'),
    text: query.get('text') ?? '',
    show: isShow(show) ? show : null,
    event: query.get('event'),
    item: query.get('item'),
    isTable: query.get('view') === 'table',
    isWall: query.get('wall') === '1',
  };
}

/** The query part of the address, with its question mark; empty for what the board shows first. */
export function formatAddress({ span, isTable, isWall, ...rest }: Address): string {
  const query = new URLSearchParams();
  if (span !== 'today') query.set('span', span);
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, value);
  if (isTable) query.set('view', 'table');
  if (isWall) query.set('wall', '1');
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

let address = parseAddress(globalThis.location?.search ?? '');
const listeners = new Set<() => void>();

export const readAddress = (): Address => address;

export function watchAddress(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Changes the address. What a reader would want to go back from gets an entry in the history of the browser. */
export function changeAddress(change: Partial<Address>, history: 'push' | 'replace' = 'push'): void {
  address = { ...address, ...change };
  const url = location.pathname + formatAddress(address);
  if (history === 'push') globalThis.history.pushState(null, '', url);
  else globalThis.history.replaceState(null, '', url);
  for (const listener of listeners) listener();
}

/** Opens the panel of an event, at one of its call times or shifts. */
export const openPanel = (event: string, item: string | null): void => changeAddress({ event, item });

/** Follows an address that something else has changed. */
export function followAddress(search: string): void {
  address = parseAddress(search);
  for (const listener of listeners) listener();
}

globalThis.addEventListener?.('popstate', () => followAddress(location.search));
