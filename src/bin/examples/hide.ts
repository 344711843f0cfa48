import { draftDemo } from '../seed/demo.ts';
import { exampleMoment, exampleUuid } from './scene.ts';

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const apiKey = /cbk_([0-9A-Za-z]{12})_[0-9A-Za-z]{38}/g;
const feedPath = /\/v1\/feeds\/([0-9A-Za-z]{12})\.[\w-]{43}\.ics/g;
const webhookSecret = /whsec_[\w+/]{43}=/g;
const screenCode = /"code":"[0-9A-Z]{4}-[0-9A-Z]{4}","secret":"[^"]+"/g;
const invitation = /\/app\/invitation#[\w-]+/g;
const token = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Texts that examples show instead of a credential. */
const shown = {
  token: 'eyJhbGciOiJIUzI1NiJ9.example.token',
  publicId: 'f3Wn8RsK5hYp',
  lastFour: '9mXe',
  key: 'cbk_f3Wn8RsK5hYp_…9mXe',
  feedId: 'g8Tb4MxQ2cRd',
  feedPath: '/v1/feeds/g8Tb4MxQ2cRd.….ics',
  webhookSecret: 'whsec_…',
  screenCode: '"code":"KDWM-7RXQ","secret":"…"',
  invitation: '/app/invitation#…',
};

/** UUIDs of the demo data and those that the scene gives out are the same in each recording. */
const repeatable = new Set([
  ...(JSON.stringify(draftDemo(new Date(exampleMoment))).match(uuid) ?? []),
  ...Array.from({ length: 1000 }, (_, index) => exampleUuid(index + 1)),
]);

/** A caller's window of the rate limit, which depends on how fast the examples are recorded. */
const window = /"remaining":\d+,"reset_seconds":\d+/g;

/** The data version of the business, which follows the clock of the database. */
const revision = /"revision":"\d+"/g;

/** A position in the change log, which is such a version. */
const position = /"next_cursor":"bG9n[\w-]+"/g;

/** Times of the history, which follow the clock of the database, save those that the scene wrote. */
const changedAt = /"(at|at_event)":"(\d{4}-\d\d-\d\d)T[\d:.]+(Z|[+-]\d\d:\d\d)"/g;

const momentOf = (text: string, name: string, date: string, offset: string): string => {
  if (date === exampleMoment.slice(0, 10)) return text;
  if (offset === 'Z') return `"${name}":"${exampleMoment}"`;
  const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number];
  const aheadMs = (hours * 60 + minutes) * 60_000 * (offset.startsWith('-') ? -1 : 1);
  return `"${name}":"${new Date(Date.parse(exampleMoment) + aheadMs).toISOString().slice(0, 19)}${offset}"`;
};

/** Replaces credentials, and what would be different in the next recording: UUIDs and the window of the rate limit. */
export function hideChanging<T>(recorded: T): T {
  let text = JSON.stringify(recorded);
  for (const [key, publicId = ''] of text.matchAll(apiKey))
    text = text
      .replaceAll(key, shown.key)
      .replaceAll(`"${publicId}"`, `"${shown.publicId}"`)
      .replaceAll(`"last_four":"${key.slice(-4)}"`, `"last_four":"${shown.lastFour}"`);
  for (const [path, publicId = ''] of text.matchAll(feedPath))
    text = text.replaceAll(path, shown.feedPath).replaceAll(`"${publicId}"`, `"${shown.feedId}"`);
  text = text.replaceAll(webhookSecret, shown.webhookSecret);
  text = text.replaceAll(screenCode, shown.screenCode).replaceAll(invitation, shown.invitation);
  text = text.replaceAll(token, shown.token).replaceAll(window, '"remaining":974,"reset_seconds":42');
  text = text.replaceAll(revision, '"revision":"1795345200000000"');
  text = text.replaceAll(position, '"next_cursor":"bG9nOjE3OTUzNDUyMDAwMDAwMDA"');
  text = text.replaceAll(changedAt, momentOf);
  const others = [...new Set(text.match(uuid) ?? [])].filter((each) => !repeatable.has(each));
  for (const [index, other] of others.entries()) text = text.replaceAll(other, exampleUuid(100_001 + index));
  return JSON.parse(text) as T;
}
