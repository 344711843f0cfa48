import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { adminAndStaff, repeatable, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import { countOpenCallTimes, isClaimable, openCallTimeOrder, readOpenCallTimePage, readPlaceOf } from '../db/offers.ts';
import type { StaffedEvent } from '../db/staffing.ts';
import { seeingAll } from '../db/tenant.ts';
import { conflict, Failure, forbidden, notFound } from '../errors.ts';
import type { RecipientRow } from '../fields/offers.ts';
import type { OfferState } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import { closedObject, instant, nullable, uuidOf, visibleText } from '../validation/schemas.ts';
import {
  createOffer,
  readAnswerBy,
  recipientOrNotFound,
  recipientParams,
  requireOfferable,
  startOfWork,
} from './offers.ts';
import { changeStates, openStates, transitions } from './offers-states.ts';
import { lockEventToStaff } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';
import { shiftOrNotFound } from './work-shifts-assign.ts';
import { confirm, decline as declineShift } from './work-shifts-status.ts';
import { assignSet } from './work-shifts-assign-set.ts';
import { overrideInput } from './work-shifts-input.ts';

/** Somebody's part in an offer, whose event is locked. `all` is the transaction as an admin sees it. */
interface LockedPart {
  readonly tx: Scope;
  readonly all: Scope;
  readonly event: StaffedEvent;
  readonly part: RecipientRow;
}

const isAdmin = ({ db }: Scope): boolean => db.$visibility.of === 'business';

const recipientTarget = closedObject({ ...recipientParams.properties, ...versionInput });

/** Changes a part that the caller sees, in one transaction that has locked its event first. Returns the part as it is then. */
function changePart(
  scope: Scope,
  { uuid, expectedVersions }: { uuid: string; expectedVersions?: readonly number[] | undefined },
  change: (locked: LockedPart) => Promise<void>,
): Promise<RecipientRow> {
  return scope.transaction(
    async (tx) => {
      const all: Scope = { ...tx, db: seeingAll(tx.db) };
      const event = await lockEventToStaff(all, { recipient: uuid });
      const part = await recipientOrNotFound(tx, uuid);
      requireVersion(part, expectedVersions);
      await change({ tx, all, event, part });
      tx.record({ kind: 'offerRecipient', id: part.id });
    },
    (tx) => recipientOrNotFound(tx, uuid),
  );
}

/** Refuses an answer for which it is too late, or which does not fit the state. */
function requireMay(part: RecipientRow, to: OfferState, now: Date): void {
  const isLate = openStates.includes(part.state) && part.expiresAt <= now;
  if (isLate || !transitions[part.state].includes(to)) throw closedFailure(isLate ? 'expired' : part.state);
}

export const closedFailure = (state: string, noun = 'offer') =>
  new Failure('OFFER_CLOSED', `The ${noun} is ${state}: this answer is not possible any more.`, { details: { state } });

/**
 * Accepts an offer. The place is the person's if one is free and no rule stands against it; an admin can override rules. Where an
 * admin approves, the answer of the person is a request. If all places are taken, the person is on the waitlist.
 */
export const accept = operation({
  name: 'offers.accept',
  roles: adminAndStaff,
  scopes: ['staffing:write'],
  writes: true,
  waitsInLine: true,
  input: closedObject({ ...recipientTarget.properties, override: Type.Optional(nullable(overrideInput)) }),
  permit: (scope, { override }) => {
    if (override && !isAdmin(scope)) throw forbidden('Only an admin can override a rule.');
  },
  run: (scope, { override, ...target }) =>
    changePart(scope, target, async (locked) => {
      const { part, event } = locked;
      const asks = part.mode === 'approval' && !isAdmin(scope);
      if (part.state === 'accepted') return confirmPlace(locked);
      if ((asks && part.state === 'requested') || (part.state === 'waitlisted' && !isAdmin(scope))) return;
      requireMay(part, part.state === 'filled' ? 'waitlisted' : asks ? 'requested' : 'accepted', scope.clock());
      requireOfferable(event);
      return take(locked, asks, override ?? null);
    }),
});

/** Says yes to a place that the person has already, perhaps by another way: their shift is confirmed. */
async function confirmPlace({ tx, event, part }: LockedPart): Promise<void> {
  if (part.respondedAt === null)
    await tx.db.offerRecipient.updateMany({
      where: { id: part.id, eventId: event.id },
      data: { respondedAt: tx.clock(), modifiedAt: tx.clock() },
    });
  const shift = await shiftOrNotFound(tx, part.workShiftUuid!);
  if (!shift.confirmed) await confirm(tx, { uuid: shift.uuid });
}

/** Gives a free place to the person, or notes that they want it. */
async function take(locked: LockedPart, asks: boolean, override: { reason: string } | null): Promise<void> {
  const { tx, all, event, part } = locked;
  const now = tx.clock();
  const where = { ...placeOf(locked), id: part.id };
  const start = startOfWork(part, event);
  if (start <= now) throw closedFailure('expired');
  const place = await readPlaceOf(all.db, part, now);
  if (place.own) {
    await changeStates(tx, 'accepted', where, { respondedAt: now, workShiftId: place.own.id });
    await confirm(tx, { uuid: place.own.uuid });
    return;
  }
  const isFree = override !== null || place.isFree;
  if (!isFree || (!override && part.state === 'filled')) {
    if (part.state === 'requested' || part.state === 'waitlisted')
      throw conflict('The call time has all the people that it needs: send an override with a reason to add one.');
    if (part.state === 'filled') await requireNotAsked(locked);
    await changeStates(tx, 'waitlisted', where, { respondedAt: now, waitlistedAt: now, expiresAt: start });
    return;
  }
  if (asks) await changeStates(tx, 'requested', where, { respondedAt: now, expiresAt: start });
  else {
    const input = { callTimeUuid: part.callTimeUuid, userId: part.userId, ...(override && { override }) };
    const [outcome] = await assignSet(all, [input], now);
    if (!outcome || !('shift' in outcome)) throw outcome?.failure;
    await changeStates(tx, 'accepted', where, { respondedAt: part.respondedAt ?? now, workShiftId: outcome.shift.id });
  }
}

/** Refuses to open the part of somebody who is asked about the call time by another offer meanwhile. */
async function requireNotAsked({ tx, all, part: { callTimeId, userId } }: LockedPart): Promise<void> {
  const open = { callTimeId, userId, state: { in: [...openStates] } };
  if ((await all.db.offerRecipient.count({ where: open })) > 0)
    throw conflict(
      isAdmin(tx)
        ? 'The person is asked about this call time already.'
        : 'You are asked again: answer the newer offer.',
    );
}

const placeOf = ({ event, part }: LockedPart) => ({ eventId: event.id, callTimeId: part.callTimeId });

/**
 * Declines an offer, or takes back a request or a place on the waitlist. The person can do it, or an admin for them. Who has the place
 * without a yes of theirs declines the shift.
 */
export const decline = operation({
  name: 'offers.decline',
  roles: adminAndStaff,
  scopes: ['staffing:write'],
  writes: true,
  input: recipientTarget,
  run: (scope, target) =>
    changePart(scope, target, async (locked) => {
      const { tx, part } = locked;
      if (part.state === 'declined') return;
      if (part.state === 'accepted' && part.respondedAt === null)
        return void (await declineShift(tx, { uuid: part.workShiftUuid! }));
      requireMay(part, 'declined', tx.clock());
      await changeStates(tx, 'declined', { ...placeOf(locked), id: part.id }, { respondedAt: tx.clock() });
    }),
});

export const refuseFields = {
  reason: Type.Optional(
    nullable(visibleText(limits.remarkChars, { description: 'Why, for the person and the history.' })),
  ),
};

/** Refuses a request. */
export const refuse = operation({
  ...staffingEdit,
  name: 'offers.refuse',
  input: closedObject({ ...recipientTarget.properties, ...refuseFields }),
  run: (scope, { reason = null, ...target }) =>
    changePart(scope, target, async (locked) => {
      const { tx, part } = locked;
      if (part.state === 'refused') return;
      requireMay(part, 'refused', tx.clock());
      await changeStates(tx, 'refused', { ...placeOf(locked), id: part.id }, { reason });
    }),
});

export const resendFields = {
  expiresAt: Type.Optional(instant('Until when the person can answer. Default: the start.')),
};

/** Asks somebody again who declined. */
export const resend = operation({
  ...staffingEdit,
  name: 'offers.resend',
  input: closedObject({ ...recipientTarget.properties, ...resendFields }),
  run: (scope, { expiresAt, ...target }) =>
    changePart(scope, target, async (locked) => {
      const { tx, part, event } = locked;
      if (part.state !== 'declined') throw closedFailure(part.state);
      requireOfferable(event);
      const until = readAnswerBy(part, event, expiresAt, tx.clock());
      await requireNotAsked(locked);
      const values = { expiresAt: until, respondedAt: null, waitlistedAt: null };
      await changeStates(tx, 'sent', { ...placeOf(locked), id: part.id }, values);
    }),
});

export function staffUserId({ actor }: Scope): number {
  if (actor.kind !== 'user') throw forbidden();
  return actor.userId;
}

/** Reads one page of the call times that the calling staff member can claim, by start. */
export const listOpen = operation({
  name: 'callTimes.listOpen',
  roles: { staff: 'own' },
  scopes: ['read'],
  input: closedObject(pageInput()),
  rules: [pageRule],
  run: (scope, request) => {
    const [userId, now] = [staffUserId(scope), scope.clock()];
    return readPage(scope, request, {
      order: openCallTimeOrder,
      rows: (window) => readOpenCallTimePage(scope.db, userId, now, window),
      count: () => countOpenCallTimes(scope.db, userId, now),
    });
  },
});

export const claimParams = closedObject({ uuid: uuidOf('call time') });

/** Claims a place of a call time for the caller: they get it at once, or ask an admin for it. If all are taken, they are on the waitlist. */
export const claim = operation({
  name: 'callTimes.claim',
  roles: { staff: 'own' },
  scopes: ['staffing:write'],
  writes: true,
  waitsInLine: true,
  ...repeatable,
  input: claimParams,
  run: (scope, { uuid }) =>
    scope.transaction(async (tx) => {
      const [userId, now] = [staffUserId(tx), tx.clock()];
      const all: Scope = { ...tx, db: seeingAll(tx.db) };
      const event = await lockEventToStaff(all, { callTime: uuid });
      if (!(await isClaimable(all.db, userId, now, uuid))) throw notFound('call time');
      requireOfferable(event);
      const callTime = (await callTimeByUuid(all.db, uuid))!;
      const mode = callTime.claims === 'approval' ? 'approval' : 'first_come';
      const expiresAt = startOfWork(callTime, event);
      const offer = await createOffer(tx, callTime, { mode, isClaim: true, expiresAt });
      const { uuid: partUuid } = await tx.db.offerRecipient.create({
        data: {
          ...{ businessId: tx.businessId, offerId: offer.id, eventId: offer.eventId, callTimeId: offer.callTimeId },
          ...{ userId, expiresAt, state: 'sent', createdAt: now, modifiedAt: now },
        },
        select: { uuid: true },
      });
      const part = await recipientOrNotFound(tx, partUuid);
      await take({ tx, all, event, part }, mode === 'approval', null);
      tx.record({ kind: 'offerRecipient', id: part.id });
      return partUuid;
    }, recipientOrNotFound),
});
