import { createRequire } from 'node:module';
import moment from 'moment-timezone';
import { Temporal } from 'temporal-polyfill';

const packed = createRequire(import.meta.url)('moment-timezone/data/packed/latest.json') as {
  readonly version: string;
  readonly zones: string[];
  readonly links: string[];
};

/** Time zone data in which some zones have the rules of another zone. */
export const tzDataOf = (version: string, rules: Readonly<Record<string, string>>) => ({
  version,
  zones: Object.entries(rules).map(([zone, like]) =>
    packed.zones.find((text) => text.startsWith(`${like}|`))!.replace(like, zone),
  ),
  links: [],
});

/** Puts other time zone data in force, as an update of their package does. */
export function loadTzData(version: string, rules: Readonly<Record<string, string>>): void {
  moment.tz.load(tzDataOf(version, rules));
}

/** Modules stay loaded from one test file to the next. */
export function restoreTzData(): void {
  moment.tz.load(packed);
}

/** The changes of a zone within years as the polyfill of Temporal reads them from the runtime. */
export function temporalChanges(zone: string, fromYear: number, toYear: number): [number, number][] {
  const start = Temporal.Instant.from(`${fromYear}-01-01T00:00:00Z`).subtract({ seconds: 1 });
  const endMs = Date.UTC(toYear + 1, 0, 1);
  const found: [number, number][] = [];
  for (
    let next = start.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
    next && next.epochMilliseconds < endMs;
    next = next.getTimeZoneTransition('next')
  )
    found.push([next.epochMilliseconds / 1000, next.offsetNanoseconds / 1e9]);
  return found;
}
