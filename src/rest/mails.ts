import Type from 'typebox';
import { switchableKinds } from '../fields/mails.ts';
import { mailedOfferFields, type MailedOfferRow } from '../fields/offers.ts';
import * as mails from '../services/mails.ts';
import * as passwords from '../services/passwords.ts';
import { oneOf } from '../validation/schemas.ts';
import { answer, envelope } from './envelopes.ts';
import { textSchema } from './formats.ts';
import { route, type RestApp } from './route.ts';
import { shapeOf } from './shapes.ts';
import { titled } from './views.ts';

const noun = { tag: 'Mails', isExtension: true } as const;
const ofPasswords = { tag: 'Authentication and tokens', isExtension: true } as const;

const offer = shapeOf<MailedOfferRow>(mailedOfferFields, []);
const MailedOfferView = titled('MailedOffer', offer.properties);
const kind = oneOf(switchableKinds, 'A kind of mails.');
const MailSettingsView = titled('MailSettings', {
  off: Type.Array(kind, { description: 'The kinds of mail that the caller does not want.' }),
  is_sending: Type.Boolean({ description: 'Whether the service sends mails.' }),
});
const viewSettings = ({ off, isSending }: Awaited<ReturnType<typeof mails.getOwn>>) => ({ off, is_sending: isSending });

export function mailRoutes(app: RestApp): void {
  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/mails/offers',
    calls: mails.showOffer,
    summary: 'Read the offer of a link in a mail',
    description: 'A link works until it is used, or the offer is over.',
    body: mails.offerLink,
    example: { secret: 'ExampleOfAnOfferLinkForTheDocs' },
    response: envelope(MailedOfferView),
    handle: async (scope, { body }) => answer(offer.serialize(await mails.showOffer(scope, body))),
  });

  route(app, {
    ...noun,
    method: 'POST',
    url: '/v1/mails/offers/answers',
    calls: mails.answerOffer,
    summary: 'Answer the offer of a link in a mail',
    description: 'As the two answers below `/v1/offer_recipients`. The link is used up, and logs nobody in.',
    conflicts: true,
    body: mails.offerAnswer,
    example: { secret: 'ExampleOfAnOfferLinkForTheDocs', answer: 'accept' },
    response: envelope(MailedOfferView),
    handle: async (scope, { body }) => answer(offer.serialize(await mails.answerOffer(scope, body)), 'Answered.'),
  });

  route(app, {
    ...noun,
    method: 'GET',
    url: '/v1/mails/personal',
    calls: mails.getOwn,
    summary: 'Read what you get by mail',
    response: envelope(MailSettingsView),
    handle: async (scope) => answer(viewSettings(await mails.getOwn(scope, {}))),
  });

  route(app, {
    ...noun,
    method: 'PUT',
    url: '/v1/mails/personal',
    calls: mails.setOwn,
    summary: 'Set what you get by mail',
    body: mails.ownChanges,
    example: { off: ['reminder'] },
    response: envelope(MailSettingsView),
    handle: async (scope, { body }) => answer(viewSettings(await mails.setOwn(scope, body))),
  });

  route(app, {
    ...ofPasswords,
    method: 'POST',
    url: '/v1/passwords/forgotten',
    calls: passwords.forget,
    summary: 'Ask for a link to a new password',
    description: 'The answer is the same whether or not a user has the address.',
    conflicts: true,
    body: passwords.forgetInput,
    response: envelope(Type.Object({ expires_in: Type.Integer({ description: 'Lifetime of the link, in seconds.' }) })),
    handle: async (scope, { body }) => {
      const { expiresIn } = await passwords.forget(scope, body);
      return answer({ expires_in: expiresIn }, 'If a user has this address, a mail is on its way.');
    },
  });

  route(app, {
    ...ofPasswords,
    method: 'POST',
    url: '/v1/passwords/forgotten/claims',
    calls: passwords.setForgotten,
    summary: 'Set a new password with the secret of a mailed link',
    description: 'The link is used up, and all log-ins of the user end.',
    body: passwords.setForgottenInput,
    example: { secret: 'ExampleOfAPasswordLinkForTheDocs', password: 'correct horse battery staple' },
    response: envelope(Type.Object({ email: textSchema('E-mail address to log in with.') })),
    handle: async (scope, { body }) => answer(await passwords.setForgotten(scope, body), 'Password set.'),
  });

  unsubscribeRoute(app);
}

/** Mail programs send a form to this address when their user unsubscribes by one click (RFC 8058). It says nothing of its own. */
function unsubscribeRoute(app: RestApp): void {
  void app.http.register(async (http) => {
    http.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'buffer' },
      (_request, _body, done) => done(null, undefined),
    );
    route(
      { ...app, http },
      {
        ...noun,
        method: 'POST',
        url: '/v1/mails/unsubscribe/:token',
        calls: mails.unsubscribe,
        summary: 'Switch off the kind of mails that the token of a link names',
        description: 'For the one click of RFC 8058: a form in the body is not read. The token can be used again.',
        params: mails.offToken,
        response: envelope(Type.Object({ kind })),
        handle: async (scope, { params }) => answer(await mails.unsubscribe(scope, params), 'Switched off.'),
      },
    );
  });
}
