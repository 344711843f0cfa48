import Type, { type Static } from 'typebox';
import type { InputRule } from '../access/input-rules.ts';
import { limits } from '../config/limits.ts';
import { groupings, type Grouping, type GroupName, type ReportFilter } from '../db/reports.ts';
import { invalid } from '../errors.ts';
import { EventStatus } from '../generated/prisma/enums.ts';
import { closed, instant, int4, oneOf, visibleText } from '../validation/schemas.ts';

const { active, draft } = EventStatus;

/** Statuses of events that are staffed. Canceled and deleted events need nobody. */
const staffed: EventStatus[] = [active, draft];

const dayMs = 86_400_000;

export const reportFilter = Type.Object(
  {
    statuses: Type.Optional(
      Type.Array(oneOf(Object.values(EventStatus)), {
        maxItems: limits.namedItemsMax,
        description: 'Counts only events with these statuses. Default: active and draft.',
      }),
    ),
    clientId: Type.Optional(int4(1, limits.int4Max, 'Counts only events of the client with this id.')),
    positionId: Type.Optional(
      int4(1, limits.int4Max, 'Counts only call times and shifts of the position with this id.'),
    ),
    city: Type.Optional(
      visibleText(limits.textChars, { description: 'Counts only events in this city, in upper or lower case.' }),
    ),
    state: Type.Optional(
      visibleText(limits.regionChars, { description: 'Counts only events in this state, in upper or lower case.' }),
    ),
  },
  closed,
);

export const period = {
  from: instant('Start of the time looked at; included.'),
  to: instant('End of the time looked at; not included.'),
};

export const reportInput = Type.Object(
  {
    ...period,
    running: Type.Optional(
      Type.Boolean({
        description:
          'Counts whole events that run at some time in the period, such as one that started the day before, and not only those that start in it. Default: false.',
      }),
    ),
    groupBy: oneOf<Grouping>(groupings, 'What each group of the report stands for.'),
    filter: Type.Optional(reportFilter),
  },
  closed,
);

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
  if (to.getTime() - from.getTime() <= limits.reportDaysMax * dayMs) return {};
  return { to: [`must be at most ${limits.reportDaysMax} days after from`] };
}

/** The rule that `checkPeriod` enforces. */
export const periodRule: InputRule<Span> = {
  over: ['from', 'to'],
  check: (_scope, span) => findSpanFaults(span),
};

/** A report. Each group holds its value under the name of what is reported, such as `coverage`. */
export interface Report<Name extends string, Value> {
  readonly total: Value;
  readonly groups: readonly (Pick<GroupName, 'key' | 'label'> & Readonly<Record<Name, Value>>)[];
}

type ReportInput = Static<typeof reportInput>;

/** Runs a report and shapes its rows. It is refused if it would have more than `limits.reportGroupsMax` groups. */
export async function makeReport<Name extends string, Sums, Value>(
  name: Name,
  { from, to, running, groupBy, filter: { statuses = staffed, ...filter } = {} }: ReportInput,
  rowsOf: (filter: ReportFilter, groupBy: Grouping, groupsMax: number) => Promise<(GroupName & Sums)[]>,
  valueOf: (sums: Sums) => Value,
): Promise<Report<Name, Value>> {
  checkPeriod({ from, to });
  const [total, ...groups] = await rowsOf(
    { from, to, running, statuses, ...filter },
    groupBy,
    limits.reportGroupsMax + 1,
  );
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
