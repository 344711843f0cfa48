import Type from 'typebox';
import * as board from '../services/screens-board.ts';
import * as screens from '../services/screens.ts';
import { nullable } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { instantSchema, offsetTimeSchema, textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { OwnScreenView, serializeOwnScreen } from './screens.ts';
import { titled, viewOf } from './views.ts';

const noun = { tag: 'Screens', isExtension: true } as const;

const startIsOpen = Type.Boolean({ description: 'Whether the start is still to be determined.' });
const endIsOpen = Type.Boolean({ description: 'Whether the end is still to be determined.' });

type BoardEvent = Awaited<ReturnType<typeof board.read>>['events'][number];

const { schema: ScreenCallTimeView, serialize: serializeCallTime } = viewOf<BoardEvent['callTimes'][number]>(
  'ScreenCallTime',
)({
  uuid: textSchema('UUID of the call time.'),
  position: textSchema('Title of the position.'),
  skill_level: nullable(textSchema('Name of the skill level asked for.')),
  staff_needed: Type.Integer({ description: 'Number of people needed.' }),
  starts_at: instantSchema('Start'),
  ends_at: instantSchema('End'),
  start_time_tbd: startIsOpen,
  end_time_tbd: endIsOpen,
});

const { schema: ScreenShiftView, serialize: serializeShift } = viewOf<BoardEvent['workShifts'][number]>('ScreenShift')({
  uuid: textSchema('UUID of the shift.'),
  call_time_uuid: nullable(textSchema('UUID of the call time; null if it fills none on this board.')),
  position: textSchema('Title of the position.'),
  first_name: nullable(textSchema('First name; null if the screen hides names.')),
  last_name: nullable(textSchema('Last name, or its initial if the screen shows short names; null if it hides names.')),
  confirmed: Type.Boolean({ description: 'Whether the person confirmed.' }),
  double_booked: Type.Boolean({
    description:
      'Whether the person has, or may have, another shift at that time, also at an event that the screen does not show.',
  }),
  created_at: instantSchema('Assigned'),
  starts_at: nullable(instantSchema('Start; null: to be determined')),
  ends_at: nullable(instantSchema('End; null: to be determined')),
  checked_in_at: nullable(instantSchema('When the person came; null: not noted')),
  checked_out_at: nullable(instantSchema('When the person left; null: not noted')),
});

const { schema: ScreenEventView, serialize: serializeEvent } = viewOf<BoardEvent>('ScreenEvent')({
  uuid: textSchema('UUID of the event.'),
  title: textSchema('Title of the event.'),
  timezone: textSchema('IANA time zone.'),
  start: [nullable(offsetTimeSchema('Start')), ({ start }) => start.iso],
  starts_at: instantSchema('Start'),
  ends_at: instantSchema('End'),
  start_time_tbd: startIsOpen,
  end_time_tbd: endIsOpen,
  venue_name: nullable(textSchema('Venue.')),
  room: nullable(textSchema('Room or location.')),
  city: nullable(textSchema('City of the venue.')),
  dress_code: nullable(textSchema('Dress code for staff.')),
  call_times: [
    Type.Array(ScreenCallTimeView, { description: 'Call times, by start.' }),
    ({ callTimes }) => callTimes.map(serializeCallTime),
  ],
  work_shifts: [
    Type.Array(ScreenShiftView, { description: 'Active shifts, by start.' }),
    ({ workShifts }) => workShifts.map(serializeShift),
  ],
});

export function ownScreenRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_screen',
    calls: screens.getOwn,
    summary: 'Read the screen that calls',
    response: envelope(OwnScreenView),
    handle: async (scope) => answer(serializeOwnScreen(await screens.getOwn(scope, {}))),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/my_screen',
    calls: screens.revokeOwn,
    summary: 'Revoke the board token used in the call',
    response: envelope(Type.Object({ revoked: Type.Integer({ description: 'How many were revoked.' }) })),
    handle: async (scope) => answer({ revoked: await screens.revokeOwn(scope, {}) }, 'Screen revoked.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/my_screen/board',
    calls: board.read,
    summary: 'Read what the screen that calls shows of a span of time',
    description: 'The active events of its filter, with their call times and active shifts.',
    query: board.boardInput,
    response: envelope(
      titled('ScreenBoard', {
        events: Type.Array(ScreenEventView, { description: 'The events that run in the span, by start.' }),
        has_more: Type.Boolean({ description: 'Whether more events than these run in the span.' }),
      }),
    ),
    handle: async (scope, { query }) => {
      const { events, hasMore } = await board.read(scope, query);
      return answer({ events: events.map(serializeEvent), has_more: hasMore });
    },
  });
}
