import type { Scope } from '../access/scope.ts';
import { readRateAt } from '../db/positions.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import type { PayUnit } from '../generated/prisma/enums.ts';

/** Rate and unit as a change sends them. A null rate stands for the one that holds without it. */
export interface SentPay {
  readonly payRate?: string | null | undefined;
  readonly payUnit?: PayUnit | null | undefined;
}

/** Leaves out what a row shows already: it may be the pay of another row, and does not become the row's own by being sent back. */
export function withoutShown(shown: SentPay, { payRate, payUnit }: SentPay): SentPay {
  const isShown = payRate && shown.payRate ? Number(payRate) === Number(shown.payRate) : payRate === shown.payRate;
  return {
    payRate: isShown ? undefined : payRate,
    payUnit: payUnit === shown.payUnit ? undefined : (payUnit ?? undefined),
  };
}

type Paid = SentPay & Pick<CallTimeRow, 'positionId' | 'startsAt'>;

/** The own pay of a new call time. A unit that is not the position's makes the rate of the position its own. */
export async function ownPay(tx: Scope, { positionId, startsAt, payRate = null, payUnit }: Paid) {
  if (payRate !== null || !payUnit) return { payRate, ...(payUnit && { payUnit }) };
  const ofPosition = await readRateAt(tx.db, positionId, startsAt);
  return { payRate: payUnit === ofPosition.payUnit ? null : ofPosition.payRate, payUnit };
}
