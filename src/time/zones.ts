import { Temporal } from 'temporal-polyfill';
import { limits } from '../config/limits.ts';

const anyTime = Temporal.PlainDateTime.from('2000-01-01T00:00');
const spellings = new Map<string, string | null>();

/**
 * Returns the zone's name in IANA spelling whatever case it came in, aliases such as Asia/Kolkata included; null if the
 * runtime does not know the zone. An offset such as +05:00 is not a zone.
 */
export function zoneSpelling(name: string): string | null {
  // Longer texts are refused elsewhere, and must not be remembered.
  if (!/^[A-Za-z]/.test(name) || name.length > limits.timezoneChars) return null;
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    try {
      spelling = anyTime.toZonedDateTime(name).timeZoneId;
    } catch {
      spelling = null;
    }
    if (spellings.size < limits.remembered) spellings.set(name, spelling);
  }
  return spelling;
}

export const isZone = (name: string): boolean => zoneSpelling(name) === name;
