import type { Messages } from '../console/messages/messages.ts';

/* Times of an event as the clocks of its zone show them. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are slow to make, and an event needs the same ones for each of its times. */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions, language: string): Intl.DateTimeFormat {
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

function format(ms: number, zone: string, options: Intl.DateTimeFormatOptions, language = readLanguage()): string {
  const offset = readOffset(zone);
  return offset === null
    ? formatIn(zone, options, language).format(ms)
    : formatIn('UTC', options, language).format(ms + offset * 60_000);
}

/**
 * The zone by whose clocks to show an event. Where the rules of this browser are not those of the service, or it does not know
 * the zone, that is the offset which the service found. `iso` has that offset.
 */
export function trustService(iso: string | null, zone: string): string {
  if (iso === null) return zone;
  const [offset] = /[+-]\d\d:\d\d$/.exec(iso) ?? ['+00:00'];
  try {
    return formatMoment(Date.parse(iso), zone) === formatMoment(Date.parse(iso), offset) ? zone : offset;
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

/** `EST`, or `GMT+1` where the zone has no short name in English; `GMT+01:00` for an offset. */
export function formatZone(ms: number, zone: string): string {
  if (readOffset(zone) !== null) return `GMT${zone}`;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' }).formatToParts(ms);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** `Sun 22 Nov, 15:00` */
export const formatMoment = (ms: number, zone: string): string => `${formatDay(ms, zone)}, ${formatTime(ms, zone)}`;

/** What the clocks of the zone show, as if they were those of UTC. */
export function readClock(ms: number, zone: string): number {
  const text = format(ms, zone, { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' }, 'en');
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
