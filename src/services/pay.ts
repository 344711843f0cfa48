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
