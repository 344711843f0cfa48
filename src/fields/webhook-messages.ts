import { fieldList, shown } from './field-list.ts';

/** A message for one webhook, beside its payload. */
export const messageFields = fieldList({
  uuid: shown.uuid('UUID of the message. Its header `webhook-id` is `msg_` and the UUID without dashes.'),
  type: shown.webhookType('What has happened.'),
  status: shown.messageStatus(
    'What has become of it. `PENDING`: it is sent, or sent again, at `nextAttemptAt`. `FAILED`: it is not sent again by itself.',
  ),
  attemptCount: shown.integer('Attempts since it was made, or since it was last sent again on request.'),
  nextAttemptAt: shown.instant.orNull(
    'When it is sent next, once the webhook is enabled, UTC; null unless it is pending.',
  ),
  createdAt: shown.instant('Created, UTC.'),
  deliveredAt: shown.instant.orNull('When the receiver accepted it, UTC; null if it has not, or if it is sent again.'),
});

/** One try to deliver a message. */
export const attemptFields = fieldList({
  at: shown.instant('When it began, UTC.'),
  statusCode: shown.integer.orNull('HTTP status of the answer; null if there was none. Only 2xx is a success.'),
  durationMs: shown.integer('How long it took, in milliseconds.'),
  error: shown.text.orNull('Why it failed; null if it succeeded.'),
  response: shown.text.orNull('The first bytes of the answer to an attempt that failed; null if there was none.'),
});
