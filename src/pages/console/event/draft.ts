import { addDays, countDays, isDay } from '../../time/dates.ts';
import { readTime } from '../../time/typed.ts';
import {
  optionalTexts,
  type CallTime,
  type Choices,
  type Event,
  type OptionalText,
  type Times,
} from '../model/events.ts';

/* An event and its call times as they are typed, and what is sent of them. Times are those of the clocks at the event. */

/** In the cell of a call time: the time is still to be determined. An empty cell is the time of the event. */
const tbd = 'TBD';

/** When something takes place. */
export interface Span {
  readonly startDay: string;
  /** `HH:MM`; empty while it is to be determined. */
  readonly start: string;
  /** Empty: the first day on which the end is after the start. */
  readonly endDay: string;
  readonly end: string;
  /** The clocks that stand for times to be determined. */
  readonly tentative: { readonly start: string; readonly end: string };
}

export interface EventDraft extends Span, Readonly<Record<OptionalText, string>> {
  readonly title: string;
  readonly timezone: string;
  readonly client: { readonly id: string; readonly name: string } | null;
  /** Values of custom fields, by the uuid of the field. */
  readonly custom: Readonly<Record<string, string>>;
}

const isClock = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

const findClocks = ({ start, end, tentative }: Span) => ({
  startClock: isClock(start) ? start : tentative.start,
  endClock: isClock(end) ? end : tentative.end,
});

const dayAfter = (startDay: string, start: string, end: string): string =>
  end > start || !isDay(startDay) ? startDay : addDays(startDay, 1);

export function findEndDay(span: Span): string {
  const { startClock, endClock } = findClocks(span);
  return span.endDay || dayAfter(span.startDay, startClock, endClock);
}

export function toTimes(span: Span): Times {
  const { startClock, endClock } = findClocks(span);
  return {
    startTime: `${span.startDay} ${startClock}:00`,
    startTimeTbd: span.start === '',
    endTime: `${findEndDay(span)} ${endClock}:00`,
    endTimeTbd: span.end === '',
  };
}

function toSpan({ startTime, startTimeTbd, endTime, endTimeTbd }: Times): Span {
  const tentative = { start: startTime.slice(11, 16), end: endTime.slice(11, 16) };
  const span = {
    startDay: startTime.slice(0, 10),
    start: startTimeTbd ? '' : tentative.start,
    endDay: '',
    end: endTimeTbd ? '' : tentative.end,
    tentative,
  };
  const endDay = endTime.slice(0, 10);
  return endDay === findEndDay(span) ? span : { ...span, endDay };
}

const textsOf = (event: Partial<Event>) =>
  Object.fromEntries(optionalTexts.map((name) => [name, event[name] ?? ''])) as Record<OptionalText, string>;

export const newDraft = (startDay: string, timezone: string): EventDraft => ({
  ...textsOf({}),
  ...{ startDay, start: '', endDay: '', end: '', tentative: { start: '00:00', end: '23:59' } },
  ...{ title: '', timezone, client: null, custom: {} },
});

export const toDraft = (event: Event): EventDraft => ({
  ...textsOf(event),
  ...toSpan(event),
  title: event.title,
  timezone: event.timezone,
  client: event.client ?? null,
  custom: Object.fromEntries((event.customFields ?? []).map(({ fieldUuid, fieldValue }) => [fieldUuid, fieldValue])),
});

export type Input = Readonly<Record<string, unknown>>;

export const toEventInput = (draft: EventDraft): Input => ({
  title: draft.title.trim(),
  ...toTimes(draft),
  timezone: draft.timezone,
  clientId: draft.client?.id ?? null,
  ...Object.fromEntries(optionalTexts.map((name) => [name, draft[name].trim() || null])),
});

/** The fields of the second that the first has otherwise. */
export const findChanges = (before: Input, after: Input): Input =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));

/** The fields of the second draft that the first has otherwise. */
export function pickChanges(before: EventDraft, after: EventDraft): Partial<EventDraft> {
  const isChanged = ([name, value]: [string, unknown]) =>
    name !== 'base' && JSON.stringify(value) !== JSON.stringify(before[name as keyof EventDraft]);
  const own = Object.entries(after.custom).filter(([uuid, value]) => value !== (before.custom[uuid] ?? ''));
  return {
    ...Object.fromEntries(Object.entries({ ...after, custom: before.custom }).filter(isChanged)),
    ...(own.length > 0 && { custom: { ...before.custom, ...Object.fromEntries(own) } }),
  };
}

type SpanFault = 'day' | 'time' | 'order';

/** What is wrong with the times, by field. */
export function findSpanFaults(span: Span): Partial<Record<'startDay' | 'start' | 'endDay' | 'end', SpanFault>> {
  const isTime = (time: string) => time === '' || isClock(time);
  const { startTime, endTime } = toTimes(span);
  const isRead = isDay(span.startDay) && isTime(span.start) && isTime(span.end);
  return {
    ...(!isDay(span.startDay) && { startDay: 'day' }),
    ...(!isTime(span.start) && { start: 'time' }),
    ...(!isTime(span.end) && { end: 'time' }),
    ...(span.endDay && !isDay(span.endDay) && { endDay: 'day' }),
    ...(isRead && endTime <= startTime && { end: 'order' }),
  };
}

/** Another first day. An event of several days keeps its length. */
export const moveToDay = (draft: EventDraft, startDay: string): EventDraft => ({
  ...draft,
  startDay,
  ...(draft.endDay &&
    isDay(startDay) &&
    isDay(draft.startDay) && { endDay: addDays(draft.endDay, countDays(draft.startDay, startDay)) }),
});

/** What moves along by the rule of the service: all, if start and end change by the same difference on the clocks; else nothing. */
export function findMove(
  before: Span,
  after: Span,
  { callTimes, workShifts }: { readonly callTimes: readonly unknown[]; readonly workShifts: readonly unknown[] },
) {
  const [was, now] = [toTimes(before), toTimes(after)];
  const [byStart, byEnd] = (['startTime', 'endTime'] as const).map(
    (name) => Date.parse(now[name]) - Date.parse(was[name]),
  );
  const isMove = byStart === byEnd && byStart !== 0;
  return isMove ? { callTimes: callTimes.length, workShifts: workShifts.length } : null;
}

/* Call times. */

export type CallColumn =
  | 'position'
  | 'staff'
  | 'startDay'
  | 'start'
  | 'end'
  | 'endDay'
  | 'rate'
  | 'unit'
  | 'bill'
  | 'billUnit'
  | 'skill'
  | 'claims'
  | 'notes';

/**
 * A row of the table of call times, as it is typed. Empty cells stand for one person, the times and days of the event, and the rate
 * of the position. The dress code is not in the table.
 */
export type CallDraft = Readonly<Record<CallColumn | 'dress', string>>;

export const noCall: CallDraft = {
  ...{ position: '', staff: '', startDay: '', start: '', end: '', endDay: '' },
  ...{ rate: '', unit: '', bill: '', billUnit: '', skill: '', claims: '', notes: '', dress: '' },
};

export const isEmptyCall = (call: CallDraft): boolean => Object.values(call).every((text) => text === '');

const isLongerThanDay = (span: Span): boolean => {
  const { startTime, endTime } = toTimes(span);
  return Date.parse(`${endTime}Z`) - Date.parse(`${startTime}Z`) > 86_400_000;
};

/** Whether days must be told: the event is longer than a day, or a call time is on a day of its own. */
export const needsDays = (span: Span, calls: readonly CallDraft[]): boolean =>
  isLongerThanDay(span) || calls.some(({ startDay, endDay }) => startDay !== '' || endDay !== '');

/** The times of a call time. What it has none of is that of the event. */
export function findCallSpan(call: CallDraft, event: Span): Span {
  const { startTime, endTime } = toTimes(event);
  const inherit = (own: string, inherited: string) => (own === tbd ? '' : (readTime(own) ?? (own || inherited)));
  const span = {
    ...event,
    start: inherit(call.start, event.start),
    end: inherit(call.end, event.end),
    tentative: { start: startTime.slice(11, 16), end: endTime.slice(11, 16) },
  };
  const { startClock, endClock } = findClocks(span);
  const isAfterMidnight =
    isDay(event.startDay) &&
    `${event.startDay} ${startClock}:00` < startTime &&
    `${addDays(event.startDay, 1)} ${startClock}:00` < endTime;
  const startDay = call.startDay || (isAfterMidnight ? addDays(event.startDay, 1) : event.startDay);
  return { ...span, startDay, endDay: call.endDay || dayAfter(startDay, startClock, endClock) };
}

export function toCallDraft(call: CallTime, event: Span): CallDraft {
  const own = toSpan(call);
  const draft: CallDraft = {
    ...noCall,
    position: call.position.title,
    staff: String(call.staffNeeded),
    start: own.start || tbd,
    end: own.end || tbd,
    rate: call.payRate ?? '',
    unit: call.payUnit,
    ...(call.billRate && { bill: call.billRate, billUnit: call.billUnit ?? '' }),
    skill: call.skillLevel?.name ?? '',
    claims: call.claims === 'NONE' ? '' : call.claims,
    notes: call.notesForStaff ?? '',
    dress: call.dressCode ?? '',
  };
  const days = { startDay: own.startDay, endDay: call.endTime.slice(0, 10) };
  const found = findCallSpan(draft, event);
  return found.startDay === days.startDay && found.endDay === days.endDay ? draft : { ...draft, ...days };
}

/** A title or name, found without regard to case, also by its beginning if no other begins so. */
export function findByName<Row>(rows: readonly Row[], text: string, nameOf: (row: Row) => string): Row | undefined {
  const wanted = text.trim().toLowerCase();
  const exact = rows.find((row) => nameOf(row).toLowerCase() === wanted);
  if (exact || wanted === '') return exact;
  const begun = rows.filter((row) => nameOf(row).toLowerCase().startsWith(wanted));
  return begun.length === 1 ? begun[0] : undefined;
}

/** What the cells of a column to choose from can hold, besides nothing. */
const callChoices: Readonly<Partial<Record<CallColumn, readonly string[]>>> = {
  unit: ['HOUR', 'DAY', 'FLAT'],
  billUnit: ['HOUR', 'DAY', 'FLAT'],
  claims: ['OPEN', 'APPROVAL'],
};

export type CallFault = 'position' | 'staff' | 'time' | 'order' | 'day' | 'rate' | 'skill' | 'unit' | 'claims';

/** What a row sends, and what is wrong with it by column. The service judges the rest. */
export function readCall(call: CallDraft, event: Span, { positions, skillLevels }: Choices) {
  const position = findByName(positions, call.position, ({ title }) => title);
  const skill = findByName(skillLevels, call.skill, ({ name }) => name);
  // A number as others write it, such as 1.000, is not read as another one.
  const staff = call.staff === '' ? 1 : /^\d{1,5}$/.test(call.staff.trim()) ? Number(call.staff) : NaN;
  const [rate, bill] = [call.rate, call.bill].map((amount) => amount.trim().replace(',', '.')) as [string, string];
  const isAmount = (amount: string) => amount === '' || /^\d+(\.\d{1,2})?$/.test(amount);
  const isOther = (column: CallColumn) => call[column] !== '' && !callChoices[column]?.includes(call[column]);
  const span = findCallSpan(call, event);
  const { startDay, start, endDay, end } = findSpanFaults(span);
  const faults: Partial<Record<CallColumn, CallFault>> = {
    ...(!position && { position: 'position' }),
    ...((!Number.isInteger(staff) || staff < 1 || staff > 10_000) && { staff: 'staff' }),
    ...(startDay && call.startDay && { startDay }),
    // A time that the event itself lacks is a fault of the event.
    ...(start && call.start && { start }),
    ...(end && call.end && { end }),
    ...(endDay && call.endDay && { endDay }),
    ...(!isAmount(rate) && { rate: 'rate' }),
    ...(!isAmount(bill) && { bill: 'rate' }),
    ...(call.skill.trim() !== '' && !skill && { skill: 'skill' }),
    ...(isOther('unit') && { unit: 'unit' }),
    ...(isOther('billUnit') && { billUnit: 'unit' }),
    ...(isOther('claims') && { claims: 'claims' }),
  };
  const input: Input = {
    positionId: position?.id,
    skillLevelId: skill?.id ?? null,
    staffNeeded: staff,
    ...toTimes(span),
    claims: call.claims || 'NONE',
    notesForStaff: call.notes.trim() || null,
    dressCode: call.dress.trim() || null,
    payRate: rate === '' ? null : rate,
    ...(call.unit && { payUnit: call.unit }),
    billRate: bill === '' ? null : bill,
    ...(bill && { billUnit: call.billUnit || 'HOUR' }),
  };
  return { input, faults };
}

/** What a typed text means, where it means something. */
export function readTyped(column: CallColumn, text: string, { positions, skillLevels }: Choices): string {
  if (column === 'position') return findByName(positions, text, ({ title }) => title)?.title ?? text;
  if (column === 'skill') return findByName(skillLevels, text, ({ name }) => name)?.name ?? text;
  if (column === 'start' || column === 'end')
    return text.trim().toUpperCase() === tbd ? tbd : (readTime(text) ?? text.trim());
  return column === 'rate' || column === 'bill' ? text.replace(/[$\s]/g, '') : text;
}
