/* Times of an event as the clocks of its zone show them. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are slow to make, and an event needs the same ones for each of its times. */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  formats.set(key, format);
  return format;
}

const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** `15:00` */
export const formatTime = (ms: number, zone: string): string => formatIn(zone, clock).format(ms);

/** `Sun 22 Nov` */
export const formatDay = (ms: number, zone: string): string =>
  formatIn(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(ms).replace(',', '');

/** `EST`, or `GMT+1` where the zone has no short name in English. */
export const formatZone = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? zone;

/** `Sun 22 Nov, 15:00` */
export const formatMoment = (ms: number, zone: string): string => `${formatDay(ms, zone)}, ${formatTime(ms, zone)}`;

/** Minutes since midnight on the clocks of the zone. */
export function readMinuteOfDay(ms: number, zone: string): number {
  const [hours, minutes] = formatTime(ms, zone).split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** `in 2 h 10 min`, or `since 10 min`: time from now until then. */
export function formatUntil(ms: number, nowMs: number): string {
  const minutes = Math.round(Math.abs(ms - nowMs) / 60_000);
  if (minutes === 0) return 'now';
  const length = formatMinutes(minutes);
  return ms > nowMs ? `in ${length}` : `since ${length}`;
}

export function formatMinutes(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return [`${days} d`, hours > 0 && `${hours} h`].filter(Boolean).join(' ');
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}
