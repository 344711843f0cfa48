/* Who is there on the day. */

/** What is noted of a shift. */
export interface Noted {
  /** From when on the person is late while nothing is noted; null where nobody is told to be late. */
  readonly lateFrom?: string | null;
  readonly checkedInAt: string | null;
  readonly checkedOutAt: string | null;
  readonly noShow?: boolean;
}

/** `late`: the start was less than half an hour ago, and nobody came. `missing`: it was longer ago. */
export type Presence = 'here' | 'left' | 'late' | 'missing' | 'noShow';

const minuteMs = 60_000;
/** When somebody who has not come is late, missing, and no longer looked for, counted from `lateFrom`: as the service has it. */
const stepsMs = [0, 30 * minuteMs, 7 * 24 * 60 * minuteMs] as const;

/** The instants at which the presence of a person changes by itself. */
export const presenceSteps = ({ lateFrom }: Noted): number[] =>
  lateFrom ? stepsMs.map((ms) => Date.parse(lateFrom) + ms) : [];

/** Null before the start, and where nothing can be said. `noted` is undefined where it is not known, as for clients. */
export function presenceOf(noted: Noted | null | undefined, nowMs: number): Presence | null {
  if (!noted) return null;
  if (noted.noShow) return 'noShow';
  if (noted.checkedOutAt) return 'left';
  if (noted.checkedInAt) return 'here';
  const passed = presenceSteps(noted).filter((ms) => ms <= nowMs).length;
  return passed === 1 ? 'late' : passed === 2 ? 'missing' : null;
}

/** Whether a person still has to answer: who has come, or did not, has not. */
export const isWaiting = ({
  confirmed,
  attendance,
}: {
  readonly confirmed: boolean;
  readonly attendance?: Noted | null;
}): boolean => !confirmed && !attendance?.checkedInAt && !attendance?.noShow;

export const presenceMarks: Readonly<Record<Presence, string>> = {
  here: '●',
  left: '○',
  late: '!',
  missing: '‼',
  noShow: '–',
};
