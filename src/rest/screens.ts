import Type from 'typebox';
import type { ScreenRow } from '../db/screens.ts';
import { codesOf, screenClaimStates } from '../fields/codes.ts';
import { checkInText, secretText } from '../fields/screens.ts';
import { ScreenNames, Weekday } from '../generated/prisma/enums.ts';
import * as screens from '../services/screens.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { instantSchema, textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { titled, viewOf } from './views.ts';

const noun = { tag: 'Screens', isExtension: true } as const;

const names = oneOf(Object.values(ScreenNames), 'How people are named on it.');

const { schema: ScreenView, serialize: serializeScreen } = viewOf<ScreenRow>('Screen')({
  uuid: textSchema('UUID of the screen.'),
  name: textSchema('Name of the screen.'),
  names,
  client_id: nullable(Type.Integer({ description: 'It shows only events of this client.' })),
  position_id: nullable(Type.Integer({ description: 'It shows only call times and shifts of this position.' })),
  city: nullable(textSchema('It shows only events in this city.')),
  text: nullable(textSchema('It shows only events with this text in their title, venue or city.')),
  check_in_event_uuid: nullable(textSchema(checkInText)),
  created_at: instantSchema('Approved'),
  claimable_until: instantSchema('Until when the browser can claim its board token'),
  claimed_at: nullable(instantSchema('When the browser claimed its board token')),
  last_seen_at: nullable(instantSchema('Last request of the screen, to the minute')),
});

export const { schema: OwnScreenView, serialize: serializeOwnScreen } = viewOf<
  Awaited<ReturnType<typeof screens.getOwn>>
>('OwnScreen')({
  uuid: textSchema('UUID of the screen.'),
  name: textSchema('Name of the screen.'),
  names,
  business_name: textSchema('Name of the business whose events it shows.'),
  timezone: textSchema('IANA time zone of that business.'),
  week_start: oneOf(Object.values(Weekday), 'First day of the week of that business.'),
  check_in_event_uuid: nullable(textSchema(checkInText)),
});

const { schema: ScreenCodeView, serialize: serializeCode } = viewOf<Awaited<ReturnType<typeof screens.createCode>>>(
  'ScreenCode',
)({
  code: textSchema('The code that the browser shows, for an admin to approve.'),
  secret: textSchema(secretText),
  expires_at: instantSchema('When the code ends'),
});

const ScreenClaimView = titled('ScreenClaim', {
  status: oneOf(
    codesOf(screenClaimStates),
    'Whether the code was approved: `pending` until it is, `claimed` once, `expired` when a new code is needed.',
  ),
  board_token: nullable(
    textSchema('Board token, to be sent as a bearer credential. Shown only in this answer; null unless `claimed`.'),
  ),
  screen: nullable(OwnScreenView),
});

export function screenRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/screens/codes',
    calls: screens.createCode,
    summary: 'Make a code for a browser that is to become a screen',
    description: 'Nothing is stored before an admin approves the code.',
    response: envelope(ScreenCodeView),
    handle: async (scope) => answer(serializeCode(await screens.createCode(scope, {}))),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/screens/claims',
    calls: screens.claim,
    summary: 'Exchange the secret of an approved code for a board token',
    description: 'Call it every few seconds while it answers `pending`. A code is claimed once.',
    body: screens.claimInput,
    example: { secret: `${'q'.repeat(43)}.1764000000` },
    response: envelope(ScreenClaimView),
    handle: async (scope, { body }) => {
      const claim = await screens.claim(scope, body);
      return claim.status === 'claimed'
        ? answer(
            { status: claim.status, board_token: claim.boardToken, screen: serializeOwnScreen(claim.screen) },
            'Screen claimed. Its board token is shown this once.',
          )
        : answer({ status: claim.status, board_token: null, screen: null });
    },
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/screens',
    calls: screens.list,
    summary: 'List the screens of the business, oldest first',
    description: 'Those that are in use, and those whose approval can still be claimed.',
    response: envelope(Type.Array(ScreenView)),
    handle: async (scope) => answer((await screens.list(scope, {})).map(serializeScreen)),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/screens',
    calls: screens.approve,
    summary: 'Approve the code that a browser shows',
    description:
      'The browser has ten minutes to claim its board token, and then shows the board. Approved for an event, it checks people in and out there.',
    conflicts: true,
    body: screens.approveInput,
    status: 201,
    created: '/v1/screens/:uuid',
    response: envelope(ScreenView),
    handle: async (scope, { body }) => answer(serializeScreen(await screens.approve(scope, body)), 'Screen approved.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/screens/:uuid',
    calls: screens.get,
    summary: 'Read one screen',
    params: screens.screenParams,
    response: envelope(ScreenView),
    handle: async (scope, { params }) => answer(serializeScreen(await screens.get(scope, params))),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/screens/:uuid',
    calls: screens.revoke,
    summary: 'Revoke a screen',
    description: 'Its board token and its streams end at once. Answers with its last state.',
    params: screens.screenParams,
    response: envelope(ScreenView),
    handle: async (scope, { params }) =>
      answer(serializeScreen(await screens.revoke(scope, params)), 'Screen revoked.'),
  });
}
