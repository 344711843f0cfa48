import { plural } from '../messages/plural.ts';
import { pageTitles } from '../messages/shell.ts';

export const payroll = {
  title: pageTitles.payroll,
  lead: 'A shift belongs to the week of its start. Each pay is rounded to cents, and a row is the sum of its shifts.',
  previous: 'Week before',
  thisWeek: 'This week',
  next: 'Week after',
  from: 'From',
  to: 'To',
  download: 'Download as CSV',
  failed: 'The file could not be read. Try again.',
  figures: { planned: 'Planned', actual: 'Actual', approved: 'Approved', overtime: 'Overtime' },
  hours: (hours: string) => `${hours} h`,
  unknown: (count: number) => `${plural(count, 'shift', 'shifts')} without known hours`,
  unpaid: (count: number) => `${plural(count, 'shift', 'shifts')} without known pay`,
  notApproved: (count: number) =>
    count === 0 ? 'All shifts of these days are approved.' : `${plural(count, 'shift is', 'shifts are')} not approved.`,
  showThem: 'Show them',
  columns: {
    person: 'Person',
    week: 'Week of',
    rate: 'Rate',
    planned: 'Planned',
    actual: 'Actual',
    approved: 'Approved',
    overtime: 'Overtime',
  },
  rate: (amount: string, unit: 'HOUR' | 'DAY' | 'FLAT') =>
    `${amount} ${{ HOUR: 'an hour', DAY: 'a day', FLAT: 'flat' }[unit]}`,
  total: 'All together',
  none: 'Nobody works on these days',
};
