import Type from 'typebox';
import * as sessions from '../services/sessions.ts';
import { nullable } from '../validation/schemas.ts';
import { answer, envelope, Revoked } from './envelopes.ts';
import { instantSchema, textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { viewOf } from './views.ts';

const noun = { tag: 'Authentication and tokens', isExtension: true } as const;

const { schema: SessionView, serialize: serializeSession } = viewOf<sessions.SessionRow>('Session')({
  uuid: textSchema('UUID of the log-in.'),
  user_agent: nullable(textSchema('What logged in: the start of its header `User-Agent`; null if it sent none.')),
  lasting: Type.Boolean({ description: 'Whether a browser keeps the log-in over restarts.' }),
  current: Type.Boolean({ description: 'Whether the call is made with it.' }),
  created_at: instantSchema('Logged in'),
  last_used_at: nullable(
    instantSchema('When a lasting log-in last made a token; null for others, whose use is not noted'),
  ),
  expires_at: instantSchema('When it ends by itself'),
});

export function sessionRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/sessions',
    calls: sessions.list,
    summary: 'List where you are logged in, oldest first',
    description:
      'Personal access tokens, and lasting log-ins of the pages, each with all of its short tokens as one. At most the 100 newest.',
    response: envelope(Type.Array(SessionView)),
    handle: async (scope) => answer((await sessions.list(scope, {})).map(serializeSession)),
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/sessions/:uuid',
    calls: sessions.revoke,
    summary: 'End one of your log-ins',
    params: sessions.sessionParams,
    response: Revoked,
    handle: async (scope, { params }) => {
      await sessions.revoke(scope, params);
      return answer({ revoked: 1 }, 'Log-in ended.');
    },
  });

  route(app, {
    ...noun,
    method: 'DELETE',
    url: '/v1/sessions',
    calls: sessions.revokeOthers,
    summary: 'End all of your log-ins except the one used in the call',
    response: Revoked,
    handle: async (scope) => answer({ revoked: await sessions.revokeOthers(scope, {}) }, 'All other log-ins ended.'),
  });
}
