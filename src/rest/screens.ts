import Type from 'typebox';
import { codesOf, screenClaimStates } from '../fields/codes.ts';
import { ownScreenFields, screenCodeFields, screenFields } from '../fields/screens.ts';
import * as screens from '../services/screens.ts';
import { nullable, oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';

const noun = { tag: 'Screens', isExtension: true } as const;

const { schema: ScreenView, serialize: serializeScreen } = viewOfList('Screen', screenFields);
export const { schema: OwnScreenView, serialize: serializeOwnScreen } = viewOfList('OwnScreen', ownScreenFields);
const { schema: ScreenCodeView, serialize: serializeCode } = viewOfList('ScreenCode', screenCodeFields);

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
