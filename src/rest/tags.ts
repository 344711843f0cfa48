import { plainSections } from '../fields/catalogs.ts';
import { screenSentence } from '../fields/grants.ts';

/** The sections of the reference, each with its description. Every route stands in one of them. */
export const tags = {
  'Authentication and tokens':
    'Log in, log out, and list, create and revoke the API keys of the business. Each operation names the scopes that its credential needs.',
  Events:
    'Events with their call times, active work shifts and custom field values. Times are wall-clock times in the time zone of the event.',
  'Events, earlier variant':
    'The same events in their earlier shape, for clients that were built for it. New clients use the events above.',
  'Call times': 'When how many people of one position are needed at an event.',
  'Work shifts': 'Who works an event, in which position, and when.',
  Attendance: 'Who came and left, when, and what is approved for pay. Guide: [On the day](/guide/on-the-day).',
  Offers:
    'Who is asked to work, and what they answer; and the places that staff can claim by themselves. Guide: [Ask people](/guide/integrators#ask-people).',
  Mails:
    'What the links in mails lead to, and what the caller wants to get by mail. Guide: [Ask people](/guide/integrators#ask-people).',
  Swaps: 'Shifts that people swap, or hand over to others. Guide: [Swap shifts](/guide/integrators#swap-shifts).',
  'Own events and shifts': 'The events of the calling client, and the shifts of the calling staff member.',
  Positions: 'What people work as, with the default rate of pay.',
  ...plainSections,
  'Custom fields': 'Fields that a business adds to its events, and their values.',
  Users: 'The people of the business: admins, staff and clients. These routes have an envelope of their own.',
  Availability:
    'When staff can work: weekly patterns in their own time zone, and exceptions such as holidays. Guide: [Who can work](/guide/who-can-work).',
  Business: 'Settings of the business.',
  Reports: 'Coverage, labour cost, payroll and double bookings in a period.',
  Screens: `Browsers that show the live board without a log-in: a screen shows a code, and an admin approves it. ${screenSentence} Guide: [Screens](/guide/operators#screens).`,
  'Calendar feeds':
    'Calendars that calendar programs read by an address with a secret. Guide: [Calendar feeds](/guide/integrators#calendar-feeds).',
  Webhooks:
    'Where the service sends messages about changes, signed by Standard Webhooks 1.0. Guide: [Webhooks](/guide/integrators#webhooks).',
  History: 'Who changed events, shifts and the other rows of the business, when, and from what to what.',
  Changes: 'What has changed, for copies of the data and pages that are kept up to date.',
  'Audit trail': 'Who did what, and what was refused.',
} as const;

export type Tag = keyof typeof tags;
