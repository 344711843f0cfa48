import { readHeldRequirements, type Certificate, type HeldRequirement, type Job } from '../db/qualification-gaps.ts';
import type { TenantDb } from '../db/tenant.ts';
import { instantInZone } from '../time/zoned-time.ts';

/*
 * What people lack for work. A qualification is held for work if one certificate covers all of its days, by the clocks of the event,
 * and has at least the level that is required. The requirements of a call time add to those of the position.
 */

/** A requirement that a person does not meet. */
export interface QualificationGap {
  readonly qualificationId: number;
  readonly name: string;
  readonly minLevel: number | null;
  /** EXPIRED_QUALIFICATION: the person holds it in the level required, and not for all days of the work. */
  readonly code: 'MISSING_QUALIFICATION' | 'EXPIRED_QUALIFICATION';
  /** The last of the ends that come too early, and the first of the begins that come too late, `YYYY-MM-DD`; null without any. */
  readonly until: string | null;
  readonly from: string | null;
}

/** First and last day of work, `YYYY-MM-DD`. */
export interface WorkDays {
  readonly firstDay: string;
  readonly lastDay: string;
}

interface Span<At> {
  readonly startsAt: At;
  readonly endsAt: At;
}

/**
 * The days of work by the clocks of its event, which stands in for a time that is to be determined. Work that ends at midnight
 * does not need the day that begins then.
 */
export function findWorkDays(
  { startsAt, endsAt }: Span<Date | null>,
  event: Span<Date> & { readonly timezone: string },
): WorkDays {
  const start = startsAt?.getTime() ?? Math.min(event.startsAt.getTime(), (endsAt?.getTime() ?? Infinity) - 1000);
  const end = endsAt?.getTime() ?? Math.max(event.endsAt.getTime(), start + 1000);
  const dayAt = (ms: number) => instantInZone(new Date(ms), event.timezone).local!.slice(0, 10);
  return { firstDay: dayAt(start), lastDay: dayAt(Math.max(start, end - 1000)) };
}

/**
 * Reads what jobs require and what people, or all of them, hold of it, in one statement. The returned function finds what a person
 * lacks for one of the jobs on some days, by the name of the qualification.
 */
export async function openQualifications(
  db: TenantDb,
  jobs: readonly Job[],
  userIds: readonly number[] | 'all',
): Promise<(userId: number, job: Job, days: WorkDays) => QualificationGap[]> {
  const requirements = jobs.length === 0 ? [] : await readHeldRequirements(db, jobs, userIds);
  const held = requirements.map((requirement) => ({ requirement, of: groupByUser(requirement) }));
  return (userId, job, days) => {
    const gaps: QualificationGap[] = [];
    for (const { requirement, of } of held) {
      const { positionId, callTimeId } = requirement;
      if (positionId !== job.positionId && (callTimeId === null || callTimeId !== job.callTimeId)) continue;
      const gap = findGap(requirement, of.get(userId) ?? [], days);
      if (gap) gaps.push(gap);
    }
    if (gaps.length < 2) return gaps;
    // Where the position and the call time ask for one qualification, the higher level says more.
    return gaps.filter(
      (gap) =>
        !gaps.some(
          (other) =>
            other !== gap &&
            other.qualificationId === gap.qualificationId &&
            ((other.minLevel ?? 0) > (gap.minLevel ?? 0) ||
              (other.minLevel === gap.minLevel && gaps.indexOf(other) < gaps.indexOf(gap))),
        ),
    );
  };
}

function groupByUser({ held, minLevel }: HeldRequirement): ReadonlyMap<number, Certificate[]> {
  const groups = new Map<number, Certificate[]>();
  for (const certificate of held) {
    const [userId, level] = certificate;
    if (minLevel !== null && (level ?? 0) < minLevel) continue;
    const own = groups.get(userId);
    if (own) own.push(certificate);
    else groups.set(userId, [certificate]);
  }
  return groups;
}

function findGap(
  { qualificationId, name, minLevel }: HeldRequirement,
  certificates: readonly Certificate[],
  { firstDay, lastDay }: WorkDays,
): QualificationGap | null {
  const isMet = certificates.some(
    ([, , from, until]) => (from === null || from <= firstDay) && (until === null || until >= lastDay),
  );
  if (isMet) return null;
  const late = certificates.flatMap(([, , from]) => (from !== null && from > firstDay ? from : []));
  const early = certificates.flatMap(([, , , until]) => (until !== null && until < lastDay ? until : []));
  const code = certificates.length === 0 ? 'MISSING_QUALIFICATION' : 'EXPIRED_QUALIFICATION';
  const [until = null, from = null] = [early.toSorted().at(-1), late.toSorted()[0]];
  return { qualificationId, name, minLevel, code, until, from };
}
