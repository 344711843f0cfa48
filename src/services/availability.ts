import Type, { type Static, type TObject, type TUnsafe } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminAndStaff, repeatable } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { readBookedSpans, readExceptions, readPatterns, type WhichSaid } from '../db/availability.ts';
import { delegateOf } from '../db/catalogs.ts';
import type { TenantDb } from '../db/tenant.ts';
import { lockUser, readUser } from '../db/users.ts';
import { readShiftsByIds } from '../db/work-shifts.ts';
import { conflict, invalid, notFound, type FieldErrors } from '../errors.ts';
import type { ExceptionRow, PatternRow } from '../fields/availability.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { groupBy } from '../paging/group-by.ts';
import { AvailabilityRule, Weekday } from '../generated/prisma/enums.ts';
import {
  closedObject,
  idOf,
  instant,
  localDate,
  nullable,
  oneOf,
  optionalFields,
  uuidOf,
  visibleText,
  zone,
} from '../validation/schemas.ts';
import { askAvailability } from './availability-answer.ts';
import { uuidsInput } from './events-input.ts';
import { manyOf } from './in-turn.ts';
import { requireVersion, versionInput } from './versions.ts';

export const personParams = closedObject({
  staffId: { ...idOf('staff member'), description: 'Id of the staff member, a user.' },
});

const timeOfDay = (description: string, example: string) =>
  Type.String({ format: 'time-of-day', description, examples: [example] });
const rule = oneOf(Object.values(AvailabilityRule), 'Whether the person can work then.');

const newPattern = closedObject({
  rule,
  weekday: oneOf(Object.values(Weekday), 'Day of the week on which the window starts.'),
  startTime: timeOfDay('Start, `HH:MM`.', '09:00'),
  endTime: timeOfDay(
    'End, `HH:MM`. At or before the start, it is on the next day: `00:00` means midnight, and the time of the start 24 hours.',
    '17:30',
  ),
  timezone: zone('IANA name of the time zone whose clocks are meant.'),
  validFrom: Type.Optional(nullable(localDate('First date on which the window starts, `YYYY-MM-DD`; null: no limit.'))),
  validUntil: Type.Optional(nullable(localDate('Last date on which the window starts, `YYYY-MM-DD`; null: no limit.'))),
});

const newException = closedObject({
  rule,
  startsAt: instant('Start.'),
  endsAt: instant('End, after the start.'),
  note: Type.Optional(nullable(visibleText(limits.textChars, { description: 'Such as "holiday"; null: none.' }))),
});

/** A row after a change, and the booked shifts that the change contradicts. They stay as they are. */
export interface AvailabilityChange<Row> {
  readonly row: Row;
  readonly contradictedShifts: readonly WorkShiftRow[];
}

interface Target {
  readonly uuid: string;
  readonly expectedVersions?: number[] | undefined;
}

interface Spec<Row, Sent extends object> {
  readonly model: 'AvailabilityPattern' | 'AvailabilityException';
  readonly noun: string;
  /** The schema of `Sent`: the fields of a new row. */
  readonly newRow: TObject;
  readonly read: (db: TenantDb, which: WhichSaid) => Promise<Row[]>;
  /** The fields that `findFaults` looks at. */
  readonly judged: readonly (keyof Sent)[];
  /** Faults of a row as it would be stored. */
  readonly findFaults: (row: Partial<Sent>) => FieldErrors;
  /** The columns of what was sent. */
  readonly toColumns: (sent: Partial<Sent>) => object;
}

export type AvailabilityOperations<
  Row extends { id: number; userId: number; version: number },
  Sent extends object,
> = ReturnType<typeof createOperations<Row, Sent>>;

const facts = { roles: adminAndStaff, scopes: ['staffing:write'], writes: true } as const;

/** Makes the operations on one kind of what people say of their availability. Staff change their own, admins anyone's. */
function createOperations<Row extends { id: number; userId: number; version: number }, Sent extends object>({
  model,
  noun,
  newRow,
  read,
  judged,
  findFaults,
  toColumns,
}: Spec<Row, Sent>) {
  const kind = model === 'AvailabilityPattern' ? 'availabilityPattern' : 'availabilityException';
  const many = `${kind}s`;
  const list = model === 'AvailabilityPattern' ? 'patterns' : 'exceptions';
  const params = closedObject({ uuid: uuidOf(noun) });
  const changes: TObject = optionalFields(newRow.properties);
  const target = { ...params.properties, ...versionInput };
  const requireSound = (row: object) => {
    const errors = findFaults(row as Partial<Sent>);
    if (Object.keys(errors).length > 0) throw invalid(errors);
  };

  const oneOrNotFound = async ({ db }: Scope, uuid: string): Promise<Row> => {
    const [row] = await read(db, { uuids: [uuid] });
    if (!row) throw notFound(noun);
    return row;
  };

  /** The row, whose person is locked: so nobody else changes what they have said. */
  const lock = async (tx: Scope, { uuid, expectedVersions }: Target) => {
    const { userId } = await oneOrNotFound(tx, uuid);
    await lockUser(tx.db, userId);
    const row = await oneOrNotFound(tx, uuid);
    requireVersion(row, expectedVersions);
    return row;
  };

  /** Makes a change of what a person has said, and finds the booked shifts that it contradicts and that nothing contradicted before. */
  const withContradictions = async (
    tx: Scope,
    userId: number,
    change: (before: Said) => Promise<Row>,
    isGone = false,
  ): Promise<AvailabilityChange<Row>> => {
    const [before] = await readSaid(tx, [userId]);
    const row = await change(before!);
    const others = before![list].filter(({ id }) => id !== row.id);
    const after = { ...before!, [list]: isGone ? others : [...others, row] };
    return { row, contradictedShifts: await readContradicted(tx, [after], before) };
  };

  const get = operation({
    name: `${many}.get`,
    roles: adminAndStaff,
    scopes: ['read'],
    cacheable: true,
    input: params,
    run: (scope, { uuid }) => oneOrNotFound(scope, uuid),
  });

  const getByUuids = variantOf(get, { input: uuidsInput, run: ({ db }, { uuids }) => read(db, { uuids }) });

  const create = operation({
    ...facts,
    ...repeatable,
    name: `${many}.create`,
    input: closedObject({ ...personParams.properties, ...newRow.properties }) as unknown as TUnsafe<
      { staffId: number } & Sent
    >,
    rules: [{ over: judged as never[], check: (_scope, sent) => findFaults(sent) }],
    run: (scope, { staffId: userId, ...fields }) => {
      const sent = fields as Partial<Sent>;
      requireSound(sent);
      return scope.transaction(async (tx) => {
        const { db, businessId } = tx;
        await staffOrNotFound(tx, userId);
        await lockUser(db, userId);
        return withContradictions(tx, userId, async (before) => {
          if (before[list].length >= limits.wholeListMax)
            throw conflict(
              `A person can have at most ${limits.wholeListMax} of these: delete one that is not needed any more.`,
            );
          const data = { ...toColumns(sent), userId, businessId };
          const { id } = await delegateOf(db, model).create({ data, select: { id: true } });
          tx.record({ kind, id });
          const [row] = await read(db, { ids: [id] });
          return row!;
        });
      });
    },
  });

  /** Changes only the fields that were sent. */
  const update = operation({
    ...facts,
    name: `${many}.update`,
    input: closedObject({ ...target, ...changes.properties }) as unknown as TUnsafe<Target & Partial<Sent>>,
    rules: [
      {
        over: ['uuid', ...judged] as never[],
        check: async ({ db }, { uuid, ...sent }) => {
          const [row] = await read(db, { uuids: [uuid] });
          return row ? findFaults({ ...row, ...sent } as unknown as Partial<Sent>) : {};
        },
      },
    ],
    run: (scope, { uuid, expectedVersions, ...fields }) =>
      scope.transaction(async (tx) => {
        const sent = fields as Partial<Sent>;
        const before = await lock(tx, { uuid, expectedVersions });
        requireSound({ ...before, ...sent });
        return withContradictions(tx, before.userId, async () => {
          if (Object.values(sent).every((value) => value === undefined)) return before;
          const where = { businessId_id: { businessId: tx.businessId, id: before.id } };
          await delegateOf(tx.db, model).update({ where, data: toColumns(sent), select: { id: true } });
          tx.record({ kind, id: before.id });
          return oneOrNotFound(tx, uuid);
        });
      }),
  });

  const remove = operation({
    ...facts,
    name: `${many}.delete`,
    input: closedObject(target),
    run: (scope, input) =>
      scope.transaction(async (tx) => {
        const row = await lock(tx, input);
        return withContradictions(
          tx,
          row.userId,
          async () => {
            const where = { businessId_id: { businessId: tx.businessId, id: row.id } };
            await delegateOf(tx.db, model).delete({ where, select: { id: true } });
            tx.record({ kind, id: row.id });
            return row;
          },
          true,
        );
      }),
  });

  const createMany = manyOf(create);

  return { model, kind, noun, params, newRow, changes, get, getByUuids, create, createMany, update, remove };
}

/** What is stored of an instant. */
const wholeSecond = (at: Date | undefined) => at && new Date(Math.floor(at.getTime() / 1000) * 1000);

const dateColumn = (date: string | null | undefined) => (date ? new Date(`${date}T00:00:00Z`) : date);

export const patterns = createOperations<PatternRow, Static<typeof newPattern>>({
  model: 'AvailabilityPattern',
  noun: 'availability pattern',
  newRow: newPattern,
  read: readPatterns,
  judged: ['validFrom', 'validUntil'],
  findFaults: ({ validFrom, validUntil }) =>
    validFrom && validUntil && validUntil < validFrom
      ? { validUntil: ['must be the same date as the first one, or later'] }
      : {},
  toColumns: ({ validFrom, validUntil, ...sent }) => ({
    ...sent,
    validFrom: dateColumn(validFrom),
    validUntil: dateColumn(validUntil),
  }),
});

export const exceptions = createOperations<ExceptionRow, Static<typeof newException>>({
  model: 'AvailabilityException',
  noun: 'availability exception',
  newRow: newException,
  read: readExceptions,
  judged: ['startsAt', 'endsAt'],
  findFaults: ({ startsAt, endsAt }) =>
    startsAt && endsAt && wholeSecond(endsAt)! <= wholeSecond(startsAt)! ? { endsAt: ['must be after the start'] } : {},
  toColumns: ({ startsAt, endsAt, ...sent }) => ({
    ...sent,
    startsAt: wholeSecond(startsAt),
    endsAt: wholeSecond(endsAt),
  }),
});

interface Said {
  readonly userId: number;
  readonly patterns: readonly PatternRow[];
  readonly exceptions: readonly ExceptionRow[];
}

/** What a person has said, and the booked shifts that contradict it. */
export interface Availability extends Said {
  readonly contradictedShifts: readonly WorkShiftRow[];
}

export const get = operation({
  name: 'availability.get',
  roles: adminAndStaff,
  scopes: ['read'],
  input: personParams,
  run: async (scope, { staffId: userId }) => {
    await staffOrNotFound(scope, userId);
    const [availability] = await readAvailability(scope, [userId]);
    return availability!;
  },
});

/** Reads what many people have said, with the same few statements. */
export const getByUsers = operation({
  name: 'availability.ofUsers',
  roles: adminAndStaff,
  scopes: ['read'],
  isPart: true,
  input: Type.Object({ userIds: Type.Array(idOf('staff member')) }),
  run: (scope, { userIds }) => readAvailability(scope, userIds),
});

async function staffOrNotFound({ db }: Scope, userId: number): Promise<void> {
  const user = await readUser(db, userId);
  if (user?.role !== 'staff') throw notFound('staff member');
}

/** What each of the people has said. */
async function readSaid({ db }: Scope, userIds: readonly number[]): Promise<Said[]> {
  const patternsOf = groupBy('userId', await readPatterns(db, { userIds }));
  const exceptionsOf = groupBy('userId', await readExceptions(db, { userIds }));
  return userIds.map((userId) => ({ userId, patterns: patternsOf(userId), exceptions: exceptionsOf(userId) }));
}

/** The booked shifts that contradict what the people say, save those that contradicted already what one of them said before. */
async function readContradicted(
  { db, clock }: Scope,
  said: readonly Said[],
  before: Said | null = null,
): Promise<WorkShiftRow[]> {
  // Nothing contradicts those who have said nothing.
  const speaking = said.filter(({ patterns: windows, exceptions: spans }) => windows.length + spans.length > 0);
  const saidBy = new Map(speaking.map((one) => [one.userId, one]));
  const isAgainst = (one: Said, span: Parameters<typeof askAvailability>[0]) =>
    askAvailability(span)(one) === 'UNAVAILABLE';
  const booked = await readBookedSpans(db, [...saidBy.keys()], { endAfter: clock(), atMostEach: limits.wholeReadMax });
  const ids = booked
    .filter(({ userId, ...span }) => isAgainst(saidBy.get(userId)!, span) && !(before && isAgainst(before, span)))
    .map(({ id }) => id);
  const shifts = new Map(ids.length > 0 ? (await readShiftsByIds(db, ids)).map((shift) => [shift.id, shift]) : []);
  return ids.flatMap((id) => shifts.get(id) ?? []);
}

async function readAvailability(scope: Scope, userIds: readonly number[]): Promise<Availability[]> {
  const said = await readSaid(scope, userIds);
  const contradictedBy = groupBy('userId', await readContradicted(scope, said));
  return said.map((one) => ({ ...one, contradictedShifts: contradictedBy(one.userId) }));
}

/** Deletes what a person has said, who is no staff any more. */
export async function forgetAvailability({ db }: Scope, userId: number): Promise<void> {
  await db.availabilityPattern.deleteMany({ where: { userId } });
  await db.availabilityException.deleteMany({ where: { userId } });
}
