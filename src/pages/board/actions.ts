import { describeErrors, type ServiceError, type Variables } from '../application/service.ts';
import { sendAsViewer } from '../application/session.ts';

/* What can be done with the people of an event. Each change says which version it expects, and how it is undone. */

/** A rule that stands against an assignment, and that a reason lifts. */
export interface Clash {
  /** One of the rules that have words of their own here, or one that brings its `text`. */
  readonly kind: string;
  readonly needed: number | null;
  readonly assigned: number | null;
  readonly eventTitle: string | null;
  readonly minutes: number | null;
  readonly text?: string | null;
  readonly user?: { readonly name: string } | null;
}

interface ChangedShift {
  readonly uuid: string;
  readonly version: number;
}

/** A shift with what its undoing must bring back. */
export interface StaffedShift extends ChangedShift {
  readonly confirmed: boolean;
  readonly overrideReason?: string | null;
}

export interface Done {
  readonly text: string;
  /** Takes it back; null if that is not possible. */
  readonly undo: (() => Promise<ActionOutcome>) | null;
  /** Says why, where it has been done without a word; missing if nobody is asked. */
  readonly explain?: (reason: string) => Promise<ActionOutcome>;
}

export type ActionOutcome =
  { readonly done: Done } | { readonly refusal: string; readonly clashes: readonly Clash[]; readonly isLost: boolean };

type Simple = 'confirmShift' | 'unconfirmShift' | 'declineShift' | 'deleteShift';

const sendSimple = (name: Simple, shift: ChangedShift, finish: (shift: ChangedShift) => Done): Promise<ActionOutcome> =>
  send(
    `mutation Change($id: ID!, $version: Int!) { shift: ${name}(id: $id, version: $version) { uuid version } }`,
    { id: shift.uuid, version: shift.version },
    finish,
  );

const rule = 'fragment Rule on Clash { kind needed assigned eventTitle minutes text user { name } }';

const assignDocument = `mutation Assign($input: AssignShiftInput!, $key: String!) {
  change: assignShift(input: $input, idempotencyKey: $key) { shift { uuid version } clashes { ...Rule } }
}
${rule}`;

const restoreDocument = `mutation Restore($id: ID!, $version: Int!, $input: UpdateShiftInput!) {
  change: updateShift(id: $id, version: $version, input: $input) { shift { uuid version } clashes { ...Rule } }
}
${rule}`;

const moveDocument = `mutation Move($id: ID!, $version: Int!, $input: MoveShiftInput!) {
  change: moveShift(id: $id, version: $version, input: $input) { shift { uuid version } clashes { ...Rule } }
}
${rule}`;

const exchangeDocument = `mutation Exchange($id: ID!, $version: Int!, $input: ExchangeShiftsInput!) {
  change: exchangeShifts(id: $id, version: $version, input: $input) { shifts { uuid version } clashes { ...Rule } }
}
${rule}`;

/** Versions that our own changes led to, by uuid. */
const ownVersions = new Map<string, number>();

/** Whether the board does not show yet what we have changed: what can be done next is decided on what it shows then. */
export const isBehind = ({ uuid, version }: ChangedShift): boolean => version < (ownVersions.get(uuid) ?? 0);

async function send(
  query: string,
  variables: Variables,
  finish: (shift: ChangedShift, other?: ChangedShift) => Done,
): Promise<ActionOutcome> {
  try {
    const { result } = await sendAsViewer({ query, variables });
    const change = result.data?.['change'] as
      | { shift?: ChangedShift | null; shifts?: readonly ChangedShift[] | null; clashes: readonly Clash[] }
      | null
      | undefined;
    const one = (change?.shift ?? result.data?.['shift']) as ChangedShift | null | undefined;
    const [shift, other] = change?.shifts ?? (one ? [one] : []);
    const reason = describeErrors(result);
    for (const changed of [shift, other]) if (changed) ownVersions.set(changed.uuid, changed.version);
    if (reason === null && shift) return { done: finish(shift, other) };
    return refuse(reason ?? 'The service sent no data.', change?.clashes ?? [], result.errors ?? []);
  } catch (error) {
    return { refusal: (error as Error).message, clashes: [], isLost: true };
  }
}

function refuse(reason: string, clashes: readonly Clash[], errors: readonly ServiceError[]): ActionOutcome {
  const isStale = errors.some(({ extensions }) => extensions?.code === 'PRECONDITION_FAILED');
  const refusal = isStale
    ? 'Somebody has changed this shift meanwhile. This page now shows how it is; look again, and repeat it if it is still right.'
    : reason;
  return { refusal, clashes, isLost: false };
}

export const confirm = (shift: ChangedShift, name: string): Promise<ActionOutcome> =>
  sendSimple('confirmShift', shift, (changed) => ({
    text: `${name} is confirmed.`,
    undo: () => unconfirm(changed, name),
  }));

export const unconfirm = (shift: ChangedShift, name: string): Promise<ActionOutcome> =>
  sendSimple('unconfirmShift', shift, (changed) => ({
    text: `The confirmation of ${name} is withdrawn.`,
    undo: () => confirm(changed, name),
  }));

export const decline = (shift: ChangedShift, title: string): Promise<ActionOutcome> =>
  sendSimple('declineShift', shift, () => ({ text: `You declined ${title}.`, undo: null }));

const cancelDocument = `mutation Cancel($id: ID!, $version: Int!, $reason: String) {
  shift: cancelShift(id: $id, version: $version, reason: $reason) { uuid version }
}`;

export const cancel = (shift: StaffedShift, name: string, cause: string | null = null): Promise<ActionOutcome> => {
  const reason = shift.overrideReason ?? undoReason;
  const finish =
    (text: string) =>
    (changed: ChangedShift): Done => ({
      text,
      undo: () => restore(changed, name, { isConfirmed: shift.confirmed, reason }),
      explain: (why) => sendCancel(changed, why, finish(`${name} is called off: “${why}”.`)),
    });
  return sendCancel(shift, cause, finish(`${name} is called off.`));
};

const sendCancel = ({ uuid, version }: ChangedShift, reason: string | null, finish: (shift: ChangedShift) => Done) =>
  send(cancelDocument, { id: uuid, version, reason }, finish);

/** The reason of the override by which something is undone. It is stored only where a rule is against that. */
const undoReason = 'Undone right away: it was so before.';

/** Restores a canceled shift with the confirmation that it had, also where it broke a rule before. */
async function restore(
  { uuid, version }: ChangedShift,
  name: string,
  { isConfirmed, reason }: { isConfirmed: boolean; reason: string },
): Promise<ActionOutcome> {
  const input = { status: 'ACTIVE', override: { reason } };
  let restored: ChangedShift | null = null;
  const outcome = await send(restoreDocument, { id: uuid, version, input }, (shift) => {
    restored = shift;
    return { text: `${name} is assigned again.`, undo: null };
  });
  return restored && isConfirmed ? confirm(restored, name) : outcome;
}

export interface Assignment {
  readonly callUuid: string;
  readonly userId: string;
  readonly name: string;
  /** Why it is right although rules stand against it; null unless these are known. */
  readonly reason: string | null;
}

/** Keys of assignments whose answer was lost, by their input: a repetition does not assign twice. */
const unanswered = new Map<string, string>();

export async function assign({ callUuid, userId, name, reason }: Assignment): Promise<ActionOutcome> {
  const input = { callTimeId: callUuid, userId, ...toOverride(reason) };
  const text = JSON.stringify(input);
  const key = unanswered.get(text) ?? createKey();
  unanswered.set(text, key);
  const outcome = await send(assignDocument, { key, input }, (shift) => ({
    text: `${name} is assigned.`,
    undo: () => remove(shift, name),
  }));
  if ('done' in outcome || !outcome.isLost) unanswered.delete(text);
  return outcome;
}

const remove = (shift: ChangedShift, name: string): Promise<ActionOutcome> =>
  sendSimple('deleteShift', shift, () => ({ text: `${name} is no longer assigned.`, undo: null }));

const toOverride = (reason: string | null) => (reason === null ? {} : { override: { reason } });

export interface Move {
  readonly shift: StaffedShift;
  readonly name: string;
  /** UUIDs of call times; null: the person is on none. */
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
}

/** Moves somebody to another call time, of any event. */
export const move = ({ shift, name, from, to, reason }: Move): Promise<ActionOutcome> =>
  sendMove(shift, { callTimeId: to, ...toOverride(reason) }, (moved) => ({
    text: `${name} is moved.`,
    undo:
      from === null
        ? null
        : () =>
            bringBack([shift], (done) =>
              sendMove(moved, { callTimeId: from, ...toOverride(shift.overrideReason ?? undoReason) }, (back) =>
                done([back]),
              ),
            ),
  }));

const sendMove = ({ uuid, version }: ChangedShift, input: Variables, finish: (shift: ChangedShift) => Done) =>
  send(moveDocument, { id: uuid, version, input }, finish);

/** Lets two people take each other's places. */
export const exchange = (shift: StaffedShift, other: StaffedShift, reason: string | null): Promise<ActionOutcome> =>
  sendExchange([shift, other], reason, (changed) => ({
    text: 'Both are exchanged.',
    undo: () => bringBack([shift, other], (done) => sendExchange(changed, shift.overrideReason ?? undoReason, done)),
  }));

const sendExchange = (
  [shift, other]: readonly ChangedShift[],
  reason: string | null,
  finish: (changed: readonly ChangedShift[]) => Done,
) =>
  send(
    exchangeDocument,
    {
      id: shift!.uuid,
      version: shift!.version,
      input: { otherShiftId: other!.uuid, otherVersion: other!.version, ...toOverride(reason) },
    },
    (changed, changedOther) => finish([changed, changedOther!]),
  );

/** Undoes a move or an exchange, with the confirmations that were there before. */
async function bringBack(
  before: readonly StaffedShift[],
  act: (done: (shifts: readonly ChangedShift[]) => Done) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  let back: readonly ChangedShift[] = [];
  let outcome = await act((shifts) => {
    back = shifts;
    return { text: 'All is as before.', undo: null };
  });
  for (const [index, shift] of back.entries()) if (before[index]?.confirmed) outcome = await confirm(shift, '');
  return outcome;
}

/** `randomUUID` is missing on pages without HTTPS. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export function describeClash({ kind, needed, assigned, eventTitle, minutes, text }: Clash): string {
  if (text) return `${text}.`;
  if (kind === 'OVERFILLED') return `The call time already has ${assigned} of ${needed} people.`;
  if (kind === 'OUTSIDE_EVENT') return 'The call time does not touch its event.';
  const other = `“${eventTitle ?? 'another event'}”`;
  return kind === 'OVERLAP'
    ? `Works at ${other} for ${minutes} minutes of this time.`
    : `May work at ${other} at this time: a time there or here is to be determined.`;
}
