import { plural } from '../messages/plural.ts';

export const home = {
  title: 'Home',
  start: 'Ready for your first event in five steps',
  steps: {
    settings: {
      title: 'Say where your business is',
      lead: 'Its time zone decides what today is.',
      action: 'Business settings',
    },
    position: {
      title: 'Add a position with a rate',
      lead: 'Such as bartender, with what an hour costs.',
      action: 'Positions',
    },
    people: { title: 'Add people', lead: 'One by one, or from a file.', action: 'People' },
    event: { title: 'Make an event with call times', lead: 'When you need how many people.', action: 'New event' },
    assigned: { title: 'Assign the first person', lead: 'The board shows which places are open.', action: 'Board' },
  },
  done: 'done',
  today: 'Today',
  nothingToday: 'Nothing runs today',
  nothingLead: 'The week and everything later is on the page of events.',
  events: 'Events',
  newEvent: 'New event',
  openPlaces: (count: number) => (count === 1 ? '1 open place' : `${count} open places`),
  filled: 'filled',
  more: (count: number) => `And ${plural(count, 'event', 'events')} more`,
  week: 'The next seven days',
  openInWeek: (count: number) =>
    count === 0 ? 'No place is open.' : count === 1 ? '1 place is open.' : `${count} places are open.`,
  waiting: (count: number) =>
    count === 0
      ? 'Nobody has yet to answer.'
      : count === 1
        ? '1 shift waits for an answer.'
        : `${count} shifts wait for an answer.`,
  showGaps: 'Show the open places',
  showWaiting: 'Show who has to answer',
};
