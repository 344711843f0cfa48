/* The examples of the drawer. Each has its query in examples/<name>.graphql; a test runs them all. */

import {
  busyStaff,
  dateOf,
  newestEvent,
  nextEvent,
  someFieldValue,
  spanWithEvents,
  type Look,
  type Variables,
} from './live.ts';

export type Role = 'ADMIN' | 'STAFF' | 'CLIENT';

export interface Example {
  /** Of its file. */
  readonly name: string;
  readonly title: string;
  /** What it answers, in a few words. */
  readonly about: string;
  readonly group: Group;
  readonly role: Role | 'ANYONE';
  /** The list that its table shows at first; the first one if not given. */
  readonly list?: string;
  /** Changes something: opened, it waits to be run. */
  readonly changes?: true;
  /** Its variables out of what is there at the moment. */
  readonly fill?: (look: Look, now: Date) => Promise<Variables>;
}

export const groups = ['Events', 'Staffing', 'Money', 'People', 'Custom fields', 'Change something', 'You'] as const;

export type Group = (typeof groups)[number];

export const examples: readonly Example[] = [
  {
    name: 'upcoming-events',
    title: 'Upcoming events',
    about: 'With call times, shifts and custom fields',
    group: 'Events',
    role: 'ADMIN',
    fill: async (look, now) => ({ from: (await spanWithEvents(look, now, 60)).from }),
  },
  {
    name: 'event-board',
    title: 'One event’s board',
    about: 'Who is called when, and who is missing',
    group: 'Events',
    role: 'ADMIN',
    fill: async (look, now) => ({ uuid: (await nextEvent(look, now)).uuid }),
  },
  {
    name: 'search-events',
    title: 'Search events',
    about: 'By a text in title, venue or city',
    group: 'Events',
    role: 'ADMIN',
    fill: async (look, now) => {
      const { city, title } = await nextEvent(look, now);
      return { text: city ?? title };
    },
  },
  {
    name: 'changed-lately',
    title: 'Changed lately',
    about: 'The latest changes to events',
    group: 'Events',
    role: 'ADMIN',
  },
  {
    name: 'unfilled-call-times',
    list: 'events.nodes.callTimes',
    title: 'Unfilled this week',
    about: 'Call times that still lack people',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (look, now) => spanWithEvents(look, now, 7),
  },
  {
    name: 'coverage-by-position',
    title: 'Coverage by position',
    about: 'Needed, confirmed and open, as a chart',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (look, now) => spanWithEvents(look, now, 30),
  },
  {
    name: 'coverage-by-day',
    title: 'Coverage by day',
    about: 'Where the month has its holes',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (look, now) => spanWithEvents(look, now, 30),
  },
  {
    name: 'conflicts',
    title: 'Double bookings',
    about: 'Who works two things at once',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (look, now) => spanWithEvents(look, now, 90),
  },
  {
    name: 'labour-cost-by-client',
    title: 'Labour cost by client',
    about: 'Planned, confirmed and still open',
    group: 'Money',
    role: 'ADMIN',
    fill: (look, now) => spanWithEvents(look, now, 90),
  },
  {
    name: 'labour-cost-by-event',
    title: 'Labour cost by event',
    about: 'What each event of the month costs',
    group: 'Money',
    role: 'ADMIN',
    fill: (look, now) => spanWithEvents(look, now, 30),
  },
  {
    name: 'positions',
    title: 'Positions and rates',
    about: 'What work is paid by default',
    group: 'Money',
    role: 'ADMIN',
  },
  {
    name: 'staff-shifts',
    title: 'A staff member’s shifts',
    about: 'All that one person works',
    group: 'People',
    role: 'ADMIN',
    fill: async (look, now) => ({ userId: await busyStaff(look, now) }),
  },
  {
    name: 'staff',
    title: 'Staff',
    about: 'The people who work for the business',
    group: 'People',
    role: 'ADMIN',
  },
  {
    name: 'custom-fields',
    list: 'events.nodes.customFields',
    title: 'Custom fields',
    about: 'What the next events say in them',
    group: 'Custom fields',
    role: 'ADMIN',
    fill: async (look, now) => ({ from: (await spanWithEvents(look, now, 60)).from }),
  },
  {
    name: 'events-by-custom-field',
    title: 'Events by a custom field',
    about: 'All with the same value in it',
    group: 'Custom fields',
    role: 'ADMIN',
    fill: async (look) => ({ customField: await someFieldValue(look) }),
  },
  {
    name: 'create-event',
    title: 'Create an event',
    about: 'A draft, a month ahead',
    group: 'Change something',
    role: 'ADMIN',
    changes: true,
    fill: async (_look, now) => {
      const day = dateOf(now, 30);
      return {
        input: {
          title: 'Playground dinner',
          status: 'DRAFT',
          startTime: `${day} 18:00:00`,
          endTime: `${day} 23:00:00`,
          timezone: 'America/New_York',
          venueName: 'The Old Granary',
          city: 'Albany',
        },
      };
    },
  },
  {
    name: 'update-event',
    title: 'Update an event',
    about: 'The dress code of the newest event',
    group: 'Change something',
    role: 'ADMIN',
    changes: true,
    fill: async (look) => ({ uuid: (await newestEvent(look)).uuid, input: { dressCode: 'Black, with an apron' } }),
  },
  {
    name: 'my-shifts',
    title: 'My shifts',
    about: 'What you work, by start',
    group: 'Staffing',
    role: 'STAFF',
  },
  {
    name: 'my-events',
    title: 'My events',
    about: 'And how far they are staffed',
    group: 'Events',
    role: 'CLIENT',
  },
  {
    name: 'budget',
    title: 'You and your budget',
    about: 'What is left this minute',
    group: 'You',
    role: 'ANYONE',
  },
];

export const examplesFor = (role: Role): Example[] =>
  examples.filter((example) => example.role === role || example.role === 'ANYONE');
