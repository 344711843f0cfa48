import { fieldList, shown } from './field-list.ts';

/** A link with which a user sets their first password. */
export const invitationFields = fieldList({
  path: shown.text(
    'Path of the link, with its secret behind the `#`: the address of the service stands before it. Shown only once.',
  ),
  expiresAt: shown.instant('When the link ends, UTC.'),
  isMailed: shown.flag(
    'Whether a mail with it is stored to be sent: not without a mail server, nor beyond the limits of the plan.',
  ),
});
