import { plural } from '../messages/plural.ts';

export const staffing = {
  checkIn: 'Check in',
  checkOut: 'Check out',
  checked: {
    checkIn: (names: string) => `${names}: checked in.`,
    checkOut: (names: string) => `${names}: checked out.`,
  },
  people: (number: number) => plural(number, 'person', 'people'),
  /** After “Undone.” */
  notBack: {
    ended: 'Offers, swaps and requests to give a shift back that ended with it stay ended.',
    times: 'A shift that had times of its own has those of the call time, and is not confirmed.',
  },
  // What changed meanwhile
  away: 'Since you were away',
  seen: 'Seen',
  moreNews: (number: number) => `and ${plural(number, 'more change', 'more changes')}`,
  // Call times and their people
  fill: (open: number) => `Fill ${plural(open, 'open place', 'open places')}`,
  add: 'Assign one more',
  nobody: 'Nobody yet.',
  select: (name: string) => `Select ${name}`,
  call: (name: string, phone: string) => `Call ${name}: ${phone}`,
  clash: (title: string, minutes: number | null) =>
    minutes === null
      ? `Double-booked: may work at “${title}” at this time.`
      : `Double-booked: at “${title}” for ${minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`} of this time.`,
  override: (reason: string) => `Assigned all the same: ${reason}`,
  declined: 'declined',
  calledOff: 'called off',
  gone: (number: number) => `${number} declined or called off`,
  confirm: 'Confirm',
  unconfirm: 'Withdraw',
  move: 'Move…',
  exchange: 'Exchange',
  callOff: 'Call off…',
  clear: 'Clear',
  selected: (number: number) => `${number} selected`,
  actions: (action: string, name: string) => `${action.replace('…', '')} ${name}`,
  isGone: 'This is no longer part of the event.',
  over: 'The event is canceled or deleted, so its people stay as they are.',
  // What is said after a change
  confirmed: (names: string) => `${names} confirmed.`,
  unconfirmed: (names: string) => `No longer confirmed: ${names}.`,
  assigned: (names: string) => `${names} assigned.`,
  wasCalledOff: (names: string) => `${names} called off. The place is open again.`,
  moved: (target: string) => (names: string) => `${names} moved to ${target}.`,
  exchanged: (names: string) => `${names} exchanged.`,
  pair: (one: string, other: string) => `${one} and ${other}`,
  stale: 'Somebody else has changed this meanwhile. What is shown is as it is now; do it again if it is still right.',
  // Against a change
  anyway: (action: string) => `${action} anyway`,
  against: 'What stands against it',
  reason: 'Do it anyway, because',
  reasonNeeded: 'Give a reason. It is kept with the shift.',
  refusedFor: (name: string, reason: string) => `${name}: ${reason}`,
  tooMany: (open: number) => `Only ${plural(open, 'place is', 'places are')} open.`,
  // What fills a place
  search: 'Search by name',
  choose: 'Choose somebody below.',
  verdicts: {
    READY: 'Ready',
    ASK: 'To be asked',
    BLOCKED: 'With something against it',
  },
  everybody: 'Show everybody',
  weekHours: (hours: number) => `${Math.round(hours * 10) / 10} h in that week`,
  nobodyFound: 'Nobody is found. Search for another name, show everybody, or add people to the business.',
  toPeople: 'Go to people',
  more: 'Only the first are shown. Search to find others.',
  assign: 'Assign',
  // The dialog that moves
  moveTitle: (names: string) => `Move ${names}`,
  moveTo: (names: string, target: string) => `Move ${names} to ${target}`,
  exchangeTitle: (names: string) => `Exchange ${names}`,
  moveHere: 'To another call time of this event',
  exchangeWith: 'Or exchange places with',
  moveElsewhere: 'To another event',
  searchEvents: 'Search events by title, venue or city',
  target: (position: string, clocks: string) => `${position}, ${clocks}`,
  open: (number: number) => (number > 0 ? `${number} open` : 'full'),
  chooseTarget: 'Choose where to.',
  moveNow: 'Move',
  // The dialog that calls off
  callOffTitle: (names: string) => `Call off ${names}?`,
  callOffLead: 'They see that they are no longer needed. You can undo it.',
  cause: 'Reason',
  callOffNow: 'Call off',
};
