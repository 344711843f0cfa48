import type { OfferState, Prisma } from '../../generated/prisma/client.ts';
import { dayMs } from './moments.ts';
import { seededRandom } from './random.ts';

interface Place {
  readonly businessId: number;
  readonly staffIds: readonly number[];
  readonly adminId: number;
  readonly today: Date;
  readonly seed: number;
  /** Used up from the first one on. */
  readonly uuids: string[];
}

const messages = ['Black shoes, please. Parking is paid.', 'A long evening, with a warm meal at ten.', null];

/** The answers of the people who are asked, by how the places go. */
const answers: Readonly<Record<'first_come' | 'approval', readonly OfferState[]>> = {
  first_come: ['sent', 'declined', 'sent', 'sent'],
  approval: ['requested', 'sent', 'declined', 'requested'],
};

/** The people of an offer whose places are all taken, beside the one who has accepted. */
const late: readonly { readonly state: OfferState; readonly reason?: string }[] = [
  { state: 'waitlisted' },
  { state: 'waitlisted' },
  { state: 'filled' },
  { state: 'expired' },
  { state: 'withdrawn', reason: 'We need somebody who can drive.' },
  { state: 'refused', reason: 'The client has asked for others.' },
];

/** UUIDs of four offers with four people each, and of one whose places are taken; and of four swaps. */
export function draftOfferUuids({ seed }: { readonly seed: number }): string[] {
  const random = seededRandom(seed + 2);
  return Array.from({ length: 32 }, () => random.uuid());
}

/**
 * Offers places that the next events lack people for, lets staff claim others, and has some ask to hand over shifts. Whoever is asked is free then: first of all the person
 * whose log-in the demo has.
 */
export async function storeOffers(tx: Prisma.TransactionClient, place: Place): Promise<void> {
  const { businessId, staffIds, adminId, today, seed, uuids } = place;
  const random = seededRandom(seed + 1);
  const booked = await tx.workShift.findMany({
    where: { businessId, status: 'active', event: { status: 'active' } },
    select: {
      ...{ id: true, eventId: true, callTimeId: true, positionId: true, userId: true },
      ...{ startsAt: true, endsAt: true, confirmed: true },
    },
    orderBy: { id: 'asc' },
  });
  const callTimes = await tx.callTime.findMany({
    where: {
      ...{ businessId, startTbd: false, endTbd: false, event: { status: 'active' } },
      startsAt: { gt: new Date(today.getTime() + 2 * dayMs) },
    },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
  });
  const hasPlaces = ({ id, staffNeeded }: (typeof callTimes)[number]) =>
    booked.filter(({ callTimeId }) => callTimeId === id).length < staffNeeded;
  const open = callTimes.filter(hasPlaces);
  const isFree = (userId: number, startsAt: Date, endsAt: Date) =>
    booked.every(
      (shift) =>
        shift.userId !== userId || (shift.endsAt ?? endsAt) <= startsAt || (shift.startsAt ?? startsAt) >= endsAt,
    );
  for (const [index, { id, eventId, startsAt, endsAt }] of open.slice(0, 12).entries()) {
    if (index % 3 !== 0) {
      const claims = index % 3 === 1 ? 'open' : 'approval';
      await tx.callTime.update({ where: { businessId_id: { businessId, id } }, data: { claims } });
      continue;
    }
    const mode = index % 2 === 0 ? 'first_come' : 'approval';
    const shared = {
      businessId,
      eventId,
      callTimeId: id,
      expiresAt: startsAt,
      createdAt: new Date(today.getTime() - dayMs),
    };
    const offer = await tx.offer.create({
      data: { ...shared, uuid: uuids.shift()!, mode, message: random.pick(messages), createdById: adminId },
    });
    const [first, ...others] = staffIds.filter((userId) => isFree(userId, startsAt, endsAt));
    const asked = [...(first === undefined ? [] : [first]), ...random.shuffled(others)].slice(0, answers[mode].length);
    await tx.offerRecipient.createMany({
      data: asked.map((userId, at) => {
        const state = answers[mode][at]!;
        const respondedAt = state === 'sent' ? null : today;
        return {
          ...shared,
          uuid: uuids.shift()!,
          offerId: offer.id,
          userId,
          state,
          respondedAt,
          modifiedAt: respondedAt ?? shared.createdAt,
        };
      }),
    });
  }
  const [own] = staffIds;
  const positions = new Set(booked.flatMap(({ userId, positionId }) => (userId === own ? positionId : [])));
  const swappable = booked.filter(
    ({ userId, positionId, startsAt, endsAt }) =>
      positions.has(positionId) &&
      startsAt !== null &&
      startsAt > new Date(today.getTime() + 3 * dayMs) &&
      (userId === own || isFree(own!, startsAt, endsAt ?? startsAt)),
  );
  const [mine, ...theirs] = [
    ...swappable.filter(({ userId }) => userId === own).slice(-1),
    ...swappable.filter(({ userId }) => userId !== own).slice(0, 3),
  ];
  await tx.shiftSwap.createMany({
    data: [mine, ...theirs].flatMap((shift, index) => {
      if (!shift) return [];
      const isTaken = index > 1;
      const askedAt = new Date(today.getTime() - dayMs);
      return {
        ...{
          uuid: uuids.pop()!,
          businessId,
          eventId: shift.eventId,
          workShiftId: shift.id,
          fromUserId: shift.userId,
        },
        ...{ toUserId: isTaken ? own! : null, state: isTaken ? 'taken' : 'requested', expiresAt: shift.startsAt! },
        ...{ message: random.pick(['I have an exam that day.', null]), createdAt: askedAt, modifiedAt: askedAt },
      };
    }),
  });
  // The offer of a call time that is full now, one of whose people wants to give the shift back.
  const full = callTimes.find((callTime) => !hasPlaces(callTime));
  const accepted = booked.find(({ callTimeId, confirmed }) => full && callTimeId === full.id && confirmed);
  if (!full || !accepted) return;
  const { id: callTimeId, eventId, startsAt, endsAt } = full;
  const shared = { businessId, eventId, callTimeId, expiresAt: startsAt, createdAt: new Date(today.getTime() - dayMs) };
  const offer = await tx.offer.create({
    data: { ...shared, uuid: uuids.shift()!, mode: 'first_come', message: messages[0]!, createdById: adminId },
  });
  const others = staffIds.filter((userId) => isFree(userId, startsAt, endsAt)).slice(0, late.length);
  await tx.offerRecipient.createMany({
    data: [
      { userId: accepted.userId, workShiftId: accepted.id, state: 'accepted' as const },
      ...others.map((userId, at) => ({ userId, ...late[at]! })),
    ].map((part) => ({
      ...{ ...shared, ...part, uuid: uuids.shift()!, offerId: offer.id, modifiedAt: today },
      ...(['accepted', 'waitlisted', 'refused'].includes(part.state) && { respondedAt: today }),
      ...(part.state === 'waitlisted' && { waitlistedAt: today }),
    })),
  });
  await tx.workShift.update({
    where: { businessId_id: { businessId, id: accepted.id } },
    data: { dropRequestedAt: today },
  });
}
