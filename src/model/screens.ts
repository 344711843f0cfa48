import { InputType, ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { screenSentence } from '../fields/grants.ts';
import { cityText, ownScreenFields, screenCodeFields, screenFields, searchText } from '../fields/screens.ts';
import { ScreenClaimStatus, ScreenNames } from './enums.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, inputWith, objectWith } from './shapes.ts';

const nameText = `Name of the screen, at most ${limits.labelChars} characters.`;

@ObjectType({
  description: `A browser that shows the board of the business without a log-in. ${screenSentence}`,
  implements: Node,
})
export class Screen extends resultOf(screenFields) {}

@ObjectType({ description: 'The screen that calls, as it may see itself.' })
export class OwnScreen extends resultOf(ownScreenFields) {}

@ObjectType({ description: 'A code for a browser that is to become a screen.' })
export class ScreenCode extends resultOf(screenCodeFields) {}

@ObjectType({ description: 'What has become of a code.' })
export class ScreenClaim extends objectWith({
  status: field.of(ScreenClaimStatus)('Whether the code was approved.'),
  boardToken: field.text.orNull(
    'Board token, to be sent as a bearer credential. Shown only in this answer; null unless CLAIMED.',
  ),
  screen: field.of(OwnScreen).orNull('The screen; null unless CLAIMED.'),
}) {}

@InputType({ description: 'The approval of the code that a browser shows.' })
export class ApproveScreenInput extends inputWith({
  code: field.text('The code. Upper and lower case, spaces and hyphens make no difference.'),
  name: field.text(nameText),
  names: field.of(ScreenNames).optional('How people are named on it. Default: SHORT.'),
  clientId: field.rowId('User').orNull('Shows only events of this client (a user).'),
  positionId: field
    .rowId('Position')
    .orNull('Shows only call times and shifts of this position, and events that have some.'),
  city: field.text.orNull(cityText),
  text: field.text.orNull(searchText),
  checkInEventId: field
    .rowId('Event')
    .orNull('Lets people check in on it at this event, and shows the code of that event.'),
}) {}
