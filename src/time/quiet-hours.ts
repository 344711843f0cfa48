import { limits } from '../config/limits.ts';
import { instantsOf } from './offsets.ts';
import { moveByDays, resolveWallTime } from './wall-clock.ts';
import { instantInZone } from './zoned-time.ts';

/** When the night of an instant ends, by the clocks of a zone; null by day. */
export function endOfNight(now: Date, timezone: string): Date | null {
  const local = instantInZone(now, timezone).local!;
  const hour = Number(local.slice(11, 13));
  if (hour < limits.quietFromHour && hour >= limits.quietToHour) return null;
  const day = hour < limits.quietToHour ? local : moveByDays(local, 1);
  const end = `${day.slice(0, 10)} ${String(limits.quietToHour).padStart(2, '0')}:00:00`;
  const resolved = resolveWallTime(end, timezone);
  return 'at' in resolved ? resolved.at : instantsOf(resolved.skippedUntil, timezone)[0]!;
}
