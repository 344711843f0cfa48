import type { AttendanceQuery } from '../../../generated/pages/console/attendance.ts';
import { presenceOf } from '../../time/presence.ts';
import { formatMoment, formatTime } from '../../time/zones.ts';

/* What became of shifts on the day, for admins. */

export const views = ['attention', 'approve', 'approved', 'all'] as const;
export type View = (typeof views)[number];

const statesOf: Readonly<Record<View, readonly string[] | null>> = {
  attention: ['LATE', 'MISSING', 'PRESENT'],
  approve: ['TO_APPROVE'],
  approved: ['APPROVED'],
  all: null,
};

/** What the page shows stands in its address. Days are those of the business, and both are shown. */
export interface Address {
  readonly view: View;
  readonly from: string | null;
  readonly to: string | null;
  readonly event: string | null;
}

export const toFilter = ({ view, event }: Address, fromMs: number | null, toMs: number | null) => ({
  ...(statesOf[view] && { states: statesOf[view] }),
  ...(event && { eventId: event }),
  ...(fromMs !== null && { from: new Date(fromMs).toISOString() }),
  ...(toMs !== null && { to: new Date(toMs).toISOString() }),
});

export type Attendance = AttendanceQuery['attendance']['nodes'][number];

/** States in which a shift is, most telling first. */
export function statesOfShift(row: Attendance, nowMs: number) {
  const takesPlace = row.eventStatus === 'ACTIVE';
  const presence = presenceOf(row, nowMs);
  const isNotOut = presence === 'here' && row.endsAt !== null && Date.parse(row.endsAt) <= nowMs;
  const isOver = row.noShow || row.checkedOutAt !== null;
  return {
    takesPlace,
    presence,
    isNotOut,
    isToCome: presence === null && (row.startsAt === null || Date.parse(row.startsAt) > nowMs),
    isToApprove: isOver && row.approvedAt === null,
  };
}

/** `7.5`, in hours. */
export const formatHours = (minutes: number, language: string): string =>
  (minutes / 60).toLocaleString(language, { maximumFractionDigits: 2, minimumFractionDigits: 2 });

export function describePlan({ startsAt, endsAt, timezone }: Attendance, tbd: string): string {
  const start = startsAt === null ? tbd : formatMoment(Date.parse(startsAt), timezone);
  return `${start} – ${endsAt === null ? tbd : formatTime(Date.parse(endsAt), timezone)}`;
}
