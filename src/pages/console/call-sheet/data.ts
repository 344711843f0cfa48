import type {
  AdminSheetFragment,
  SheetFieldsFragment,
  SheetForOthersQuery,
  SheetShiftFragment,
} from '../../../generated/pages/console/call-sheet.ts';

/* What the call sheets ask, and how events become sheets. */

type SheetCall = SheetFieldsFragment['callTimes'][number];

/** Admins see the client and the phones of the people too. */
export type SheetEvent = SheetForOthersQuery['event'] & Partial<Pick<AdminSheetFragment, 'client'>>;

export type Shift = SheetShiftFragment & Partial<Pick<AdminSheetFragment['workShifts'][number], 'user'>>;

export interface Group {
  /** Null: the people without a call time. */
  readonly call: SheetCall | null;
  readonly shifts: readonly Shift[];
}

export interface Sheet {
  readonly event: SheetEvent;
  readonly day: string;
  readonly groups: readonly Group[];
}

/** One sheet for each day, on the clocks of the event, on which somebody starts: a printed code holds for the shifts of one day. */
export function toSheets(event: SheetEvent): Sheet[] {
  const dayOf = (startTime: string | null) => (startTime ?? event.startTime).slice(0, 10);
  const calls = event.callTimes.toSorted((one, other) => (one.startTime < other.startTime ? -1 : 1));
  const days = new Map<string, Group[]>();
  for (const call of [...calls, null]) {
    const shifts = event.workShifts.filter(({ callTime }) => callTime?.uuid === call?.uuid);
    const own = call ? [dayOf(call.startTimeTbd ? null : call.startTime)] : [];
    for (const day of new Set([...own, ...shifts.map(({ startTime }) => dayOf(startTime))])) {
      const group = { call, shifts: shifts.filter(({ startTime }) => dayOf(startTime) === day) };
      days.set(day, [...(days.get(day) ?? []), group]);
    }
  }
  if (days.size === 0) days.set(dayOf(null), []);
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([day, groups]) => ({ event, day, groups }));
}
