import {
  ApproveOfferDocument,
  ApproveSwapDocument,
  AssignDocument,
  CancelDocument,
  ConfirmDocument,
  ExchangeDocument,
  KeepDocument,
  MoveShiftsDocument,
  NoteCheckInDocument,
  NoteCheckOutDocument,
  RefuseRequestDocument,
  RefuseSwapOfDocument,
  RemoveDocument,
  ResendDocument,
  RestoreDocument,
  SetNotedDocument,
  UnconfirmDocument,
  WithdrawDocument,
} from '../../../generated/pages/console/staffing.ts';
import type { TypedDocument, VariablesOf } from '../../application/document.ts';
import { describeErrors, type Variables } from '../../application/service.ts';
import { createKey } from '../../application/keys.ts';
import { sendAsViewer } from '../../application/session.ts';
import type { Clash } from './clashes.ts';

/* What can be done with the people of an event. Each change says which version it expects, and how it is undone. */

/** A shift, with its times as far as they were read. */
interface ChangedShift {
  readonly uuid: string;
  readonly version: number;
  readonly startTime?: string | null;
  readonly endTime?: string | null;
  readonly startsAt?: string | null;
  readonly endsAt?: string | null;
}

/** A shift with what the undoing of a change must bring back. */
export interface StaffedShift extends ChangedShift {
  readonly firstName: string;
  readonly lastName: string;
  readonly confirmed: boolean;
  readonly overrideReason?: string | null;
  readonly callTime: { readonly uuid: string } | null;
}

interface Refusal {
  /** LOST: no answer came. STALE: somebody else has changed the shift meanwhile. */
  readonly kind: 'LOST' | 'STALE' | 'RULE';
  readonly message: string;
  readonly clashes: readonly Clash[];
}

/** `ended`: offers, swaps and requests to give a shift back that ended with the change. `times`: those that a shift had of its own. */
export type NotBack = 'ended' | 'times';

export type ActionOutcome =
  | {
      readonly refusal: null;
      readonly shifts: readonly ChangedShift[];
      /** Takes it back; null if that is not possible. */
      readonly undo: (() => Promise<ActionOutcome>) | null;
      /** What taking it back does not bring back. */
      readonly notBack: readonly NotBack[];
    }
  | { readonly refusal: Refusal };

type ToUndo = (changed: readonly ChangedShift[]) => (() => Promise<ActionOutcome>) | null;

type Change = Partial<ChangedShift> & {
  readonly shift?: ChangedShift | null;
  readonly shifts?: readonly ChangedShift[] | null;
  readonly clashes?: readonly Clash[];
};

/** Sends a mutation that returns what it changes as `change`. */
async function send<Taken>(
  query: TypedDocument<{ readonly change: Change }, Taken>,
  variables: VariablesOf<Taken>,
  toUndo: ToUndo = () => null,
  notBack: readonly NotBack[] = [],
): Promise<ActionOutcome> {
  try {
    const { result } = await sendAsViewer({ query, variables });
    const change = result.data?.['change'] as Change | null | undefined;
    const one = change?.shift ?? (change?.uuid === undefined ? null : (change as ChangedShift));
    const shifts = change?.shifts ?? (one ? [one] : []);
    const message = describeErrors(result);
    if (message === null && shifts.length > 0) return { refusal: null, shifts, undo: toUndo(shifts), notBack };
    const isStale = result.errors?.some(({ extensions }) => extensions?.code === 'PRECONDITION_FAILED');
    // A mutation without a payload has its clashes in the error.
    const clashes = change?.clashes ?? result.errors?.[0]?.extensions?.clashes ?? [];
    return { refusal: { kind: isStale ? 'STALE' : 'RULE', message: message ?? '', clashes } };
  } catch (error) {
    return { refusal: { kind: 'LOST', message: (error as Error).message, clashes: [] } };
  }
}

export const setConfirmed = ({ uuid: id, version }: ChangedShift, isConfirmed: boolean): Promise<ActionOutcome> =>
  send(
    isConfirmed ? ConfirmDocument : UnconfirmDocument,
    { id, version },
    ([changed]) =>
      () =>
        setConfirmed(changed!, !isConfirmed),
  );

export const cancel = (shift: StaffedShift, reason: string | null): Promise<ActionOutcome> =>
  send(
    CancelDocument,
    { id: shift.uuid, version: shift.version, reason },
    ([canceled]) =>
      () => {
        const { uuid: id, version } = canceled!;
        const input = { status: 'ACTIVE', override: { reason: shift.overrideReason ?? undoReason } };
        return confirmAgain([shift], send(RestoreDocument, { id, version, input }));
      },
    ['ended'],
  );

/** Refuses that somebody gives a shift back. */
export const keep = ({ uuid: id, version }: ChangedShift): Promise<ActionOutcome> =>
  send(KeepDocument, { id, version });

/** Changes what is noted of a shift. `before` takes it back; the version is that of the attendance. */
export const setNoted = ({ uuid: id, version }: ChangedShift, input: object, before?: object): Promise<ActionOutcome> =>
  send(SetNotedDocument, { id, version, input }, ([noted]) => (before ? () => setNoted(noted!, before) : null));

/** Notes that somebody comes or leaves now. */
export const check = (what: 'checkIn' | 'checkOut', { uuid: id, version }: ChangedShift): Promise<ActionOutcome> =>
  send(
    what === 'checkIn' ? NoteCheckInDocument : NoteCheckOutDocument,
    { id, version },
    ([noted]) =>
      () =>
        setNoted(noted!, { [what === 'checkIn' ? 'checkedInAt' : 'checkedOutAt']: null }),
  );

/* Parts of people in offers. */

export const approve = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(ApproveOfferDocument, { id, version, override: reason === null ? null : { reason } });

export const refuse = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(RefuseRequestDocument, { id, version, reason });

export const refuseSwap = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(RefuseSwapOfDocument, { id, version, reason });

export const approveSwap = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(ApproveSwapDocument, { id, version, override: reason === null ? null : { reason } });

export const resend = ({ uuid: id, version }: ChangedShift): Promise<ActionOutcome> =>
  send(ResendDocument, { id, version });

/** From all who have not accepted, or from some of them. */
export const withdraw = (
  id: string,
  userIds: readonly string[] | null,
  reason: string | null,
): Promise<ActionOutcome> => send(WithdrawDocument, { id, userIds, reason });

/** The reason of the override by which something is undone. It is stored only where a rule is against that. */
const undoReason = 'Undone right away: it was so before.';

/** Brings back the confirmations of shifts that are as before otherwise: nobody is confirmed for times that they have not seen. */
async function confirmAgain(before: readonly StaffedShift[], undoing: Promise<ActionOutcome>): Promise<ActionOutcome> {
  const outcome = await undoing;
  if (outcome.refusal) return outcome;
  const isAsBefore = outcome.shifts.map((shift, index) => hasSameTimes(before[index]!, shift));
  for (const [index, shift] of outcome.shifts.entries())
    if (before[index]!.confirmed && isAsBefore[index]) {
      const confirmed = await setConfirmed(shift, true);
      if (confirmed.refusal) return confirmed;
    }
  return { ...outcome, notBack: isAsBefore.includes(false) ? ['times'] : [] };
}

const hasSameTimes = (before: ChangedShift, after: ChangedShift): boolean =>
  (['startTime', 'endTime', 'startsAt', 'endsAt'] as const).every(
    (name) => before[name] === undefined || after[name] === undefined || before[name] === after[name],
  );

/** Keys of assignments whose answer was lost, by their input: a repetition does not assign twice. */
const unanswered = new Map<string, string>();

/** A reason lifts the rules that stand against it; null unless these are known. */
export async function assign(callTimeId: string, userId: string, reason: string | null): Promise<ActionOutcome> {
  const input = { callTimeId, userId, ...(reason !== null && { override: { reason } }) };
  const text = JSON.stringify(input);
  const key = unanswered.get(text) ?? createKey();
  unanswered.set(text, key);
  const outcome = await send(
    AssignDocument,
    { key, input },
    ([shift]) =>
      () =>
        send(RemoveDocument, { id: shift!.uuid, version: shift!.version }),
    ['ended'],
  );
  if (outcome.refusal?.kind !== 'LOST') unanswered.delete(text);
  return outcome;
}

/** Why people change places. The reason of an override is kept with the shift, if one was needed. */
export interface Why {
  readonly reason: string | null;
  readonly isOverride: boolean;
}

const toInput = ({ reason, isOverride }: Why) =>
  reason === null ? {} : { reason, ...(isOverride && { override: { reason } }) };

/** Why people go back to where they were: as they came there. */
const toUndoInput = (shifts: readonly StaffedShift[]) => ({
  override: { reason: shifts.find(({ overrideReason }) => overrideReason)?.overrideReason ?? undoReason },
});

/** Moves people to another call time, of any event: all of them, or nobody. */
export const move = (shifts: readonly StaffedShift[], callTimeId: string, why: Why): Promise<ActionOutcome> => {
  const toMoves = (from: readonly ChangedShift[], to: (index: number) => string) =>
    from.map(({ uuid, version }, index) => ({ shiftId: uuid, version, callTimeId: to(index) }));
  const input = { ...toInput(why), moves: toMoves(shifts, () => callTimeId) };
  const toUndo: ToUndo = (moved) => {
    const from = shifts.flatMap(({ callTime }) => callTime?.uuid ?? []);
    if (from.length < shifts.length) return null;
    const back = { ...toUndoInput(shifts), moves: toMoves(moved, (index) => from[index]!) };
    return () => confirmAgain(shifts, send(MoveShiftsDocument, { input: back }));
  };
  return send(MoveShiftsDocument, { input }, toUndo, ['ended']);
};

/** Lets two people take each other's places. */
export const exchange = (shift: StaffedShift, other: StaffedShift, why: Why): Promise<ActionOutcome> => {
  const toVariables = (one: ChangedShift, two: ChangedShift, input: Variables) => ({
    id: one.uuid,
    version: one.version,
    input: { ...input, otherShiftId: two.uuid, otherVersion: two.version },
  });
  const toUndo: ToUndo = ([one, two]) => {
    const back = toVariables(one!, two!, toUndoInput([shift, other]));
    return () => confirmAgain([shift, other], send(ExchangeDocument, back));
  };
  return send(ExchangeDocument, toVariables(shift, other, toInput(why)), toUndo, ['ended']);
};
