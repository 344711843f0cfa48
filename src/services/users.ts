import Type, { type Static } from 'typebox';
import { requireScopes } from '../access/actor.ts';
import { emailKeyOf } from '../access/log-in.ts';
import { operation } from '../access/operation.ts';
import { adminRead, commonRead, userEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits, newPasswordText, withoutPasswordText } from '../config/limits.ts';
import { isUniqueViolation } from '../db/engine/failures.ts';
import { lockInBusiness } from '../db/lock.ts';
import { endSessions, revokeTokens } from '../db/log-ins.ts';
import { endMailLinks, storeMails } from '../db/mails.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import { notePlaces } from '../db/places.ts';
import { lockEventsOfPerson } from '../db/staffing.ts';
import {
  countUsers,
  lockUser,
  readUser,
  readUserPage,
  readUsersByIds,
  readUsersWithPassword,
  type UserFilter,
} from '../db/users.ts';
import { conflict, Failure, forbidden, notFound } from '../errors.ts';
import { allOf } from '../fields/field-list.ts';
import { userFields, type UserRow } from '../fields/users.ts';
import { Role } from '../generated/prisma/enums.ts';
import type { CursorOrder } from '../paging/cursors.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage, type PageRequest } from '../paging/pages.ts';
import { plainPhone } from '../validation/text-forms.ts';
import {
  closedObject,
  email,
  idOf,
  newPassword,
  nullable,
  oneOf,
  optionalFields,
  phone,
  rowNumber,
  uuidOf,
  visibleText,
} from '../validation/schemas.ts';
import { forgetAvailability } from './availability.ts';
import { newPasswordRule, requireUncommon } from './passwords-rule.ts';
import { leaverInput, requireNothingLeft, settleLeaver } from './users-role.ts';
import { requireVersion, versionInput } from './versions.ts';

const shown = allOf(userFields);

const fields = {
  email: {
    ...email(),
    description: 'E-mail address to log in with (ASCII). One that is taken is refused with `CONFLICT`.',
  },
  name: visibleText(limits.textChars, {
    description: 'Full name. Shifts show its first word as first name and the rest as last name.',
    examples: ['Robin Fields'],
  }),
  role: oneOf(Object.values(Role), 'Role of the user. The last admin cannot lose that role.'),
  phone: Type.Optional(phone()),
};

export const createUserInput = closedObject({
  ...fields,
  password: { ...newPassword(), description: newPasswordText },
});

/** A row of a batch. The contract wants a password for a user who is created alone. */
export const createUserRow = closedObject({
  ...fields,
  password: Type.Optional(
    nullable({
      ...newPassword(),
      description: `Password to log in with: ${newPasswordText}. Null or left out, when several users are created, ${withoutPasswordText}`,
    }),
  ),
});

export const userChanges = optionalFields(fields);

export const userParams = closedObject({ id: idOf('user') });

const search = Type.Optional(
  visibleText(limits.textChars, {
    description: 'Part of the name or of the e-mail address, without regard to case and accents.',
  }),
);

export const userFilter = Type.Object({
  role: Type.Optional(oneOf(Object.values(Role), 'Lists only users with this role.')),
  search,
});

export const staffFilter = Type.Object({
  search,
  positionId: Type.Optional(
    rowNumber('Lists only staff members who have a shift in the position with this id, of any status but `DELETED`.'),
  ),
  freeFor: Type.Optional(
    uuidOf(
      'call time',
      'Lists only staff members who are free for the call time with this UUID: without an active shift, on an active or draft event, that shares time with it or may share some.',
    ),
  ),
});

const byId: CursorOrder<UserRow> = {
  by: 'id',
  direction: 'asc',
  positionOf: ({ id }) => ({ value: '', id }),
  isValue: (value) => value === '',
};

/** Reads one page of the users of the business, by id. Deleted users are left out. */
export const list = operation({
  ...adminRead,
  name: 'users.list',
  input: closedObject({ ...userFilter.properties, ...pageInput() }),
  rules: [pageRule],
  run: (scope, { role, search: text, ...request }) => readUsers(scope, { role, search: text }, request),
});

/** Reads one page of the staff members who can be assigned: found by text, by position, and free for a call time. */
export const listStaff = operation({
  ...adminRead,
  name: 'users.listStaff',
  input: closedObject({ ...staffFilter.properties, ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { search: text, positionId, freeFor, ...request }) => {
    const freeIn = freeFor === undefined ? undefined : await callTimeByUuid(scope.db, freeFor);
    if (freeIn === null) throw notFound('call time');
    return readUsers(scope, { role: 'staff', search: text, positionId, freeIn }, request);
  },
});

function readUsers(scope: Scope, filter: UserFilter, request: PageRequest) {
  return readPage<UserRow>(scope, request, {
    order: byId,
    rows: (window) => readUserPage(scope.db, filter, window),
    count: () => countUsers(scope.db, filter),
  });
}

export const get = operation({
  ...adminRead,
  name: 'users.get',
  input: userParams,
  run: (scope, { id }) => userOrNotFound(scope, id),
});

/** Reads the users of these ids that the caller may see, deleted ones too, in any order, in one statement. */
export const getByIds = operation({
  ...commonRead,
  name: 'users.ofIds',
  isPart: true,
  input: Type.Object({ userIds: Type.Array(idOf('user')) }),
  run: (scope, { userIds }) => readUsersByIds(scope.db, userIds),
});

/** Reads which of these users can log in. One who has no password yet sets it by an invitation. */
export const getLogIns = operation({
  ...adminRead,
  name: 'users.getLogIns',
  isPart: true,
  input: Type.Object({ userIds: Type.Array(idOf('user')) }),
  run: async (scope, { userIds }) => {
    const withPassword = await readUsersWithPassword(scope.db, userIds);
    return userIds.map((id) => ({ id, canLogIn: withPassword.has(id) }));
  },
});

export const create = operation({
  ...userEdit,
  name: 'users.create',
  idempotent: { secrets: ['password'] },
  input: createUserInput,
  rules: [newPasswordRule('password')],
  permit: (scope, { role }) => requireMayTouch(scope, role),
  run: async (scope, input, capabilities) => {
    requireUncommon('password', input.password, capabilities);
    const passwordHash = await capabilities.hashPassword(input.password);
    const now = scope.clock();
    return scope.transaction(async (tx) => {
      const data = userColumns(tx, input, passwordHash, now);
      const user = await refuseTakenEmail(tx.db.user.create({ data, select: shown }));
      tx.record({ kind: 'user', id: user.id, details: { role: user.role, email: user.email } });
      return user;
    });
  },
});

/** The row of a new user. */
export function userColumns(
  { businessId }: Scope,
  { name, email: address, role, phone: number }: Omit<Static<typeof createUserInput>, 'password'>,
  passwordHash: string | null,
  now: Date,
) {
  const written = { ...splitName(name), ...emailColumns(address), role, phone: plainPhone(number ?? '') || null };
  return { businessId, ...written, passwordHash, createdAt: now, updatedAt: now };
}

/** Changes only the fields that were sent. */
export const update = operation({
  ...userEdit,
  name: 'users.update',
  input: closedObject({ ...userParams.properties, ...versionInput, ...userChanges.properties }),
  run: (scope, { id, expectedVersions, ...changes }, { isSendingMail }) =>
    changeAdmins(scope, async (tx) => {
      const leaves = changes.role !== undefined && changes.role !== 'staff';
      const eventIds = leaves ? await lockEventsOfPerson(tx.db, id, tx.clock()) : [];
      const user = await lockedUser(tx, id);
      requireMayTouch(tx, user.role, changes.role);
      requireVersion(user, expectedVersions);
      if (Object.values(changes).every((value) => value === undefined)) return user;
      const movesLogIn = changes.email !== undefined && changes.email !== user.email && (await canLogIn(tx, id));
      if (movesLogIn) requireScopes(tx.actor.scopes, ['full']);
      if (changes.role !== undefined && changes.role !== 'admin') await requireAnotherAdmin(tx, user);
      if (changes.role !== undefined && changes.role !== user.role) await requireNothingLeft(tx, id, changes.role);
      const changed = await refuseTakenEmail(
        tx.db.user.update({
          where: { businessId_id: { businessId: tx.businessId, id } },
          data: {
            ...(changes.name !== undefined && splitName(changes.name)),
            ...(changes.email !== undefined && { ...emailColumns(changes.email), mailFault: null }),
            ...(changes.role !== undefined && { role: changes.role }),
            ...(changes.phone !== undefined && { phone: plainPhone(changes.phone ?? '') || null }),
            updatedAt: tx.clock(),
          },
          select: shown,
        }),
      );
      for (const eventId of eventIds) notePlaces(tx, eventId, null, true);
      if (changed.role !== user.role || changed.email !== user.email)
        await tx.db.invitation.deleteMany({ where: { userId: id } });
      if (changed.email !== user.email) await endMailLinks(tx.db, id);
      if (movesLogIn && isSendingMail)
        await storeMails(tx.db, [{ userId: id, kind: 'password', occasion: user.email }], tx.clock());
      if (changed.role !== user.role) {
        await endSessions(tx, { userId: id });
        await forgetAvailability(tx, id);
      }
      tx.record({ kind: 'user', id, details: findDifferences(user, changed) });
      return changed;
    }),
});

/** Whoever owns the e-mail of somebody with a password can have a link to a new one mailed there, so it is managed like passwords. */
const canLogIn = async ({ db }: Scope, id: number): Promise<boolean> => (await readUsersWithPassword(db, [id])).has(id);

/** Lists the fields of a user that a change gave another value. */
const findDifferences = (before: Accountable, after: Accountable) =>
  Object.fromEntries(
    (['role', 'email', 'name'] as const)
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );

type Accountable = Readonly<Record<'role' | 'email' | 'name', string>>;

/**
 * Marks a user as deleted. Their tokens end and their e-mail is free at once, while shifts keep the name. Events are locked
 * before people.
 */
export const remove = operation({
  ...userEdit,
  name: 'users.delete',
  moreScopes: { scopes: ['staffing:write'], when: ({ shifts }) => shifts === 'cancel' },
  input: closedObject({ ...userParams.properties, ...versionInput, ...leaverInput }),
  run: (scope, { id, expectedVersions, ...leaving }) =>
    changeAdmins(scope, async (tx) => {
      const eventIds = await lockEventsOfPerson(tx.db, id, tx.clock());
      const user = await lockedUser(tx, id);
      requireMayTouch(tx, user.role);
      requireVersion(user, expectedVersions);
      await requireAnotherAdmin(tx, user);
      const left = await settleLeaver(tx, id, leaving);
      const now = tx.clock();
      await tx.db.user.update({
        where: { businessId_id: { businessId: tx.businessId, id } },
        data: { deletedAt: now, updatedAt: now, emailKey: null, passwordHash: null },
        select: { id: true },
      });
      for (const eventId of eventIds) notePlaces(tx, eventId, null, true);
      await tx.db.invitation.deleteMany({ where: { userId: id } });
      await forgetAvailability(tx, id);
      const revokedTokens = await revokeTokens(tx, { userId: id });
      tx.record({ kind: 'user', id, details: { role: user.role, email: user.email, revokedTokens, ...left } });
      return user;
    }),
});

export async function userOrNotFound({ db }: Scope, id: number): Promise<UserRow> {
  const user = await readUser(db, id);
  if (!user) throw notFound('user');
  return user;
}

async function lockedUser({ db }: Scope, id: number) {
  const user = await lockUser(db, id);
  if (!user) throw notFound('user');
  return user;
}

/**
 * Runs a change of admins while no other transaction changes any. Below serializable isolation, two admins who delete
 * each other at the same time would leave none.
 */
export function changeAdmins<T>(scope: Scope, run: (tx: Scope) => Promise<T>): Promise<T> {
  return scope.transaction(async (tx) => {
    await lockInBusiness(tx.db, 'admins');
    return run(tx);
  });
}

async function requireAnotherAdmin({ db }: Scope, user: { id: number; role: Role }): Promise<void> {
  if (user.role !== 'admin') return;
  const others = await db.user.count({ where: { role: 'admin', deletedAt: null, id: { not: user.id } } });
  if (others === 0) throw new Failure('LAST_ADMIN', 'A business must have at least one admin.');
}

/**
 * Throws if an API key or a narrowed token would create, change or delete an admin: whoever makes an admin can log in as
 * one. Apart from that, both have the rights of one within their scopes.
 */
export function requireMayTouch({ actor }: Scope, ...roles: (Role | undefined)[]): void {
  if (!roles.includes('admin')) return;
  if (actor.kind === 'apiKey') throw forbidden('An API key cannot manage admins.');
  requireScopes(actor.scopes, ['full']);
}

/** Returns the name as it was sent, and the two parts that shifts show: its first word and the rest. */
export function splitName(name: string) {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { name, firstName, lastName: rest.join(' ') };
}

export function emailColumns(address: string) {
  return { email: address, emailKey: emailKeyOf(address) };
}

/** Turns a violation of the unique index on e-mails into a conflict that names the field. */
export async function refuseTakenEmail<T>(write: Promise<T>, field = 'email'): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, 'email_key')) throw emailTaken(field);
    throw error;
  }
}

export const emailTaken = (field = 'email') => conflict('The e-mail is taken.', { [field]: ['is taken'] });
