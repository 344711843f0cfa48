import Type, { type Static } from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import { operation, variantOf } from '../access/operation.ts';
import { admin, adminAndStaff, repeatable } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { holdCatalogRows, readPlainRows } from '../db/catalogs.ts';
import { readWorkToCome } from '../db/qualification-gaps.ts';
import { lockStaff } from '../db/staffing.ts';
import {
  countEnding,
  countUserQualifications,
  lockUserQualification,
  readEndingPage,
  readQualificationsOfUsers,
  readUserQualificationPage,
  readUserQualifications,
  type UserQualificationRow,
} from '../db/user-qualifications.ts';
import { readShiftsByIds } from '../db/work-shifts.ts';
import { conflict, invalid, notFound, type FieldErrors } from '../errors.ts';
import { levelText } from '../fields/user-qualifications.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import { daysFrom } from '../time/zoned-time.ts';
import {
  closedObject,
  idOf,
  int4,
  localDate,
  nullable,
  optionalFields,
  rowNumber,
  visibleText,
} from '../validation/schemas.ts';
import { manyOf } from './in-turn.ts';
import { findWorkDays, openQualifications } from './qualification-gaps.ts';
import { level } from './requirements.ts';
import { requireVersion, versionInput } from './versions.ts';
import { businessOf } from './viewer.ts';

const fields = {
  level: nullable(level(levelText)),
  validFrom: nullable(localDate('First day on which it is valid, `YYYY-MM-DD`; null: without a begin.')),
  validUntil: nullable(
    localDate(
      'Last day on which it is valid, `YYYY-MM-DD`; null: without an end. It may be past, and may not be before the first day. Required if the qualification expires.',
    ),
  ),
  reference: nullable(
    visibleText(limits.textChars, { description: 'Such as the number of the certificate.', examples: ['FA-20417'] }),
  ),
};

export const newUserQualification = closedObject({
  userId: rowNumber('Id of the staff member who holds it.'),
  qualificationId: rowNumber('Id of the qualification.'),
  ...optionalFields(fields).properties,
});

export const userQualificationChanges = optionalFields(fields);

export const userQualificationParams = closedObject({ id: idOf('held qualification') });

const read = { roles: adminAndStaff, scopes: ['read'], cacheable: true } as const;
const edit = { roles: admin, scopes: ['users:write'], writes: true } as const;

const byId: CursorOrder<UserQualificationRow> = {
  by: 'id',
  direction: 'asc',
  positionOf: ({ id }) => ({ value: '', id }),
  isValue: (value) => value === '',
};

export const userQualificationFilter = optionalFields({
  userId: rowNumber('Lists only what the person with this id holds.'),
  qualificationId: rowNumber('Lists only people who hold the qualification with this id.'),
});

/** Reads one page of what people hold, by id: staff see their own, and clients nothing. */
export const list = operation({
  ...read,
  name: 'userQualifications.list',
  input: closedObject({ ...userQualificationFilter.properties, ...pageInput() }),
  rules: [pageRule],
  run: (scope, { userId, qualificationId, ...request }) =>
    readPage(scope, request, {
      order: byId,
      rows: (window) => readUserQualificationPage(scope.db, { userId, qualificationId }, window),
      count: () => countUserQualifications(scope.db, { userId, qualificationId }),
    }),
});

export const get = operation({
  ...read,
  name: 'userQualifications.get',
  input: userQualificationParams,
  run: (scope, { id }) => heldOrNotFound(scope, id),
});

export const getByIds = variantOf(get, {
  input: closedObject({ ids: Type.Array(idOf('held qualification')) }),
  run: ({ db }, { ids }) => readUserQualifications(db, ids),
});

/** Reads what each of many people holds, in one statement, what ends last first. */
export const getByUsers = operation({
  ...read,
  name: 'userQualifications.ofUsers',
  isPart: true,
  input: closedObject({ userIds: Type.Array(idOf('user')) }),
  run: ({ db }, { userIds }) => readQualificationsOfUsers(db, userIds),
});

type Sent = Static<typeof newUserQualification>;

const spanRule: InputRule<Sent> = {
  over: ['qualificationId', 'validFrom', 'validUntil'],
  check: (scope, sent) => findSpanFaults(scope, sent),
};

/** Names a validity that ends before it begins, and a missing end of what ends for everybody. */
async function findSpanFaults(
  { db }: Scope,
  { qualificationId, validFrom = null, validUntil = null }: Pick<Sent, 'qualificationId' | 'validFrom' | 'validUntil'>,
): Promise<FieldErrors> {
  if (validUntil !== null)
    return validFrom !== null && validUntil < validFrom ? { validUntil: ['must not be before validFrom'] } : {};
  const [qualification] = await readPlainRows(db, 'Qualification', [qualificationId]);
  return (qualification as { expires?: boolean } | undefined)?.expires
    ? { validUntil: ['must be a day, because the qualification expires'] }
    : {};
}

export const create = operation({
  ...edit,
  ...repeatable,
  name: 'userQualifications.create',
  input: newUserQualification,
  rules: [spanRule],
  run: (scope, input) =>
    scope.transaction(async (tx) => {
      const { userId, qualificationId } = input;
      const errors = await findSpanFaults(tx, input);
      if (!(await lockStaff(tx.db, [userId])).has(userId))
        errors['userId'] = ['must be the id of a staff member of this business'];
      if ((await holdCatalogRows(tx.db, 'Qualification', [qualificationId])).length === 0)
        errors['qualificationId'] = ['must be the id of a qualification of this business'];
      if (Object.keys(errors).length > 0) throw invalid(errors);
      if ((await tx.db.userQualification.count({ where: { userId } })) >= limits.wholeListMax)
        throw conflict(`A person can hold at most ${limits.wholeListMax} qualifications: delete former ones.`);
      const data = { businessId: tx.businessId, userId, qualificationId, ...toColumns(input) };
      const { id } = await tx.db.userQualification.create({ data, select: { id: true } });
      tx.record({ kind: 'userQualification', id });
      return heldOrNotFound(tx, id);
    }),
});

export const createMany = manyOf(create);

/** Changes only the fields that were sent. */
export const update = operation({
  ...edit,
  name: 'userQualifications.update',
  input: closedObject({
    ...userQualificationParams.properties,
    ...versionInput,
    ...userQualificationChanges.properties,
  }),
  run: (scope, { id, expectedVersions, ...changes }) =>
    scope.transaction(async (tx) => {
      const held = await lockedOrNotFound(tx, id);
      requireVersion(held, expectedVersions);
      if (Object.values(changes).every((value) => value === undefined)) return held;
      // What is stored without an end, from before its qualification expired, keeps it until the end is sent.
      const errors =
        changes.validFrom === undefined && changes.validUntil === undefined
          ? {}
          : await findSpanFaults(tx, { ...held, ...changes });
      if (Object.keys(errors).length > 0) throw invalid(errors);
      await tx.db.userQualification.update({
        where: { businessId_id: { businessId: tx.businessId, id } },
        data: toColumns(changes),
        select: { id: true },
      });
      tx.record({ kind: 'userQualification', id });
      return heldOrNotFound(tx, id);
    }),
});

/** Deletes a held qualification for good and returns its last state. */
export const remove = operation({
  ...edit,
  name: 'userQualifications.delete',
  input: closedObject({ ...userQualificationParams.properties, ...versionInput }),
  run: (scope, { id, expectedVersions }) =>
    scope.transaction(async (tx) => {
      const held = await lockedOrNotFound(tx, id);
      requireVersion(held, expectedVersions);
      await tx.db.userQualification.deleteMany({ where: { id } });
      tx.record({ kind: 'userQualification', id });
      return held;
    }),
});

const toDate = (day: string | null) => day && new Date(day);

const toColumns = ({ level: held, validFrom, validUntil, reference }: Static<typeof userQualificationChanges>) => ({
  ...(held !== undefined && { level: held }),
  ...(validFrom !== undefined && { validFrom: toDate(validFrom) }),
  ...(validUntil !== undefined && { validUntil: toDate(validUntil) }),
  ...(reference !== undefined && { reference }),
});

async function heldOrNotFound({ db }: Scope, id: number): Promise<UserQualificationRow> {
  const [held] = await readUserQualifications(db, [id]);
  if (!held) throw notFound('held qualification');
  return held;
}

async function lockedOrNotFound({ db }: Scope, id: number): Promise<UserQualificationRow> {
  const held = await lockUserQualification(db, id);
  if (!held) throw notFound('held qualification');
  return held;
}

export const expiringInput = {
  within: Type.Optional(
    int4(
      0,
      limits.spanDaysMax,
      `Days from today on, by the clocks of the business; 0: only today. Default: ${limits.expiringDays}.`,
    ),
  ),
};

/**
 * Reads one page of what staff hold that ends within some days, by its end, each with the booked shifts to come that it does not cover
 * although they require it. What somebody has renewed without a gap is left out. Days are those of the clocks of the business.
 */
export const expiring = operation({
  roles: admin,
  scopes: ['read'],
  name: 'userQualifications.expiring',
  input: closedObject({ ...expiringInput, ...pageInput() }),
  rules: [pageRule],
  run: (scope, { within = limits.expiringDays, ...request }) => {
    const days = daysFrom(scope.clock(), within, businessOf(scope).timezone);
    return readPage(scope, request, {
      rows: async (window) => withShifts(scope, await readEndingPage(scope.db, days, window)),
      count: () => countEnding(scope.db, days),
    });
  },
});

async function withShifts({ db, clock }: Scope, ending: readonly UserQualificationRow[]) {
  const work = await readWorkToCome(
    db,
    ending.map(({ userId }) => userId),
    clock(),
  );
  const gapsOf = await openQualifications(
    db,
    work,
    ending.map(({ userId }) => userId),
  );
  const gaps = work.flatMap(({ id, userId, event, ...shift }) =>
    gapsOf(userId, shift, findWorkDays(shift, event)).map((gap) => ({ ...gap, shiftId: id, userId })),
  );
  const ids = gaps.map(({ shiftId }) => shiftId);
  const shifts = new Map((ids.length === 0 ? [] : await readShiftsByIds(db, ids)).map((shift) => [shift.id, shift]));
  return ending.map((held) => ({
    held,
    shifts: gaps
      .filter(
        ({ userId, qualificationId, until }) =>
          userId === held.userId && qualificationId === held.qualificationId && until === held.validUntil,
      )
      .flatMap(({ shiftId }) => shifts.get(shiftId) ?? []),
  }));
}

export const expiringQuery = closedObject({ ...expiringInput, ...pageNumberInput() });
