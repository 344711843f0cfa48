import type { Messages } from '../console/messages/messages.ts';

/* Times of an event as the clocks of its zone show them. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are slow to make, and a page needs the same ones for each of its times. English is that of Britain, with the day before the month. */
export function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions, language: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...options, timeZone });
  formats.set(key, made);
  return made;
}

/** Minutes of an offset such as `-05:00`; null for the name of a zone. Not every browser takes an offset for a zone. */
function readOffset(zone: string): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const readLanguage = (): string => globalThis.document?.documentElement.lang ?? 'en';

/** Writes what the clocks of a zone show. The words come from formats of UTC, so that a zone needs one format of its own. */
const format = (ms: number, zone: string, options: Intl.DateTimeFormatOptions, language = readLanguage()): string =>
  formatIn('UTC', options, language).format(readClock(ms, zone));

/**
 * The zone by whose clocks to show an event. Where the rules of this browser are not those of the service, or it does not know
 * the zone, that is the offset which the service found. `iso` has that offset.
 */
export function trustService(iso: string | null, zone: string): string {
  if (iso === null) return zone;
  const [offset] = /[+-]\d\d:\d\d$/.exec(iso) ?? ['+00:00'];
  try {
    return readClock(Date.parse(iso), zone) === readClock(Date.parse(iso), offset) ? zone : offset;
  } catch {
    return offset;
  }
}

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** `15:00` */
export const formatTime = (ms: number, zone: string): string => format(ms, zone, clock);

/** `Sun 22 Nov` */
export const formatDay = (ms: number, zone: string): string =>
  format(ms, zone, { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '');

/** `November 2026` */
export const formatMonth = (ms: number, zone: string): string => format(ms, zone, { month: 'long', year: 'numeric' });

/** `EST`, or `GMT+1` where the zone has no short name in English; `GMT+01:00` for an offset. */
export function formatZone(ms: number, zone: string): string {
  if (readOffset(zone) !== null) return `GMT${zone}`;
  const parts = formatIn(zone, { timeZoneName: 'short' }, 'en-US').formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** `Sun 22 Nov, 15:00` */
export const formatMoment = (ms: number, zone: string): string => `${formatDay(ms, zone)}, ${formatTime(ms, zone)}`;

/** What the clocks of the zone show, to the second, as if they were those of UTC. */
export function readClock(ms: number, zone: string): number {
  const offset = readOffset(zone);
  if (offset !== null) return Math.floor(ms / 1000) * 1000 + offset * 60_000;
  const text = formatIn(zone, { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }, 'en').format(ms);
  const [day = 1, month = 1, year = 0, ...time] = (text.match(/\d+/g) ?? []).map(Number);
  return Date.UTC(year, month - 1, day, ...time);
}

/** The instant at which the clocks of the zone show this, which is given as if they were those of UTC. */
export function toInstant(wallMs: number, zone: string): number {
  const nearMs = wallMs - (readClock(wallMs, zone) - wallMs);
  return wallMs - (readClock(nearMs, zone) - nearMs);
}

/** Minutes since midnight on the clocks of the zone. */
export function readMinuteOfDay(ms: number, zone: string): number {
  const [hours, minutes] = format(ms, zone, clock, 'en').split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** `in 2 h 10 min`, or `since 10 min`: time from now until then. */
export function formatUntil(ms: number, nowMs: number, messages: Messages): string {
  const { board: texts } = messages;
  const minutes = Math.round(Math.abs(ms - nowMs) / 60_000);
  if (minutes === 0) return texts.now;
  const length = formatMinutes(minutes, messages);
  return ms > nowMs ? texts.until(length) : texts.since(length);
}

/** `2 h 10 min`, or `3 d 4 h`; of days, the minutes are left out. */
export function formatMinutes(minutes: number, { board: texts }: Messages): string {
  const days = Math.floor(minutes / 1440);
  return texts.length(days, Math.floor((minutes % 1440) / 60), days > 0 ? 0 : minutes % 60);
}
