import Type, { type Static, type TObject } from 'typebox';
import type { CallScope } from '../access/scope.ts';
import type { EventRow } from '../fields/events.ts';
import { groupBy } from '../paging/group-by.ts';
import * as callTimes from '../services/call-times.ts';
import * as definitions from '../services/custom-field-definitions.ts';
import * as customFieldValues from '../services/custom-field-values.ts';
import * as events from '../services/events.ts';
import * as workShifts from '../services/work-shifts.ts';
import { toCsvPage, type ListCsv } from './csv.ts';
import { readEventQuery, type eventQuery } from './events-query.ts';
import { EventItem, serializeEventItem } from './events-views.ts';

const { call_times: _callTimes, work_shifts: _workShifts, custom_fields: _customFields, ...own } = EventItem.properties;

/** An event on one line: its lists are counted, its custom fields are columns. */
const EventLine = Type.Object({
  ...own,
  call_times: Type.Object({ count: Type.Integer() }),
  work_shifts: Type.Object({ count: Type.Integer() }),
});

export const eventsCsv: ListCsv<TObject, typeof eventQuery> = {
  name: 'events',
  row: EventLine,
  description:
    'Call times and active shifts are counted (`call_times.count`, `work_shifts.count`); each custom field of the business is a column `custom_fields.<name>`, whatever `fields` says.',
  extraColumns: async (scope) => (await definitions.list(scope, {})).map(({ name }) => ['custom_fields', name]),
  read: async (scope, { query }) => {
    const page = await events.list(scope, readEventQuery(query));
    const lineOf = await linesOf(scope, page.rows);
    return toCsvPage(page, lineOf);
  },
};

async function linesOf(scope: CallScope, rows: readonly EventRow[]) {
  const eventIds = rows.map(({ id }) => id);
  const [callTimeCounts, shiftCounts, values] = await Promise.all([
    callTimes.countByEvents(scope, { eventIds }),
    workShifts.countByParents(scope, { parent: 'eventId', ids: eventIds }),
    customFieldValues.getByEvents(scope, { eventIds }),
  ]);
  const valuesOf = groupBy('eventId', values);
  return (event: EventRow): Static<typeof EventLine> & { custom_fields: Record<string, string> } =>
    serializeEventItem(event, {
      call_times: { count: callTimeCounts.get(event.id) ?? 0 },
      work_shifts: { count: shiftCounts.get(event.id) ?? 0 },
      custom_fields: Object.fromEntries(valuesOf(event.id).map(({ fieldName, fieldValue }) => [fieldName, fieldValue])),
    });
}
