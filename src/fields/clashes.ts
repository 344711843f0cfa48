import { fieldList, shown } from './field-list.ts';

/** A rule that a change breaks and an override lifts. What is not about its kind is null. */
export const clashFields = fieldList({
  kind: shown.clashKind('The rule.'),
  callTimeUuid: shown.uuid.orNull('OVERFILLED, OUTSIDE_EVENT: UUID of the call time.'),
  needed: shown.integer.orNull('OVERFILLED: number of staff that the call time needs.'),
  assigned: shown.integer.orNull('OVERFILLED: active shifts on the call time besides this one.'),
  userId: {
    ...shown.integer.orNull('Overlaps and rules of who can work: id of the staff member.'),
    refersTo: 'User',
  },
  shiftUuid: shown.uuid.orNull('Overlaps, SHORT_REST: UUID of the other shift of the same person.'),
  eventUuid: shown.uuid.orNull('Overlaps, SHORT_REST: UUID of the event of the other shift.'),
  eventTitle: shown.text.orNull('Overlaps, SHORT_REST: title of the event of the other shift.'),
  startsAt: shown.instant.orNull(
    'Overlaps, SHORT_REST: start of the other shift as an instant, UTC; null: to be determined. OUTSIDE_EVENT: that of the call time.',
  ),
  endsAt: shown.instant.orNull(
    'Overlaps, SHORT_REST: end of the other shift as an instant, UTC; null: to be determined. OUTSIDE_EVENT: that of the call time.',
  ),
  minutes: shown.integer.orNull(
    'OVERLAP: minutes that both shifts share, rounded up. SHORT_REST: minutes between both shifts. OVER_WEEKLY_HOURS: minutes of the week with this shift. Null for POSSIBLE_OVERLAP.',
  ),
  text: shown.text.orNull('Rules of who can work: what is against the person, such as "Only 8 h of rest after …".'),
  until: shown.instant.orNull('Rules of who can work: when the reason ends, UTC; null if it has no known end.'),
});
