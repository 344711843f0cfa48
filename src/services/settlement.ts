import { notePlaces, type Unsettled } from '../db/places.ts';
import { seeingAll } from '../db/tenant.ts';
import { lockVoidSwaps, readUnsettledPlaces, type UnsettledPlace } from '../db/unsettled.ts';
import { groupBy } from '../paging/group-by.ts';
import { settlePlace, withdrawOpen } from './offers-settle.ts';
import type { StaffingTx } from './offers-states.ts';
import { changeSwaps } from './swaps-states.ts';

/*
 * What follows a change of places, whoever makes it: each transaction ends with it. The events are locked since their change, so nothing
 * but people and swaps is locked here.
 */

/** Brings offers, waitlists and swaps up to date with what the transaction has changed, on behalf of the business. */
export async function settlePlaces(tx: StaffingTx): Promise<void> {
  const noted: Unsettled = new Map(tx.unsettled);
  tx.unsettled?.clear();
  if (noted.size === 0) return;
  const { db, businessId, clock, actor } = tx;
  const own = { ...{ db: seeingAll(db), businessId, clock, actor, unsettled: null }, record: tx.record };
  const places = await readUnsettledPlaces(own.db, whatIsNoted(noted), clock());
  for (const eventId of noted.keys()) {
    const here = places.filter((place) => place.eventId === eventId);
    for (const reason of new Set(here.map(findReason)))
      if (reason !== null)
        await withdrawOpen(
          own,
          eventId,
          here.filter((each) => findReason(each) === reason),
          reason,
        );
  }
  for (const place of places) await settlePlace(own, place, findReason(place) === null);
  // Last, because rows of swaps are locked after people.
  const withSwaps = [...noted].flatMap(([id, { hasSwaps }]) => (hasSwaps ? id : []));
  const swaps = withSwaps.length === 0 ? [] : await lockVoidSwaps(own.db, withSwaps);
  const ofReason = groupBy('reason', swaps);
  for (const reason of new Set(swaps.map((swap) => swap.reason)))
    await changeSwaps(own, 'void', { id: { in: ofReason(reason).map(({ id }) => id) } }, { reason });
}

/** Why nothing that was offered of a call time holds any more; null if it does. */
function findReason({ eventStatus, hasChanged, eventHasMoved }: UnsettledPlace): string | null {
  if (eventStatus !== 'active') return `The event is ${eventStatus}.`;
  if (!hasChanged) return null;
  return eventHasMoved ? 'The event has moved.' : 'The call time has changed.';
}

/** The call times are left out where an event is settled as a whole. */
function whatIsNoted(noted: Unsettled) {
  const callTimeIds = [...noted.values()].map((each) => each.callTimeIds);
  return {
    eventIds: [...noted.keys()],
    callTimeIds: callTimeIds.includes(null) ? null : callTimeIds.flatMap((ids) => [...ids!]),
  };
}

/** Settles an event that nothing has changed but the time. It must be locked. */
export async function settleEvent(tx: Omit<StaffingTx, 'unsettled'>, eventId: number): Promise<void> {
  const unsettled: Unsettled = new Map();
  notePlaces({ unsettled }, eventId, null, false);
  await settlePlaces({ ...tx, unsettled });
}
