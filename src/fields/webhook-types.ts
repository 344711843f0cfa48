/** Types of webhook messages, each with what has happened. `webhook.test` is sent only on request. */
export const webhookTypes = {
  'event.created': 'An event was created.',
  'event.updated': 'Fields or custom field values of an event changed.',
  'event.canceled': 'An event was canceled.',
  'event.deleted': 'An event was deleted.',
  'call_time.created': 'A call time was created.',
  'call_time.updated': 'Fields of a call time changed.',
  'call_time.deleted': 'A call time was deleted.',
  'work_shift.assigned': 'A person was assigned to a shift: it was created, or given to somebody else.',
  'work_shift.updated': 'Other fields of a shift changed.',
  'work_shift.confirmed': 'A shift was confirmed.',
  'work_shift.unconfirmed': 'The confirmation of a shift was taken back.',
  'work_shift.declined': 'A shift was declined. Its status is canceled then.',
  'work_shift.canceled': 'A shift was canceled.',
  'work_shift.deleted': 'A shift was deleted.',
  'offer.sent': 'A person was offered a place of a call time, or asked again.',
  'offer.accepted': 'A person has the place, and a confirmed shift.',
  'offer.waitlisted': 'A person answered when all places were taken.',
  'offer.requested': 'A person asks for a place that an admin approves.',
  'offer.declined': 'A person declined an offer, or took back their request or their place on the waitlist.',
  'offer.refused': 'An admin refused a request.',
  'offer.expired': 'Nobody answered in time, or no place became free.',
  'offer.withdrawn': 'An offer to a person was taken back.',
  'offer.filled': 'The places went to others before a person answered.',
  'offer.ended': 'The shift that came of an offer was canceled, or belongs to somebody else.',
  'user.created': 'A user was created.',
  'user.updated': 'Fields of a user changed.',
  'user.deleted': 'A user was deleted.',
  'availability.changed': 'What a person has said of when they can work changed: a pattern or an exception.',
  'qualification.expiring':
    'A qualification that a person holds ends within 30 days. It is sent once for each end, unless the person has renewed it.',
  'custom_field.created': 'A custom field was created.',
  'custom_field.updated': 'A custom field changed.',
  'custom_field.deleted': 'A custom field was deleted.',
} as const satisfies Readonly<Record<string, string>>;

export type WebhookType = keyof typeof webhookTypes;
export const testWebhookType = 'webhook.test';
