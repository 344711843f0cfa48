import Type, { type Static } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminAndStaff, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import {
  attendanceOrder,
  countAttendance,
  lockShifts,
  readAttendance,
  readAttendanceOfEvents,
  readAttendancePage,
  readAttendedShift,
  readOverlappingWork,
  storeApprovals,
  type AttendedShift,
} from '../db/attendance.ts';
import { lockStaff } from '../db/staffing.ts';
import { conflict, invalid, notFound, type FieldErrors } from '../errors.ts';
import type { AttendanceRow } from '../fields/attendance.ts';
import { attendanceStates, codesOf } from '../fields/codes.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import {
  closedObject,
  idOf,
  instant,
  int4,
  nullable,
  oneOf,
  optionalFields,
  rowNumber,
  text,
  utcInstantOrNull,
  uuidOf,
} from '../validation/schemas.ts';
import { uuidsInput } from './events-input.ts';
import { eventOrNotFound } from './events.ts';
import { createClashFailure } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import { overrideInput, shiftParams } from './work-shifts-input.ts';

const attendanceRead = { roles: adminAndStaff, scopes: ['read'] } as const;

export const attendanceFilter = optionalFields({
  eventUuid: uuidOf('event', 'Lists only shifts at the event with this UUID.'),
  userId: rowNumber('Lists only shifts of the user with this id.'),
  from: instant('Start of the span in which shifts start; included.'),
  to: instant('End of the span in which shifts start; not included.'),
  states: Type.Array(oneOf(codesOf(attendanceStates)), {
    maxItems: codesOf(attendanceStates).length,
    description: `Lists only shifts in one of these states. \`LATE\` and \`MISSING\`: nobody came, for up to and from ${limits.missingAfterMin} minutes after the start, at most ${limits.missingDays} days. \`PRESENT\`: there now. \`NOT_CHECKED_OUT\`: after the end. \`TO_APPROVE\`, \`APPROVED\`, \`NO_SHOW\`. Default: all.`,
  }),
});

/** Reads one page of active shifts with what became of them, by start. What is late depends on the time, so no answer is kept. */
export const list = operation({
  ...attendanceRead,
  name: 'attendance.list',
  input: closedObject({ filter: Type.Optional(attendanceFilter), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { filter: { eventUuid, ...filter } = {}, ...request }) => {
    const now = scope.clock();
    const found = {
      ...filter,
      ...(eventUuid !== undefined && { eventId: (await eventOrNotFound(scope, eventUuid)).id }),
    };
    return readPage(scope, request, {
      order: attendanceOrder,
      rows: (window) => readAttendancePage(scope.db, found, now, window),
      count: () => countAttendance(scope.db, found, now),
    });
  },
});

export const get = operation({
  ...attendanceRead,
  cacheable: true,
  name: 'attendance.get',
  input: shiftParams,
  run: async ({ db }, { uuid }) => (await readAttendance(db, { uuids: [uuid] }))[0] ?? notShift(),
});

export const getByUuids = variantOf(get, {
  input: uuidsInput,
  run: ({ db }, { uuids }) => readAttendance(db, { uuids }),
});

/** Reads the attendance of many shifts. */
export const getByIds = variantOf(get, {
  input: closedObject({ ids: Type.Array(idOf('work shift')) }),
  run: ({ db }, { ids }) => readAttendance(db, { ids }),
});

/** Reads what became of the active shifts of many events, at most so many of each. */
export const getByEvents = variantOf(get, {
  input: closedObject({ eventIds: Type.Array(idOf('event')), atMostEach: Type.Integer({ minimum: 1 }) }),
  run: ({ db }, { eventIds, atMostEach }) => readAttendanceOfEvents(db, eventIds, atMostEach),
});

export function notShift(): never {
  throw notFound('work shift');
}

/** Locks a shift and reads it with its attendance. Who noted what of it last is seen. */
export async function lockAttended(tx: Scope, uuid: string, expected?: readonly number[]): Promise<AttendedShift> {
  await lockShifts(tx.db, [uuid]);
  const shift = (await readAttendedShift(tx.db, uuid)) ?? notShift();
  requireVersion(shift, expected);
  if (shift.shiftStatus !== 'active') throw conflict(`The work shift is ${shift.shiftStatus}: nobody works it.`);
  return shift;
}

export type Noted = Pick<
  AttendanceRow,
  'checkedInAt' | 'checkedOutAt' | 'breakMinutes' | 'source' | 'paidEarly' | 'autoClosed' | 'noShow'
> &
  Partial<Pick<AttendanceRow, 'note' | 'changeReason'>>;

const hourMs = 3_600_000;
const minutesOf = (at: Date) => Math.floor(at.getTime() / 60_000);

/** Finds what cannot be true of a shift. */
function findFaults(shift: AttendedShift, noted: Noted, now: Date): FieldErrors {
  const { checkedInAt, checkedOutAt, breakMinutes, paidEarly, noShow } = noted;
  const { startsAt, plannedMinutes } = shift;
  const errors: FieldErrors = {};
  if (noShow && checkedInAt) errors['noShow'] = ['must be false while there is a check-in'];
  else if (noShow && shift.sortedAt > now) errors['noShow'] = ['cannot be said before the start'];
  for (const [name, at] of Object.entries({ checkedInAt, checkedOutAt }))
    if (at && at > now) errors[name] = ['must not be in the future'];
  if (!checkedOutAt) return errors;
  const longest = Math.max(limits.stayHoursMax, ((plannedMinutes ?? 0) / 60) * 1.5);
  if (!checkedInAt) errors['checkedOutAt'] = ['needs a check-in'];
  else if (checkedOutAt <= checkedInAt) errors['checkedOutAt'] = ['must be after the check-in'];
  else if (checkedOutAt.getTime() - checkedInAt.getTime() > longest * hourMs)
    errors['checkedOutAt'] = [`must be at most ${Math.floor(longest)} hours after the check-in`];
  else {
    const from = startsAt && !paidEarly && startsAt > checkedInAt ? startsAt : checkedInAt;
    const paid = Math.max(0, minutesOf(checkedOutAt) - minutesOf(from));
    if (breakMinutes > paid) errors['breakMinutes'] = [`must be at most ${paid}, the minutes that are paid`];
  }
  return errors;
}

const isLate = ({ startsAt }: AttendedShift, checkedInAt: Date | null): boolean =>
  startsAt !== null &&
  checkedInAt !== null &&
  checkedInAt.getTime() - startsAt.getTime() > limits.lateAfterMin * 60_000;

/** Stores what was noted of a locked shift. An approval ends with it. */
export async function storeNoted(tx: Scope, shift: AttendedShift, noted: Noted): Promise<AttendanceRow> {
  const now = tx.clock();
  const errors = findFaults(shift, noted, now);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { id, uuid, eventId } = shift;
  const { checkedInAt } = noted;
  const late = checkedInAt?.getTime() === shift.checkedInAt?.getTime() ? shift.late : isLate(shift, checkedInAt);
  const ended = { approvedAt: null, approvedById: null, approvedRate: null, approvedUnit: null };
  const data = {
    ...noted,
    ...ended,
    late,
    approvedMinutes: null,
    approvedAmount: null,
    approvedRevenue: null,
    modifiedAt: now,
  };
  // Without a row, nothing was noted yet.
  if (shift.version === 0)
    await tx.db.attendance.create({
      data: { ...data, businessId: tx.businessId, id, uuid, eventId, createdAt: now },
      select: { id: true },
    });
  else
    await tx.db.attendance.update({
      where: { businessId_id: { businessId: tx.businessId, id } },
      data,
      select: { id: true },
    });
  tx.record({ kind: 'attendance', id });
  return (await readAttendance(tx.db, { ids: [id] }))[0]!;
}

export const notedOf = (shift: AttendedShift): Noted => ({
  checkedInAt: shift.checkedInAt,
  checkedOutAt: shift.checkedOutAt,
  breakMinutes: shift.breakMinutes,
  source: shift.source,
  paidEarly: shift.paidEarly,
  autoClosed: shift.autoClosed,
  noShow: shift.noShow,
});

export const sourceOf = ({ actor }: Scope): AttendanceRow['source'] => (actor.kind === 'apiKey' ? 'api' : 'admin');

export const attendanceChanges = optionalFields({
  checkedInAt: utcInstantOrNull('When the person came; null: nobody came so far.'),
  checkedOutAt: utcInstantOrNull('When the person left; null: they have not.'),
  breakMinutes: int4(0, limits.stayHoursMax * 60, 'Minutes of breaks, which are not paid.'),
  paidEarly: Type.Boolean({ description: 'Whether the time before the planned start is paid.' }),
  noShow: Type.Boolean({ description: 'Whether the person did not come. Only without a check-in.' }),
  note: nullable(text(limits.remarkChars, { description: 'Note for admins. The empty text unsets it.' })),
  changeReason: nullable(
    text(limits.remarkChars, {
      description: 'Why it is changed after an approval, which it ends: required then. For admins and the history.',
    }),
  ),
});

/** Changes what is noted of a shift. After an approval that needs a reason, and the approval ends. */
export const update = operation({
  ...staffingEdit,
  name: 'attendance.update',
  input: closedObject({ ...shiftParams.properties, ...versionInput, ...attendanceChanges.properties }),
  run: (scope, { uuid, expectedVersions, ...sent }) =>
    scope.transaction(async (tx) => {
      const shift = await lockAttended(tx, uuid, expectedVersions);
      const changes = onlyChanged(sent, shift);
      if (Object.keys(changes).length === 0) return (await readAttendance(tx.db, { uuids: [uuid] }))[0]!;
      if (shift.approvedAt && !changes.changeReason)
        throw invalid({ changeReason: ['is required, because this is approved: the approval ends'] });
      const { checkedInAt, checkedOutAt } = changes;
      return storeNoted(tx, shift, {
        ...notedOf(shift),
        ...(checkedInAt !== undefined && { source: checkedInAt && sourceOf(tx) }),
        ...(checkedOutAt !== undefined && { autoClosed: false }),
        ...changes,
      });
    }),
});

type Changes = Static<typeof attendanceChanges>;

/** A read, change and write back sends what is stored already, with instants to the second. */
function onlyChanged(sent: Changes, shift: AttendedShift): Changes {
  const seconds = (value: unknown) => (value instanceof Date ? Math.floor(value.getTime() / 1000) : value);
  return Object.fromEntries(
    Object.entries(sent)
      .map(([name, value]) => [name, value === '' ? null : value] as const)
      .filter(([name, value]) => value !== undefined && seconds(value) !== seconds(shift[name as keyof Changes])),
  );
}

export const approveFields = {
  shiftUuids: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: limits.namedItemsMax,
    description: 'UUIDs of the work shifts.',
  }),
};

/** Approves shifts of which all is known, all or none. It stores their rate, unit, minutes and amount. Approved ones stay as they are. */
export const approve = operation({
  ...staffingEdit,
  name: 'attendance.approve',
  input: closedObject({ ...approveFields, override: Type.Optional(nullable(overrideInput)) }),
  rows: { field: 'shiftUuids', count: ({ shiftUuids }) => shiftUuids.length },
  run: (scope, { shiftUuids, override }) =>
    scope.transaction(async (tx) => {
      const { db, actor } = tx;
      // Two approvals of one person at one time would not see each other.
      const people = await readAttendance(db, { uuids: shiftUuids });
      await lockStaff(
        db,
        people.map(({ userId }) => userId),
      );
      await lockShifts(db, shiftUuids);
      const readInOrder = async () => {
        const rows = new Map((await readAttendance(db, { uuids: shiftUuids })).map((row) => [row.uuid, row]));
        return shiftUuids.map((uuid) => rows.get(uuid.toLowerCase()));
      };
      const before = await readInOrder();
      refuseAt(before, (row) => row === undefined, 'must be UUIDs of work shifts');
      refuseAt(before, (row) => row!.actualMinutes === null, 'must have ended: with a check-out, or as a no-show');
      const ids = before.flatMap((row) => (row!.approvedAt ? [] : [row!.id]));
      const reason = await requireReasonToOverlap(tx, shiftUuids, ids, override);
      await storeApprovals(db, ids, { byId: actor.kind === 'user' ? actor.userId : null, now: tx.clock(), reason });
      const after = await readInOrder();
      refuseAt(after, (row) => row!.approvedAt === null, 'must have known times, from which the pay follows');
      for (const id of ids) tx.record({ kind: 'attendance', id });
      return after as AttendanceRow[];
    }),
});

/** Asks why the same time of a person is approved twice. Returns the reason; null where none was needed. */
async function requireReasonToOverlap(
  { db }: Scope,
  shiftUuids: readonly string[],
  ids: readonly number[],
  override: { reason: string } | null | undefined,
): Promise<string | null> {
  const clashes = await readOverlappingWork(db, ids, limits.listedMax);
  if (clashes.length === 0) return null;
  if (override) return override.reason;
  const places = new Set(
    clashes.map(({ ofShift }) => shiftUuids.findIndex((uuid) => uuid.toLowerCase() === ofShift) + 1),
  );
  throw createClashFailure(
    clashes,
    'A person has worked two of their shifts at the same time, which would be paid twice. To approve it anyway, send an override with a reason (`override_reason` in REST).',
    { shiftUuids: [`share time with other approved work at these places of the list: ${[...places].join(', ')}`] },
  );
}

function refuseAt<Row>(rows: readonly Row[], isWrong: (row: Row) => boolean, rule: string): void {
  const places = rows.flatMap((row, index) => (isWrong(row) ? [index + 1] : []));
  if (places.length > 0)
    throw invalid({
      shiftUuids: [
        `${rule}, which those at these places of the list are not: ${places.slice(0, limits.listedMax).join(', ')}`,
      ],
    });
}
