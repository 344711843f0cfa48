/* The examples in the drawer. Each has its query in examples/<name>.graphql; a test runs them all. */

import {
  findBusyStaff,
  formatDate,
  findNewestEvent,
  findNextEvent,
  findFieldValue,
  findSpanWithEvents,
} from './example-data.ts';
import type { Variables } from '../application/service.ts';
import type { ReadData, Role } from '../application/session.ts';

export interface Example {
  /** Name of its file in examples/. */
  readonly name: string;
  readonly title: string;
  /** A few words on what the example shows. */
  readonly about: string;
  readonly group: Group;
  readonly role: Role | 'ANYONE';
  /** Path of the list that the table shows first; by default the first list. */
  readonly list?: string;
  /** Set if the result is shown as a chart first. */
  readonly isChart?: true;
  /** Set if the example changes data: it is then opened but not run. */
  readonly changes?: true;
  /** Computes the variables from current data. */
  readonly fill?: (readData: ReadData, now: Date) => Promise<Variables>;
}

export const groups = ['Events', 'Staffing', 'Money', 'People', 'Custom fields', 'Change something', 'You'] as const;

type Group = (typeof groups)[number];

export const examples: readonly Example[] = [
  {
    name: 'upcoming-events',
    title: 'Upcoming events',
    about: 'Events with call times, shifts and custom fields',
    group: 'Events',
    role: 'ADMIN',
    fill: async (readData, now) => ({ from: (await findSpanWithEvents(readData, now, 60)).from }),
  },
  {
    name: 'event-board',
    title: 'One event’s board',
    about: 'Call times, assigned staff and open places',
    group: 'Events',
    role: 'ADMIN',
    fill: async (readData, now) => ({ id: (await findNextEvent(readData, now)).id }),
  },
  {
    name: 'search-events',
    title: 'Search events',
    about: 'By text in title, venue or city',
    group: 'Events',
    role: 'ADMIN',
    fill: async (readData, now) => {
      const { city, title } = await findNextEvent(readData, now);
      return { text: city ?? title };
    },
  },
  {
    name: 'changed-lately',
    title: 'Recently changed',
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
    fill: (readData, now) => findSpanWithEvents(readData, now, 7),
  },
  {
    name: 'coverage-by-position',
    isChart: true,
    title: 'Coverage by position',
    about: 'Needed, confirmed and open, as a chart',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (readData, now) => findSpanWithEvents(readData, now, 30),
  },
  {
    name: 'coverage-by-day',
    isChart: true,
    title: 'Coverage by day',
    about: 'Open places on each day of the month',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (readData, now) => findSpanWithEvents(readData, now, 30),
  },
  {
    name: 'hours-by-person',
    isChart: true,
    title: 'Hours by person',
    about: 'Planned and confirmed hours of the month',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (readData, now) => findSpanWithEvents(readData, now, 30),
  },
  {
    name: 'conflicts',
    title: 'Double bookings',
    about: 'People with two shifts at the same time',
    group: 'Staffing',
    role: 'ADMIN',
    fill: (readData, now) => findSpanWithEvents(readData, now, 90),
  },
  {
    name: 'labour-cost-by-client',
    isChart: true,
    title: 'Labour cost by client',
    about: 'Planned, confirmed and still open',
    group: 'Money',
    role: 'ADMIN',
    fill: (readData, now) => findSpanWithEvents(readData, now, 90),
  },
  {
    name: 'labour-cost-by-event',
    isChart: true,
    title: 'Labour cost by event',
    about: 'What each event of the month costs',
    group: 'Money',
    role: 'ADMIN',
    fill: (readData, now) => findSpanWithEvents(readData, now, 30),
  },
  {
    name: 'positions',
    title: 'Positions and rates',
    about: 'The default pay rate of each position',
    group: 'Money',
    role: 'ADMIN',
  },
  {
    name: 'staff-shifts',
    title: 'A staff member’s shifts',
    about: 'All shifts of one person',
    group: 'People',
    role: 'ADMIN',
    fill: async (readData, now) => ({ userId: await findBusyStaff(readData, now) }),
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
    about: 'Custom field values of the next events',
    group: 'Custom fields',
    role: 'ADMIN',
    fill: async (readData, now) => ({ from: (await findSpanWithEvents(readData, now, 60)).from }),
  },
  {
    name: 'events-by-custom-field',
    title: 'Events by a custom field',
    about: 'Events with the same value in a custom field',
    group: 'Custom fields',
    role: 'ADMIN',
    fill: async (readData) => ({ customField: await findFieldValue(readData) }),
  },
  {
    name: 'create-event',
    title: 'Create an event',
    about: 'A draft, a month ahead',
    group: 'Change something',
    role: 'ADMIN',
    changes: true,
    fill: async (_look, now) => {
      const day = formatDate(now, 30);
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
    fill: async (readData) => ({
      id: (await findNewestEvent(readData)).id,
      input: { dressCode: 'Black, with an apron' },
    }),
  },
  {
    name: 'my-shifts',
    title: 'My shifts',
    about: 'Your shifts, by start',
    group: 'Staffing',
    role: 'STAFF',
  },
  {
    name: 'my-events',
    title: 'My events',
    about: 'Your events and their coverage',
    group: 'Events',
    role: 'CLIENT',
  },
  {
    name: 'rate-limit',
    title: 'You and your rate limit',
    about: 'Requests left this minute',
    group: 'You',
    role: 'ANYONE',
  },
];

export const examplesFor = (role: Role): Example[] =>
  examples.filter((example) => example.role === role || example.role === 'ANYONE');
