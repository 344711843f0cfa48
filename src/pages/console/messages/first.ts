import { board } from '../board/messages.ts';
import { callSheet } from '../call-sheet/messages.ts';
import { checkIn } from '../check-in/messages.ts';
import { event } from '../event/messages.ts';
import { events } from '../events/messages.ts';
import { home } from '../home/messages.ts';
import { myShifts } from '../my-shifts/messages.ts';
import { offers } from '../offers/messages.ts';
import { parts } from '../parts/messages.ts';
import { people } from '../people/messages.ts';
import { person } from '../person/messages.ts';
import { qualifications } from '../qualifications/messages.ts';
import { settings } from '../settings/messages.ts';
import { staffing } from '../staffing/messages.ts';
import { swaps } from '../swaps/messages.ts';
import { session } from './session.ts';
import { pageTitles, shell } from './shell.ts';

/** The texts with which the console begins. Those of pages that few open come with the pages. */
export const first = {
  /** Language of numbers, dates and the page. */
  language: 'en',
  session,
  shell,
  attendance: { title: pageTitles.attendance },
  availability: { title: pageTitles.availability },
  board,
  callSheet,
  checkIn,
  event,
  events,
  home,
  myShifts,
  offers,
  parts,
  payroll: { title: pageTitles.payroll },
  people,
  person,
  qualifications,
  settings,
  staffing,
  swaps,
};
