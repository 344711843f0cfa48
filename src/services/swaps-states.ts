import type { SwapState } from '../generated/prisma/enums.ts';
import type { Scope } from '../access/scope.ts';
import { statesLeadingTo } from './offers-states.ts';

/* The states of a swap, and the only function that changes one. */

/** The states that may follow each state. One without any is an end. */
export const swapTransitions: Readonly<Record<SwapState, readonly SwapState[]>> = {
  requested: ['taken', 'refused', 'canceled', 'expired', 'void'],
  taken: ['done', 'refused', 'canceled', 'expired', 'void'],
  done: [],
  refused: [],
  canceled: [],
  expired: [],
  void: [],
};

type SwapsTx = Pick<Scope, 'db' | 'clock'>;
type Update = Parameters<Scope['db']['shiftSwap']['updateMany']>[0];

/** Changes the state of swaps, as far as it may follow theirs. An event of one of their shifts must be locked. */
export async function changeSwaps(
  tx: SwapsTx,
  to: SwapState,
  where: NonNullable<Update['where']>,
  values: Omit<Update['data'], 'state' | 'modifiedAt' | 'businessId'> = {},
): Promise<number> {
  const { count } = await tx.db.shiftSwap.updateMany({
    where: { ...where, state: { in: statesLeadingTo(swapTransitions, to) } },
    data: { ...values, state: to, modifiedAt: tx.clock() },
  });
  return count;
}
