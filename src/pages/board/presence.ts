/* Who is there on the day. */

/** What is noted of a shift. */
export interface Noted {
  readonly checkedInAt: string | null;
  readonly checkedOutAt: string | null;
  readonly noShow?: boolean;
}

/** `late`: the start was less than half an hour ago, and nobody came. `missing`: it was longer ago. */
export type Presence = 'here' | 'left' | 'late' | 'missing' | 'noShow';

const minuteMs = 60_000;
/** When somebody who has not come is late, missing, and no longer looked for, counted from the start: as the service has it. */
const stepsMs = [0, 30 * minuteMs, 7 * 24 * 60 * minuteMs] as const;

/** The instants at which the presence of a person changes by itself. A start that is to be determined makes nobody late. */
export const presenceSteps = (startsAt: string | null): number[] =>
  startsAt === null ? [] : stepsMs.map((ms) => Date.parse(startsAt) + ms);

/** Whether people check in there at all: where nobody does, nobody is late. */
export const isAttended = (shifts: readonly { readonly attendance?: Noted | null }[]): boolean =>
  shifts.some(({ attendance }) => attendance?.checkedInAt || attendance?.noShow);

/** Null before the start, and where nothing can be said. `noted` is undefined where it is not known, as for clients. */
export function presenceOf(startsAt: string | null, noted: Noted | null | undefined, nowMs: number): Presence | null {
  if (!noted) return null;
  if (noted.noShow) return 'noShow';
  if (noted.checkedOutAt) return 'left';
  if (noted.checkedInAt) return 'here';
  const passed = presenceSteps(startsAt).filter((ms) => ms <= nowMs).length;
  return passed === 1 ? 'late' : passed === 2 ? 'missing' : null;
}

export const presenceMarks: Readonly<Record<Presence, string>> = {
  here: '●',
  left: '○',
  late: '!',
  missing: '‼',
  noShow: '–',
};
