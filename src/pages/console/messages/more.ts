import { answer } from '../answer/messages.ts';
import { attendance } from '../attendance/messages.ts';
import { availability } from '../availability/messages.ts';
import { pasting } from '../event/paste-messages.ts';
import { forgotten, newPassword } from '../forgotten/messages.ts';
import { invitation } from '../invitation/messages.ts';
import { importing, inviting } from '../people/import-messages.ts';
import { samples } from '../parts/samples.ts';
import { payroll } from '../payroll/messages.ts';
import { unsubscribe } from '../unsubscribe/messages.ts';
import { first } from './first.ts';

/** Texts with which the console does not begin, and those with which it does. The sections of the settings have their own. */
export const more = {
  ...first,
  answer,
  attendance,
  availability,
  forgotten,
  importing,
  invitation,
  inviting,
  newPassword,
  pasting,
  payroll,
  samples,
  unsubscribe,
};
