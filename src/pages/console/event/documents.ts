/* What the page of an event asks, by role. No document names a field that its role may not read. */

export type EventStatus = 'ACTIVE' | 'DRAFT' | 'CANCELED' | 'DELETED';
export type PayUnit = 'HOUR' | 'DAY' | 'FLAT';

export interface Shift {
  readonly uuid: string;
  readonly version: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly confirmed: boolean;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly position: { readonly title: string };
  readonly callTime: { readonly uuid: string } | null;
  /** For admins. */
  readonly user?: { readonly id: string; readonly phone: string | null } | null;
  readonly overrideReason?: string | null;
}

/** Somebody who was called off, or declined. */
interface GoneShift extends Omit<Shift, 'confirmed'> {
  readonly declinedAt: string | null;
  readonly cancelReason: string | null;
}

export interface CallTime {
  readonly uuid: string;
  readonly version: number;
  readonly staffNeeded: number;
  readonly startTime: string;
  readonly startsAt: string;
  readonly startTimeTbd: boolean;
  readonly endTime: string;
  readonly endsAt: string;
  readonly endTimeTbd: boolean;
  readonly notesForStaff: string | null;
  readonly dressCode: string | null;
  readonly position: { readonly id: string; readonly title: string };
  readonly skillLevel: { readonly id: string; readonly name: string } | null;
  /** For admins. */
  readonly payRate?: string | null;
  readonly payUnit: PayUnit;
}

/** Texts of an event that may be missing. */
export const optionalTexts = [
  'description',
  'dressCode',
  'venueName',
  'room',
  'address',
  'addressLine2',
  'city',
  'state',
  'zip',
  'latitude',
  'longitude',
  'resourceId',
  'privateNotes',
] as const;

export type OptionalText = (typeof optionalTexts)[number];

export interface Event extends Readonly<Partial<Record<OptionalText, string | null>>> {
  readonly uuid: string;
  readonly version: number;
  readonly status: EventStatus;
  readonly title: string;
  readonly startTime: string;
  readonly startTimeTbd: boolean;
  readonly endTime: string;
  readonly endTimeTbd: boolean;
  readonly timezone: string;
  readonly callTimes: readonly CallTime[];
  readonly workShifts: readonly Shift[];
  /** For admins and clients. */
  readonly coverage?: { readonly needed: number; readonly assigned: number } | null;
  /** For admins. */
  readonly client?: { readonly id: string; readonly name: string } | null;
  readonly gone?: { readonly nodes: readonly GoneShift[] };
  readonly customFields?: readonly { readonly fieldUuid: string; readonly fieldValue: string }[];
}

export interface Position {
  readonly id: string;
  readonly title: string;
  readonly defaultPayRate: string;
  readonly payUnit: PayUnit;
}

export interface CustomField {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly type: 'TEXT' | 'MULTILINE' | 'SELECT';
  readonly options: readonly string[];
}

/** What an event is made from: the lists of the business. */
export interface Choices {
  readonly positions: readonly Position[];
  readonly skillLevels: readonly { readonly id: string; readonly name: string }[];
  readonly customFieldDefinitions: readonly CustomField[];
}

const callFields = `
  uuid version staffNeeded startTime startsAt startTimeTbd endTime endsAt endTimeTbd notesForStaff dressCode payUnit
  position { id title } skillLevel { id name }`;

const eventFields = `
  uuid version status title startTime startTimeTbd endTime endTimeTbd timezone
  description dressCode venueName room address addressLine2 city state zip latitude longitude`;

const shiftFields = `
  uuid version firstName lastName confirmed startTime endTime position { title } callTime { uuid }`;

export const choicesQuery = `query EventChoices {
  positions { id title defaultPayRate payUnit }
  skillLevels { id name }
  customFieldDefinitions { id uuid name type options }
}`;

export const adminEvent = `query EventForAdmin($id: ID!) {
  event(id: $id) {${eventFields}
    resourceId privateNotes client { id name } customFields { fieldUuid fieldValue }
    coverage { needed assigned }
    callTimes {${callFields} payRate }
    workShifts {${shiftFields} user { id phone } overrideReason }
    gone: workShiftsConnection(filter: { statuses: [CANCELED] }, first: 100) {
      nodes {${shiftFields} declinedAt cancelReason }
    }
  }
}`;

/** For clients and staff, who see their own shifts alone. Coverage is null for staff. */
export const othersEvent = `query EventForOthers($id: ID!) {
  event(id: $id) {${eventFields} coverage { needed assigned } callTimes {${callFields} } workShifts {${shiftFields} } }
}`;

export const clientSearch = `query EventClients($search: String!) {
  users(role: CLIENT, search: $search, first: 20) { nodes { id name } }
}`;

export const createEvent = `mutation CreateEvent($input: CreateEventInput!, $idempotencyKey: String) {
  createEvent(input: $input, idempotencyKey: $idempotencyKey) { uuid title version }
}`;

export const setValues = `mutation SetEventValues($id: ID!, $version: Int, $values: [CustomFieldValueInput!]!) {
  setCustomFieldValues(eventId: $id, version: $version, values: $values) { uuid version }
}`;

export const copyEvent = `mutation CopyEvent($id: ID!, $input: CopyEventInput!, $idempotencyKey: String) {
  copyEvent(id: $id, input: $input, idempotencyKey: $idempotencyKey) { event { uuid title startTime } }
}`;

export const costQuery = `query EventCost($id: ID!) {
  event(id: $id) {
    startTime
    labourCost { ...Cost }
    callTimes { uuid startTime startTimeTbd endTime endTimeTbd position { title } labourCost { ...Cost } }
  }
}
fragment Cost on LabourCost { planned confirmed open unpricedShifts unpricedOpen currency }`;

export const historyFields = `
  at atEvent { local } actorKind actorName kind change rowName fields { name before after beforeName afterName }`;

/** An event as it is now, and who has changed it last. */
export const conflictQuery = adminEvent.replace(
  'workShifts {',
  `history(first: 5) { nodes {${historyFields} } pageInfo { hasNextPage } } workShifts {`,
);

export const historyQuery = `query EventHistory($id: ID!, $first: Int!) {
  event(id: $id) {
    history(first: $first) { nodes {${historyFields} } pageInfo { hasNextPage } }
  }
}`;
