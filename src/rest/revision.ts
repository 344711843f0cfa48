import Type from 'typebox';
import * as revision from '../services/revision.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';
import { titled } from './views.ts';

const RevisionView = titled('Revision', {
  revision: Type.String({
    description:
      'Data version of the business: another text after each change of what it has stored, and never an earlier one again.',
  }),
});

export function revisionRoutes(app: RestApp): void {
  route(app, {
    method: 'GET',
    url: '/v1/revision',
    calls: revision.get,
    tag: 'Changes',
    isExtension: true,
    summary: 'Read the data version of the business',
    description:
      'It tells whether anything has changed since it was last read. A call costs a tenth of a request of the rate limit, and so does every answer 304.',
    response: envelope(RevisionView),
    handle: async (scope) => answer({ revision: await revision.get(scope, {}) }),
  });
}
