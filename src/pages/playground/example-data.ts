import {
  EventsInSpanDocument,
  FieldValuesDocument,
  GapDocument,
  LastEventDocument,
  NewestEventDocument,
  NextEventDocument,
  StaffedDocument,
} from '../../generated/pages/playground.ts';
import type { Variables } from '../application/service.ts';
import type { ReadData } from '../application/session.ts';

/* Finds data for the variables of the examples in what the service currently stores. */

const dayMs = 86_400_000;

interface Span extends Variables {
  readonly from: string;
  readonly to: string;
}

/** Returns the coming days or, if they have no events, the same number of days up to the last event. */
export async function findSpanWithEvents(readData: ReadData, now: Date, days: number): Promise<Span> {
  const today = startOfDay(now);
  const ahead = await readData(EventsInSpanDocument, spanFrom(today, days));
  if (ahead.events.nodes.length > 0) return spanFrom(today, days);
  const last = await readData(LastEventDocument);
  const [event] = last.events.nodes;
  return spanFrom(event ? startOfDay(new Date(event.startsAt)) - (days - 1) * dayMs : today, days);
}

const startOfDay = (moment: Date): number => Math.floor(moment.getTime() / dayMs) * dayMs;

const spanFrom = (startMs: number, days: number): Span => ({
  from: new Date(startMs).toISOString(),
  to: new Date(startMs + days * dayMs).toISOString(),
});

export const formatDate = (now: Date, daysAhead: number): string =>
  new Date(now.getTime() + daysAhead * dayMs).toISOString().slice(0, 10);

export async function findNextEvent(
  readData: ReadData,
  now: Date,
): Promise<{ id: string; title: string; city: string | null }> {
  const { from } = await findSpanWithEvents(readData, now, 60);
  const { events } = await readData(NextEventDocument, { from });
  return first(events.nodes, 'event');
}

/** The next call time that lacks people. */
export async function findGap(readData: ReadData, from: string): Promise<string> {
  const { callTimes } = await readData(GapDocument, { from });
  return first(callTimes.nodes, 'open place').id;
}

export async function findNewestEvent(readData: ReadData): Promise<{ id: string }> {
  const { events } = await readData(NewestEventDocument);
  return first(events.nodes, 'event');
}

export async function findBusyStaff(readData: ReadData, now: Date): Promise<string> {
  const { from } = await findSpanWithEvents(readData, now, 60);
  const { events } = await readData(StaffedDocument, { from });
  return first(
    events.nodes.flatMap(({ workShifts }) => workShifts),
    'work shift',
  ).user.id;
}

export async function findFieldValue(readData: ReadData): Promise<{ fieldId: string; value: string }> {
  const { customFieldDefinitions, events } = await readData(FieldValuesDocument);
  const values = events.nodes.flatMap(({ customFields }) => customFields ?? []);
  const selects = new Set(customFieldDefinitions.filter(({ type }) => type === 'SELECT').map(({ uuid }) => uuid));
  const { fieldUuid, fieldValue } = first(
    values.toSorted((a, b) => Number(selects.has(b.fieldUuid)) - Number(selects.has(a.fieldUuid))),
    'value of a custom field',
  );
  return { fieldId: fieldUuid, value: fieldValue };
}

function first<T>(found: readonly T[], noun: string): T {
  const [one] = found;
  if (one === undefined) throw new Error(`There is no ${noun} yet, which this example needs.`);
  return one;
}
