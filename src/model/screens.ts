import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import type * as stored from '../generated/prisma/client.ts';
import { ScreenClaimStatus, ScreenNames, Weekday } from './enums.ts';
import { Node } from './nodes.ts';
import { RowIdField } from './row-ids.ts';

const nameText = `Name of the screen, at most ${limits.labelChars} characters.`;

@ObjectType({
  description: 'A browser that shows the board of the business without a log-in, read-only and for one filter.',
  implements: Node,
  simpleResolvers: true,
})
export class Screen {
  @Field(() => ID, { description: 'UUID, by which REST names the screen.' })
  uuid!: stored.Screen['uuid'];

  @Field(() => String, { description: 'Name of the screen.' })
  name!: stored.Screen['name'];

  @Field(() => ScreenNames, { description: 'How people are named on it.' })
  names!: stored.ScreenNames;

  clientId!: stored.Screen['clientId'];
  positionId!: stored.Screen['positionId'];

  @Field(() => String, { nullable: true, description: 'It shows only events in this city; null: in every city.' })
  city!: stored.Screen['city'];

  @Field(() => String, {
    nullable: true,
    description: 'It shows only events with this text in their title, venue or city; null: all.',
  })
  text!: stored.Screen['text'];

  @Field(() => GraphQLDateTimeISO, { description: 'Approved, UTC.' })
  createdAt!: stored.Screen['createdAt'];

  @Field(() => GraphQLDateTimeISO, { description: 'Until when the browser can claim its board token, UTC.' })
  claimableUntil!: stored.Screen['claimableUntil'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: 'When the browser claimed its board token, UTC; null while it has not.',
  })
  claimedAt!: stored.Screen['claimedAt'];

  @Field(() => GraphQLDateTimeISO, {
    nullable: true,
    description: `Last request of the screen, UTC, to ${limits.resolutionS} seconds; null if there was none.`,
  })
  lastSeenAt!: stored.Screen['lastSeenAt'];
}

@ObjectType({ description: 'The screen that calls, as it may see itself.', simpleResolvers: true })
export class OwnScreen {
  @Field(() => ID, { description: 'UUID of the screen.' })
  uuid!: string;

  @Field(() => String, { description: 'Name of the screen.' })
  name!: string;

  @Field(() => ScreenNames, { description: 'How people are named on it.' })
  names!: stored.ScreenNames;

  @Field(() => String, { description: 'Name of the business whose events it shows.' })
  businessName!: string;

  @Field(() => String, { description: 'IANA time zone of that business.' })
  timezone!: string;

  @Field(() => Weekday, { description: 'First day of the week of that business.' })
  weekStart!: stored.Weekday;
}

@ObjectType({ description: 'A code for a browser that is to become a screen.', simpleResolvers: true })
export class ScreenCode {
  @Field(() => String, { description: 'The code that the browser shows, for an admin to approve.' })
  code!: string;

  @Field(() => String, { description: 'The secret with which the browser claims its board token. It is not shown.' })
  secret!: string;

  @Field(() => GraphQLDateTimeISO, { description: 'When the code ends, UTC.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'What has become of a code.', simpleResolvers: true })
export class ScreenClaim {
  @Field(() => ScreenClaimStatus, { description: 'Whether the code was approved.' })
  status!: 'pending' | 'expired' | 'claimed';

  @Field(() => String, {
    nullable: true,
    description: 'Board token, to be sent as a bearer credential. Shown only in this answer; null unless CLAIMED.',
  })
  boardToken!: string | null;

  @Field(() => OwnScreen, { nullable: true, description: 'The screen; null unless CLAIMED.' })
  screen!: OwnScreen | null;
}

@InputType({ description: 'The approval of the code that a browser shows.' })
export class ApproveScreenInput {
  @Field(() => String, {
    description: 'The code. Upper and lower case, spaces and hyphens make no difference.',
  })
  code!: string;

  @Field(() => String, { description: nameText })
  name!: string;

  @Field(() => ScreenNames, { nullable: true, description: 'How people are named on it. Default: SHORT.' })
  names?: stored.ScreenNames;

  @RowIdField('User', { nullable: true, description: 'Shows only events of this client (a user).' })
  clientId?: number | null;

  @RowIdField('Position', {
    nullable: true,
    description: 'Shows only call times and shifts of this position, and events that have some.',
  })
  positionId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Shows only events in this city, without regard to case and accents.',
  })
  city?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Shows only events with this text in their title, venue or city, without regard to case and accents.',
  })
  text?: string | null;
}
