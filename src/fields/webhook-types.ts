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
  'user.created': 'A user was created.',
  'user.updated': 'Fields of a user changed.',
  'user.deleted': 'A user was deleted.',
  'availability.changed': 'What a person has said of when they can work changed: a pattern or an exception.',
  'custom_field.created': 'A custom field was created.',
  'custom_field.updated': 'A custom field changed.',
  'custom_field.deleted': 'A custom field was deleted.',
} as const satisfies Readonly<Record<string, string>>;

export type WebhookType = keyof typeof webhookTypes;
export const testWebhookType = 'webhook.test';
