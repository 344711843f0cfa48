import { describeErrors, type Variables } from '../../application/service.ts';
import { createKey } from '../../application/keys.ts';
import { sendAsViewer } from '../../application/session.ts';
import { approveOffer } from '../offers/data.ts';
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

const clashFields = 'clashes { kind needed assigned eventTitle minutes text user { name } }';

type Simple = 'confirmShift' | 'unconfirmShift' | 'deleteShift' | 'keepShift' | 'resendOffer';

const simple = (name: Simple) =>
  `mutation Change($id: ID!, $version: Int!) { change: ${name}(id: $id, version: $version) { uuid version } }`;

const cancelDocument = `mutation Cancel($id: ID!, $version: Int!, $reason: String) {
  change: cancelShift(id: $id, version: $version, reason: $reason) { uuid version }
}`;

const assignDocument = `mutation Assign($input: AssignShiftInput!, $key: String!) {
  change: assignShift(input: $input, idempotencyKey: $key) { shift { uuid version } ${clashFields} }
}`;

const refuseDocument = (
  name: 'refuseOffer' | 'refuseSwap',
) => `mutation Refuse($id: ID!, $version: Int!, $reason: String) {
  change: ${name}(id: $id, version: $version, reason: $reason) { uuid version }
}`;

const approveSwapDocument = `mutation ApproveSwap($id: ID!, $version: Int!, $override: OverrideInput) {
  change: approveSwap(id: $id, version: $version, override: $override) { uuid version }
}`;

const withdrawDocument = `mutation Withdraw($id: ID!, $userIds: [ID!], $reason: String) {
  change: withdrawOffer(id: $id, userIds: $userIds, reason: $reason) { uuid }
}`;

const restoreDocument = `mutation Restore($id: ID!, $version: Int!, $input: UpdateShiftInput!) {
  change: updateShift(id: $id, version: $version, input: $input) { shift { uuid version } ${clashFields} }
}`;

const moveDocument = `mutation Move($input: MoveShiftsInput!) {
  change: moveShifts(input: $input) { shifts { uuid version startTime endTime startsAt endsAt } ${clashFields} }
}`;

const exchangeDocument = `mutation Exchange($id: ID!, $version: Int!, $input: ExchangeShiftsInput!) {
  change: exchangeShifts(id: $id, version: $version, input: $input) { shifts { uuid version } ${clashFields} }
}`;

type Change = Partial<ChangedShift> & {
  readonly shift?: ChangedShift | null;
  readonly shifts?: readonly ChangedShift[] | null;
  readonly clashes?: readonly Clash[];
};

async function send(
  query: string,
  variables: Variables,
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
    simple(isConfirmed ? 'confirmShift' : 'unconfirmShift'),
    { id, version },
    ([changed]) =>
      () =>
        setConfirmed(changed!, !isConfirmed),
  );

export const cancel = (shift: StaffedShift, reason: string | null): Promise<ActionOutcome> =>
  send(
    cancelDocument,
    { id: shift.uuid, version: shift.version, reason },
    ([canceled]) =>
      () => {
        const { uuid: id, version } = canceled!;
        const input = { status: 'ACTIVE', override: { reason: shift.overrideReason ?? undoReason } };
        return confirmAgain([shift], send(restoreDocument, { id, version, input }));
      },
    ['ended'],
  );

/** Refuses that somebody gives a shift back. */
export const keep = ({ uuid: id, version }: ChangedShift): Promise<ActionOutcome> =>
  send(simple('keepShift'), { id, version });

const setNotedDocument = `mutation SetNoted($id: ID!, $version: Int, $input: UpdateAttendanceInput!) {
  change: updateAttendance(shiftId: $id, version: $version, input: $input) { uuid version }
}`;

/** Changes what is noted of a shift. `before` takes it back; the version is that of the attendance. */
export const setNoted = ({ uuid: id, version }: ChangedShift, input: object, before?: object): Promise<ActionOutcome> =>
  send(setNotedDocument, { id, version, input }, ([noted]) => (before ? () => setNoted(noted!, before) : null));

/** Notes that somebody comes or leaves now. */
export const check = (what: 'checkIn' | 'checkOut', { uuid: id, version }: ChangedShift): Promise<ActionOutcome> =>
  send(
    `mutation Note($id: ID!, $version: Int) { change: ${what}(shiftId: $id, version: $version) { uuid version } }`,
    { id, version },
    ([noted]) =>
      () =>
        setNoted(noted!, { [what === 'checkIn' ? 'checkedInAt' : 'checkedOutAt']: null }),
  );

/* Parts of people in offers. */

export const approve = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(approveOffer, { id, version, override: reason === null ? null : { reason } });

export const refuse = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(refuseDocument('refuseOffer'), { id, version, reason });

export const refuseSwap = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(refuseDocument('refuseSwap'), { id, version, reason });

export const approveSwap = ({ uuid: id, version }: ChangedShift, reason: string | null): Promise<ActionOutcome> =>
  send(approveSwapDocument, { id, version, override: reason === null ? null : { reason } });

export const resend = ({ uuid: id, version }: ChangedShift): Promise<ActionOutcome> =>
  send(simple('resendOffer'), { id, version });

/** From all who have not accepted, or from some of them. */
export const withdraw = (
  id: string,
  userIds: readonly string[] | null,
  reason: string | null,
): Promise<ActionOutcome> => send(withdrawDocument, { id, userIds, reason });

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
    assignDocument,
    { key, input },
    ([shift]) =>
      () =>
        send(simple('deleteShift'), { id: shift!.uuid, version: shift!.version }),
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
    return () => confirmAgain(shifts, send(moveDocument, { input: back }));
  };
  return send(moveDocument, { input }, toUndo, ['ended']);
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
    return () => confirmAgain([shift, other], send(exchangeDocument, back));
  };
  return send(exchangeDocument, toVariables(shift, other, toInput(why)), toUndo, ['ended']);
};
