import { plural } from '../messages/plural.ts';

export const pasting = {
  /** How spreadsheets name the columns, besides. */
  names: {
    position: ['role', 'job'],
    staff: ['qty', 'quantity', 'count', 'people', 'headcount', 'needed', 'staff needed'],
    startDay: ['start date', 'day'],
    start: ['start time', 'from', 'begin'],
    end: ['end time', 'to', 'until', 'finish'],
    endDay: ['end day'],
    rate: ['pay', 'pay rate', 'wage'],
    unit: ['unit', 'pay unit', 'rate unit', 'pay per'],
    bill: ['bill rate', 'billed rate'],
    billUnit: ['bill unit', 'billed per'],
    skill: ['skill', 'level'],
    claims: [] as string[],
    notes: ['notes', 'note', 'comment', 'comments'],
  },
  /** Words for no choice, and other ones for what can be chosen. */
  noChoice: ['', '–', '-', 'none'],
  otherWords: {
    HOUR: ['hourly', 'per hour', '/hour', '/h', 'h', 'hr', 'hours'],
    DAY: ['daily', 'per day', '/day', 'days'],
    FLAT: ['fixed', 'flat rate', 'once'],
    OPEN: ['open'],
    APPROVAL: ['approval'],
  } as Readonly<Record<string, readonly string[]>>,
  pasted: (number: number, faulty: number) =>
    `${plural(number, 'row', 'rows')} pasted${faulty > 0 ? `, ${faulty} with faults` : ''}.`,
  leftOut: (columns: readonly string[]) =>
    `Not taken, because no column here is named so: ${columns.map((column) => `“${column}”`).join(', ')}.`,
  tooMany: (most: number) => `At most ${most} call times at once: the rest was not pasted.`,
};
