import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { admin, adminAndStaff, screen, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { readAttendedShift, readShiftsByName, type AttendedShift } from '../db/attendance.ts';
import { readBusiness } from '../db/businesses.ts';
import { readEventsByUuids } from '../db/events.ts';
import { seeingAll } from '../db/tenant.ts';
import { readUser } from '../db/users.ts';
import { conflict, forbidden, invalid } from '../errors.ts';
import type { AttendanceRow } from '../fields/attendance.ts';
import { daysFrom } from '../time/zoned-time.ts';
import { closedObject, int4, localDate, noInput, rowNumber, utcInstant, visibleText } from '../validation/schemas.ts';
import { printedCodesOf, requireCode, screenCode, tryCode } from './attendance-codes.ts';
import { lockAttended, notedOf, notShift, sourceOf, storeNoted, type Noted } from './attendance.ts';
import { eventParams } from './events-input.ts';
import { eventOrNotFound } from './events.ts';
import { screenActor } from './screens.ts';
import { requireVersion, versionInput } from './versions.ts';
import { shiftParams } from './work-shifts-input.ts';

/* People come and leave: noted by an admin, by the person with a code of the event, or on a screen of the event. */

const codeField = Type.Optional(
  Type.String({
    maxLength: limits.labelChars,
    description:
      'The code that a screen of the event shows, or the printed one of the day. Required of staff; admins need none.',
    examples: ['493027'],
  }),
);

const atField = (what: string) => Type.Optional(utcInstant(`When the person ${what}. For admins. Default: now.`));

export const checkInFields = { code: codeField, at: atField('came') };
export const checkOutFields = {
  code: codeField,
  at: atField('left'),
  breakMinutes: Type.Optional(
    int4(0, limits.stayHoursMax * 60, 'Minutes of breaks, which are not paid. Default: as before.'),
  ),
};

const checking = {
  roles: adminAndStaff,
  scopes: ['staffing:write'],
  writes: true,
  isLight: true,
  // A crew arrives at the same time.
  waitsInLine: true,
} as const;
const target = { ...shiftParams.properties, ...versionInput };
const checkInInput = closedObject({ ...target, ...checkInFields });

/** Notes that a person came. Repeated, it changes nothing. */
export const checkIn = operation({
  ...checking,
  name: 'attendance.checkIn',
  input: checkInInput,
  run: async (scope, input, { checkInDigests }) => {
    const source = await admit(scope, input, checkInDigests);
    return scope.transaction(async (tx) => {
      const shift = await lockAttended(tx, input.uuid, input.expectedVersions);
      return noteCheckIn(tx, shift, source, input.at);
    });
  },
});

/** Notes that a person left. Repeated, it changes nothing. */
export const checkOut = operation({
  ...checking,
  name: 'attendance.checkOut',
  input: closedObject({ ...target, ...checkOutFields }),
  run: async (scope, input, { checkInDigests }) => {
    await admit(scope, input, checkInDigests);
    return scope.transaction(async (tx) => {
      const shift = await lockAttended(tx, input.uuid, input.expectedVersions);
      return noteCheckOut(tx, shift, input);
    });
  },
});

/** Refuses staff without a right code, and outside of the time in which they check in and out. Returns who notes it. */
async function admit(
  scope: Scope,
  { uuid, code, at, expectedVersions }: Static<typeof checkInInput>,
  digests: Parameters<typeof requireCode>[1],
): Promise<AttendanceRow['source']> {
  if (scope.db.$visibility.of === 'business') return sourceOf(scope);
  if (at) throw invalid({ at: ['is for admins: leave it out'] });
  const shift = (await readAttendedShift(scope.db, uuid)) ?? notShift();
  requireVersion(shift, expectedVersions);
  requireTime(shift, scope.clock());
  await requireCode(scope, digests, shift, code);
  return 'code';
}

type Open = Pick<AttendedShift, 'checkInFrom' | 'checkInUntil'>;

const isOpen = ({ checkInFrom, checkInUntil }: Open, now: Date) => now >= checkInFrom && now <= checkInUntil;

/** Throws unless people can check in and out by themselves now. */
function requireTime(shift: Open, now: Date): void {
  const { checkInFrom, checkInUntil } = shift;
  if (!isOpen(shift, now))
    throw conflict(
      `Check-in is open from ${checkInFrom.toISOString()} to ${checkInUntil.toISOString()}: ask an admin.`,
    );
}

type Meant = Open & Pick<AttendedShift, 'checkedInAt' | 'checkedOutAt' | 'noShow' | 'sortedAt'>;

/**
 * Finds the shift that somebody means who stands there: of those that are open now, the one that they are in, else the one to be worked
 * whose start is nearest. Where none is open, the nearest one says why.
 */
function findMeant<Shift extends Meant>(shifts: readonly Shift[], now: Date): Shift | undefined {
  const open = shifts.filter((shift) => isOpen(shift, now) && !shift.noShow);
  const undone = open.filter(({ checkedOutAt }) => checkedOutAt === null);
  const there = undone.filter(({ checkedInAt }) => checkedInAt !== null);
  const distanceMs = ({ sortedAt }: Shift) => Math.abs(sortedAt.getTime() - now.getTime());
  const found = [there, undone, open, shifts].find(({ length }) => length > 0);
  return found?.toSorted((one, other) => distanceMs(one) - distanceMs(other))[0];
}

async function noteCheckIn(
  tx: Scope,
  shift: AttendedShift,
  source: AttendanceRow['source'],
  at: Date | undefined,
): Promise<AttendanceRow> {
  if (shift.eventStatus !== 'active') throw conflict(`The event is ${shift.eventStatus}: nobody checks in.`);
  if (shift.noShow) throw conflict('The person is noted as a no-show: an admin takes that back first.');
  if (shift.checkedInAt && (!at || at.getTime() === shift.checkedInAt.getTime())) return shift;
  if (shift.checkedInAt) throw conflict('The person has checked in already: change the attendance instead.');
  return storeNoted(tx, shift, { ...notedOf(shift), checkedInAt: at ?? tx.clock(), source });
}

async function noteCheckOut(
  tx: Scope,
  shift: AttendedShift,
  { at, breakMinutes = shift.breakMinutes }: { readonly at?: Date; readonly breakMinutes?: number },
): Promise<AttendanceRow> {
  if (!shift.checkedInAt) throw conflict('The person has not checked in.');
  const { checkedOutAt } = shift;
  const isSame = checkedOutAt && breakMinutes === shift.breakMinutes;
  if (isSame && (!at || at.getTime() === checkedOutAt.getTime())) return shift;
  if (checkedOutAt) throw conflict('The person has checked out already: change the attendance instead.');
  const noted: Noted = { ...notedOf(shift), checkedOutAt: at ?? tx.clock(), breakMinutes };
  return storeNoted(tx, shift, noted);
}

export const codeInput = {
  day: Type.Optional(localDate('Day of the printed code, on the clocks of the event. Default: today.')),
};

/** The codes of an event: the one to be shown now, and the one to be printed for a day. */
export const readCode = operation({
  roles: admin,
  scopes: ['read'],
  name: 'attendance.readCode',
  input: closedObject({ ...eventParams.properties, ...codeInput }),
  run: async (scope, { uuid, day }, { checkInDigests }) => {
    const { timezone } = await eventOrNotFound(scope, uuid);
    const now = scope.clock();
    const event = { eventUuid: uuid.toLowerCase() };
    const { printedCodes } = await readBusiness(scope.db);
    const of = day ?? daysFrom(now, 1, timezone).from;
    return {
      ...screenCode(checkInDigests, event, now),
      day: of,
      printedCode: printedCodes ? printedCodesOf(checkInDigests, event, of)[0]! : null,
    };
  },
});

export const unlockFields = {
  userId: Type.Optional(rowNumber('Unlocks only the user with this id. Default: everybody, and the event.')),
};

/** Lets people try codes again at an event. Returns how many had sent a wrong one. */
export const unlock = operation({
  ...staffingEdit,
  name: 'attendance.unlock',
  input: closedObject({ ...eventParams.properties, ...unlockFields }),
  run: (scope, { uuid, userId }) =>
    scope.transaction(async (tx) => {
      const { id: eventId } = await eventOrNotFound(tx, uuid);
      if (userId !== undefined && !(await readUser(tx.db, userId)))
        throw invalid({ userId: ['must be the id of a user of this business'] });
      const where = { eventId, ...(userId !== undefined && { userId }) };
      const { count } = await tx.db.attendanceAttempt.deleteMany({ where });
      tx.record({ kind: 'event', id: eventId });
      return count;
    }),
});

/** The event at which people check in on the screen that calls. */
async function eventOfScreen(scope: Scope) {
  const { checkInEventUuid } = screenActor(scope);
  const [event] = checkInEventUuid ? await readEventsByUuids(seeingAll(scope.db), [checkInEventUuid]) : [];
  if (event?.status !== 'active') throw forbidden();
  return event;
}

/** The code that the screen that calls is to show. */
export const readScreenCode = operation({
  name: 'attendance.readScreenCode',
  roles: screen,
  scopes: ['read'],
  input: noInput,
  run: async (scope, _input, { checkInDigests }) => {
    const { uuid: eventUuid, title } = await eventOfScreen(scope);
    return { ...screenCode(checkInDigests, { eventUuid }, scope.clock()), eventUuid, eventTitle: title };
  },
});

export const screenCheckInput = closedObject({
  name: visibleText(limits.textChars, {
    description: 'Name of the person, without regard to case and accents.',
    examples: ['Robin Fields'],
  }),
  phoneDigits: Type.String({
    pattern: '^[0-9]{4}$',
    maxLength: 4,
    description: 'The last four digits of their phone number.',
    examples: ['0142'],
  }),
});

/** Checks a person in on a screen of the event or, if they are there, out. Repeated within seconds, it changes nothing. */
export const checkOnScreen = operation({
  name: 'attendance.checkOnScreen',
  roles: screen,
  scopes: 'none',
  writes: true,
  waitsInLine: true,
  attempts: attemptLimits.checkOnScreen,
  input: screenCheckInput,
  run: async (scope, { name, phoneDigits }) => {
    const { id: eventId } = await eventOfScreen(scope);
    const refusal = { phoneDigits: ['with this name belong to nobody who works here: ask an admin'] };
    const shifts = await readShiftsByName(scope.db, eventId, name);
    const [person] = shifts;
    if (!person) throw invalid(refusal);
    const own = shifts.filter(({ digits }) => digits === phoneDigits);
    const userId = own[0]?.userId ?? person.userId;
    await tryCode(scope, { eventId, userId }, () => own.length > 0, refusal);
    return scope.transaction(async (tx) => {
      const all = { ...tx, db: seeingAll(tx.db) };
      const now = tx.clock();
      const isJustNoted = ({ checkedInAt, checkedOutAt }: Pick<AttendedShift, 'checkedInAt' | 'checkedOutAt'>) =>
        Math.abs(now.getTime() - ((checkedOutAt ?? checkedInAt)?.getTime() ?? 0)) < limits.replacedS * 1000;
      const next = own.find(isJustNoted) ?? findMeant(own, now)!;
      const shift = await lockAttended(all, next.uuid);
      requireTime(shift, now);
      // A double tap, or a call again whose answer was lost, is no leaving.
      const { checkedInAt, checkedOutAt } = isJustNoted(shift)
        ? shift
        : shift.checkedInAt
          ? await noteCheckOut(all, shift, {})
          : await noteCheckIn(all, shift, 'kiosk', undefined);
      return { shiftUuid: shift.uuid, firstName: shift.firstName, checkedInAt, checkedOutAt };
    });
  },
});
