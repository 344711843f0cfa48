import Type from 'typebox';
import * as passwords from '../services/passwords.ts';
import { userParams } from '../services/users.ts';
import { answer, envelope } from './envelopes.ts';
import { route, type RestApp } from './route.ts';

const Revoked = envelope(
  Type.Object({ revoked: Type.Integer({ description: 'How many personal access tokens were revoked.' }) }),
);

export function passwordRoutes(app: RestApp): void {
  route(app, {
    method: 'PUT',
    url: '/v1/passwords/personal',
    calls: passwords.change,
    tag: 'Authentication and tokens',
    isExtension: true,
    summary: 'Change your own password',
    description: 'Revokes your other personal access tokens; the one used in the call stays valid.',
    conflicts: true,
    body: passwords.passwordChange,
    // The demo can still be logged in to after somebody has tried it.
    example: { current: 'callboard-demo', next: 'callboard-demo' },
    response: Revoked,
    handle: async (scope, { body }) => answer({ revoked: await passwords.change(scope, body) }, 'Password changed.'),
  });

  route(app, {
    method: 'PUT',
    url: '/v1/passwords/users/:id',
    calls: passwords.reset,
    tag: 'Authentication and tokens',
    isExtension: true,
    summary: 'Set a new password for another user',
    description: 'Revokes all personal access tokens of that user.',
    params: userParams,
    body: passwords.passwordReset,
    response: Revoked,
    handle: async (scope, { params, body }) =>
      answer({ revoked: await passwords.reset(scope, { userId: params.id, ...body }) }, 'Password set.'),
  });
}
