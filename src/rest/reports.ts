import Type, { type Static, type TObject } from 'typebox';
import type { Operation } from '../access/operation.ts';
import type { CallScope } from '../access/scope.ts';
import { reportGroupFields, type ReportGroupRow } from '../fields/reports.ts';
import type { PageRequest } from '../paging/pages.ts';
import { reportFilter, type Report } from '../services/reports-input.ts';
import { workReportInput } from '../services/work-report.ts';
import { snakeCase } from './dialect.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { shapeOf } from './shapes.ts';

const { statuses, ...conditions } = reportFilter.properties;
const { filter: _filter, canceledWithinHours, ...asked } = workReportInput.properties;

/** Query of a report. The filter of the service has no level of its own in REST. */
const reportQuery = Type.Object({ ...asked, status: statuses, ...conditions });
const workQuery = Type.Object({ ...reportQuery.properties, canceledWithinHours });

/** Translates the query into the input of the service. A report has no pages, although CSV is asked for by page. */
const readReportQuery = ({
  from,
  to,
  groupBy,
  running,
  zone,
  canceledWithinHours: hours,
  status,
  first: _first,
  after: _after,
  ...filter
}: Static<typeof workQuery> & PageRequest) => ({
  from,
  to,
  groupBy,
  ...(running !== undefined && { running }),
  ...(zone !== undefined && { zone }),
  ...(hours !== undefined && { canceledWithinHours: hours }),
  filter: { ...filter, ...(status && { statuses: status }) },
});

const group = shapeOf<ReportGroupRow>(reportGroupFields, [], { nulls: 'anyOf' });

interface ReportRoute<Name extends string, Value> {
  /** Under which each group has its value, such as `labourCost`. */
  readonly name: Name;
  readonly calls: Pick<Operation<never, unknown>, 'operation'> &
    ((scope: CallScope, input: ReturnType<typeof readReportQuery>) => Promise<Report<Name, Value>>);
  readonly schema: TObject;
  readonly serialize: (value: Value) => Record<string, unknown>;
  readonly summary: string;
  readonly description?: string;
}

/** Adds the route of a report: a total and groups, or the groups alone as CSV. */
export function reportRoute<Name extends string, Value>(
  app: RestApp,
  { name, calls, schema, serialize, ...facts }: ReportRoute<Name, Value>,
): void {
  const member = snakeCase(name);
  route(app, {
    ...facts,
    calls,
    method: 'GET',
    url: `/v1/${member}`,
    tag: 'Reports',
    isExtension: true,
    query: name === 'work' ? workQuery : reportQuery,
    errorNames: { 'filter.statuses': 'status', filter: '' },
    response: envelope(
      Type.Object({
        total: schema,
        groups: Type.Array(Type.Object({ ...group.properties, [member]: schema }), {
          description: 'Days, weeks and months by date, events by start, the others by name.',
        }),
      }),
    ),
    csv: {
      name: member.replaceAll('_', '-'),
      row: Type.Object({ ...group.properties, ...schema.properties }),
      description: 'A row is a group; the total is left out.',
      read: async (scope, { query }) => {
        const { groups } = await calls(scope, readReportQuery(query));
        return { rows: groups.map((row) => ({ ...group.serialize(row), ...serialize(row[name]) })), next: null };
      },
    },
    handle: async (scope, { query }) => {
      const { total, groups } = await calls(scope, readReportQuery(query));
      return answer({
        total: serialize(total),
        groups: groups.map((row) => ({ ...group.serialize(row), [member]: serialize(row[name]) })),
      });
    },
  });
}
