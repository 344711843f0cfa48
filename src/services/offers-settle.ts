import { lockEvent, lockStaff } from '../db/staffing.ts';
import { readEventsOfOpenParts, readUnsettledPlaces, type UnsettledPlace } from '../db/offers.ts';
import { seeingAll } from '../db/tenant.ts';
import { limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { instantInZone } from '../time/zoned-time.ts';
import { changeStates, openStates, type PartsWhere, type StaffingTx } from './offers-states.ts';
import { voidSwaps } from './swaps-states.ts';
import { assignSet, judgeSet } from './work-shifts-assign-set.ts';

const hourMs = 3_600_000;

/** What becomes of a transaction that runs on behalf of nobody: the offers hold for the whole business. */
const asService = (tx: StaffingTx): StaffingTx => ({
  db: seeingAll(tx.db),
  businessId: tx.businessId,
  clock: tx.clock,
  actor: tx.actor,
  record: (change) => tx.record(change),
});

/** Takes back what is open of some offers, and says why. The event must be locked. Returns how many parts were open. */
export function withdrawOpen(
  tx: StaffingTx,
  where: Pick<PartsWhere, 'eventId' | 'callTimeId' | 'userId' | 'offerId'>,
  reason: string | null,
): Promise<number> {
  return changeStates(tx, 'withdrawn', where, { reason });
}

/** Ends the waves of the offers of an event, or of one of its call times: nobody else is asked. */
export async function endWaves(
  tx: StaffingTx,
  where: { id?: number; eventId?: number; callTimeId?: number },
): Promise<void> {
  await tx.db.offer.updateMany({
    where: { ...where, nextWaveAt: { not: null } },
    data: { nextWaveAt: null, waitingUserIds: [] },
  });
}

/** Takes back all that is open at an event, or on one of its call times, because what was offered is not the same any more. */
export async function withdrawChanged(
  tx: StaffingTx,
  where: { readonly eventId: number; readonly callTimeId?: number },
  reason: string,
): Promise<void> {
  await withdrawOpen(tx, where, reason);
  await endWaves(tx, where);
}

/** Takes back what a person who leaves was offered, and gives the places that were held for them to others. Events are locked before people. */
export async function lockOpenParts(tx: StaffingTx, userId: number): Promise<number[]> {
  const eventIds = await readEventsOfOpenParts(tx.db, userId);
  for (const id of eventIds) await lockEvent(tx.db, { id });
  return eventIds;
}

export async function withdrawFromPerson(tx: StaffingTx, userId: number, eventIds: readonly number[]): Promise<void> {
  if (eventIds.length === 0) return;
  const reason = 'The person does not work here any more.';
  await withdrawOpen(tx, { userId }, reason);
  for (const id of eventIds) await settleOffers(tx, id);
  await voidSwaps(tx, { userId }, reason);
}

/**
 * Brings the offers of an event up to date with its places: what is over expires, who has no shift any more is done, places that
 * are free go to the waitlist and then to the next people to be asked, and when none is left, nobody is asked any more. Whatever changes the
 * shifts of an event calls this in its transaction, which has locked the event; what changes one call time alone names it.
 */
export async function settleOffers(tx: StaffingTx, eventId: number, callTimeId?: number): Promise<void> {
  const own = asService(tx);
  const places = await readUnsettledPlaces(own.db, { eventId, callTimeId }, own.clock());
  for (const place of places) await settlePlace(own, place);
}

async function settlePlace(tx: StaffingTx, place: UnsettledPlace): Promise<void> {
  const { id: callTimeId, endedIds, expiredIds, sentIds, waitlist, staffNeeded, held, eventStatus } = place;
  if (endedIds.length > 0) await changeStates(tx, 'ended', { id: { in: endedIds } });
  if (expiredIds.length > 0) await changeStates(tx, 'expired', { id: { in: expiredIds } });
  if (eventStatus !== 'active') return;
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
    if (sentIds.length > 0) await changeStates(tx, 'filled', { id: { in: sentIds } });
    if (place.hasWave) await endWaves(tx, { callTimeId });
  } else if (place.hasWave) await sendWaves(tx, callTimeId, free);
}

/**
 * Gives a free place to somebody on the waitlist, unless a rule is against it, so that the next one gets it. Shortly before the start, and
 * at night, they are asked first: nobody wakes up booked.
 */
async function giveTo(
  tx: StaffingTx,
  { uuid, startsAt, startTbd }: UnsettledPlace,
  { id, userId }: UnsettledPlace['waitlist'][number],
): Promise<'booked' | 'asked' | null> {
  const now = tx.clock();
  if (!startTbd && startsAt <= now) return null;
  const inputs = [{ callTimeUuid: uuid, userId }];
  if (await isToBeAsked(tx, startsAt, startTbd, now)) {
    const [judged] = await judgeSet(tx, inputs);
    if (judged instanceof Failure) return null;
    const until = new Date(now.getTime() + limits.heldPlaceS * 1000);
    await changeStates(
      tx,
      'sent',
      { id },
      { respondedAt: null, expiresAt: startTbd || until < startsAt ? until : startsAt },
    );
    return 'asked';
  }
  const [outcome] = await assignSet(tx, inputs, now);
  if (!outcome || !('shift' in outcome)) return null;
  await changeStates(tx, 'accepted', { id }, { workShiftId: outcome.shift.id });
  return 'booked';
}

async function isToBeAsked(tx: StaffingTx, startsAt: Date, startTbd: boolean, now: Date): Promise<boolean> {
  const { waitlistAutoHours } = await tx.db.business.findUniqueOrThrow({
    where: { id: tx.businessId },
    select: { waitlistAutoHours: true },
  });
  const isSoon = !startTbd && startsAt.getTime() - now.getTime() < waitlistAutoHours * hourMs;
  const hour = Number(instantInZone(now, tx.actor.timezone).local!.slice(11, 13));
  return isSoon || hour >= limits.quietFromHour || hour < limits.quietToHour;
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
