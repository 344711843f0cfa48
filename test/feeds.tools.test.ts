import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { useService } from './support/app.ts';

/* Calendar feeds as Debian's python3-icalendar reads them. What two readers of npm show is in feeds.test.ts. */

const now = new Date('2027-02-10T12:00:00Z');
const service = useService({ clock: () => now });

const script = `
import datetime, json, sys
from icalendar import Calendar

def show(event, name):
    if name not in event: return None
    at = event[name].dt
    return at.astimezone(datetime.timezone.utc).isoformat() if isinstance(at, datetime.datetime) else at.isoformat()

events = Calendar.from_ical(sys.stdin.read()).walk('VEVENT')
print(json.dumps({str(e['UID']): [show(e, 'DTSTART'), show(e, 'DTEND'), str(e['STATUS']), str(e['SUMMARY'])] for e in events}))
`;

test('times to be announced, cancellations and changes of the clocks are read as they are meant', async () => {
  const { business, staff, as } = await service.createTenant();
  const add = async (title: string, more: object, ofEvent: object = {}) => {
    const event = await service.createEvent(business, { timezone: 'Europe/Berlin', title, ...ofEvent });
    const position = await service.createPosition(business, { title: `Bar ${title}` });
    const times = { start: '2027-02-01 09:00:00', end: '2027-02-01 17:00:00', confirmed: true, ...more };
    const { uuid } = await service.createShift(event, staff, { ...times, positionId: position.id, modifiedAt: now });
    return `shift-${uuid}@callboard`;
  };
  const tbd = await add(
    'TBD',
    { start: null, end: null },
    { start: '2027-05-01 18:00:00', end: '2027-05-01 23:00:00' },
  );
  const canceled = await add('Off', { status: 'canceled', canceledAt: now });
  const spring = await add('Spring', { start: '2027-03-27 23:00:00', end: '2027-03-28 05:00:00' });
  const twice = await add('Twice', { start: '2027-10-31 02:30:00', end: null });
  const made = await service.call('POST', '/v1/feeds', { as: as.staff, body: { kind: 'shifts', name: 'Mine' } });
  const { body: input } = await service.app.http.inject({ method: 'GET', url: made.body.data.path });
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', script], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    [tbd]: ['2027-05-01', '2027-05-02', 'TENTATIVE', 'Bar TBD: TBD (time to be announced)'],
    [canceled]: ['2027-02-01T08:00:00+00:00', '2027-02-01T16:00:00+00:00', 'CANCELLED', 'Bar Off: Off'],
    [spring]: ['2027-03-27T22:00:00+00:00', '2027-03-28T03:00:00+00:00', 'CONFIRMED', 'Bar Spring: Spring'],
    [twice]: ['2027-10-31T00:30:00+00:00', null, 'CONFIRMED', 'Bar Twice: Twice'],
  });
});
