import Type, { type Static } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { admin, credentialEdit, repeatable, screen } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { readScreenCode } from '../config/screen-codes.ts';
import { lockInBusiness } from '../db/lock.ts';
import { readEventsByUuids } from '../db/events.ts';
import { readPositions } from '../db/positions.ts';
import { readActiveScreens, shownScreen as shown } from '../db/screens.ts';
import { isClient } from '../db/users.ts';
import { conflict, forbidden, invalid, notFound, type FieldErrors } from '../errors.ts';
import { cityText, searchText, type ScreenRow } from '../fields/screens.ts';
import { ScreenNames } from '../generated/prisma/enums.ts';
import { closedObject, noInput, nullable, oneOf, rowNumber, uuidOf, visibleText } from '../validation/schemas.ts';
import { uuidsInput } from './events-input.ts';

export const screenParams = closedObject({ uuid: uuidOf('screen') });

/**
 * Makes a code for a browser that is to become a screen. Nothing is stored; it counts as a write, because its answer holds a
 * secret: such calls look at no credential, and are refused without https.
 */
export const createCode = operation({
  name: 'screens.createCode',
  roles: 'anyone',
  writes: true,
  attempts: attemptLimits.screenCode,
  input: noInput,
  run: async ({ issueScreenCode }) => issueScreenCode(),
});

export const claimInput = closedObject({
  secret: Type.String({
    format: 'screen-secret',
    maxLength: limits.labelChars,
    description: 'The secret that came with the code.',
  }),
});

/** Exchanges the secret of an approved code for a board token. Only this answer holds the token, and only the first one. */
export const claim = operation({
  name: 'screens.claim',
  roles: 'anyone',
  writes: true,
  audited: true,
  attempts: attemptLimits.claimScreen,
  input: claimInput,
  run: ({ claimScreen }, { secret }) => claimScreen(secret),
});

/** The screens that are in use, and those whose approval can still be claimed. */
const activeAt = (now: Date) => ({
  revokedAt: null,
  OR: [{ claimedAt: { not: null } }, { claimableUntil: { gt: now } }],
});

/** Lists the screens of the business, oldest first. */
export const list = operation({
  name: 'screens.list',
  roles: admin,
  scopes: ['full'],
  apiKey: false,
  input: noInput,
  run: ({ db, clock }) => readActiveScreens(db, clock()),
});

export const getByUuids = variantOf(list, {
  input: uuidsInput,
  run: ({ db, clock }, { uuids }) => readActiveScreens(db, clock(), uuids),
});

export const get = operation({
  name: 'screens.get',
  roles: admin,
  scopes: ['full'],
  apiKey: false,
  input: screenParams,
  run: async ({ db, clock }, { uuid }) => {
    const [row] = await readActiveScreens(db, clock(), [uuid]);
    if (!row) throw notFound('screen');
    return row;
  },
});

const idOfOne = (description: string) => Type.Optional(nullable(rowNumber(description)));

export const approveInput = closedObject({
  code: Type.String({
    format: 'screen-code',
    maxLength: limits.textChars,
    description: 'The code that the browser shows. Upper and lower case, spaces and hyphens make no difference.',
    examples: ['KDWM-7RXQ'],
  }),
  name: visibleText(limits.labelChars, { description: 'Name of the screen.', examples: ['Stage door'] }),
  names: Type.Optional(
    oneOf(
      Object.values(ScreenNames),
      'How people are named: `FULL`, `SHORT` (first name and initial) or `HIDDEN`. Default: `SHORT`.',
    ),
  ),
  clientId: idOfOne('Shows only events of the client (a user) with this id.'),
  positionId: idOfOne('Shows only call times and shifts of the position with this id, and events that have some.'),
  city: Type.Optional(
    nullable(
      visibleText(limits.textChars, {
        description: cityText,
      }),
    ),
  ),
  text: Type.Optional(
    nullable(
      visibleText(limits.textChars, {
        description: searchText,
      }),
    ),
  ),
  checkInEventUuid: Type.Optional(
    nullable(
      Type.String({
        format: 'uuid',
        description: 'Lets people check in on it at the event with this UUID, and shows the code of that event.',
      }),
    ),
  ),
});

type Approval = Static<typeof approveInput>;

async function findRowFaults(
  { db }: Scope,
  { clientId = null, positionId = null, checkInEventUuid = null }: Partial<Approval>,
) {
  const errors: FieldErrors = {};
  if (clientId !== null && !(await isClient(db, clientId, 'none')))
    errors['clientId'] = ['must be the id of a client of this business'];
  if (positionId !== null && (await readPositions(db, [positionId])).length === 0)
    errors['positionId'] = ['must be the id of a position of this business'];
  if (checkInEventUuid !== null && (await readEventsByUuids(db, [checkInEventUuid])).length === 0)
    errors['checkInEventUuid'] = ['must be the UUID of an event of this business'];
  return errors;
}

/** Approves the code that a browser shows. Whether there is such a browser shows when it claims its token. */
export const approve = operation({
  ...credentialEdit,
  ...repeatable,
  name: 'screens.approve',
  attempts: attemptLimits.approveScreen,
  input: approveInput,
  rules: [{ over: ['clientId', 'positionId', 'checkInEventUuid'], check: findRowFaults }],
  run: async (scope, { code, ...given }) => {
    const errors = await findRowFaults(scope, given);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return scope.transaction(async (tx) => {
      const { db, businessId, actor } = tx;
      if (actor.kind !== 'user') throw forbidden();
      await lockInBusiness(db, 'catalog');
      const now = tx.clock();
      await refuseOneMore(tx, readScreenCode(code)!, now);
      const { id, ...made } = await db.screen.create({
        data: {
          names: 'short',
          ...given,
          businessId,
          code: readScreenCode(code),
          claimableUntil: new Date(now.getTime() + limits.screenCodeS * 1000),
          createdById: actor.userId,
          createdAt: now,
        },
        select: { ...shown, id: true },
      });
      tx.record({ kind: 'screen', id, details: detailsOf(made) });
      return made;
    });
  },
});

/** Approvals that no screen has claimed in time leave nothing behind. */
async function refuseOneMore({ db }: Scope, code: string, now: Date): Promise<void> {
  await db.screen.deleteMany({ where: { claimedAt: null, claimableUntil: { lte: now } } });
  const active = await db.screen.findMany({ where: activeAt(now), select: { code: true } });
  if (active.some((each) => each.code === code)) throw conflict('This code is approved already.');
  if (active.length >= limits.receiversMax)
    throw conflict(`A business can have at most ${limits.receiversMax} screens: revoke one that is not in use.`);
}

/** Facts about a screen for the audit trail. */
const detailsOf = ({ uuid, name, names, clientId, positionId, city, text, checkInEventUuid }: ScreenRow) => ({
  screen: uuid,
  name,
  names,
  checkInEvent: checkInEventUuid,
  filter: { clientId, positionId, city, text },
});

/** Revokes a screen and returns its last state. Its board token and its streams end at once. */
export const revoke = operation({
  ...credentialEdit,
  name: 'screens.revoke',
  input: screenParams,
  run: (scope, { uuid }) =>
    scope.transaction(async (tx) => {
      const revoked = await revokeActive(tx, uuid);
      if (!revoked) throw notFound('screen');
      return revoked;
    }),
});

async function revokeActive(tx: Scope, uuid: string): Promise<ScreenRow | null> {
  const now = tx.clock();
  const [revoked] = await tx.db.screen.updateManyAndReturn({
    where: { uuid, ...activeAt(now) },
    data: { revokedAt: now, code: null },
    select: { ...shown, id: true },
  });
  if (!revoked) return null;
  const { id, ...row } = revoked;
  tx.record({ kind: 'screen', id, details: { screen: uuid, name: row.name } });
  return row;
}

/** The screen that calls, as it was read for this request. */
export const getOwn = operation({
  name: 'screens.getOwn',
  roles: screen,
  scopes: ['read'],
  input: noInput,
  run: async (scope) => {
    const { uuid, name, names, businessName, timezone, weekStart, checkInEventUuid } = screenActor(scope);
    return { uuid, name, names, businessName, timezone, weekStart, checkInEventUuid };
  },
});

/** Revokes the board token used in the call. Returns how many were revoked. */
export const revokeOwn = operation({
  name: 'screens.revokeOwn',
  roles: screen,
  scopes: 'none',
  writes: true,
  audited: true,
  input: noInput,
  run: (scope) => scope.transaction(async (tx) => ((await revokeActive(tx, screenActor(tx).uuid)) === null ? 0 : 1)),
});

export function screenActor({ actor }: Scope) {
  if (actor.kind !== 'screen') throw forbidden();
  return actor;
}
