import Type, { type Static, type TSchema } from 'typebox';
import { reportFilter, reportInput } from '../services/reports-input.ts';

/* The query of all reports, and their answer: a total and groups. */

const { statuses, ...filter } = reportFilter.properties;
const { filter: _filter, ...asked } = reportInput.properties;

/** Query of a report. The filter of the service has no level of its own in REST. */
export const reportQuery = Type.Object({ ...asked, status: statuses, ...filter });

/** Names of the query parameters, by path in the input of a report. */
export const reportErrorNames = { 'filter.statuses': 'status', filter: '' };

/** Translates the query into the input of the service. */
export const readReportQuery = ({ from, to, running, groupBy, status, ...conditions }: Static<typeof reportQuery>) => ({
  from,
  to,
  ...(running !== undefined && { running }),
  groupBy,
  filter: { ...conditions, ...(status && { statuses: status }) },
});

/** Shape of a report whose groups hold their value under a name, such as `coverage`. */
export function reportOf<V extends TSchema>(name: string, value: V) {
  return Type.Object({
    total: value,
    groups: Type.Array(
      Type.Object({
        key: Type.Union([Type.String(), Type.Null()], {
          description:
            'Key of the group: a local date, the UUID of an event, or the id of a position or a client; null for events without a client.',
        }),
        label: Type.Union([Type.String(), Type.Null()], {
          description: 'The date, a title or a name; null for events without a client.',
        }),
        [name]: value,
      }),
      { description: 'Days by date, events by start, positions and clients by name.' },
    ),
  });
}
