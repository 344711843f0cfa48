import { ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { screenSentence } from '../fields/grants.ts';
import { checkInText, secretText } from '../fields/screens.ts';
import type * as stored from '../generated/prisma/client.ts';
import { ScreenClaimStatus, ScreenNames, Weekday } from './enums.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

@ObjectType({
  description: `A browser that shows the board of the business without a log-in. ${screenSentence}`,
  implements: Node,
})
export class Screen extends objectWith({
  uuid: field.id('UUID, by which REST names the screen.'),
  name: field.text('Name of the screen.'),
  names: field.of(ScreenNames)('How people are named on it.'),
  city: field.text.orNull('It shows only events in this city; null: in every city.'),
  text: field.text.orNull('It shows only events with this text in their title, venue or city; null: all.'),
  checkInEventUuid: field.id.orNull(checkInText),
  createdAt: field.instant('Approved, UTC.'),
  claimableUntil: field.instant('Until when the browser can claim its board token, UTC.'),
  claimedAt: field.instant.orNull('When the browser claimed its board token, UTC; null while it has not.'),
  lastSeenAt: field.instant.orNull(
    `Last request of the screen, UTC, to ${limits.resolutionS} seconds; null if there was none.`,
  ),
}) {
  clientId!: stored.Screen['clientId'];
  positionId!: stored.Screen['positionId'];
}

@ObjectType({ description: 'The screen that calls, as it may see itself.' })
export class OwnScreen extends objectWith({
  uuid: field.id('UUID of the screen.'),
  name: field.text('Name of the screen.'),
  names: field.of(ScreenNames)('How people are named on it.'),
  businessName: field.text('Name of the business whose events it shows.'),
  timezone: field.text('IANA time zone of that business.'),
  weekStart: field.of(Weekday)('First day of the week of that business.'),
  checkInEventUuid: field.id.orNull(checkInText),
}) {}

@ObjectType({ description: 'A code for a browser that is to become a screen.' })
export class ScreenCode extends objectWith({
  code: field.text('The code that the browser shows, for an admin to approve.'),
  secret: field.text(secretText),
  expiresAt: field.instant('When the code ends, UTC.'),
}) {}

@ObjectType({ description: 'What has become of a code.' })
export class ScreenClaim extends objectWith({
  status: field.of(ScreenClaimStatus)('Whether the code was approved.'),
  boardToken: field.text.orNull(
    'Board token, to be sent as a bearer credential. Shown only in this answer; null unless CLAIMED.',
  ),
  screen: field.of(OwnScreen).orNull('The screen; null unless CLAIMED.'),
}) {}
