import { operation } from '../access/operation.ts';
import { screen } from '../access/permissions.ts';
import { limits } from '../config/limits.ts';
import { readCallTimesOfEvents } from '../db/call-times.ts';
import { readAttendance } from '../db/attendance.ts';
import { findClashing } from '../db/clashes.ts';
import { readEventPage } from '../db/events.ts';
import { readPlainRows } from '../db/catalogs.ts';
import { readActiveShiftsOfEvents } from '../db/work-shifts.ts';
import { seeingAll } from '../db/tenant.ts';
import type { AttendanceRow } from '../fields/attendance.ts';
import type { EventRow } from '../fields/events.ts';
import type { ScreenNames } from '../generated/prisma/enums.ts';
import { groupBy } from '../paging/group-by.ts';
import { startOf } from '../time/zoned-time.ts';
import { closedObject } from '../validation/schemas.ts';
import { checkPeriod, period, periodRule } from './reports-input.ts';
import { screenActor } from './screens.ts';

/*
 * The one read of a screen. It has shapes of its own, which list what a screen may show: a field that is added to events, call
 * times or shifts is not on the wall before somebody adds it here.
 */

export const boardInput = closedObject(period);

/** The active events of the screen's filter that run in a span, by start, with their call times and active shifts. */
export const read = operation({
  name: 'screens.readBoard',
  roles: screen,
  scopes: ['read'],
  cacheable: true,
  input: boardInput,
  rules: [periodRule],
  run: async (scope, span) => {
    checkPeriod(span);
    const { db } = scope;
    const { names } = screenActor(scope);
    const found = await readEventPage(
      db,
      { statuses: ['active'], runsFrom: span.from, runsTo: span.to },
      { by: 'start', order: 'asc' },
      { limit: limits.screenEventsMax + 1 },
    );
    const events = found.slice(0, limits.screenEventsMax);
    const eventIds = events.map(({ id }) => id);
    const callTimes = await readCallTimesOfEvents(db, eventIds, { atMostEach: limits.wholeListMax });
    const shifts = await readActiveShiftsOfEvents(db, eventIds, { atMostEach: limits.wholeListMax });
    const ids = shifts.map(({ id }) => id);
    const clashing = await findClashing(db, ids);
    const noted = new Map((await readAttendance(seeingAll(db), { ids })).map((row) => [row.id, row]));
    const levelIds = [...new Set(callTimes.flatMap(({ skillLevelId }) => skillLevelId ?? []))];
    const levels = new Map((await readPlainRows(db, 'SkillLevel', levelIds)).map(({ id, name }) => [id, name]));
    const uuidByCallTime = new Map(callTimes.map(({ id, uuid }) => [id, uuid]));
    const callTimesOf = groupBy(
      'eventId',
      callTimes.map(({ skillLevelId, ...callTime }) => ({
        eventId: callTime.eventId,
        uuid: callTime.uuid,
        id: callTime.id,
        position: callTime.position,
        staffNeeded: callTime.staffNeeded,
        startsAt: callTime.startsAt,
        endsAt: callTime.endsAt,
        startTimeTbd: callTime.startTimeTbd,
        endTimeTbd: callTime.endTimeTbd,
        skillLevel: skillLevelId === null ? null : (levels.get(skillLevelId) ?? null),
      })),
    );
    const shiftsOf = groupBy(
      'eventId',
      shifts.map(({ callTimeId, firstName, lastName, ...shift }) => ({
        eventId: shift.eventId,
        uuid: shift.uuid,
        position: shift.position,
        confirmed: shift.confirmed,
        doubleBooked: clashing.has(shift.id),
        createdAt: shift.createdAt,
        startsAt: shift.startsAt,
        endsAt: shift.endsAt,
        ...presenceOf(noted.get(shift.id)),
        ...showName(names, firstName, lastName),
        callTimeUuid: callTimeId === null ? null : (uuidByCallTime.get(callTimeId) ?? null),
      })),
    );
    return {
      hasMore: found.length > events.length,
      events: events.map((event) => ({
        ...shownOf(event),
        callTimes: callTimesOf(event.id),
        workShifts: shiftsOf(event.id),
      })),
    };
  },
});

/** What a screen shows of an attendance; undefined for a shift that was deleted meanwhile. */
const presenceOf = (row: AttendanceRow | undefined) => ({
  lateFrom: row?.lateFrom ?? null,
  checkedInAt: row?.checkedInAt ?? null,
  checkedOutAt: row?.checkedOutAt ?? null,
  noShow: row?.noShow ?? false,
});

const shownOf = (event: EventRow) => ({
  uuid: event.uuid,
  title: event.title,
  timezone: event.timezone,
  start: startOf(event),
  startsAt: event.startsAt,
  endsAt: event.endsAt,
  startTimeTbd: event.startTimeTbd,
  endTimeTbd: event.endTimeTbd,
  venueName: event.venueName,
  room: event.room,
  city: event.city,
  dressCode: event.dressCode,
});

interface ShownName {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The name of a person, as far as the screen may show it. An initial is a whole character, also where it takes two code units. */
function showName(names: ScreenNames, firstName: string, lastName: string): ShownName {
  if (names === 'full') return { firstName, lastName };
  if (names === 'hidden') return { firstName: null, lastName: null };
  const [initial] = lastName;
  return { firstName, lastName: initial === undefined ? '' : `${initial}.` };
}
