const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const person = {
  title: 'Person',
  none: {
    title: 'Nobody here',
    lead: 'There is no such person in your business, or they have left.',
    all: 'All people',
  },
  role: 'Role',
  email: 'E-mail',
  phone: 'Phone',
  noPhone: 'None is known',
  since: 'Here since',
  edit: 'Edit',
  invite: 'Invite',
  leave: 'Remove',
  tabs: {
    label: 'About this person',
    coming: 'Shifts to come',
    past: 'Past shifts',
    availability: 'When they can work',
    held: 'Qualifications',
    history: 'History',
  },
  shifts: {
    coming: 'Shifts to come',
    past: 'Past shifts',
    noneComing: 'No shifts to come',
    noneComingLead: 'Assign them on the page of an event or on the board.',
    nonePast: 'No shifts yet',
    shown: (shown: number, all: number) => `The nearest ${shown} of ${all.toLocaleString('en')} shifts are shown.`,
    hours: (hours: string, count: number) => `${hours} h planned in ${plural(count, 'shift', 'shifts')}`,
    hour: (hours: string) => `${hours} h`,
    tbd: 'Time to be determined',
    columns: { time: 'Time', event: 'Event', position: 'Position', answer: 'Answer', hours: 'Hours' },
    confirmed: 'Confirmed',
    waiting: 'No answer yet',
    canceled: 'Called off',
    declined: 'Declined',
    eventCanceled: 'Event canceled',
  },
  workedAs: 'Positions',
  skills: 'Skill levels',
  worked: (position: string, count: number) => `${position} (${count})`,
  editing: {
    title: (name: string) => `Edit ${name}`,
    saved: 'Saved.',
    changed:
      'Somebody else has changed this person meanwhile. What you typed is kept: compare it with what is stored now, and save again.',
    now: (field: string, value: string) => `${field} is stored as “${value}”.`,
  },
  leaving: {
    title: (name: string) => `Remove ${name}?`,
    lead: 'They can no longer log in. Past shifts keep their name. This cannot be undone.',
    shifts: (count: number) => `Call off ${plural(count, 'shift that has', 'shifts that have')} not ended`,
    events: 'Their events to come keep their name as the client',
    action: 'Remove',
    done: (name: string) => `${name} is removed.`,
    inUseShifts: (count: number) =>
      `They have ${plural(count, 'shift that has', 'shifts that have')} not ended. Say above that these are called off, or give them to others first.`,
    inUseEvents: (count: number) =>
      `They are the client of ${plural(count, 'event', 'events')} to come. Say above that these keep their name, or give them another client first.`,
  },
};
