import type {
  AdminCallFieldsFragment,
  AdminShiftFieldsFragment,
  CallFieldsFragment,
  EventChoicesQuery,
  EventForAdminQuery,
  EventForOthersQuery,
  ShiftFieldsFragment,
  UpdateEventInput,
} from '../../../generated/pages/console/event.ts';

/* What the page of an event asks, by role. No document names a field that its role may not read. */

/** An event with what everybody may read, and with the fields of those who read more, which are left out for others. */
type With<Common, More> = Common & Partial<Omit<More, keyof Common>>;

export type Shift = With<ShiftFieldsFragment, AdminShiftFieldsFragment>;
export type CallTime = With<CallFieldsFragment, AdminCallFieldsFragment>;
export type Times = Pick<CallTime, 'startTime' | 'endTime' | 'startTimeTbd' | 'endTimeTbd'>;

export type Event = With<
  Omit<EventForOthersQuery['event'], 'callTimes' | 'workShifts'>,
  Omit<EventForAdminQuery['event'], 'callTimes' | 'workShifts'>
> & {
  readonly callTimes: readonly CallTime[];
  readonly workShifts: readonly Shift[];
};

type Input = Required<UpdateEventInput>;
type TextName = { [Name in keyof Input]: string extends Input[Name] ? Name : never }[keyof Input];

/** Texts of an event that may be missing: those that the schema takes, but for what the form treats otherwise. */
export type OptionalText = Exclude<TextName, 'title' | 'startTime' | 'endTime' | 'timezone' | 'clientId'>;

/** The section of each text in the form, in its order. A text that the schema has and that is missing here does not compile. */
const sectionsOfTexts: Readonly<Record<OptionalText, 'place' | 'people' | 'more'>> = {
  venueName: 'place',
  room: 'place',
  address: 'place',
  addressLine2: 'place',
  city: 'place',
  state: 'place',
  zip: 'place',
  description: 'people',
  dressCode: 'people',
  privateNotes: 'people',
  resourceId: 'more',
  latitude: 'more',
  longitude: 'more',
};

export const optionalTexts = Object.keys(sectionsOfTexts) as readonly OptionalText[];

export const listTexts = (section: 'place' | 'people' | 'more'): readonly OptionalText[] =>
  optionalTexts.filter((name) => sectionsOfTexts[name] === section);

/** What an event is made from: the lists of the business. */
export type Choices = EventChoicesQuery;
export type CustomField = Choices['customFieldDefinitions'][number];
