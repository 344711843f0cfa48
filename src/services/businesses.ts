import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { admin, adminRead } from '../access/permissions.ts';
import { alwaysTellsLateText, limits } from '../config/limits.ts';
import {
  readBusiness,
  setOwnCalendar,
  setOwnHourRules,
  setOwnName,
  setOwnStaffRules,
  setOwnStrictQueries,
  setOwnUniqueResourceIds,
  type BusinessRow,
} from '../db/businesses.ts';
import { settleRates } from '../db/positions.ts';
import { isUniqueViolation } from '../db/engine/failures.ts';
import { conflict } from '../errors.ts';
import { Weekday } from '../generated/prisma/enums.ts';
import { requireVersion, versionInput } from './versions.ts';
import { closedObject, int4, noInput, nullable, oneOf, visibleText, zone } from '../validation/schemas.ts';

export const settingTexts = {
  waitlistAutoHours:
    'Within so many hours before the start, a place that becomes free is offered to the first person on the waitlist, for two hours; earlier, they get it at once.',
  dropDeadlineHours:
    'Until so many hours before the start, staff drop a shift by themselves; later they ask an admin. Null: no deadline.',
  adminsDrop: 'Whether staff can only ask to drop a shift, however early.',
  reminderHours: 'So many hours before their shifts start, staff are reminded by mail, where the service sends mails.',
  roundingMinutes: 'Worked time is rounded to so many minutes, once a shift: 5, 6, 10 or 15; null: it is not rounded.',
  roundsInFavour:
    'Whether the check-in is rounded down and the check-out up, in favour of people. Otherwise the worked time goes to the nearest step, and half a step up.',
  overtimeAfterHours: 'Hours of a week beyond which work is overtime in the payroll; null: overtime is not computed.',
  printedCodes: 'Whether staff can also check in with the printed code of the day. A photo of it works from anywhere.',
  alwaysTellsLate: alwaysTellsLateText,
  approvesSwaps: 'Whether an admin approves swaps of shifts before they take place.',
};

const roundingSteps = [5, 6, 10, 15] as const;

export const businessChanges = closedObject({
  name: Type.Optional(visibleText(limits.textChars, { description: 'Name of the business.' })),
  timezone: Type.Optional(zone('IANA time zone of the business.')),
  weekStart: Type.Optional(oneOf(Object.values(Weekday), 'First day of the week.')),
  uniqueResourceIds: Type.Optional(
    Type.Boolean({
      description:
        'Whether no two events that are not deleted may have the same `resourceId`. Refused with `CONFLICT` while two of them have.',
    }),
  ),
  waitlistAutoHours: Type.Optional(
    int4(0, limits.canceledWithinHoursMax, `${settingTexts.waitlistAutoHours} 24 at first.`),
  ),
  dropDeadlineHours: Type.Optional(nullable(int4(0, limits.canceledWithinHoursMax, settingTexts.dropDeadlineHours))),
  adminsDrop: Type.Optional(Type.Boolean({ description: settingTexts.adminsDrop })),
  reminderHours: Type.Optional(
    Type.Array(int4(1, limits.reminderHoursMax, 'Hours before the start.'), {
      maxItems: limits.remindersMax,
      uniqueItems: true,
      description: settingTexts.reminderHours,
      examples: [[72, 24, 3]],
    }),
  ),
  roundingMinutes: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      enum: [...roundingSteps, null],
      description: settingTexts.roundingMinutes,
    }),
  ),
  roundsInFavour: Type.Optional(Type.Boolean({ description: settingTexts.roundsInFavour })),
  overtimeAfterHours: Type.Optional(nullable(int4(0, limits.weekHours, settingTexts.overtimeAfterHours))),
  printedCodes: Type.Optional(Type.Boolean({ description: settingTexts.printedCodes })),
  alwaysTellsLate: Type.Optional(Type.Boolean({ description: settingTexts.alwaysTellsLate })),
  approvesSwaps: Type.Optional(Type.Boolean({ description: `${settingTexts.approvesSwaps} True at first.` })),
  strictQueries: Type.Optional(
    Type.Boolean({
      description:
        'Whether query parameters that a route of REST does not know are refused with 422. Otherwise they are ignored, and named in the header `Callboard-Ignored-Parameters`.',
    }),
  ),
  restHours: Type.Optional(
    nullable(
      int4(
        1,
        limits.weekHours,
        'Hours of rest that two shifts of a person must leave between them; null: not checked.',
      ),
    ),
  ),
  weeklyHours: Type.Optional(
    nullable(int4(1, limits.weekHours, 'Hours that a person may work in a week of the business; null: not checked.')),
  ),
});

/** Settings of how staff get places. */
const staffingSettings = [
  'restHours',
  'weeklyHours',
  'waitlistAutoHours',
  'dropDeadlineHours',
  'adminsDrop',
  'reminderHours',
  'approvesSwaps',
] as const;

/** Settings of how hours are noted and paid. */
const hourSettings = [
  'roundingMinutes',
  'roundsInFavour',
  'overtimeAfterHours',
  'printedCodes',
  'alwaysTellsLate',
] as const;

const ownSettings = ['name', 'timezone', 'weekStart', 'uniqueResourceIds', 'strictQueries'] as const;
const settings = [...ownSettings, ...staffingSettings, ...hourSettings] as const;

export const get = operation({
  ...adminRead,
  name: 'business.get',
  input: noInput,
  run: ({ db }) => readBusiness(db),
});

/** Changes settings of the business. */
export const update = operation({
  name: 'business.update',
  roles: admin,
  scopes: ['full'],
  writes: true,
  audited: true,
  input: closedObject({ ...businessChanges.properties, ...versionInput }),
  run: (scope, { expectedVersions, ...changes }) =>
    scope.transaction(async (tx) => {
      const before = await readBusiness(tx.db, 'toChange');
      requireVersion(before, expectedVersions);
      const after: BusinessRow = { ...before, ...changes };
      const changed = settings.filter((setting) => String(after[setting]) !== String(before[setting]));
      if (changed.length === 0) return before;
      if (changed.includes('uniqueResourceIds'))
        await refuseSharedResourceIds(setOwnUniqueResourceIds(tx.db, after.uniqueResourceIds));
      if (changed.includes('name')) await setOwnName(tx.db, after.name);
      if (changed.includes('timezone') || changed.includes('weekStart')) await setOwnCalendar(tx.db, after);
      if (changed.includes('timezone')) await settleRates(tx.db, tx.clock());
      if (changed.includes('strictQueries')) await setOwnStrictQueries(tx.db, after.strictQueries);
      if (staffingSettings.some((setting) => changed.includes(setting))) await setOwnStaffRules(tx.db, after);
      if (hourSettings.some((setting) => changed.includes(setting))) await setOwnHourRules(tx.db, after);
      const details = Object.fromEntries(
        changed.map((setting) => [setting, { from: before[setting], to: after[setting] }]),
      );
      tx.record({ kind: 'business', id: tx.businessId, details });
      return readBusiness(tx.db);
    }),
});

/** Turns a violation of the unique index, while the setting is switched on, into a conflict. */
export async function refuseSharedResourceIds(change: Promise<void>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isUniqueViolation(error, 'unique_resource_id')) throw error;
    throw conflict('Some events have the same resource id: make them differ first.', {
      uniqueResourceIds: ['cannot be true while events share a resource id'],
    });
  }
}

/** Turns a violation of the same index, when an event is written, into a conflict that names the field. */
export async function refuseTakenResourceId<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, 'unique_resource_id')) throw resourceIdTaken();
    throw error;
  }
}

export const resourceIdTaken = () =>
  conflict('Another event of the business has this resource id.', { resourceId: ['is taken'] });
