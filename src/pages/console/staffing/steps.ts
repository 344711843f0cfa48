import type { ActionOutcome, Clash } from '../../board/actions.ts';
import { refreshReads } from '../data.ts';
import type { Event, Shift } from '../event/documents.ts';
import type { Messages } from '../messages/messages.ts';
import { showToast } from '../parts/toast.tsx';

/** A change for one person, or for two who are exchanged. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<ActionOutcome>;
}

export interface RefusedStep {
  readonly name: string;
  readonly refusal: string;
  readonly clashes: readonly Clash[];
}

export const fullName = ({ firstName, lastName }: Pick<Shift, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();

export const mayStaff = ({ status }: Event): boolean => status === 'ACTIVE' || status === 'DRAFT';

/** Takes the steps one after the other, says what is done with the offer to undo it, and returns what was refused. */
export async function takeSteps(
  steps: readonly Step[],
  describe: (names: string) => string,
  { language, shell, staffing }: Messages,
): Promise<readonly RefusedStep[]> {
  const done: string[] = [];
  const undos: (() => Promise<ActionOutcome>)[] = [];
  const refused: RefusedStep[] = [];
  for (const { name, run } of steps) {
    const outcome = await run();
    if ('done' in outcome) {
      done.push(name);
      if (outcome.done.undo) undos.unshift(outcome.done.undo);
    } else refused.push({ name, ...outcome, refusal: outcome.isLost ? shell.notSaved : outcome.refusal });
  }
  await refreshReads();
  if (done.length > 0) {
    const names = done.length > 3 ? staffing.people(done.length) : new Intl.ListFormat(language).format(done);
    const text = describe(names);
    showToast(undos.length === 0 ? { text } : { text, undo: () => void undoAll(undos, staffing.undone) });
  }
  return refused;
}

/** Who is still to be changed after some were refused: both of an exchange, or those who were refused. */
export function keepRefused(shifts: readonly Shift[], refused: readonly RefusedStep[]): readonly Shift[] {
  const rest = shifts.filter((shift) => refused.some(({ name }) => name === fullName(shift)));
  return rest.length === 0 ? shifts : rest;
}

async function undoAll(undos: readonly (() => Promise<ActionOutcome>)[], text: string): Promise<void> {
  const refusals: string[] = [];
  for (const undo of undos) {
    const outcome = await undo();
    if ('refusal' in outcome) refusals.push(outcome.refusal);
  }
  await refreshReads();
  showToast({ text: refusals[0] ?? text });
}
