import { formatLocal } from '../event/when.ts';
import type { Messages } from '../messages/messages.ts';
import { placeFields, type Place } from '../offers/data.ts';
import { fullName } from '../staffing/steps.ts';

/* Swaps and handovers of shifts. */

type Id = { readonly id: string } | null;

export interface Swap
  extends Place, Readonly<Record<'workShiftUuid' | 'fromFirstName' | 'fromLastName' | 'eventUuid', string>> {
  readonly version: number;
  readonly state: 'REQUESTED' | 'TAKEN' | 'DONE' | 'REFUSED' | 'EXPIRED' | 'VOID';
  readonly message: string | null;
  readonly reason: string | null;
  readonly toFirstName: string | null;
  readonly toLastName: string | null;
  readonly otherShiftUuid: string | null;
  readonly otherPosition: string | null;
  readonly otherEventTitle: string | null;
  readonly otherStartTime: string | null;
  /** Staff see only themselves. */
  readonly from: Id;
  readonly to: Id;
}

export const swapFields = `${placeFields} version state message reason workShiftUuid eventUuid fromFirstName fromLastName toFirstName toLastName
  otherShiftUuid otherPosition otherEventTitle otherStartTime from { id } to { id }`;

export const answerSwap = (name: 'takeSwap' | 'refuseSwap' | 'cancelSwap') =>
  `mutation AnswerSwap($id: ID!, $version: Int!) { change: ${name}(id: $id, version: $version) { version state } }`;

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
