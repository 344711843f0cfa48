import Type from 'typebox';
import { operation } from '../access/operation.ts';
import { everyRole } from '../access/permissions.ts';
import type { PublicCapabilities } from '../access/scope.ts';
import { attemptLimits, limits } from '../config/limits.ts';
import { Failure } from '../errors.ts';
import { switchableKinds, type SwitchableKind } from '../fields/mails.ts';
import type { MailedOfferRow } from '../fields/offers.ts';
import { closedObject, noInput, oneOf } from '../validation/schemas.ts';
import { accept, decline } from './offers-answers.ts';
import { getRecipient } from './offers.ts';
import { userActor } from './tokens.ts';

export const linkSecret = Type.String({
  minLength: 1,
  maxLength: limits.labelChars,
  description: 'The secret in the link of the mail, behind the `#`.',
});

const linkOver = () =>
  new Failure(
    'INVALID_CREDENTIALS',
    'This link no longer works: it was used, or what it is about is over. Log in to see how things stand.',
  );

async function openOffer({ openMailedOffer }: PublicCapabilities, secret: string) {
  const opened = await openMailedOffer(secret);
  if (!opened) throw linkOver();
  return { ...opened, businessName: opened.scope.actor.businessName };
}

export const offerLink = closedObject({ secret: linkSecret });

/** Shows the offer of a link. */
export const showOffer = operation({
  name: 'mails.showOffer',
  roles: 'anyone',
  attempts: attemptLimits.mailLink,
  input: offerLink,
  run: async (capabilities, { secret }): Promise<MailedOfferRow> => {
    const { scope, recipientUuid: uuid, businessName } = await openOffer(capabilities, secret);
    return { ...(await getRecipient(scope, { uuid })), businessName };
  },
});

export const offerAnswer = closedObject({
  secret: linkSecret,
  answer: oneOf(['accept', 'decline'] as const, 'The answer.'),
});

/** Answers the offer of a link, which is used up. It logs nobody in. */
export const answerOffer = operation({
  name: 'mails.answerOffer',
  roles: 'anyone',
  writes: true,
  attempts: attemptLimits.mailLink,
  input: offerAnswer,
  run: async (capabilities, { secret, answer }): Promise<MailedOfferRow> => {
    const { scope, recipientUuid: uuid, businessName, ...link } = await openOffer(capabilities, secret);
    if (!(await link.use())) throw linkOver();
    try {
      return { ...(await (answer === 'accept' ? accept : decline)(scope, { uuid })), businessName };
    } catch (error) {
      await link.giveBack();
      throw error;
    }
  },
});

export const offToken = closedObject({
  token: Type.String({ minLength: 1, maxLength: limits.labelChars, description: 'The token in the link of the mail.' }),
});

/** Switches off a kind of mails to a person. The token can be used again. */
export const unsubscribe = operation({
  name: 'mails.unsubscribe',
  roles: 'anyone',
  writes: true,
  attempts: attemptLimits.mailLink,
  input: offToken,
  run: async (capabilities, { token }) => {
    const kind = await capabilities.unsubscribe(token);
    if (!kind) throw new Failure('INVALID_CREDENTIALS', 'This link is not whole: open it as it stands in the mail.');
    return { kind: kind as SwitchableKind };
  },
});

const own = { roles: everyRole, apiKey: false } as const;

/** Says which kinds of mail the caller has switched off, and whether the service sends any. */
export const getOwn = operation({
  ...own,
  name: 'mails.getOwn',
  scopes: ['read'],
  input: noInput,
  run: async (scope, _input, { isSendingMail }) => {
    const { userId } = userActor(scope);
    const { mailOff } = await scope.db.user.findFirstOrThrow({ where: { id: userId }, select: { mailOff: true } });
    return { off: mailOff as SwitchableKind[], isSending: isSendingMail };
  },
});

export const ownChanges = closedObject({
  off: Type.Array(oneOf(switchableKinds, 'A kind of mails.'), {
    uniqueItems: true,
    maxItems: switchableKinds.length,
    description: 'The kinds of mail that you do not want. Those about passwords and invitations always come.',
  }),
});

/** Sets which kinds of mail the caller does not want. */
export const setOwn = operation({
  ...own,
  name: 'mails.setOwn',
  scopes: ['full'],
  writes: true,
  input: ownChanges,
  run: (scope, { off }, { isSendingMail }) =>
    scope.transaction(async (tx) => {
      const { userId } = userActor(tx);
      await tx.db.user.updateMany({ where: { id: userId }, data: { mailOff: [...off] } });
      tx.record({ kind: 'user', id: userId });
      return { off: [...off], isSending: isSendingMail };
    }),
});
