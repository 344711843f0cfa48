import type { ListPage } from '../data.ts';
import type { CallTime, Event, Shift } from '../event/documents.ts';
import { ownShifts } from '../my-shifts/shifts.ts';

/* What the call sheets ask, and how events become sheets. */

type SheetCall = Omit<CallTime, 'startsAt' | 'endsAt' | 'version' | 'requirements' | 'claims' | 'payUnit'>;

export interface SheetEvent extends Omit<Event, 'callTimes' | 'version'> {
  readonly callTimes: readonly SheetCall[];
}

/** Whether the business prints codes to check in; only read for admins. */
interface Printed {
  readonly business?: { readonly printedCodes: boolean } | null;
}

export interface EventOfSheet extends Printed {
  readonly event: SheetEvent | null;
}

export interface EventsOfDay extends Printed {
  readonly page: ListPage<SheetEvent>;
}

const fields = (isAdmin: boolean) => `
  uuid title status timezone startTime startTimeTbd endTime endTimeTbd description dressCode
  venueName room address addressLine2 city state zip ${isAdmin ? 'client { id name }' : ''}
  callTimes {
    uuid startTime startTimeTbd endTime endTimeTbd staffNeeded notesForStaff dressCode
    position { id title } skillLevel { id name }
  }
  workShifts {
    uuid firstName lastName startTime endTime position { title } callTime { uuid } ${isAdmin ? 'user { phone }' : ''}
  }`;

export const eventForAdmin = `query SheetForAdmin($id: ID!) {
  event(id: $id) {${fields(true)} }
  business { printedCodes }
}`;

export const eventForOthers = `query SheetForOthers($id: ID!) { event(id: $id) {${fields(false)} } }`;

export const eventsOfDay = `query SheetsOfDay($from: DateTimeISO!, $to: DateTimeISO!, $after: String) {
  page: events(
    filter: { runsFrom: $from, runsTo: $to, statuses: [ACTIVE, DRAFT] }, sort: { by: START, order: ASC }, first: 100, after: $after
  ) {
    nodes {${fields(true)} }
    pageInfo { hasNextPage endCursor }
  }
  business { printedCodes }
}`;

export const shiftsOfPerson = `query SheetOfPerson($id: ID!, $from: DateTimeISO!, $to: DateTimeISO!) {
  user(id: $id) { name }
  page: workShifts(filter: { userId: $id, from: $from, to: $to }, first: 100) {${ownShifts} }
}`;

export const ownShiftsOfDay = `query OwnSheet($from: DateTimeISO!, $to: DateTimeISO!) {
  page: myShifts(from: $from, to: $to, first: 100) {${ownShifts} }
}`;

export const printedCode = `query PrintedCode($id: ID!, $day: String!) {
  checkInCode(eventId: $id, day: $day) { printedCode }
}`;

export interface Group {
  /** Null: the people without a call time. */
  readonly call: SheetCall | null;
  readonly shifts: readonly Shift[];
}

export interface Sheet {
  readonly event: SheetEvent;
  readonly day: string;
  readonly groups: readonly Group[];
}

/** One sheet for each day, on the clocks of the event, on which somebody starts: a printed code holds for the shifts of one day. */
export function toSheets(event: SheetEvent): Sheet[] {
  const dayOf = (startTime: string | null) => (startTime ?? event.startTime).slice(0, 10);
  const calls = event.callTimes.toSorted((one, other) => (one.startTime < other.startTime ? -1 : 1));
  const days = new Map<string, Group[]>();
  for (const call of [...calls, null]) {
    const shifts = event.workShifts.filter(({ callTime }) => callTime?.uuid === call?.uuid);
    const own = call ? [dayOf(call.startTimeTbd ? null : call.startTime)] : [];
    for (const day of new Set([...own, ...shifts.map(({ startTime }) => dayOf(startTime))])) {
      const group = { call, shifts: shifts.filter(({ startTime }) => dayOf(startTime) === day) };
      days.set(day, [...(days.get(day) ?? []), group]);
    }
  }
  if (days.size === 0) days.set(dayOf(null), []);
  return [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([day, groups]) => ({ event, day, groups }));
}
