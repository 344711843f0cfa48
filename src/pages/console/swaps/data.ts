import type { SwapFieldsFragment } from '../../../generated/pages/console/swaps.ts';
import { formatLocal } from '../../time/when.ts';
import type { Messages } from '../messages/messages.ts';
import { fullName } from '../changes/steps.ts';

/* Swaps and handovers of shifts. */

export type Swap = SwapFieldsFragment;

export const fromOf = (swap: Pick<Swap, 'fromFirstName' | 'fromLastName'>): string =>
  fullName({ firstName: swap.fromFirstName, lastName: swap.fromLastName });

/** Null where anybody may take it. */
export const toOf = ({ toFirstName, toLastName }: Pick<Swap, 'toFirstName' | 'toLastName'>): string | null =>
  toFirstName === null ? null : fullName({ firstName: toFirstName, lastName: toLastName ?? '' });

/** The shift that is wanted in exchange; null for a handover. */
export const describeOther = ({ otherPosition, otherEventTitle, otherStartTime }: Swap, messages: Messages) =>
  otherPosition === null
    ? null
    : messages.swaps.shift(
        otherPosition,
        otherEventTitle ?? '',
        otherStartTime === null ? messages.myShifts.tbd : formatLocal(otherStartTime, messages),
      );
