import { answer } from '../answer/messages.ts';
import { attendance } from '../attendance/messages.ts';
import { availability } from '../availability/messages.ts';
import { board } from '../board/messages.ts';
import { callSheet } from '../call-sheet/messages.ts';
import { checkIn } from '../check-in/messages.ts';
import { event } from '../event/messages.ts';
import { events } from '../events/messages.ts';
import { forgotten, newPassword } from '../forgotten/messages.ts';
import { home } from '../home/messages.ts';
import { invitation } from '../invitation/messages.ts';
import { myShifts } from '../my-shifts/messages.ts';
import { offers } from '../offers/messages.ts';
import { parts } from '../parts/messages.ts';
import { payroll } from '../payroll/messages.ts';
import { people } from '../people/messages.ts';
import { person } from '../person/messages.ts';
import { qualifications } from '../qualifications/messages.ts';
import { settings } from '../settings/messages.ts';
import { staffing } from '../staffing/messages.ts';
import { swaps } from '../swaps/messages.ts';
import { unsubscribe } from '../unsubscribe/messages.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';

export const messages = {
  /** Language of numbers, dates and the page. */
  language: 'en',
  session,
  shell,
  answer,
  attendance,
  availability,
  board,
  callSheet,
  checkIn,
  event,
  events,
  forgotten,
  home,
  invitation,
  myShifts,
  newPassword,
  offers,
  parts,
  payroll,
  people,
  person,
  qualifications,
  settings,
  staffing,
  swaps,
  unsubscribe,
};

export type Messages = typeof messages;
