import { limits } from '../config/limits.ts';
import { instantInZone } from './zoned-time.ts';

/** When the night of an instant ends, by the clocks of a zone; null by day. */
export function endOfNight(now: Date, timezone: string): Date | null {
  const [hour, minute, second] = instantInZone(now, timezone).local!.slice(11).split(':').map(Number) as [
    number,
    number,
    number,
  ];
  if (hour < limits.quietFromHour && hour >= limits.quietToHour) return null;
  // Where the clocks change in between, it is an hour too early or too late.
  const seconds = ((limits.quietToHour - hour + 24) % 24) * 3600 - minute * 60 - second;
  return new Date(now.getTime() + seconds * 1000);
}
