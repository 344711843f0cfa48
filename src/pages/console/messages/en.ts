import { answer } from '../answer/messages.ts';
import { attendance } from '../attendance/messages.ts';
import { availability } from '../availability/messages.ts';
import { forgotten, newPassword } from '../forgotten/messages.ts';
import { invitation } from '../invitation/messages.ts';
import { samples } from '../parts/samples.ts';
import { payroll } from '../payroll/messages.ts';
import { unsubscribe } from '../unsubscribe/messages.ts';
import { first } from './first.ts';

export const messages = {
  ...first,
  answer,
  attendance,
  availability,
  forgotten,
  invitation,
  newPassword,
  payroll,
  samples,
  unsubscribe,
};

export type Messages = typeof messages;
