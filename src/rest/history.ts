import Type from 'typebox';
import { codesOf, historyChanges } from '../fields/codes.ts';
import { pageNumberInput } from '../paging/input.ts';
import { eventParams } from '../services/events-input.ts';
import { historyActorNames, historyKindNames, type HistoryEntry, type HistoryField } from '../fields/history.ts';
import * as history from '../services/history.ts';
import { shiftParams } from '../services/work-shifts-input.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { snakeCase } from './dialect.ts';
import { instantSchema, offsetTimeSchema, textSchema } from './formats.ts';
import { splitListQuery } from './list-query.ts';
import { listRoute } from './lists.ts';
import type { RestApp } from './route.ts';
import { viewOf } from './views.ts';

const textOrNull = (description: string) => nullable(textSchema(description));
const idOrNull = (description: string) => nullable(Type.Integer({ description }));

const { schema: HistoryFieldView, serialize: serializeField } = viewOf<HistoryField>('HistoryField')({
  name: [textSchema('Name of the field, such as `start_time`.'), ({ name }) => snakeCase(name)],
  before: Type.Unknown({
    description:
      'The value before; null if there was none. A time of an event is as the clocks at the event show it, an amount is text.',
  }),
  after: Type.Unknown({ description: 'The value after; null if there is none.' }),
  before_name: textOrNull(
    'Present name of the row that `before` is the id of, such as that of a user; null for other fields.',
  ),
  after_name: textOrNull('Present name of the row that `after` is the id of.'),
});

const { schema: HistoryEntryView, serialize: serializeEntry } = viewOf<HistoryEntry>('HistoryEntry')({
  at: instantSchema('When'),
  at_event: [
    nullable(offsetTimeSchema('When, as the clocks at the event showed it; null for rows of no event')),
    ({ atEvent }) => atEvent?.iso,
  ],
  timezone: [textOrNull('IANA time zone of the event; null for rows of no event.'), ({ atEvent }) => atEvent?.timezone],
  actor_kind: nullable(oneOf(historyActorNames, 'Kind of caller; null: the service itself.')),
  actor_id: idOrNull('Id of the user or of the API key that called; null for others.'),
  actor_name: textOrNull('Name of the caller at that time; null if the caller has none.'),
  operation: textOrNull(
    'The operation, such as `workShifts.update`, or `cli.` and a command of the operator; null if not noted.',
  ),
  request_id: textOrNull('`X-Request-Id` of the answer; null if no request made the change.'),
  revision: textSchema(
    'Data version of the business that the change led to. Rows that changed together have the same.',
  ),
  kind: oneOf(historyKindNames, 'Kind of the row.'),
  change: oneOf(codesOf(historyChanges), 'What happened to the row.'),
  row_id: Type.Integer({ description: 'Id of the row; of the value of a custom field, that of the custom field.' }),
  row_uuid: textOrNull('UUID of the row; null for kinds of rows without one.'),
  row_name: textOrNull(
    'Present name of the row: that of its person for a shift, of its position for a call time; null if it is gone.',
  ),
  event_uuid: textOrNull('UUID of the event that the row is, or belongs to; null for none.'),
  event_name: [textOrNull('Title of this event.'), ({ eventTitle }) => eventTitle],
  fields: [
    Type.Array(HistoryFieldView, {
      description: 'The fields that changed; of a new or a deleted row, those that have a value.',
    }),
    ({ fields }) => fields.map(serializeField),
  ],
});

const noun = { tag: 'History', isExtension: true, item: HistoryEntryView, serializeAll: () => serializeEntry } as const;
const description = 'For admins with the scope `full`, because it tells of pay and of internal notes.';

export function historyRoutes(app: RestApp): void {
  listRoute(app, {
    ...noun,
    url: '/v1/history',
    calls: history.list,
    summary: 'List who changed what in the business, newest first',
    description,
    query: Type.Object({ ...history.historyFilter.properties, ...pageNumberInput() }),
    errorNames: { filter: '' },
    read: (scope, { query }) => history.list(scope, splitListQuery(query)),
  });

  listRoute(app, {
    ...noun,
    url: '/v1/history/events/:uuid',
    calls: history.listByEvent,
    operationId: 'history.listOfEvent',
    summary: 'List who changed an event, newest first',
    description: `With its call times, shifts and custom field values. ${description}`,
    params: eventParams,
    query: Type.Object(pageNumberInput()),
    read: (scope, { params, query }) => history.listByEvent(scope, { ...params, ...query }),
  });

  listRoute(app, {
    ...noun,
    url: '/v1/history/work_shifts/:uuid',
    calls: history.listByShift,
    operationId: 'history.listOfShift',
    summary: 'List who changed a shift, newest first',
    description,
    params: shiftParams,
    query: Type.Object(pageNumberInput()),
    read: (scope, { params, query }) => history.listByShift(scope, { ...params, ...query }),
  });
}
