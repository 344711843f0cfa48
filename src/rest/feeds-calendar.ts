import { limits } from '../config/limits.ts';
import type { FeedEntry } from '../db/feeds.ts';
import type { canceledStyles } from '../services/feeds.ts';
import { instantsOf } from '../time/offsets.ts';
import { describeZone } from '../time/vtimezone.ts';

/* Calendars as RFC 5545 writes them. */

export type CanceledStyle = (typeof canceledStyles)[number];

const dayMs = 86_400_000;

const cut = `Only ${limits.wholeReadMax} entries are shown here: those to come first, and then the latest.`;

/** Prints a calendar of one day. It follows from its input alone, so that equal tags mean equal bytes. */
export function printCalendar(name: string, entries: readonly FeedEntry[], style: CanceledStyle, today: Date): string {
  const shown = style === 'omit' ? entries.filter(({ isCanceled }) => !isCanceled) : entries;
  const zones = new Set<string>();
  const events = shown.flatMap((entry) => printEntry(entry, style, zones));
  const [from, until] = [-limits.feedDaysBack, limits.spanDaysMax].map(
    (days) => new Date(today.getTime() + days * dayMs),
  );
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Callboard//Callboard//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    ...[
      `NAME:${escape(name)}`,
      `X-WR-CALNAME:${escape(name)}`,
      ...(entries.length < limits.wholeReadMax ? [] : [`DESCRIPTION:${escape(cut)}`, `X-WR-CALDESC:${escape(cut)}`]),
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
    ],
    ...[...zones].flatMap((zone) => describeZone(zone, from!, until!)),
    ...events,
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

function printEntry(entry: FeedEntry, style: CanceledStyle, zones: Set<string>): string[] {
  const { isCanceled, isStartTbd, isEndTbd, startLocal, startUtc, endLocal, endUtc, timezone } = entry;
  const isMarked = isCanceled && style === 'mark';
  const isTitled = isCanceled && style === 'title';
  const isTentative = !isCanceled && (isStartTbd || !entry.isConfirmed);
  const notes = [entry.dressCode && `Dress code: ${entry.dressCode}`, entry.notes].filter(Boolean).join('\n\n');
  const date = startLocal.slice(0, 10);
  const nextDate = new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
  return [
    'BEGIN:VEVENT',
    `UID:${entry.of}-${entry.uuid}@callboard`,
    `DTSTAMP:${compact(entry.modifiedUtc)}Z`,
    `LAST-MODIFIED:${compact(entry.modifiedUtc)}Z`,
    `SEQUENCE:${entry.sequence}`,
    ...(isStartTbd
      ? [`DTSTART;VALUE=DATE:${compact(date)}`, `DTEND;VALUE=DATE:${compact(nextDate)}`]
      : [
          printTime('DTSTART', startLocal, startUtc, timezone, zones),
          ...(isEndTbd ? [] : [printTime('DTEND', endLocal, endUtc, timezone, zones)]),
        ]),
    `SUMMARY:${escape(`${isTitled ? 'Canceled: ' : ''}${titleOf(entry)}${isStartTbd ? ' (time to be announced)' : ''}`)}`,
    ...(entry.location ? [`LOCATION:${escape(entry.location)}`] : []),
    ...(notes ? [`DESCRIPTION:${escape(notes)}`] : []),
    `STATUS:${isMarked ? 'CANCELLED' : isTentative ? 'TENTATIVE' : 'CONFIRMED'}`,
    `TRANSP:${isStartTbd || isCanceled ? 'TRANSPARENT' : 'OPAQUE'}`,
    'END:VEVENT',
  ];
}

const titleOf = ({ title, position, person }: FeedEntry): string =>
  position === null ? title : person === null ? `${position}: ${title}` : `${position}: ${person}`;

/** A time that happens twice in its zone is written in UTC: programs take the second, where RFC 5545 says the first. */
function printTime(name: string, local: string, utc: string, zone: string, zones: Set<string>): string {
  if (instantsOf(local, zone).length > 1) return `${name}:${compact(utc)}Z`;
  zones.add(zone);
  return `${name};TZID=${zone}:${compact(local)}`;
}

/** `2027-03-28 02:30:00` becomes `20270328T023000`. */
const compact = (time: string): string => time.replaceAll(/[-:]/g, '').replace(' ', 'T');

const escape = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n?|\n/g, String.raw`\n`)
    // eslint-disable-next-line no-control-regex -- No text of RFC 5545 may hold them.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/** Breaks a line into pieces of at most 75 bytes. No character is cut. */
function fold(line: string): string {
  const isAscii = Buffer.byteLength(line) === line.length;
  if (isAscii && line.length <= 75) return line;
  if (isAscii) return line.slice(0, 75) + line.slice(75).replaceAll(/.{1,74}/g, '\r\n $&');
  const pieces: string[] = [];
  let [piece, bytes] = ['', 0];
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (bytes + length > 75) {
      pieces.push(piece);
      [piece, bytes] = [' ', 1];
    }
    piece += character;
    bytes += length;
  }
  return [...pieces, piece].join('\r\n');
}
