import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { lockPlans, readAttendedPlans, type AttendedPlan, type PlansOf } from '../db/attendance-plan.ts';
import type { AttendedClash } from '../db/clashes.ts';
import { isAttended } from '../db/engine/failures.ts';
import { Failure } from '../errors.ts';
import { createClashFailure } from './staffing.ts';

/*
 * Attendance belongs to what was worked. A plan that moves afterwards changes what is paid, so nothing that was approved follows it,
 * and what is noted follows only for a reason.
 */

/** The worked minutes of a shift before and after its plan was changed for a reason; null: not known yet. */
export interface Reworked {
  readonly shiftUuid: string;
  readonly userId: number;
  readonly minutesBefore: number | null;
  readonly minutesAfter: number | null;
}

/** A changed row, and what its change made of the attendance of shifts, if anything. */
export type WithReworked<Row> = Row & { readonly reworked?: readonly Reworked[] };

/**
 * Opens a change of the plan of shifts, whose events are locked. `guard` takes the write that the database may refuse; `settle`, once the
 * change is made, compares what was noted of the shifts before and after it, and returns what has become of the worked minutes.
 */
export async function watchAttended(tx: Scope, of: PlansOf, override: { reason: string } | null | undefined) {
  await lockPlans(tx.db, of);
  const before = await readAttendedPlans(tx.db, of);
  const approvedShifts = before.filter(({ isApproved }) => isApproved).length;
  const guard = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      throw isAttended(error) && approvedShifts > 0 ? approvedFailure(approvedShifts) : error;
    }
  };
  const settle = async (): Promise<Reworked[]> => {
    if (before.length === 0) return [];
    const after = new Map((await readAttendedPlans(tx.db, of)).map((plan) => [plan.id, plan]));
    const changed = before.flatMap((was) => {
      const now = after.get(was.id);
      return now && isOther(was, now) ? [{ was, now }] : [];
    });
    const frozen = changed.filter(({ was }) => was.isApproved).length;
    if (frozen > 0) throw approvedFailure(frozen);
    if (changed.length === 0) return [];
    if (!override) throw notedFailure(changed.slice(0, limits.listedMax));
    const ids = changed.map(({ was }) => was.id);
    await tx.db.attendance.updateMany({
      where: { id: { in: ids } },
      data: { changeReason: override.reason, modifiedAt: tx.clock() },
    });
    for (const id of ids) tx.record({ kind: 'attendance', id });
    return changed.map(({ was, now }) => ({
      shiftUuid: was.uuid,
      userId: was.userId,
      minutesBefore: was.minutes,
      minutesAfter: now.minutes,
    }));
  };
  return { guard, settle };
}

/** For a change that moves no plan. */
export const unwatched: Awaited<ReturnType<typeof watchAttended>> = {
  guard: (write) => write,
  settle: () => Promise.resolve([]),
};

export const withReworked = <Row extends object>(row: Row, reworked: readonly Reworked[]): WithReworked<Row> =>
  reworked.length > 0 ? { ...row, reworked } : row;

/** A rate of what is not approved yet can be set right: it is paid as it is then. */
const isOther = (was: AttendedPlan, now: AttendedPlan): boolean =>
  (['startsAt', 'endsAt', 'sortedAt', 'minutes'] as const).some((name) => Number(was[name]) !== Number(now[name])) ||
  (was.isApproved && (['positionId', 'payRate', 'payUnit'] as const).some((name) => was[name] !== now[name]));

const approvedFailure = (approvedShifts: number) =>
  new Failure(
    'CONFLICT',
    `The change would rewrite approved work (shifts: ${approvedShifts}), which stays in its place and time and at its rate. Change its attendance first, which ends the approval.`,
    { details: { approvedShifts } },
  );

function notedFailure(changed: readonly { readonly was: AttendedPlan; readonly now: AttendedPlan }[]): Failure {
  const describe = ({ was, now }: (typeof changed)[number]) => {
    const worked = (count: number | null) => (count === null ? 'an unknown time' : `${count} minutes`);
    return `at “${was.eventTitle}” on ${was.day}: ${worked(was.minutes)} before, ${worked(now.minutes)} after`;
  };
  const clashes = changed.map((each): AttendedClash => {
    const { userId, uuid, eventUuid, eventTitle, startsAt, endsAt, minutes } = each.was;
    const text = `Has attendance, which the change would move, ${describe(each)}`;
    const shift = { shiftUuid: uuid, eventUuid, eventTitle, startsAt, endsAt, minutes, until: null };
    return { kind: 'ATTENDED', userId, text, ...shift };
  });
  return createClashFailure(
    clashes,
    'The change would move shifts of which attendance is noted. To make it anyway, send an override with a reason (`override_reason` in REST).',
    { startTime: changed.map((each) => `would move what ${each.was.name} has worked ${describe(each)}`) },
  );
}
