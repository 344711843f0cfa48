import { plural } from '../messages/plural.ts';
import { pageTitles } from '../messages/shell.ts';

export const attendance = {
  title: pageTitles.attendance,
  noted: (names: string) => `${names}: noted as not come.`,
  noShow: 'Did not come',
  edit: 'Change',
  approve: 'Approve',
  unlock: 'Unlock codes',
  actionOf: (action: string, name: string) => `${action}: ${name}`,
  views: {
    label: 'What is shown',
    attention: 'Late, missing, still there',
    approve: 'To approve',
    approved: 'Approved',
    all: 'All',
  },
  filters: {
    label: 'Days',
    from: 'From',
    to: 'To',
    everyEvent: 'Show every event',
  },
  payroll: 'Payroll',
  columns: {
    person: 'Person and shift',
    noted: 'Came and left',
    hours: 'Hours',
    actions: 'Actions',
  },
  pick: (name: string) => `Select ${name}`,
  times: (came: string, left: string) => `${came} – ${left}`,
  breaks: (minutes: number) => `break ${minutes} min`,
  stillThere: 'there',
  planned: (hours: string) => `planned ${hours}`,
  states: {
    notOut: 'not checked out',
    toApprove: 'to approve',
    approved: 'approved',
    autoClosed: 'closed by the service with the planned end',
    nothing: 'nothing noted',
    toCome: 'to come',
  },
  approveAll: (count: number) => `Approve all ${count}`,
  approveSome: (count: number) => `Approve ${count} selected`,
  approving: {
    title: (count: number) => `Approve ${plural(count, 'shift', 'shifts')}?`,
    hours: (hours: string, planned: string) => `${hours} hours were worked, ${planned} were planned.`,
    differ: (count: number) =>
      count === 0
        ? 'None differs from its plan by more than 30 minutes.'
        : `${plural(count, 'shift differs', 'shifts differ')} from the plan by more than 30 minutes:`,
    line: (name: string, hours: string, planned: string) => `${name}: ${hours}, planned ${planned}`,
    more: (count: number) => `and ${count} more`,
    noUndo:
      'Approved hours go into the payroll. This cannot be undone for all at once: each shift can be changed with a reason, and is approved anew.',
  },
  approvedDone: (count: number) => `${plural(count, 'shift', 'shifts')} approved.`,
  unlocked: (count: number, name: string) =>
    count > 0 ? `${name} can enter codes again.` : `${name} was not locked: no wrong code was sent.`,
  count: (count: number) => plural(count, 'shift', 'shifts'),
  tooMany: (shown: number, count: number) => `The first ${shown} of ${count} shifts. Choose fewer days to see others.`,
  none: {
    attention: 'Nobody is late, missing or still there',
    approve: 'Nothing waits for an approval',
    approved: 'Nothing is approved on these days',
    all: 'No shifts on these days',
  },
  form: {
    title: (name: string) => `Attendance of ${name}`,
    planned: (plan: string) => `Planned: ${plan}`,
    asPlanned: 'As planned',
    day: 'Day',
    came: 'Came',
    left: 'Left',
    leftHint: 'The first such time after the check-in.',
    breakMinutes: 'Breaks, in minutes',
    paidEarly: 'Time before the planned start is paid',
    noShow: 'The person did not come',
    note: 'Note, for admins',
    changeReason: 'Why it is changed',
    changeReasonHint: 'It is approved: a change needs a reason, and it has to be approved again.',
    saved: (name: string) => `Saved: ${name}.`,
  },
};
