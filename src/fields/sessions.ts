import { fieldList, shown } from './field-list.ts';

/** A log-in of the caller. */
export const sessionFields = fieldList({
  uuid: shown.uuid('UUID of the log-in.'),
  userAgent: shown.text.orNull('What logged in: the start of its header `User-Agent`; null if it sent none.'),
  lasting: shown.flag('Whether a browser keeps the log-in over restarts.'),
  current: shown.flag('Whether the call is made with it.'),
  createdAt: shown.instant('Logged in, UTC.'),
  lastUsedAt: shown.instant.orNull(
    'When a lasting log-in last made a token, UTC; null for others, whose use is not noted.',
  ),
  expiresAt: shown.instant('When it ends by itself, UTC.'),
});
