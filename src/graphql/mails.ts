import { Arg, Ctx, Extensions, Mutation, Query, Resolver, InputType } from 'type-graphql';
import { MailedOffer, MailSettings, NewPassword, OfferAnswer, PasswordRequest, Unsubscribed } from '../model/mails.ts';
import * as mails from '../services/mails.ts';
import * as passwords from '../services/passwords.ts';
import type { Context } from './context.ts';
import { readInput } from './inputs.ts';
import { RateLimited } from './rate-limited.ts';
import { inputFrom } from '../model/input-from.ts';

@InputType({ description: 'What the caller wants to get by mail.' })
class MailSettingsInput extends inputFrom(mails.ownChanges) {}

const Secret = () =>
  Arg('secret', () => String, { description: 'The secret in the link of the mail, behind the `#`.' });

@Resolver()
export class MailResolver {
  @Query(() => MailedOffer, {
    nullable: true,
    description:
      'The offer of a link in a mail. Refused with code INVALID_CREDENTIALS once it is answered or over. Needs no credential.',
  })
  @Extensions({ calls: mails.showOffer })
  @RateLimited(mails.showOffer)
  mailedOffer(@Ctx() { scope }: Context, @Secret() secret: string) {
    return mails.showOffer(scope, { secret });
  }

  @Mutation(() => MailedOffer, {
    nullable: true,
    description:
      'Answers the offer of a link in a mail, as `acceptOffer` and `declineOffer` do. The link works once. Needs no credential.',
  })
  @Extensions({ calls: mails.answerOffer })
  @RateLimited(mails.answerOffer)
  answerMailedOffer(
    @Ctx() { scope }: Context,
    @Secret() secret: string,
    @Arg('answer', () => OfferAnswer, { description: 'The answer.' }) answer: 'accept' | 'decline',
  ) {
    return mails.answerOffer(scope, { secret, answer });
  }

  @Mutation(() => Unsubscribed, {
    nullable: true,
    description: 'Switches off the kind of mails that the token in the link of a mail names. Needs no credential.',
  })
  @Extensions({ calls: mails.unsubscribe })
  @RateLimited(mails.unsubscribe)
  unsubscribe(
    @Ctx() { scope }: Context,
    @Arg('token', () => String, { description: 'The token in the link of the mail.' }) token: string,
  ) {
    return mails.unsubscribe(scope, { token });
  }

  @Query(() => MailSettings, {
    nullable: true,
    description: 'What the caller wants to get by mail. For every role, not with an API key.',
  })
  mailSettings(@Ctx() { scope }: Context) {
    return mails.getOwn(scope, {});
  }

  @Mutation(() => MailSettings, {
    nullable: true,
    description: 'Sets what the caller wants to get by mail. For every role, not with an API key.',
  })
  updateMailSettings(
    @Ctx() { scope }: Context,
    @Arg('input', () => MailSettingsInput, { description: 'What the caller does not want.' }) input: MailSettingsInput,
  ) {
    return mails.setOwn(scope, readInput(input));
  }

  @Mutation(() => PasswordRequest, {
    nullable: true,
    description:
      'Sends a link to a new password by mail, if a user has the address. Refused with code CONFLICT where the service sends no mail. Needs no credential.',
  })
  @Extensions({ calls: passwords.forget })
  @RateLimited(passwords.forget)
  forgetPassword(
    @Ctx() { scope }: Context,
    @Arg('email', () => String, { description: 'E-mail address of the user.' }) email: string,
  ) {
    return passwords.forget(scope, { email });
  }

  @Mutation(() => NewPassword, {
    nullable: true,
    description:
      'Sets a new password with the secret of a link that was mailed, once, and ends all log-ins of the user. Needs no credential.',
  })
  @Extensions({ calls: passwords.setForgotten })
  @RateLimited(passwords.setForgotten)
  setForgottenPassword(
    @Ctx() { scope }: Context,
    @Secret() secret: string,
    @Arg('password', () => String, { description: 'The password, with the same rules as for a new user.' })
    password: string,
  ) {
    return passwords.setForgotten(scope, { secret, password });
  }
}
