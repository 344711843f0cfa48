import { plural } from '../messages/plural.ts';

export const callSheet = {
  title: 'Call sheet',
  many: 'Call sheets',
  day: 'Day',
  print: 'Print',
  phones: 'With phone numbers',
  printed: (day: string, time: string) => `Printed ${day}, ${time}`,
  nothing: 'Nothing to print',
  nothingLead: 'No event and no call time begins on this day.',
  noShifts: 'No shift begins on this day.',
  chooseEvent: 'Open an event: its call sheet is there.',
  events: 'To the events',
  zone: (zone: string) => `by the clocks of ${zone}`,
  client: 'Client',
  dress: 'Dress code',
  notes: 'Notes',
  people: (people: number, needed: number) =>
    needed > 0 ? `${people} of ${needed} people` : plural(people, 'person', 'people'),
  nobody: 'Nobody is assigned.',
  columns: { name: 'Name', phone: 'Phone', in: 'In', out: 'Out', sign: 'Signature' },
  checkIn: 'Check in with your phone',
  qr: (title: string) => `QR code to check in at ${title}`,
};
