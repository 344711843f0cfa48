import type { Static } from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import type { Scope } from '../access/scope.ts';
import { readCallTimesByUuids } from '../db/call-times.ts';
import { readEventsByUuids } from '../db/events.ts';
import { readPositions } from '../db/positions.ts';
import { findStaff } from '../db/staffing.ts';
import type { FieldErrors } from '../errors.ts';
import type { PayUnit } from '../generated/prisma/enums.ts';
import { findPeriodFaults } from './periods.ts';
import type { assignInput } from './work-shifts-input.ts';

/** The fields of an input that name other rows. */
type Naming = Partial<Pick<Static<typeof assignInput>, 'positionId' | 'userId' | 'eventUuid' | 'callTimeUuid'>>;

/** The rows that inputs name. A row of another business is missing like one that does not exist. */
export interface NamedRows {
  readonly positionIds: ReadonlySet<number>;
  readonly staffIds: ReadonlySet<number>;
  /** Time zones of events and of the events of call times, by uuid in lower case. */
  readonly timezones: ReadonlyMap<string, string>;
}

/** Reads the rows that inputs name: each kind of row in one statement, if any input names one. */
export async function readNamedRows({ db }: Scope, inputs: readonly Naming[]): Promise<NamedRows> {
  const positionIds = distinct(inputs.map(({ positionId }) => positionId));
  const userIds = distinct(inputs.map(({ userId }) => userId));
  const eventUuids = distinct(inputs.map(({ eventUuid }) => eventUuid));
  const callTimeUuids = distinct(inputs.map(({ callTimeUuid }) => callTimeUuid));
  const positions = await ifAny(positionIds, (ids) => readPositions(db, ids));
  const staff = await ifAny(userIds, (ids) => findStaff(db, ids));
  const events = await ifAny(eventUuids, (uuids) => readEventsByUuids(db, uuids));
  const callTimes = await ifAny(callTimeUuids, (uuids) => readCallTimesByUuids(db, uuids));
  return {
    positionIds: new Set(positions.map(({ id }) => id)),
    staffIds: new Set(staff),
    timezones: new Map([...events, ...callTimes].map(({ uuid, timezone }) => [uuid, timezone])),
  };
}

/** Lists the different values, without null and undefined. */
export function distinct<T>(values: readonly (T | null | undefined)[]): T[] {
  return [...new Set(values.flatMap((value) => value ?? []))] as T[];
}

export async function ifAny<T, R>(values: T[], read: (values: T[]) => Promise<Iterable<R>>): Promise<R[]> {
  return values.length === 0 ? [] : [...(await read(values))];
}

type ReadRows = (scope: Scope, input: Naming) => NamedRows | Promise<NamedRows>;

const readOwnRows: ReadRows = (scope, input) => readNamedRows(scope, [input]);

/** The rules of the position and the person of a shift. */
export function personRules(readRows = readOwnRows): InputRule<Naming>[] {
  return [
    {
      over: ['positionId'],
      check: async (scope, input) => {
        const errors: FieldErrors = {};
        if (typeof input.positionId === 'number')
          judgePosition(input.positionId, (await readRows(scope, input)).positionIds, errors);
        return errors;
      },
    },
    {
      over: ['userId'],
      check: async (scope, input) => {
        const errors: FieldErrors = {};
        if (input.userId !== undefined) judgeStaff(input.userId, (await readRows(scope, input)).staffIds, errors);
        return errors;
      },
    },
  ];
}

/** The rules of an assignment. `readRows` serves where the rows that many inputs name are read together. */
export function assignRules(readRows = readOwnRows): InputRule<Static<typeof assignInput>>[] {
  return [
    ...personRules(readRows),
    { over: ['eventUuid', 'callTimeUuid'], check: (_scope, target) => findTargetFaults(target) },
    {
      over: ['eventUuid', 'callTimeUuid', 'startTime', 'endTime'],
      check: async (scope, { startTime = null, endTime = null, ...target }) => {
        const uuid = target.callTimeUuid ?? target.eventUuid;
        const { timezones } = await readRows(scope, target);
        const timezone = timezones.get(uuid?.toLowerCase() ?? '');
        return timezone === undefined ? {} : findPeriodFaults({ startTime, endTime }, timezone);
      },
    },
  ];
}

/** An assignment is to an event or to one of its call times. */
export function findTargetFaults({ eventUuid = null, callTimeUuid = null }: Naming): FieldErrors {
  if (eventUuid === null && callTimeUuid === null) return { eventUuid: ['is required unless a call time is named'] };
  if (eventUuid !== null && callTimeUuid !== null) return { eventUuid: ['must not be combined with callTimeUuid'] };
  return {};
}

export function judgePosition(id: number | undefined, existing: ReadonlySet<number>, errors: FieldErrors): void {
  if (id === undefined) errors['positionId'] = ['is required without a call time'];
  else if (!existing.has(id)) errors['positionId'] = ['must be the id of a position of this business'];
}

/** A unit is that of a rate. */
export function judgePayUnit(payUnit: PayUnit | null, payRate: string | null, errors: FieldErrors): void {
  if (payUnit !== null && payRate === null) errors['payUnit'] = ['needs a pay rate: send both'];
}

export function judgeStaff(userId: number, staff: ReadonlySet<number>, errors: FieldErrors): void {
  if (!staff.has(userId)) errors['userId'] = ['must be the id of a staff member of this business'];
}
