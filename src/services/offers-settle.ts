import { limits } from '../config/limits.ts';
import { lockStaff } from '../db/staffing.ts';
import type { UnsettledPlace } from '../db/unsettled.ts';
import { Failure } from '../errors.ts';
import type { OfferState } from '../generated/prisma/enums.ts';
import { endOfNight } from '../time/quiet-hours.ts';
import { changeStates, openStates, type StaffingTx } from './offers-states.ts';
import { assignSet, judgeSet } from './work-shifts-assign-set.ts';

const hourMs = 3_600_000;

/** Ends the waves of the offers of an event, or of one of its call times: nobody else is asked. */
export async function endWaves(
  tx: StaffingTx,
  where: { id: number } | { callTimeId: number | { in: number[] } },
): Promise<void> {
  await tx.db.offer.updateMany({
    where: { ...where, nextWaveAt: { not: null } },
    data: { nextWaveAt: null, waitingUserIds: [] },
  });
}

/**
 * Brings the offers of a call time up to date with its places: what is over expires, who has no shift any more is done, who got a place by
 * another way has accepted, places that are free go to the waitlist and then to the next people to be asked, and when none is left,
 * nobody is asked any more.
 */
export async function settlePlace(tx: StaffingTx, place: UnsettledPlace, isOffered: boolean): Promise<void> {
  const { eventId, id: callTimeId, waitlist, staffNeeded, held } = place;
  const those = (ids: readonly number[]) => ({ eventId, callTimeId, id: { in: [...ids] } });
  const change = async (to: OfferState, ids: readonly number[], values?: Parameters<typeof changeStates>[3]) => {
    if (ids.length > 0) await changeStates(tx, to, those(ids), values);
  };
  await change('ended', place.endedIds);
  if (!isOffered) return;
  await change('expired', place.expiredIds);
  await change('withdrawn', place.leftIds, { reason: 'The person does not work here any more.' });
  for (const { id, shiftId } of place.placed) await change('accepted', [id], { workShiftId: shiftId });
  let { assigned } = place;
  let free = staffNeeded - assigned - held;
  for (const next of waitlist) {
    if (free <= 0) break;
    const given = await giveTo(tx, place, next);
    if (given === null) continue;
    free -= 1;
    if (given === 'booked') assigned += 1;
  }
  if (assigned >= staffNeeded) {
    await change('filled', place.sentIds);
    if (place.hasWave) await endWaves(tx, { callTimeId });
  } else if (place.hasWave) await sendWaves(tx, callTimeId, free);
}

/** Takes back what is open on call times of an event, and asks nobody else. */
export async function withdrawOpen(
  tx: StaffingTx,
  eventId: number,
  callTimes: readonly Pick<UnsettledPlace, 'id' | 'openIds' | 'hasWave'>[],
  reason: string,
): Promise<void> {
  const ids = callTimes.flatMap(({ openIds }) => openIds);
  if (ids.length > 0) await changeStates(tx, 'withdrawn', { eventId, id: { in: ids } }, { reason });
  const waving = callTimes.flatMap(({ id, hasWave }) => (hasWave ? id : []));
  if (waving.length > 0) await endWaves(tx, { callTimeId: { in: waving } });
}

/**
 * Gives a free place to somebody on the waitlist, unless a rule is against it, so that the next one gets it. Shortly before the start, and
 * at night, they are asked first: nobody wakes up booked.
 */
async function giveTo(
  tx: StaffingTx,
  { eventId, id: callTimeId, uuid, startsAt, startTbd }: UnsettledPlace,
  { id, userId }: UnsettledPlace['waitlist'][number],
): Promise<'booked' | 'asked' | null> {
  const now = tx.clock();
  if (!startTbd && startsAt <= now) return null;
  const inputs = [{ callTimeUuid: uuid, userId }];
  const morning = endOfNight(now, tx.actor.timezone);
  if (morning || (await isSoon(tx, startsAt, startTbd, now))) {
    const [judged] = await judgeSet(tx, inputs);
    if (judged instanceof Failure) return null;
    const until = new Date((morning ?? now).getTime() + limits.heldPlaceS * 1000);
    await changeStates(
      tx,
      'sent',
      { eventId, callTimeId, id },
      { respondedAt: null, expiresAt: startTbd || until < startsAt ? until : startsAt },
    );
    return 'asked';
  }
  const [outcome] = await assignSet(tx, inputs, now);
  if (!outcome || !('shift' in outcome)) return null;
  await changeStates(tx, 'accepted', { eventId, callTimeId, id }, { workShiftId: outcome.shift.id });
  return 'booked';
}

async function isSoon(tx: StaffingTx, startsAt: Date, startTbd: boolean, now: Date): Promise<boolean> {
  const { waitlistAutoHours } = await tx.db.business.findUniqueOrThrow({
    where: { id: tx.businessId },
    select: { waitlistAutoHours: true },
  });
  return !startTbd && startsAt.getTime() - now.getTime() < waitlistAutoHours * hourMs;
}

/** Asks the next people of each offer whose time has come. Those who are asked already, or have left, are passed over. */
async function sendWaves(tx: StaffingTx, callTimeId: number, free: number): Promise<void> {
  const now = tx.clock();
  const due = await tx.db.offer.findMany({ where: { callTimeId, nextWaveAt: { lte: now } }, orderBy: { id: 'asc' } });
  for (const offer of due) {
    const isOver = offer.expiresAt <= now || free <= 0;
    const waiting = isOver ? [] : await findAskable(tx, callTimeId, offer.waitingUserIds);
    const asked = waiting.slice(0, offer.waveSize ?? waiting.length);
    const rest = offer.expiresAt <= now ? [] : free <= 0 ? offer.waitingUserIds : waiting.slice(asked.length);
    await sendTo(tx, offer, asked);
    await tx.db.offer.update({
      where: { businessId_id: { businessId: tx.businessId, id: offer.id } },
      data: { waitingUserIds: rest, nextWaveAt: rest.length > 0 ? waveAfter(now, offer.waveMinutes!) : null },
      select: { id: true },
    });
  }
}

export const waveAfter = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

/** Those of some staff members who are neither asked about a call time already nor on it, in their order. */
export async function findAskable(tx: StaffingTx, callTimeId: number, userIds: readonly number[]): Promise<number[]> {
  const ids = { in: [...userIds] };
  const staff = await lockStaff(tx.db, userIds);
  const asked = await tx.db.offerRecipient.findMany({
    where: { callTimeId, userId: ids, state: { in: [...openStates] } },
    select: { userId: true },
  });
  const booked = await tx.db.workShift.findMany({
    where: { callTimeId, userId: ids, status: 'active' },
    select: { userId: true },
  });
  const left = new Set([...asked, ...booked].map(({ userId }) => userId));
  return userIds.filter((id) => staff.has(id) && !left.has(id));
}

/** Asks people: they get a part in the offer, all in one statement. */
export async function sendTo(
  tx: StaffingTx,
  offer: { id: number; eventId: number; callTimeId: number; expiresAt: Date },
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  const now = tx.clock();
  const { id: offerId, eventId, callTimeId, expiresAt } = offer;
  const shared = {
    businessId: tx.businessId,
    offerId,
    eventId,
    callTimeId,
    expiresAt,
    createdAt: now,
    modifiedAt: now,
  };
  await tx.db.offerRecipient.createMany({ data: userIds.map((userId) => ({ ...shared, userId, state: 'sent' })) });
}
