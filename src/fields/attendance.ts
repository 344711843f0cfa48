import { limits } from '../config/limits.ts';
import type { Attendance } from '../generated/prisma/client.ts';
import { fieldList, rowVersion, shown, type Differences, type RowOf, type StoredRowOf } from './field-list.ts';

const ofAdmins = ['staff', 'client'] as const;
const joined = { isJoined: true } as const;

/** The fields of what became of a shift on the day, with the plan beside it. It has the id and the UUID of the shift. */
export const attendanceFields = fieldList({
  id: { kind: 'integer' },
  uuid: { kind: 'uuid', description: 'UUID of the work shift, as in REST.' },
  eventId: { kind: 'integer' },
  eventUuid: { kind: 'uuid', ...joined, description: 'UUID of the event.' },
  eventTitle: { kind: 'text', ...joined, description: 'Title of the event.' },
  eventStatus: {
    kind: 'eventStatus',
    ...joined,
    description: 'Status of the event. Nobody is late for a canceled one.',
  },
  userId: { kind: 'integer', ...joined },
  firstName: { kind: 'text', ...joined, description: 'First name of the person.' },
  lastName: { kind: 'text', ...joined, description: 'Last name of the person.' },
  positionId: { kind: 'integer', ...joined },
  position: { kind: 'text', ...joined, description: 'Title of the position.' },
  /** Start of the shift, or an instant of its day while that is to be determined: the order of lists. */
  sortedAt: { kind: 'instant', ...joined },
  startTime: {
    kind: 'wallTime',
    ...joined,
    isNullable: true,
    description: 'Planned start as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`; null: to be determined.',
  },
  startsAt: {
    kind: 'instant',
    ...joined,
    isNullable: true,
    description: 'Planned start, UTC; null: to be determined.',
  },
  endTime: {
    kind: 'wallTime',
    ...joined,
    isNullable: true,
    description: 'Planned end as the clocks at the event show it: `YYYY-MM-DD HH:MM:SS`; null: to be determined.',
  },
  endsAt: { kind: 'instant', ...joined, isNullable: true, description: 'Planned end, UTC; null: to be determined.' },
  timezone: { kind: 'text', ...joined, description: 'IANA time zone of the event.' },
  checkInFrom: {
    kind: 'instant',
    ...joined,
    description: `From when on the person checks in by themselves, UTC: ${limits.checkInBeforeMin} minutes before the start, or before its day while that is to be determined.`,
  },
  checkInUntil: {
    kind: 'instant',
    ...joined,
    description: `Until when the person checks in and out by themselves, UTC: ${limits.checkInAfterH} hours after the end or, while that is to be determined, after that of the event, at most ${limits.stayHoursMax} hours after the start.`,
  },
  lateFrom: {
    kind: 'instant',
    ...joined,
    isNullable: true,
    description: `From when on the person is late while nothing is noted, UTC: the start. Null where nobody is told to be late: the start is to be determined, the event is not active, or nobody was checked in or noted in the ${limits.notedWithinDays} days before and the business has not switched it on.`,
  },
  checkedInAt: { kind: 'instant', isNullable: true, description: 'When the person came, UTC; null: not noted.' },
  checkedOutAt: { kind: 'instant', isNullable: true, description: 'When the person left, UTC; null: not noted.' },
  breakMinutes: { kind: 'integer', description: 'Minutes of breaks, which are not paid.' },
  source: { kind: 'attendanceSource', isNullable: true, description: 'Who noted that the person came; null: nobody.' },
  paidEarly: {
    kind: 'flag',
    description: 'Whether the time before the planned start is paid. Otherwise paid time starts there at the earliest.',
  },
  autoClosed: {
    kind: 'flag',
    description: 'Whether nobody checked the person out, so that the service took the planned end.',
  },
  noShow: { kind: 'flag', description: 'Whether the person did not come.' },
  late: {
    kind: 'flag',
    description: `Whether the person came more than ${limits.lateAfterMin} minutes after the start that was planned when it was noted.`,
  },
  plannedMinutes: {
    kind: 'integer',
    ...joined,
    isNullable: true,
    description: 'Elapsed minutes of the plan; null while a time is to be determined.',
  },
  actualMinutes: {
    kind: 'integer',
    ...joined,
    isNullable: true,
    description:
      'Worked minutes: from check-in to check-out without breaks, rounded once by the rule of the business. 0 after a no-show; null while it is not known.',
  },
  note: { kind: 'text', isNullable: true, hiddenFrom: ofAdmins, description: 'Note of an admin. For admins.' },
  changeReason: {
    kind: 'text',
    isNullable: true,
    hiddenFrom: ofAdmins,
    description:
      'Why it was changed after an approval, which that ended, or approved with other work at the same time. For admins.',
  },
  approvedAt: { kind: 'instant', isNullable: true, description: 'When an admin approved it, UTC; null: not approved.' },
  approvedById: { kind: 'integer', isNullable: true, hiddenFrom: ofAdmins },
  approvedMinutes: { kind: 'integer', isNullable: true, description: 'Approved minutes; null: not approved.' },
  approvedRate: { kind: 'money', isNullable: true, description: 'Pay rate at the approval, USD; null: not approved.' },
  approvedUnit: { kind: 'payUnit', isNullable: true, description: 'Unit of that rate; null: not approved.' },
  approvedAmount: { kind: 'money', isNullable: true, description: 'Approved pay, USD; null: not approved.' },
  approvedRevenue: {
    kind: 'money',
    isNullable: true,
    hiddenFrom: ofAdmins,
    description:
      'Revenue at the approval, USD; null: not approved, or no bill rate was known. Null unless the caller is an admin.',
  },
  createdAt: { kind: 'instant' },
  modifiedAt: { kind: 'instant', description: 'Last modified, UTC.' },
  version: rowVersion,
});

export type AttendanceRow = RowOf<
  typeof attendanceFields,
  Differences<StoredRowOf<typeof attendanceFields>, Omit<Attendance, 'businessId'>>
>;

const codeFields = {
  code: shown.text('Six digits, to be shown on a screen of the event.'),
  expiresAt: shown.instant('When the next code takes its place, UTC. This one holds for as long again.'),
};

/** The codes with which people check in at an event. */
export const checkInCodeFields = fieldList({
  ...codeFields,
  day: shown.date('Day of the printed code, `YYYY-MM-DD`.'),
  printedCode: shown.text.orNull(
    'Code to be printed for the shifts that start on that day; null unless the business allows it.',
  ),
});

/** The code that a screen shows for its event. */
export const screenCheckInCodeFields = fieldList({
  ...codeFields,
  eventUuid: shown.uuid('UUID of the event.'),
  eventTitle: shown.text('Title of the event.'),
});

/** Fields of the answer to a person who checks in or out on a screen. */
export const screenCheckFields = fieldList({
  shiftUuid: shown.uuid('UUID of the shift.'),
  firstName: shown.text('First name of the person.'),
  checkedInAt: shown.instant.orNull('When they came, UTC.'),
  checkedOutAt: shown.instant.orNull('When they left, UTC; null: they are there.'),
});
