import fc, { type Arbitrary } from 'fast-check';
import { screenCodeAlphabet } from '../../src/config/screen-codes.ts';

/* Values that random callers send: plausible ones of each kind, and many kinds of nonsense. */

/** Existing ids of the caller's business, by the noun in the name of the argument. */
export interface Pool {
  readonly uuids: Readonly<Record<string, readonly string[]>>;
  readonly ids: Readonly<Record<string, readonly number[]>>;
}

/** Those that a name like `updateCallTime.uuid` or `events.create.client_id` means: its last word counts first. */
function named<T>(kinds: Readonly<Record<string, readonly T[]>>, name: string): readonly T[] {
  const meantBy = (text: string) => {
    const nouns = Object.keys(kinds).filter((noun) => text.toLowerCase().replaceAll('_', '').includes(noun));
    // `userQualification` means neither users nor qualifications.
    const own = nouns.filter((noun) => !nouns.some((other) => other !== noun && other.includes(noun)));
    return own.flatMap((noun) => kinds[noun]!);
  };
  const those = [meantBy(name.split('.').at(-1) ?? ''), meantBy(name)].find((found) => found.length > 0);
  return those ?? Object.values(kinds).flat();
}

const nonsenseText = fc.oneof(
  fc.constantFrom('', ' ', '\u0000', 'a\u0000b', '\u202Eabc', '\uFEFF', "'; DROP TABLE events; --", '<script>', '%00'),
  fc.constantFrom('1E2', '-0', '٣', '2026-02-30 10:00:00', '2026-03-08 02:30:00', '2026-13-01', 'null', 'true'),
  fc.constantFrom('2147483648', '9e18', '-1', '1.5', 'NaN', 'Infinity', '__proto__', '../../etc/passwd', '+05:00'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  // Halves of characters.
  fc.string({ unit: fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)), maxLength: 4 }),
  fc.integer({ min: 190, max: 260 }).map((length) => '🎪'.repeat(length)),
  fc.integer({ min: 20_000, max: 20_002 }).map((length) => 'x'.repeat(length)),
);

const nonsenseNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 2_147_483_647, 2_147_483_648, 1e308, 9e18, 5e-324, Number.MAX_SAFE_INTEGER),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

/** Any JSON at all. */
export const nonsense: Arbitrary<unknown> = fc.oneof(
  nonsenseText,
  nonsenseNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], { a: { b: [] } }),
  fc.array(nonsenseText, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const two = (number: number) => String(number).padStart(2, '0');

export const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

/** A wall-clock time; most of one summer, so that ends often lie behind starts, and not always. */
export const wallTime = fc
  .record({ day: fc.integer({ min: 1, max: 30 }), hour: fc.nat(23), minute: fc.nat(59) })
  .map(({ day, hour, minute }) => `2027-06-${two(day)} ${two(hour)}:${two(minute)}:00`);

export const timeOfDay = fc
  .record({ hour: fc.nat(23), minute: fc.nat(59) })
  .map(({ hour, minute }) => `${two(hour)}:${two(minute)}`);

const instant = fc
  .date({ min: new Date('2027-01-01'), max: new Date('2029-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString());

/** When people came, or left, on a day that is over. */
const noted = (name: string) =>
  fc.nat(59).map((minute) => `2026-06-01T${/out/i.test(name) ? '20' : '08'}:${two(minute)}:00.000Z`);

export const instantFor = (name: string) => (/checked_?(in|out)_?at$/i.test(name) ? noted(name) : instant);

export const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');

/** As many code points as were asked for, of all planes. */
export const visibleText = (maxChars: number): Arbitrary<string> =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: Math.min(maxChars, 60) })
    .map((text) => `x${text.replaceAll('\u0000', '')}`.slice(0, 1 + text.length))
    .map((text) => Array.from(text).slice(0, maxChars).join(''));

export const uuid = (pool: Pool, name: string): Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...named(pool.uuids, name)) }, { weight: 1, arbitrary: fc.uuid() });

/** A name of a row for an argument of GraphQL: the uuid that the row has, or else its number. */
export function rowId({ uuids, ids }: Pool, name: string): Arbitrary<string> {
  const numbers = Object.entries(ids).map(([noun, those]) => [noun, those.map(String)] as const);
  const known = named({ ...uuids, ...Object.fromEntries(numbers) }, name);
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.uuid() });
}

export const id = (pool: Pool, name: string): Arbitrary<number> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...named(pool.ids, name)) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 2_147_483_647 }) },
  );

export const email = fc.uuid().map((name) => `${name}@example.com`);

export const password = fc.uuid().map((name) => `Pass ${name}`);

export const degrees = fc.integer({ min: -90, max: 90 }).map((whole) => `${whole}.25`);

/** URLs of receivers of webhooks, of which some are refused. */
export const receiverUrl = fc.constantFrom(
  'https://receiver.example/hook',
  'https://receiver.example:8443/a?b=c',
  'http://10.0.0.1/',
);

export const money = fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2));

/** What a screen shows, and the secret of a code that has not expired. */
export const screenCode = fc.string({ unit: fc.constantFrom(...screenCodeAlphabet), minLength: 8, maxLength: 8 });
export const screenSecret = screenCode.map((code) => `${code.repeat(6).slice(0, 43)}.4000000000`);

export const scopeText = fc.constantFrom('read', 'events:write users:write', 'full');
