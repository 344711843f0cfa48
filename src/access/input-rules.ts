import type { FieldErrors } from '../errors.ts';
import type { Verdict } from '../validation/compile.ts';
import type { Capabilities, Scope } from './scope.ts';

/**
 * A rule over fields of an input, beyond its schema. `run` of the operation applies the rule as well. Here it is asked only
 * about an input that its schema refuses, so that all faults are reported together.
 */
export interface InputRule<I> {
  /** The fields that the rule judges. It is not asked where one of them is wrong by itself. */
  readonly over: readonly (keyof I & string)[];
  /** Returns the faults of an input, which has the fields of `over` as far as they were sent, and no others. */
  readonly check: (scope: Scope, input: I, capabilities: Capabilities) => FieldErrors | Promise<FieldErrors>;
}

/** Adds the faults that the rules find to those that the schema found. */
export async function addRuleFaults<I>(
  rules: readonly InputRule<I>[],
  sent: unknown,
  verdict: Verdict,
  [scope, capabilities]: readonly [Scope, Capabilities],
): Promise<void> {
  if (!isInput(sent) || !verdict.isComplete) return;
  const faulty = findFaultyFields(verdict);
  const { errors } = verdict;
  for (const { over, check } of rules) {
    if (over.some((field) => faulty.has(field))) continue;
    const judged = pickFields(sent, (field) => over.some((name) => name === field));
    for (const [field, texts] of Object.entries(await check(scope, judged as I, capabilities)))
      (errors[field] ??= []).push(...texts);
  }
}

/** Returns the fields of an input that are not wrong by themselves. The rules are asked about no others. */
export function pickFaultless(sent: unknown, verdict: Verdict): object {
  const faulty = findFaultyFields(verdict);
  return isInput(sent) && verdict.isComplete ? pickFields(sent, (field) => !faulty.has(field)) : {};
}

const isInput = (sent: unknown): sent is object => typeof sent === 'object' && sent !== null && !Array.isArray(sent);

const findFaultyFields = ({ errors, unknownRows }: Verdict) =>
  new Set([...Object.keys(errors), ...Object.keys(unknownRows)].map((path) => path.split('.', 1)[0]));

const pickFields = (sent: object, isPicked: (field: string) => boolean) =>
  Object.fromEntries(Object.entries(sent).filter(([field]) => isPicked(field)));
