import Type from 'typebox';
import { sessionFields } from '../fields/sessions.ts';
import * as sessions from '../services/sessions.ts';
import { answer, envelope, Revoked } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';

const noun = { tag: 'Authentication and tokens', isExtension: true } as const;

const { schema: SessionView, serialize: serializeSession } = viewOfList('Session', sessionFields);

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
