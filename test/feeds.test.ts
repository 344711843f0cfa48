import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import { tzlib_get_ical_block as libraryBlock } from 'timezones-ical-library';
import { limits } from '../src/config/limits.ts';
import { deleteFeedsBefore } from '../src/db/feeds.ts';
import type { User } from '../src/generated/prisma/client.ts';
import { instantsOf, nextTransition } from '../src/time/offsets.ts';
import { describeZone } from '../src/time/vtimezone.ts';
import { useOneTenant, useService } from './support/app.ts';
import { expectAnswer } from './support/offers.ts';

const winter = new Date('2027-02-10T12:00:00Z');
let now = winter;
const lines: string[] = [];
const service = useService({
  env: { LOG_LEVEL: 'info' },
  clock: () => now,
  logTo: { write: (line: string) => void lines.push(line) },
});
const tenant = useOneTenant(service);
let person: User;
let as: string;

beforeEach(async () => {
  now = winter;
  person = await service.createUser(tenant.business, 'staff');
  as = await service.tokenOf(person);
});

interface Feed {
  readonly id: string;
  readonly path: string;
}

const create = async (caller: string, body: object): Promise<Feed> => {
  const { feed, path } = expectAnswer(await service.call('POST', '/v1/feeds', { as: caller, body }), 201);
  return { ...feed, path };
};
const newFeed = () => create(as, { kind: 'shifts', name: 'My shifts' });
const read = (url: string, headers: Record<string, string> = {}) =>
  service.app.http.inject({ method: 'GET', url, headers });
const textOf = async (path: string) => {
  const { statusCode, body } = await read(path);
  expect({ statusCode, body: statusCode === 200 ? '' : body }).toEqual({ statusCode: 200, body: '' });
  return body;
};

async function newShift(more: Parameters<typeof service.createShift>[2] = {}, ofEvent: object = {}) {
  const event = await service.createEvent(tenant.business, { timezone: 'Europe/Berlin', ...ofEvent });
  const times = { start: '2027-03-01 10:00:00', end: '2027-03-01 18:00:00', confirmed: true };
  const shift = await service.createShift(event, person, { ...times, modifiedAt: now, ...more });
  return { event, shift, uid: `shift-${shift.uuid}@callboard` };
}

/** What two programs that nobody here wrote read of an entry. Dates without a time stay text. */
function readBy(calendar: string, uid: string) {
  const found = Object.values(nodeIcal.sync.parseICS(calendar)).find(
    (each): each is VEvent => each?.type === 'VEVENT' && each.uid === uid,
  )!;
  const isDay = (found.start as Date & { dateOnly?: true }).dateOnly === true || found.datetype === 'date';
  const component = new ICAL.Component(ICAL.parse(calendar) as never);
  for (const zone of component.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = component.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
  const event = events.find((each) => each.uid === uid)!;
  const show = (time: ICAL.Time) => (time.isDate ? time.toString() : time.toJSDate().toISOString());
  const status = event.component.getFirstPropertyValue('status');
  return {
    'node-ical': {
      start: isDay ? 'all day' : found.start.toISOString(),
      end: isDay ? 'all day' : found.end!.toISOString(),
      status: found.status,
      summary: found.summary,
    },
    'ical.js': { start: show(event.startDate), end: show(event.endDate), status, summary: event.summary },
  };
}

const expectBoth = (seen: ReturnType<typeof readBy>, expected: object) =>
  expect(seen).toMatchObject({ 'node-ical': expected, 'ical.js': expected });

describe('a feed of own shifts', () => {
  test('is read by its address alone, and ends when it is revoked', async () => {
    const { uid } = await newShift({}, { title: 'Gala; dinner, "Grüße" '.repeat(6) });
    const { path, id } = await newFeed();
    const { headers, body } = await read(path);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, max-age=300',
    });
    expect(body).toContain(`UID:${uid}`);
    expect(body).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H');
    expect(body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(readBy(body, uid)['ical.js'].summary).toContain('Gala; dinner, "Grüße" '.repeat(6));
    const list = expectAnswer(await service.call('GET', '/v1/feeds', { as }), 200);
    expect(list).toEqual([expect.objectContaining({ id, kind: 'shifts', last_used_at: now.toISOString() })]);
    expect(JSON.stringify(list)).not.toContain(path.split('.')[1]);
    expectAnswer(await service.call('DELETE', `/v1/feeds/${id}`, { as }), 200);
    expect((await read(path)).statusCode).toBe(404);
    expectAnswer(await service.call('DELETE', `/v1/feeds/${id}`, { as }), 404, 'NOT_FOUND');
  });

  test('is given to programs that accept calendars only', async () => {
    const { path } = await newFeed();
    const ofNextcloud = 'text/calendar, application/calendar+json, application/calendar+xml';
    for (const accept of [
      'text/calendar',
      ofNextcloud,
      'text/calendar; charset=utf-8',
      '*/*',
      'text/calendar, text/plain',
    ])
      expect([accept, (await read(path, { accept })).statusCode]).toEqual([accept, 200]);
    const refused = await read(path, { accept: 'application/calendar+json' });
    expect([refused.statusCode, refused.json().message]).toEqual([406, 'Answers are text/calendar.']);
  });

  test('shows a start that is to be announced as a whole day, and an unconfirmed shift as tentative', async () => {
    const tbd = await newShift(
      { start: null, end: null },
      { start: '2027-05-01 18:00:00', end: '2027-05-01 23:00:00' },
    );
    const open = await newShift({ confirmed: false, end: null });
    const text = await textOf((await newFeed()).path);
    expect(text).toContain('DTSTART;VALUE=DATE:20270501\r\nDTEND;VALUE=DATE:20270502');
    const seen = readBy(text, tbd.uid);
    expect(seen['node-ical']).toMatchObject({ start: 'all day', status: 'TENTATIVE' });
    expect(seen['ical.js']).toMatchObject({ start: '2027-05-01', end: '2027-05-02', status: 'TENTATIVE' });
    expect(seen['ical.js'].summary).toMatch(/ \(time to be announced\)$/);
    const start = '2027-03-01T09:00:00.000Z';
    expectBoth(readBy(text, open.uid), { start, end: start, status: 'TENTATIVE' });
  });

  test('shows what is canceled for 30 days, as its address says', async () => {
    const { uid, shift } = await newShift({ status: 'canceled', canceledAt: now });
    const calledOff = await newShift({}, { status: 'canceled', modifiedAt: now });
    const { path } = await newFeed();
    const marked = await textOf(path);
    const times = { start: '2027-03-01T09:00:00.000Z', end: '2027-03-01T17:00:00.000Z' };
    expectBoth(readBy(marked, uid), { ...times, status: 'CANCELLED' });
    expectBoth(readBy(marked, calledOff.uid), { ...times, status: 'CANCELLED' });
    const titled = readBy(await textOf(`${path}?cancelled=title`), uid);
    expectBoth(titled, { ...times, status: 'CONFIRMED' });
    expect(titled['ical.js'].summary).toMatch(/^Canceled: /);
    expect(await textOf(`${path}?cancelled=omit`)).not.toContain('VEVENT');
    expect((await read(`${path}?cancelled=never`)).statusCode).toBe(422);
    now = new Date('2027-03-14T12:00:00Z');
    await service.prisma.workShift.updateMany({ where: { uuid: shift.uuid }, data: { modifiedAt: now } });
    expect(await textOf(path)).not.toContain(uid);
  });

  test('is right over changes of the clocks, and where a time happens twice', async () => {
    const spring = await newShift({ start: '2027-03-27 23:00:00', end: '2027-03-28 05:00:00' });
    const autumn = await newShift({ start: '2027-10-31 02:30:00', end: '2027-10-31 08:00:00' });
    const york = await newShift(
      { start: '2027-03-13 22:00:00', end: '2027-03-14 04:00:00' },
      { timezone: 'America/New_York' },
    );
    const katmandu = await newShift({}, { timezone: 'Asia/Katmandu' });
    const text = await textOf((await newFeed()).path);
    expectBoth(readBy(text, spring.uid), { start: '2027-03-27T22:00:00.000Z', end: '2027-03-28T03:00:00.000Z' });
    expectBoth(readBy(text, autumn.uid), { start: '2027-10-31T00:30:00.000Z', end: '2027-10-31T07:00:00.000Z' });
    expectBoth(readBy(text, york.uid), { start: '2027-03-14T03:00:00.000Z', end: '2027-03-14T08:00:00.000Z' });
    expectBoth(readBy(text, katmandu.uid), { start: '2027-03-01T04:15:00.000Z', end: '2027-03-01T12:15:00.000Z' });
  });

  test('of more than it shows keeps what is to come, and says that it is cut', async () => {
    const past = await newShift({ start: '2027-02-08 10:00:00', end: '2027-02-08 18:00:00' });
    const { shift } = await newShift();
    const last = await newShift({ start: '2027-09-01 10:00:00', end: '2027-09-01 18:00:00' });
    const { path } = await newFeed();
    expect(await textOf(path)).not.toContain('X-WR-CALDESC');
    const { id: _id, ...row } = await service.prisma.workShift.findFirstOrThrow({ where: { uuid: shift.uuid } });
    const data = Array.from({ length: limits.wholeReadMax - 2 }, () => ({ ...row, uuid: randomUUID() }));
    await service.prisma.workShift.createMany({ data });
    const text = await textOf(path);
    expect(text.match(/BEGIN:VEVENT/g)?.length).toBe(limits.wholeReadMax);
    expect([past.uid, last.uid].map((uid) => text.includes(uid))).toEqual([false, true]);
    expect(text).toContain(`X-WR-CALDESC:Only ${limits.wholeReadMax} entries are shown`);
  });

  test('raises the sequence of what moves, under the same id', async () => {
    const { shift, uid } = await newShift();
    const { path } = await newFeed();
    const sequenceIn = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]);
    const before = await textOf(path);
    const body = { start_time: '2027-03-02 10:00:00', end_time: '2027-03-02 18:00:00' };
    expectAnswer(await service.call('PUT', `/v1/work_shifts/${shift.uuid}`, { as: tenant.as.admin, body }), 200);
    const after = await textOf(path);
    expect(sequenceIn(after)).toBeGreaterThan(sequenceIn(before));
    expectBoth(readBy(after, uid), { start: '2027-03-02T09:00:00.000Z' });
  });

  const stampsIn = (text: string) => ({
    sequence: Number(/SEQUENCE:(\d+)/.exec(text)?.[1]),
    modified: /LAST-MODIFIED:(\w+)/.exec(text)?.[1],
    stamp: /DTSTAMP:(\w+)/.exec(text)?.[1],
  });

  test.each([
    ['the title of the event', 'SUMMARY', (uuid: string) => [`/v1/events/${uuid}`, { title: 'Renamed' }] as const],
    ['the room', 'LOCATION', (uuid: string) => [`/v1/events/${uuid}`, { room: 'Renamed' }] as const],
    [
      'the position',
      'SUMMARY',
      (_: string, id: number) => [`/v1/positions/${id}`, { title: `Renamed ${id}` }] as const,
    ],
    ['the person', 'SUMMARY', () => [`/api/v1/users/${person.id}`, { name: 'Renamed' }] as const],
  ] as const)('says that an entry has changed with %s, where it shows that', async (_what, line, change) => {
    const { event, shift } = await newShift();
    const paths = [(await newFeed()).path];
    paths.push((await create(tenant.as.admin, { kind: 'event', name: 'Gala', event_uuid: event.uuid })).path);
    const entriesOf = async (path: string) =>
      (await textOf(path)).split('BEGIN:VEVENT').filter((entry) => entry.includes(shift.uuid));
    const before = await Promise.all(paths.map(entriesOf));
    now = new Date(winter.getTime() + 60_000);
    const [url, body] = change(event.uuid, shift.positionId);
    let shown = 0;
    expectAnswer(await service.call('PUT', url, { as: tenant.as.admin, body }), 200);
    for (const [index, path] of paths.entries()) {
      const [was, is] = [before[index]![0]!, (await entriesOf(path))[0]!];
      // The feed of their own shifts names no person, and that of an event no title.
      if (!new RegExp(`${line}:.*Renamed`).test(is)) continue;
      shown += 1;
      expect(stampsIn(is)).toMatchObject({ modified: '20270210T120100Z', stamp: '20270210T120100Z' });
      expect(stampsIn(is).sequence).toBeGreaterThan(stampsIn(was).sequence);
    }
    expect(shown).toBeGreaterThan(0);
  });

  test('has neither pay, nor private notes, nor phones', async () => {
    await newShift({ payRate: '31.77', payUnit: 'hour' }, { privateNotes: 'difficult client' });
    await service.prisma.user.updateMany({ where: { id: person.id }, data: { phone: '+1 212 555-0177' } });
    const { event } = await newShift();
    const paths = [(await newFeed()).path];
    for (const body of [{ kind: 'event', event_uuid: event.uuid }, { kind: 'business' }])
      paths.push((await create(tenant.as.admin, { name: 'All', ...body })).path);
    for (const path of paths) expect(await textOf(path)).not.toMatch(/31\.77|difficult|555-?0177/);
  });
});

describe('the rights of a feed', () => {
  test('are those of its owner at the time of each call', async () => {
    await newShift();
    const { path } = await newFeed();
    expect(await textOf(path)).toContain('VEVENT');
    await service.prisma.user.updateMany({ where: { id: person.id }, data: { role: 'client' } });
    expect(await textOf(path)).not.toContain('VEVENT');
    await service.prisma.user.updateMany({ where: { id: person.id }, data: { deletedAt: now, emailKey: null } });
    expect((await read(path)).statusCode).toBe(404);

    const admin = await service.createUser(tenant.business, 'admin');
    const ofAll = await create(await service.tokenOf(admin), { kind: 'business', name: 'All' });
    expect((await read(ofAll.path)).statusCode).toBe(200);
    await service.prisma.user.updateMany({ where: { id: admin.id }, data: { role: 'staff' } });
    expect((await read(ofAll.path)).statusCode).toBe(404);
  });

  test('lead to the event that one shows', async () => {
    const { event } = await newShift();
    const { id } = await create(tenant.as.admin, { kind: 'event', name: 'Gala', event_uuid: event.uuid });
    const { body } = await service.graphql('{ feeds { publicId event { title } } }', { as: tenant.as.admin });
    expect(body.data.feeds).toContainEqual({ publicId: id, event: { title: event.title } });
  });

  test('show clients their own events, and admins one event with its people', async () => {
    const { event, shift } = await newShift(
      {},
      { clientId: tenant.client.id, start: '2027-03-01 09:00:00', end: '2027-03-01 20:00:00' },
    );
    const other = await service.createEvent(tenant.business, {
      start: '2027-03-01 09:00:00',
      end: '2027-03-01 20:00:00',
    });
    const ofClient = await textOf((await create(tenant.as.client, { kind: 'client', name: 'Ours' })).path);
    expect(ofClient).toContain(`UID:event-${event.uuid}@callboard`);
    expect(ofClient).not.toContain(other.uuid);
    expect(ofClient).not.toContain(shift.uuid);
    const ofEvent = await textOf(
      (await create(tenant.as.admin, { kind: 'event', name: 'One', event_uuid: event.uuid })).path,
    );
    expect(ofEvent).toContain(`UID:event-${event.uuid}@callboard`);
    expect(readBy(ofEvent, `shift-${shift.uuid}@callboard`)['ical.js'].summary).toContain(person.name);
    const draft = await service.createEvent(tenant.business, {
      status: 'draft',
      start: '2027-03-01 09:00:00',
      end: '2027-03-01 20:00:00',
    });
    const ofAll = await textOf((await create(tenant.as.admin, { kind: 'business', name: 'All' })).path);
    expect([event, other].every(({ uuid }) => ofAll.includes(uuid))).toBe(true);
    expect(ofAll).not.toContain(draft.uuid);
  });

  test('are refused where the role has none, in both dialects', async () => {
    const uuid = '00000000-0000-4000-8000-000000000000';
    const wrong: [string, object, string][] = [
      [as, { kind: 'business' }, 'kind'],
      [tenant.as.admin, { kind: 'shifts' }, 'kind'],
      [tenant.as.admin, { kind: 'event', event_uuid: uuid }, 'event_uuid'],
      [tenant.as.admin, { kind: 'event' }, 'event_uuid'],
      [tenant.as.admin, { kind: 'business', client_id: tenant.client.id }, 'client_id'],
      [tenant.as.admin, { kind: 'client' }, 'client_id'],
      [tenant.as.client, { kind: 'client', client_id: tenant.admin.id }, 'client_id'],
    ];
    for (const [caller, body, field] of wrong) {
      const reply = await service.call('POST', '/v1/feeds', { as: caller, body: { name: 'Feed', ...body } });
      expect({ status: reply.status, fields: Object.keys(reply.body.errors ?? {}) }).toEqual({
        status: 422,
        fields: [field],
      });
    }
    const { body } = await service.graphql(
      'mutation { createFeed(input: { kind: SHIFTS, name: "Mine" }) { path feed { id publicId kind owner { name } } } }',
      { as },
    );
    expect(body.data.createFeed).toMatchObject({ feed: { kind: 'SHIFTS', owner: { name: person.name } } });
    const { publicId, id } = body.data.createFeed.feed;
    expect((await read(body.data.createFeed.path)).statusCode).toBe(200);
    const other = await service.tokenOf(await service.createUser(tenant.business, 'staff'));
    for (const caller of [other, tenant.as.admin])
      expectAnswer(await service.call('DELETE', `/v1/feeds/${publicId}`, { as: caller }), 404, 'NOT_FOUND');
    const rotated = await service.graphql('mutation Rotate($id: ID!) { rotateFeed(id: $id) { path } }', {
      as,
      variables: { id },
    });
    expect((await read(rotated.body.data.rotateFeed.path)).statusCode).toBe(200);
    const revoked = await service.graphql('mutation Revoke($id: ID!) { revokeFeed(id: $id) { revoked } }', {
      as,
      variables: { id },
    });
    expect(revoked.body.data.revokeFeed).toEqual({ revoked: 1 });
  });
});

describe('the address of a feed', () => {
  test('works for seven days after its rotation, and the one between two rotations ends at once', async () => {
    const { id, path: first } = await newFeed();
    const rotate = async () =>
      expectAnswer(await service.call('POST', `/v1/feeds/${id}/actions/rotate`, { as }), 200).path;
    const second = await rotate();
    const statuses = async () => Promise.all([first, second].map(async (path) => (await read(path)).statusCode));
    expect(await statuses()).toEqual([200, 200]);
    // The second rotation gives the first address no more time.
    now = new Date(winter.getTime() + 6 * 86_400_000);
    as = await service.tokenOf(person);
    const third = await rotate();
    expect(await statuses()).toEqual([200, 404]);
    now = new Date(winter.getTime() + 7 * 86_400_000 + 1000);
    expect([...(await statuses()), (await read(third)).statusCode]).toEqual([404, 404, 200]);
  });

  test('goes some time after its owner is deleted', async () => {
    const { id } = await newFeed();
    const after = new Date(winter.getTime() + 1);
    const count = () => service.prisma.feed.count({ where: { publicId: id } });
    await deleteFeedsBefore(service.prisma, after, 1000);
    expect(await count()).toBe(1);
    const where = { businessId_id: { businessId: person.businessId, id: person.id } };
    await service.prisma.user.update({ where, data: { deletedAt: winter, emailKey: null } });
    await deleteFeedsBefore(service.prisma, winter, 1000);
    expect(await count()).toBe(1);
    await deleteFeedsBefore(service.prisma, after, 1000);
    expect(await count()).toBe(0);
  });

  test('that is wrong is not found, and counts against the caller without a credential', async () => {
    const { path, id } = await newFeed();
    const left = async (url: string) => Number((await read(url)).headers['x-ratelimit-remaining']);
    const wrong = `/v1/feeds/${id}.${'A'.repeat(43)}.ics`;
    for (const url of [wrong, `/v1/feeds/${id}.ics`, '/v1/feeds/x.y.ics', `/v1/feeds/${id}`, path.slice(0, -4)])
      expect((await read(url)).statusCode).toBe(404);
    const before = await left(wrong);
    expect(await left(wrong)).toBe(before - 1);
    await read(path);
    expect(await left(wrong)).toBe(before - 2);
  });

  test('is in no line of the log', async () => {
    const { path } = await newFeed();
    const secret = path.split('.')[1]!;
    lines.length = 0;
    await read(path);
    await read(`${path}?cancelled=never`);
    await read(`${path}x`);
    await read(`/v1//feeds/${secret}`);
    await service.app.http.inject({
      method: 'PUT',
      url: path,
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(lines.join('')).toContain('feeds.use');
    expect(lines.join('')).not.toContain(secret);
    const entries = await service.prisma.auditEntry.findMany({ where: { businessId: tenant.business.id } });
    expect(JSON.stringify(entries)).toContain('feeds.create');
    expect(JSON.stringify(entries)).not.toContain(secret);
  });
});

describe('a feed that has not changed', () => {
  test('is answered with 304 by its tag or its time, until a row or the day changes', async () => {
    await newShift();
    const { path } = await newFeed();
    // The second of the last change has to be over, and the clock of the database says when it was.
    now = new Date(Math.max(Date.now(), winter.getTime()) + 5000);
    const { headers } = await read(path);
    const tag = { 'if-none-match': headers.etag as string };
    const since = { 'if-modified-since': headers['last-modified'] as string };
    for (const held of [tag, since]) expect(await read(path, held)).toMatchObject({ statusCode: 304, body: '' });
    expect((await read(`${path}?cancelled=omit`, tag)).statusCode).toBe(200);
    now = new Date(now.getTime() + 86_400_000);
    for (const held of [tag, since]) expect((await read(path, held)).statusCode).toBe(200);
    const next = (await read(path)).headers.etag as string;
    await newShift();
    expect((await read(path, { 'if-none-match': next })).statusCode).toBe(200);
  });

  test('names no time while another change can have the same', async () => {
    await newShift();
    const { path } = await newFeed();
    now = new Date('2020-01-01T00:00:00Z');
    expect((await read(path)).headers['last-modified']).toBeUndefined();
  });
});

test('the rules of all zones agree with the clocks of the service, and most with those of another library', () => {
  const [from, until] = [new Date('2026-09-01T00:00:00Z'), new Date('2028-01-01T00:00:00Z')];
  const rulesOf = (text: string) =>
    text
      .match(/RRULE:\S+/g)
      ?.sort()
      .join(' ') ?? '';
  const others: string[] = [];
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const block = describeZone(zone, from, until).join('\r\n');
    const component = new ICAL.Component(ICAL.parse(`BEGIN:VCALENDAR\r\n${block}\r\nEND:VCALENDAR`) as never);
    const read = new ICAL.Timezone(component.getFirstSubcomponent('vtimezone')!);
    for (let at = from, next; (next = nextTransition(at, until, zone)); at = next.at)
      for (const hours of [-26, -4, 4, 26]) {
        const instant = new Date(next.at.getTime() + hours * 3_600_000);
        const offset = hours < 0 ? next.offsetBefore : next.offsetAfter;
        const wall = new Date(instant.getTime() + offset).toISOString().slice(0, 19);
        if (instantsOf(wall.replace('T', ' '), zone).length !== 1) continue;
        const time = ICAL.Time.fromDateTimeString(wall);
        expect({ zone, wall, offset: read.utcOffset(time) * 1000 }).toEqual({ zone, wall, offset });
      }
    const [library = ''] = libraryBlock(zone);
    if (library && rulesOf(library) !== rulesOf(block)) others.push(zone);
  }
  expect(others.length).toBeLessThan(20);
});
