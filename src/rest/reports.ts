import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { PageRequest } from '../paging/pages.ts';
import { reportFilter, reportInput, type Report } from '../services/reports-input.ts';

/* The query of all reports, and their answer: a total and groups. */

const { statuses, ...filter } = reportFilter.properties;
const { filter: _filter, ...asked } = reportInput.properties;

/** Query of a report. The filter of the service has no level of its own in REST. */
export const reportQuery = Type.Object({ ...asked, status: statuses, ...filter });

/** Names of the query parameters, by path in the input of a report. */
export const reportErrorNames = { 'filter.statuses': 'status', filter: '' };

/** Translates the query into the input of the service. */
export const readReportQuery = ({
  from,
  to,
  running,
  groupBy,
  zone,
  status,
  ...conditions
}: Static<typeof reportQuery>) => ({
  from,
  to,
  ...(running !== undefined && { running }),
  ...(zone !== undefined && { zone }),
  groupBy,
  filter: { ...conditions, ...(status && { statuses: status }) },
});

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const groupProperties = {
  key: textOrNull(
    'Key of the group: a local date (of a week, its first day), a month, the UUID of an event, the id of a position or a user, or the name of a venue; null for events without a client or a venue, and for open places among staff.',
  ),
  label: textOrNull('The date, a title or a name; null where the key is.'),
  second_key: textOrNull('Key of the second thing that the report is grouped by; null if it is grouped by one.'),
  second_label: textOrNull('Label of that thing; null where its key is.'),
};

export const serializeGroup = ({ key, label, secondKey, secondLabel }: Report<never, never>['groups'][number]) => ({
  key,
  label,
  second_key: secondKey,
  second_label: secondLabel,
});

/** A report as CSV: a row for each group, and none for the total. */
export const reportCsv = <Q extends TObject, Name extends string, Value>(
  name: string,
  value: TObject,
  read: (scope: CallScope, query: Static<Q>) => Promise<Report<Name, Value>>,
  serialize: (group: Readonly<Record<Name, Value>>) => object,
) => ({
  name,
  row: Type.Object({ ...groupProperties, ...value.properties }),
  description: 'A row is a group; the total is left out.',
  read: async (scope: CallScope, { query }: { query: Static<Q> & PageRequest }) => {
    // A report has no pages.
    const { first: _first, after: _after, ...conditions } = query;
    const { groups } = await read(scope, conditions as Static<Q>);
    return { rows: groups.map((group) => ({ ...serializeGroup(group), ...serialize(group) })), next: null };
  },
});

/** Shape of a report whose groups hold their value under a name, such as `coverage`. */
export function reportOf<V extends TSchema>(name: string, value: V) {
  return Type.Object({
    total: value,
    groups: Type.Array(
      Type.Object({
        ...groupProperties,
        [name]: value,
      }),
      { description: 'Days, weeks and months by date, events by start, the others by name.' },
    ),
  });
}
