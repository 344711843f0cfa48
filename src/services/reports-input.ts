import Type, { type Static } from 'typebox';
import { limits } from '../config/limits.ts';
import { groupings, type Grouping, type GroupName, type ReportFilter } from '../db/reports.ts';
import { invalid } from '../errors.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { closed, instant, int4, oneOf, visibleText } from '../validation/schemas.ts';

const { active, draft } = EventStatus;

/** Statuses of events that are staffed. Canceled and deleted events need nobody. */
const staffed: EventStatus[] = [active, draft];

const dayMs = 86_400_000;

const reportFilter = Type.Object(
  {
    statuses: Type.Optional(Type.Array(oneOf(Object.values(EventStatus)), { maxItems: limits.filterValuesMax })),
    clientId: Type.Optional(int4(1)),
    positionId: Type.Optional(int4(1)),
    city: Type.Optional(visibleText(limits.cityChars)),
    state: Type.Optional(visibleText(limits.stateChars)),
  },
  closed,
);

export const period = {
  from: instant('Start of the time looked at; included.'),
  to: instant('End of the time looked at; not included.'),
};

export const reportInput = Type.Object(
  { ...period, groupBy: oneOf<Grouping>(groupings), filter: Type.Optional(reportFilter) },
  closed,
);

/** Throws unless the period has a start before its end and is not too long. */
export function checkPeriod({ from, to }: { from: Date; to: Date }): void {
  if (to <= from) throw invalid({ to: ['must be after from'] });
  if (to.getTime() - from.getTime() > limits.reportDaysMax * dayMs)
    throw invalid({ to: [`must be at most ${limits.reportDaysMax} days after from`] });
}

/** A report. Each group holds its value under the name of what is reported, such as `coverage`. */
export interface Report<Name extends string, Value> {
  readonly total: Value;
  readonly groups: readonly (Pick<GroupName, 'key' | 'label'> & Readonly<Record<Name, Value>>)[];
}

type ReportInput = Static<typeof reportInput>;

/** Runs a report and shapes its rows. It is refused if it would have more than `limits.reportGroupsMax` groups. */
export async function makeReport<Name extends string, Sums, Value>(
  name: Name,
  { from, to, groupBy, filter: { statuses = staffed, ...filter } = {} }: ReportInput,
  rowsOf: (filter: ReportFilter, groupBy: Grouping, groupsMax: number) => Promise<(GroupName & Sums)[]>,
  valueOf: (sums: Sums) => Value,
): Promise<Report<Name, Value>> {
  checkPeriod({ from, to });
  const [total, ...groups] = await rowsOf({ from, to, statuses, ...filter }, groupBy, limits.reportGroupsMax + 1);
  if (!total) throw new Error('A report has a total.');
  if (groups.length > limits.reportGroupsMax)
    throw invalid({
      groupBy: [`gives more than ${limits.reportGroupsMax} groups: choose a shorter span of time or a narrower filter`],
    });
  return {
    total: valueOf(total),
    groups: groups.map((row) => ({
      key: row.key,
      label: row.label,
      ...({ [name]: valueOf(row) } as Record<Name, Value>),
    })),
  };
}
