import Type, { type Static } from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import { limits } from '../config/limits.ts';
import type { Scope } from '../access/scope.ts';
import { isCanceled } from '../db/engine/failures.ts';
import { type Grouped, type Grouping, type GroupName, type ReportFilter, type ZoneOffsets } from '../db/reports.ts';
import { invalid, unavailable } from '../errors.ts';
import { codesOf, reportGroupings, reportZones } from '../fields/codes.ts';
import type { ReportGroupRow } from '../fields/reports.ts';
import { EventStatus, Weekday } from '../generated/prisma/enums.ts';
import { nextTransition, offsetAt } from '../time/offsets.ts';
import { businessOf } from './viewer.ts';
import { closedObject, instant, oneOf, optionalFields, rowNumber, visibleText } from '../validation/schemas.ts';

const { active, draft } = EventStatus;

/** Statuses of events that are staffed. Canceled and deleted events need nobody. */
const staffed: EventStatus[] = [active, draft];

const dayMs = 86_400_000;

export const reportFilter = optionalFields({
  statuses: Type.Array(oneOf(Object.values(EventStatus)), {
    maxItems: limits.namedItemsMax,
    description:
      'Counts only events with these statuses. Default: `ACTIVE` and `DRAFT`, because other events need no staff.',
  }),
  clientId: rowNumber('Counts only events of the client with this id.'),
  positionId: rowNumber('Counts only call times and shifts of the position with this id.'),
  city: visibleText(limits.textChars, {
    description: 'Counts only events in this city, without regard to case and accents.',
  }),
  state: visibleText(limits.regionChars, {
    description: 'Counts only events in this state, without regard to case and accents.',
  }),
});

export const period = {
  from: instant('Start of the time looked at; included.'),
  to: instant(`End of the time looked at; not included. At most ${limits.spanDaysMax} days after the start.`),
};

export const reportInput = closedObject({
  ...period,
  running: Type.Optional(
    Type.Boolean({
      description:
        'Counts whole events that run at some time in the period, such as one that started the day before, and not only those that start in it. Default: false.',
    }),
  ),
  groupBy: Type.Array(oneOf(codesOf(reportGroupings)), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    description: `What each group of the report stands for: one thing, or two at once. A report with more than ${limits.reportGroupsMax} groups is refused.`,
  }),
  zone: Type.Optional(
    oneOf(
      codesOf(reportZones),
      'Whose clocks say on which day, in which week and in which month an event starts: those of the event, which is the default, or those of the business.',
    ),
  ),
  filter: Type.Optional({ ...reportFilter, description: 'Counts only what matches this filter.' }),
});

/** Throws unless the period has a start before its end and is not too long. */
export function checkPeriod(span: Span): void {
  const errors = findSpanFaults(span);
  if (errors.to) throw invalid(errors);
}

interface Span {
  readonly from: Date;
  readonly to: Date;
}

function findSpanFaults({ from, to }: Span): { to?: string[] } {
  if (to <= from) return { to: ['must be after from'] };
  if (to.getTime() - from.getTime() <= limits.spanDaysMax * dayMs) return {};
  return { to: [`must be at most ${limits.spanDaysMax} days after from`] };
}

/** The rule that `checkPeriod` enforces. */
export const periodRule: InputRule<Span> = {
  over: ['from', 'to'],
  check: (_scope, span) => findSpanFaults(span),
};

/** A report. Each group holds its value under the name of what is reported, such as `coverage`. */
export interface Report<Name extends string, Value> {
  readonly total: Value;
  readonly groups: readonly (ReportGroupRow & Readonly<Record<Name, Value>>)[];
}

type ReportInput = Static<typeof reportInput>;

/** The rule that a report without people enforces. */
export const noStaffRule = (report: string): InputRule<Pick<ReportInput, 'groupBy'>> => ({
  over: ['groupBy'],
  check: (_scope, { groupBy }) => findStaffFaults(groupBy, report),
});

/** Throws what `noStaffRule` names. */
export function refuseStaff({ groupBy }: Pick<ReportInput, 'groupBy'>, report: string): void {
  const errors = findStaffFaults(groupBy, report);
  if (errors.groupBy) throw invalid(errors);
}

function findStaffFaults(groupBy: readonly Grouping[], report: string): { groupBy?: string[] } {
  if (!groupBy.includes('staff')) return {};
  return { groupBy: [`must not be staff in ${report}, because places are nobody's: ask for the report of work`] };
}

/** Days between Monday and the first day of a week. */
export const daysAfterMonday = (weekStart: Weekday) => Object.values(Weekday).indexOf(weekStart);

/** The offsets of a zone over the starts of the events that a report may count. */
export function offsetsOf(zone: string, { from, to }: Span): ZoneOffsets {
  // Events that run in the span may have started long before.
  let at = new Date(from.getTime() - limits.spanDaysMax * dayMs);
  const first = offsetAt(at, zone) / 1000;
  const changes: { at: Date; offset: number }[] = [];
  for (let next = nextTransition(at, to, zone); next; next = nextTransition(at, to, zone)) {
    at = next.at;
    changes.push({ at, offset: next.offsetAfter / 1000 });
  }
  return { first, changes };
}

/** Runs a report and shapes its rows. It is refused if it would have more than `limits.reportGroupsMax` groups. */
export async function makeReport<Name extends string, Sums, Value>(
  name: Name,
  scope: Scope,
  { from, to, running, groupBy, zone, filter: { statuses = staffed, ...filter } = {} }: ReportInput,
  rowsOf: (filter: ReportFilter, grouped: Grouped) => Promise<(GroupName & Sums)[]>,
  valueOf: (sums: Sums) => Value,
): Promise<Report<Name, Value>> {
  checkPeriod({ from, to });
  const { timezone, weekStart } = businessOf(scope);
  const grouped = {
    by: groupBy,
    offsets: zone === 'business' ? offsetsOf(timezone, { from, to }) : null,
    weekStart: daysAfterMonday(weekStart),
    groupsMax: limits.reportGroupsMax,
  };
  const [total, ...groups] = await inTime({ from, to }, rowsOf({ from, to, running, statuses, ...filter }, grouped));
  if (!total) throw new Error('A report has a total.');
  if (groups.length > limits.reportGroupsMax)
    throw invalid({
      groupBy: [`gives more than ${limits.reportGroupsMax} groups: choose a shorter span of time or a narrower filter`],
    });
  return {
    total: valueOf(total),
    groups: groups.map(({ isTotal: _isTotal, key, label, secondKey, secondLabel, ...sums }) => ({
      key,
      label,
      secondKey,
      secondLabel,
      ...({ [name]: valueOf(sums as Sums) } as Record<Name, Value>),
    })),
  };
}

/** Waits for a report. One that takes too long is refused with the span that may fit. */
export async function inTime<Rows>({ from, to }: Span, rows: Promise<Rows>): Promise<Rows> {
  try {
    return await rows;
  } catch (error) {
    if (!isCanceled(error)) throw error;
    const middle = new Date(from.getTime() + Math.ceil((to.getTime() - from.getTime()) / 2));
    throw unavailable(
      `The report takes longer than the service waits for its database: ask for a shorter span, such as from ${from.toISOString()} to ${middle.toISOString()}, or narrow the filter.`,
      limits.busyRetryS,
      error,
    );
  }
}
