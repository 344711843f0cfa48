import { limits } from '../config/limits.ts';

/*
 * The rules of one time zone, whatever data they come from. All numbers in the files `tz-*.ts` are seconds: instants since
 * 1970 in UTC, and offsets east of UTC.
 */

export interface OffsetChange {
  readonly at: number;
  /** The offset from then on. */
  readonly offset: number;
}

/** One calendar year in UTC: the offset at its beginning, and the changes within it. */
export interface ZoneYear {
  readonly initial: number;
  readonly changes: readonly OffsetChange[];
}

/** Computes any year of a zone. */
export type ZoneRules = (year: number) => ZoneYear;

export interface RuleTable {
  /** The offset before the first change. */
  readonly initial: number;
  /** In the order of time. */
  readonly changes: readonly OffsetChange[];
  /** The rules that hold from `laterFrom` on; null means that the last offset stays. */
  readonly later: ZoneRules | null;
  readonly laterFrom: number;
}

export const startOfYear = (year: number): number => Date.UTC(year, 0, 1) / 1000;

/** Whether a number can be an offset: none is more than about a day. False for NaN. */
export const isOffset = (offset: number): boolean => Math.abs(offset) <= 26 * 3600;

/** Returns the instant from which the rules hold that follow the last listed change. */
export const afterLast = (changes: readonly OffsetChange[]): number => (changes.at(-1)?.at ?? -Infinity) + 1;

/** Makes the rules of a zone from its listed changes and the rules that follow them. */
export function tableRules(table: RuleTable): ZoneRules {
  const { later, laterFrom } = table;
  const { initial, changes } = withoutPast(table);
  return (year) => {
    const [from, to] = [startOfYear(year), startOfYear(year + 1)];
    const following = later && to > laterFrom ? later(year) : null;
    const before = changes.findLast(({ at }) => at < from)?.offset ?? initial;
    return {
      initial: following && from >= laterFrom ? following.initial : before,
      changes: [
        ...changes.filter(({ at }) => at >= from && at < to && at < laterFrom),
        ...(following?.changes.filter(({ at }) => at >= laterFrom) ?? []),
      ],
    };
  };
}

/** Leaves out changes before the years that the API knows, so that they take no memory. */
function withoutPast({ initial, changes }: RuleTable): Pick<RuleTable, 'initial' | 'changes'> {
  const from = startOfYear(limits.yearMin - 1);
  return {
    initial: changes.findLast(({ at }) => at < from)?.offset ?? initial,
    changes: changes.filter(({ at }) => at >= from),
  };
}

/** Leaves out changes that keep the offset, such as a change of the abbreviation only. */
export function withoutRepeats(initial: number, changes: readonly OffsetChange[]): OffsetChange[] {
  let current = initial;
  return changes.filter(({ offset }) => {
    const isChange = offset !== current;
    current = offset;
    return isChange;
  });
}
