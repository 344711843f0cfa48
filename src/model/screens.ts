import { ObjectType } from 'type-graphql';
import { screenSentence } from '../fields/grants.ts';
import { ownScreenFields, screenCodeFields, screenFields } from '../fields/screens.ts';
import { ScreenClaimStatus } from './enums.ts';
import { resultOf } from './fields.ts';
import { Node } from './nodes.ts';
import { field, objectWith } from './shapes.ts';

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
