import type { KnownActor } from '../access/actor.ts';
import type { Scope } from '../access/scope.ts';
import { notePlaces } from '../db/places.ts';
import type { OfferState } from '../generated/prisma/enums.ts';

/*
 * The states of a person's part in an offer, and the only function that changes one. An answer, an admin, the job of offers and
 * whatever changes places go through here, so that no other way leads from a state to another.
 */

/** The states that may follow each state. One without any is an end, and so is `filled` for who does not answer any more. */
export const transitions: Readonly<Record<OfferState, readonly OfferState[]>> = {
  sent: ['accepted', 'waitlisted', 'requested', 'declined', 'expired', 'withdrawn', 'filled'],
  filled: ['waitlisted', 'accepted'],
  waitlisted: ['accepted', 'sent', 'declined', 'expired', 'withdrawn'],
  requested: ['accepted', 'refused', 'withdrawn', 'expired', 'declined'],
  // By an admin only.
  declined: ['sent'],
  accepted: ['ended'],
  expired: [],
  withdrawn: [],
  refused: [],
  ended: [],
};

/** The states that something can still come of. */
export const openStates: readonly OfferState[] = ['sent', 'waitlisted', 'requested'];

/** The states that another one may follow. */
export const statesLeadingTo = <State extends string>(
  table: Readonly<Record<State, readonly State[]>>,
  to: State,
): State[] => (Object.keys(table) as State[]).filter((from) => table[from].includes(to));

/** The settings of the business by which rules judge: src/services/staff-rules.ts */
type RuleSettings = Pick<KnownActor, 'restHours' | 'weeklyHours' | 'timezone' | 'weekStart'>;

/** What changing rows of staffing needs. The service itself, which no operation calls, has no more. */
export type StaffingTx = Pick<Scope, 'db' | 'businessId' | 'clock' | 'record' | 'unsettled'> & {
  readonly actor: RuleSettings;
};

type Update = Parameters<Scope['db']['offerRecipient']['updateMany']>[0];
type Values = Omit<Update['data'], 'state' | 'modifiedAt' | 'businessId'>;
/** Parts at an event, or on one of its call times. */
type PartsWhere = NonNullable<Update['where']> & { readonly eventId: number; readonly callTimeId?: number };

/**
 * Changes the state of parts, as far as it may follow theirs, and notes that places may be free. Returns how many have changed. The
 * event must be locked.
 */
export async function changeStates(
  tx: StaffingTx,
  to: OfferState,
  where: PartsWhere,
  values: Values = {},
): Promise<number> {
  const { count } = await tx.db.offerRecipient.updateMany({
    where: { ...where, state: { in: statesLeadingTo(transitions, to) } },
    data: { ...values, state: to, modifiedAt: tx.clock() },
  });
  if (count > 0) notePlaces(tx, where.eventId, where.callTimeId === undefined ? null : [where.callTimeId], false);
  return count;
}
