import { afterChange, refreshReads } from '../../application/data.ts';
import type { Messages } from '../messages/messages.ts';
import { showToast } from '../parts/toast.tsx';
import type { ActionOutcome, NotBack, StaffedShift, Why } from './actions.ts';
import { describeClash, type Clash } from './clashes.ts';

/** A change for one person, or for several together. */
export interface Step {
  readonly key: string;
  readonly name: string;
  readonly run: (why: Why) => Promise<ActionOutcome>;
}

export interface RefusedStep {
  readonly key: string;
  /** Why it cannot be done; null if a reason lifts what stands against it. */
  readonly fault: string | null;
  readonly clashes: readonly Clash[];
}

export const fullName = ({ firstName, lastName }: Pick<StaffedShift, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();

/** Names as a list; many of them as their number. */
export const listNames = (names: readonly string[], { language, staffing }: Messages): string =>
  names.length > 3 ? staffing.people(names.length) : new Intl.ListFormat(language).format(names);

const refresh = () => Promise.all([refreshReads(), ...[...afterChange].map((read) => read())]);

/** Takes the steps one after the other, says what is done with the offer to undo it, and returns what was refused. */
export async function takeSteps(
  steps: readonly Step[],
  describe: (names: string) => string,
  messages: Messages,
  why: Why = { reason: null, isOverride: false },
): Promise<readonly RefusedStep[]> {
  const { shell, staffing } = messages;
  const done: string[] = [];
  const undos: (() => Promise<ActionOutcome>)[] = [];
  const notBack: NotBack[] = [];
  const refused: RefusedStep[] = [];
  for (const { key, name, run } of steps) {
    const outcome = await run(why);
    if (outcome.refusal) {
      const { kind, message, clashes } = outcome.refusal;
      const text = kind === 'LOST' ? shell.notSaved : kind === 'STALE' ? staffing.stale : message;
      const named = clashes.map((clash) => ({ ...clash, user: { name, ...clash.user } }));
      refused.push({ key, fault: clashes.length > 0 ? null : staffing.refusedFor(name, text), clashes: named });
    } else {
      done.push(name);
      if (outcome.undo) undos.unshift(outcome.undo);
      notBack.push(...outcome.notBack);
    }
  }
  await refresh();
  if (done.length > 0) {
    const text = describe(listNames(done, messages));
    showToast(undos.length === 0 ? { text } : { text, undo: () => void undoAll(undos, notBack, messages) });
  }
  return refused;
}

/** What a reason lifts, and what none lifts, in words. */
export const describeRefused = (refused: readonly RefusedStep[], messages: Messages) => ({
  against: refused.flatMap(({ clashes }) => clashes.map((clash) => describeClash(clash, messages))),
  faults: refused.flatMap(({ fault }) => fault ?? []),
});

async function undoAll(
  undos: readonly (() => Promise<ActionOutcome>)[],
  known: readonly NotBack[],
  { staffing, parts }: Messages,
): Promise<void> {
  const faults: string[] = [];
  const notBack = new Set(known);
  for (const undo of undos) {
    const outcome = await undo();
    if (outcome.refusal) faults.push(outcome.refusal.message);
    else for (const what of outcome.notBack) notBack.add(what);
  }
  await refresh();
  showToast({ text: faults[0] ?? [parts.undone, ...[...notBack].map((what) => staffing.notBack[what])].join(' ') });
}
