import { FreeDocument } from '../../generated/pages/playground.ts';
/* The examples in the drawer. Each has its query in examples/<name>.graphql; a test runs them all. */

import {
  findBusyStaff,
  formatDate,
  findNewestEvent,
  findNextEvent,
  findFieldValue,
  findGap,
  findSpanWithEvents,
} from './example-data.ts';
import type { Variables } from '../application/service.ts';
import type { ReadData, Role } from '../application/session.ts';

export interface Example extends More {
  /** Name of its file in examples/. */
  readonly name: string;
  readonly title: string;
  /** A few words on what the example shows. */
  readonly about: string;
  readonly group: Group;
  readonly role: Role | 'ANYONE';
}

interface More {
  /** By default for admins. */
  readonly role?: Role | 'ANYONE';
  /** Path of the list that the table shows first; by default the first list. */
  readonly list?: string;
  /** Set if the result is shown as a chart first. */
  readonly isChart?: true;
  /** Set if the example changes data: it is then opened but not run. */
  readonly changes?: true;
  /** Computes the variables from current data. */
  readonly fill?: (readData: ReadData, now: Date) => Promise<Variables>;
}

type Fill = NonNullable<More['fill']>;

const span =
  (days: number): Fill =>
  (readData, now) =>
    findSpanWithEvents(readData, now, days);
const next: Fill = async (readData, now) => ({ from: (await findSpanWithEvents(readData, now, 60)).from });

export const groups = ['Events', 'Staffing', 'Money', 'People', 'Custom fields', 'Change something', 'You'] as const;

type Group = (typeof groups)[number];

/** Name, title and a few words of each. */
const listed: Readonly<Record<Group, readonly (readonly [name: string, title: string, about: string, more?: More])[]>> =
  {
    Events: [
      ['upcoming-events', 'Upcoming events', 'Events with call times, shifts and custom fields', { fill: next }],
      [
        'event-board',
        'One event’s board',
        'Call times, assigned staff and open places',
        { fill: async (readData, now) => ({ id: (await findNextEvent(readData, now)).id }) },
      ],
      ['search-events', 'Search events', 'By text in title, venue or city', { fill: findText }],
      ['changed-lately', 'Recently changed', 'The latest changes to events'],
      ['my-events', 'My events', 'Your events and their coverage', { role: 'CLIENT' }],
    ],
    Staffing: [
      ['unfilled-call-times', 'Unfilled this week', 'Call times that still lack people', { fill: span(7) }],
      [
        'coverage-by-position',
        'Coverage by position',
        'Needed, confirmed and open, as a chart',
        { isChart: true, fill: span(30) },
      ],
      ['coverage-by-day', 'Coverage by day', 'Open places on each day of the month', { isChart: true, fill: span(30) }],
      [
        'hours-by-person',
        'Hours by person',
        'Planned and confirmed hours of the month',
        { isChart: true, fill: span(30) },
      ],
      [
        'candidates',
        'Who can work',
        'Candidates for the next open place',
        {
          fill: async (readData, now) => ({
            callTimeId: await findGap(readData, (await findSpanWithEvents(readData, now, 60)).from),
          }),
        },
      ],
      ['qualifications-expiring', 'Qualifications that end soon', 'And the booked shifts that need them longer'],
      ['conflicts', 'Double bookings', 'People with two shifts at the same time', { fill: span(90) }],
      ['who-was-asked', 'Who was asked', 'Offers to people, and what they answered'],
      ['swaps', 'Swaps of shifts', 'Who wants to hand over a shift, and what became of it'],
      ['my-shifts', 'My shifts', 'Your shifts, by start', { role: 'STAFF' }],
      ['open-call-times', 'Open places', 'Call times that you can claim by yourself', { role: 'STAFF' }],
    ],
    Money: [
      [
        'labour-cost-by-client',
        'Labour cost by client',
        'Planned, confirmed and still open',
        { isChart: true, fill: span(90) },
      ],
      [
        'labour-cost-by-event',
        'Labour cost by event',
        'What each event of the month costs',
        { isChart: true, fill: span(30) },
      ],
      ['positions', 'Positions and rates', 'The default pay rate of each position'],
    ],
    People: [
      [
        'staff-shifts',
        'A staff member’s shifts',
        'All shifts of one person',
        { fill: async (readData, now) => ({ userId: await findBusyStaff(readData, now) }) },
      ],
      [
        'staff-availability',
        'When one person can work',
        'Weekly patterns, exceptions, and bookings that do not fit',
        { fill: async (readData, now) => ({ userId: await findBusyStaff(readData, now) }) },
      ],
      ['staff', 'Staff', 'The people who work for the business'],
    ],
    'Custom fields': [
      [
        'custom-fields',
        'Custom fields',
        'Custom field values of the next events',
        { list: 'events.nodes.customFields', fill: next },
      ],
      [
        'events-by-custom-field',
        'Events by a custom field',
        'Events with the same value in a custom field',
        { fill: async (readData) => ({ customField: await findFieldValue(readData) }) },
      ],
    ],
    'Change something': [
      ['create-event', 'Create an event', 'A draft, a month ahead', { changes: true, fill: draftEvent }],
      ['ask-people', 'Ask people', 'Offers the next open place to three people', { changes: true, fill: askPeople }],
      [
        'update-event',
        'Update an event',
        'The dress code of the newest event',
        { changes: true, fill: changeDressCode },
      ],
    ],
    You: [['rate-limit', 'You and your rate limit', 'Requests left this minute', { role: 'ANYONE' }]],
  };

async function findText(readData: ReadData, now: Date): Promise<Variables> {
  const { city, title } = await findNextEvent(readData, now);
  return { text: city ?? title };
}

async function askPeople(readData: ReadData, now: Date): Promise<Variables> {
  const callTimeId = await findGap(readData, now.toISOString());
  const { candidates } = await readData(FreeDocument, { id: callTimeId });
  const userIds = candidates.nodes.map(({ user }) => user.id);
  return { callTimeId, input: { userIds, message: 'Can you help us out?' } };
}

async function changeDressCode(readData: ReadData): Promise<Variables> {
  return { id: (await findNewestEvent(readData)).id, input: { dressCode: 'Black, with an apron' } };
}

function draftEvent(_readData: ReadData, now: Date): Promise<Variables> {
  const day = formatDate(now, 30);
  const place = { timezone: 'America/New_York', venueName: 'The Old Granary', city: 'Albany' };
  const times = { startTime: `${day} 18:00:00`, endTime: `${day} 23:00:00` };
  return Promise.resolve({ input: { title: 'Playground dinner', status: 'DRAFT', ...times, ...place } });
}

export const examples: readonly Example[] = groups.flatMap((group) =>
  listed[group].map(([name, title, about, more]) => ({ role: 'ADMIN' as const, ...more, name, title, about, group })),
);

export const examplesFor = (role: Role): Example[] =>
  examples.filter((example) => example.role === role || example.role === 'ANYONE');
