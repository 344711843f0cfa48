import Type, { type Static } from 'typebox';
import { invitationFields } from '../fields/invitations.ts';
import * as invitations from '../services/invitations.ts';
import { userParams } from '../services/users.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { outcomeOf, refusalProperties, serializeRefusal } from './refusals.ts';
import { route, type RestApp } from './route.ts';
import { viewOfList } from './shapes.ts';
import { titled } from './views.ts';

const { schema: InvitationView, serialize: serializeInvitation } = viewOfList('Invitation', invitationFields);

const Outcome = outcomeOf('InvitationOutcome', 'invitation', {
  row: InvitationView,
  refusal: titled('InvitationRefusal', refusalProperties),
});

export function invitationRoutes(app: RestApp): void {
  route(app, {
    method: 'POST',
    url: '/api/v1/users/:id/invitation',
    calls: invitations.create,
    isExtension: true,
    tag: 'Users',
    summary: 'Make the link with which a user sets their first password',
    description:
      'Only for a user who never had a password: create one without a `password` in `POST /api/v1/users/batch`. The link works once, for three days, until the next one is made or the e-mail or the role changes.',
    conflicts: true,
    params: userParams,
    status: 201,
    response: Type.Object({ data: InvitationView }),
    handle: async (scope, { params }) => ({ data: serializeInvitation(await invitations.create(scope, params)) }),
  });

  route(app, {
    method: 'POST',
    url: '/v1/invitations/batch',
    calls: invitations.createMany,
    isExtension: true,
    tag: 'Users',
    summary: 'Make the links with which several users set their first passwords',
    description:
      'A refused one does not affect the others: each has a result of its own, in the order of the ids. A batch costs 1 + rows / 25, rounded down, of the rate limit, and counts once among the invitations of the caller.',
    body: invitations.createManyInput,
    status: 201,
    response: envelope(Type.Array(Outcome)),
    handle: async (scope, { body, log }) => {
      const outcomes = await invitations.createMany(scope, body);
      const data = outcomes.map((outcome) =>
        'invitation' in outcome
          ? { invitation: serializeInvitation(outcome.invitation), error: null }
          : { invitation: null, error: serializeRefusal(outcome.failure, log, { input: userParams }) },
      );
      return answer(data as Static<typeof Outcome>[]);
    },
  });

  route(app, {
    method: 'POST',
    url: '/v1/invitations/claims',
    calls: invitations.claim,
    isExtension: true,
    tag: 'Authentication and tokens',
    summary: 'Set your first password with the secret of an invitation',
    description: 'The link is used up. Log in then, with the e-mail in the answer.',
    body: invitations.claimInput,
    example: { secret: 'ExampleOfAnInvitationForTheDocs', password: 'correct horse battery staple' },
    response: envelope(Type.Object({ email: textSchema('E-mail address to log in with.') })),
    handle: async (scope, { body }) => answer(await invitations.claim(scope, body), 'Password set.'),
  });
}
