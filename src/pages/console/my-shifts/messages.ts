export const myShifts = {
  title: 'My shifts',
  addToCalendar: 'Add to my calendar',
  next: 'Next',
  toCome: 'To come',
  past: 'Past',
  waiting: (count: number) =>
    count === 0
      ? 'No shift waits for your answer.'
      : count === 1
        ? 'One shift waits for your answer.'
        : `${count} shifts wait for your answer.`,
  nothingToCome: 'No shifts to come',
  nothingToComeLead: 'When you are assigned to an event, it is shown here, and asks for your answer.',
  nothingPast: 'No past shifts',
  nothingPastLead: 'Shifts that have ended are listed here.',
  more: 'Show more',
  confirm: 'Confirm',
  decline: 'Decline',
  reallyDecline: 'Really decline',
  keep: 'Keep it',
  confirmed: 'Confirmed',
  unanswered: 'Waiting for your answer',
  calledOff: 'You are called off',
  declined: 'You declined',
  eventCanceled: 'The event is canceled',
  draft: 'Draft: not final yet',
  tbd: 'time to be determined',
  when: (start: string, end: string) => `${start} – ${end}`,
  place: 'Where',
  dress: 'Dress code',
  notes: 'Notes',
  thanks: (title: string) => `You confirmed ${title}.`,
  sorry: (title: string) => `You declined ${title}.`,
  offline: (moment: string) => `No connection. This is your list as of ${moment}; answers have to wait.`,
};
