import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root, ArgsType, InputType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type { OfferRow, RecipientRow } from '../fields/offers.ts';
import { CallTime } from '../model/call-times.ts';
import { GraphQLInstant } from '../model/instants.ts';
import {
  Offer,
  OfferConnection,
  OfferRecipient,
  OfferRecipientConnection,
  OpenCallTimeConnection,
} from '../model/offers.ts';
import { Event } from '../model/events.ts';
import { CursorArgs, filteredPage } from '../model/page-args.ts';
import { User } from '../model/users.ts';
import { WorkShift } from '../model/work-shifts.ts';
import * as answers from '../services/offers-answers.ts';
import * as offers from '../services/offers.ts';
import { toConnection } from './connection.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readArgs, readInput } from './inputs.ts';
import { RowId, toRowKey } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';
import { inputFrom } from '../model/input-from.ts';
import { OverrideInput } from './inner-inputs.ts';
import Type from 'typebox';

@InputType({ description: 'An offer of the places of a call time: to some people, or to the best candidates.' })
class OfferShiftInput extends inputFrom(Type.Omit(offers.offerInput, ['callTimeUuid'])) {}

@ArgsType()
class OfferPageArgs extends filteredPage('OfferFilter', offers.offerFilter, 'offers') {}

@ArgsType()
class RecipientPageArgs extends filteredPage('OfferRecipientFilter', offers.recipientFilter, 'parts') {}

export const reasonText = `Why, at most ${limits.remarkChars} characters; the person reads it, and it is kept in the history.`;

@Resolver(() => OfferRecipient)
export class OfferResolver {
  @Query(() => Offer, {
    nullable: true,
    description: 'One offer; null, with an error, if there is none. For admins.',
  })
  offer(@Ctx() { scope }: Context, @RowId('Offer') uuid: string) {
    return offers.get(scope, { uuid });
  }

  @Query(() => OfferConnection, {
    nullable: true,
    description:
      'Offers and claims, the newest first, one page at a time, with those that nobody was asked by yet. For admins.',
  })
  async offers(@Ctx() { scope }: Context, @Args(() => OfferPageArgs) args: OfferPageArgs) {
    return toConnection(await offers.list(scope, readArgs(args)));
  }

  @Query(() => OfferRecipient, {
    nullable: true,
    description: 'The part of one person in an offer; null, with an error, if there is none. Staff see their own.',
  })
  offerRecipient(@Ctx() { scope }: Context, @RowId('OfferRecipient') uuid: string) {
    return offers.getRecipient(scope, { uuid });
  }

  @Query(() => OfferRecipientConnection, {
    nullable: true,
    description:
      'Who was asked to work, and what they answered, the newest first, one page at a time. Staff see what they themselves were asked.',
  })
  async offerRecipients(@Ctx() { scope }: Context, @Args(() => RecipientPageArgs) args: RecipientPageArgs) {
    return toConnection(await offers.listRecipients(scope, readArgs(args)));
  }

  @Mutation(() => Offer, {
    nullable: true,
    description:
      'Offers the places of a call time of an ACTIVE event to people. Those who are asked already, or work there, are passed over. For admins.',
  })
  offerShift(
    @Ctx() { scope }: Context,
    @RowId('CallTime', { name: 'callTimeId' }) callTimeUuid: string,
    @Arg('input', () => OfferShiftInput, { description: 'The offer.' }) input: OfferShiftInput,
    @IdempotencyKey() key: IdempotencyKey,
  ) {
    return offers.send(withKeyArgument(scope, key), { ...readInput(input), callTimeUuid });
  }

  @Mutation(() => Offer, {
    nullable: true,
    description: 'Takes an offer back from those who have not accepted, or from some of them. For admins.',
  })
  withdrawOffer(
    @Ctx() { scope }: Context,
    @RowId('Offer') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('userIds', () => [ID], {
      nullable: true,
      description: `Takes it back from these users only, at most ${limits.wholeListMax}.`,
    })
    ids?: string[] | null,
    @Arg('reason', () => String, { nullable: true, description: reasonText })
    reason?: string | null,
  ) {
    const userIds = ids?.map((id) => toRowKey('User', id) as number);
    return offers.withdraw(scope, {
      ...{ uuid, ...expectVersion(version) },
      ...(userIds && { userIds }),
      ...(reason !== undefined && { reason }),
    });
  }

  @Mutation(() => OfferRecipient, {
    nullable: true,
    description:
      'Accepts an offer. The state is then ACCEPTED, with a confirmed shift; REQUESTED, where an admin approves; or WAITLISTED, if all places are taken. An admin approves requests with it. Refused with code OFFER_CLOSED when it is too late, and with CLASH if a rule is against it. For the person and for admins.',
  })
  acceptOffer(
    @Ctx() { scope }: Context,
    @RowId('OfferRecipient') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('override', () => OverrideInput, {
      nullable: true,
      description: 'Allows it although a rule is against it. For admins.',
    })
    override?: OverrideInput | null,
  ) {
    return answers.accept(scope, { uuid, ...expectVersion(version), ...(override && { override }) });
  }

  @Mutation(() => OfferRecipient, {
    nullable: true,
    description:
      'Declines an offer, or takes back a request or a place on the waitlist. For the person and for admins.',
  })
  declineOffer(
    @Ctx() { scope }: Context,
    @RowId('OfferRecipient') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
  ) {
    return answers.decline(scope, { uuid, ...expectVersion(version) });
  }

  @Mutation(() => OfferRecipient, { nullable: true, description: 'Refuses a request. For admins.' })
  refuseOffer(
    @Ctx() { scope }: Context,
    @RowId('OfferRecipient') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('reason', () => String, { nullable: true, description: reasonText })
    reason?: string | null,
  ) {
    return answers.refuse(scope, { uuid, ...expectVersion(version), ...(reason !== undefined && { reason }) });
  }

  @Mutation(() => OfferRecipient, { nullable: true, description: 'Asks somebody again who declined. For admins.' })
  resendOffer(
    @Ctx() { scope }: Context,
    @RowId('OfferRecipient') uuid: string,
    @ExpectedVersion() version: ExpectedVersion,
    @Arg('expiresAt', () => GraphQLInstant, {
      nullable: true,
      description: 'Until when the person can answer. Default: the start.',
    })
    expiresAt?: Date | null,
  ) {
    return answers.resend(scope, { uuid, ...expectVersion(version), ...(expiresAt && { expiresAt }) });
  }
}

@Resolver()
export class OpenCallTimeResolver {
  @Query(() => OpenCallTimeConnection, {
    nullable: true,
    description:
      'Call times with open places that the calling staff member can claim, by start, one page at a time: those in positions that they have worked in, or all if they have not worked yet. For staff.',
  })
  async openCallTimes(@Ctx() { scope }: Context, @Args(() => CursorArgs) args: CursorArgs) {
    return toConnection(await answers.listOpen(scope, readArgs(args)));
  }

  @Mutation(() => OfferRecipient, {
    nullable: true,
    description:
      'Claims a place of a call time: the state is then ACCEPTED, REQUESTED where an admin approves, or WAITLISTED if all places are taken. Refused with code CLASH if a rule is against it. For staff.',
  })
  claimCallTime(@Ctx() { scope }: Context, @RowId('CallTime') uuid: string, @IdempotencyKey() key: IdempotencyKey) {
    return answers.claim(withKeyArgument(scope, key), { uuid });
  }
}

@Resolver(() => Offer)
export class OfferFields {
  @FieldResolver(() => [OfferRecipient], {
    nullable: true,
    description: 'The people in it, in the order in which they were asked.',
  })
  recipients(@Root() { id }: OfferRow, @Ctx() { loaders }: Context) {
    return loaders.recipientsOf.offerId.load(id);
  }

  @FieldResolver(() => CallTime, { nullable: true, description: 'The call time whose places are offered.' })
  callTime(@Root() { callTimeId }: OfferRow, @Ctx() { loaders }: Context) {
    return loaders.callTimeById.load(callTimeId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'Who made it; null if an API key did.' })
  createdBy(@Root() { createdById }: OfferRow, @Ctx() { loaders }: Context) {
    return createdById === null ? null : loaders.userById.load(createdById);
  }
}

@Resolver(() => OfferRecipient)
export class RecipientFields {
  @FieldResolver(() => Offer, { nullable: true, description: 'The offer. Null unless the caller is an admin.' })
  offer(@Root() { offerId }: RecipientRow, @Ctx() { loaders }: Context) {
    return loaders.offerById.load(offerId);
  }

  @FieldResolver(() => WorkShift, {
    nullable: true,
    description: 'The shift that came of it. Null if none did, and unless the caller sees it.',
  })
  workShift(@Root() { workShiftUuid }: RecipientRow, @Ctx() { loaders }: Context) {
    return workShiftUuid === null ? null : loaders.workShiftByUuid.load(workShiftUuid);
  }

  @FieldResolver(() => Event, {
    nullable: true,
    description: 'The event. Null for staff who do not work there: what they need is in the other fields.',
  })
  event(@Root() { eventId }: RecipientRow, @Ctx() { loaders }: Context) {
    return loaders.eventById.load(eventId);
  }

  @FieldResolver(() => User, { nullable: true, description: 'The person.' })
  user(@Root() { userId }: RecipientRow, @Ctx() { loaders }: Context) {
    return loaders.userById.load(userId);
  }

  @FieldResolver(() => CallTime, {
    nullable: true,
    description: 'The call time. Null for staff who do not work at its event: what they need is in the other fields.',
  })
  callTime(@Root() { callTimeId }: RecipientRow, @Ctx() { loaders }: Context) {
    return loaders.callTimeById.load(callTimeId);
  }
}
