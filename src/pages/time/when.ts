import { formatDate } from './dates.ts';
import type { Messages } from '../console/messages/messages.ts';

/* Times of an event in words, as its clocks show them: the service sends them so, and no zone of this browser comes in. */

interface Times {
  readonly startTime: string | null;
  readonly startTimeTbd?: boolean;
  readonly endTime: string | null;
  readonly endTimeTbd?: boolean;
}

/** `Sat 28 Nov 2026` */
export const formatDay = (time: string, { language }: Messages): string =>
  formatDate(time.slice(0, 10), 'full', language).replace(',', '');

/** `18:00–23:00`, with a day where it is another one than `day`. */
export function formatClocks({ startTime, startTimeTbd, endTime, endTimeTbd }: Times, day: string, messages: Messages) {
  const { tbd } = messages.event.when;
  const format = (time: string | null, isTbd: boolean | undefined, from: string) => {
    if (time === null || isTbd) return tbd;
    const own = time.slice(0, 10);
    return `${own === from ? '' : `${formatDay(own, messages)}, `}${time.slice(11, 16)}`;
  };
  const start = format(startTime, startTimeTbd, day);
  // A night that ends before noon needs no date.
  const isNight =
    startTime && endTime && endTime.slice(11, 16) < '12:00' && Date.parse(endTime) - Date.parse(startTime) < 86_400_000;
  const startDay = startTime?.slice(0, 10) ?? day;
  return `${start}–${format(endTime, endTimeTbd, isNight && endTime ? endTime.slice(0, 10) : startDay)}`;
}

export const formatWhen = (times: Times & { readonly startTime: string }, messages: Messages): string =>
  `${formatDay(times.startTime, messages)}, ${formatClocks(times, times.startTime.slice(0, 10), messages)}`;

/** `Sat 28 Nov 2026, 18:00`, of what the service writes so; anything else as it is. */
export const formatLocal = (time: string, messages: Messages): string =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(time) ? `${formatDay(time, messages)}, ${time.slice(11, 16)}` : time;
