import { Temporal } from 'temporal-polyfill';
import { limits } from '../config/limits.ts';

const anyTime = Temporal.PlainDateTime.from('2000-01-01T00:00');
const spellings = new Map<string, string | null>();

/**
 * The zone's name as IANA spells it, links such as Asia/Kolkata included, whatever case it came in; null where the
 * runtime knows no such zone. An offset such as +05:00 is no zone.
 */
export function zoneSpelling(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  let spelling = spellings.get(name);
  if (spelling === undefined) {
    try {
      spelling = anyTime.toZonedDateTime(name).timeZoneId;
    } catch {
      spelling = null;
    }
    if (spellings.size < limits.zonesRemembered) spellings.set(name, spelling);
  }
  return spelling;
}

export const isZone = (name: string): boolean => zoneSpelling(name) === name;
