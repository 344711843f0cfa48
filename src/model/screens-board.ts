import { ObjectType } from 'type-graphql';
import { limits } from '../config/limits.ts';
import { boardCallTimeFields, boardEventFields, boardShiftFields } from '../fields/screens.ts';
import { resultOf } from './fields.ts';
import { field, objectOn, objectWith } from './shapes.ts';

@ObjectType({ description: 'A call time as a screen shows it.' })
class ScreenCallTime extends resultOf(boardCallTimeFields) {}

@ObjectType({ description: 'An active work shift as a screen shows it.' })
class ScreenShift extends resultOf(boardShiftFields) {}

@ObjectType({ description: 'An active event as a screen shows it.' })
class ScreenEvent extends objectOn(resultOf(boardEventFields), {
  callTimes: field.of([ScreenCallTime])(`Call times by start, at most ${limits.wholeListMax}.`),
  workShifts: field.of([ScreenShift])(`Active shifts by start, at most ${limits.wholeListMax}.`),
}) {}

@ObjectType({ description: 'What a screen shows of a span of time.' })
export class ScreenBoard extends objectWith({
  events: field.of([ScreenEvent])(`The events that run in the span, by start, at most ${limits.screenEventsMax}.`),
  hasMore: field.flag('Whether more events than these run in the span.'),
}) {}
