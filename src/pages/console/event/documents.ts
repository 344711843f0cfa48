import type { Noted } from '../../board/presence.ts';
import type { StoredRequirement } from '../qualifications/data.ts';
/* What the page of an event asks, by role. No document names a field that its role may not read. */

export type EventStatus = 'ACTIVE' | 'DRAFT' | 'CANCELED' | 'DELETED';
export type PayUnit = 'HOUR' | 'DAY' | 'FLAT';

type Texts<Name extends string> = Readonly<Record<Name, string>>;

export interface Shift extends Texts<'uuid' | 'firstName' | 'lastName'> {
  readonly version: number;
  readonly confirmed: boolean;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly position: { readonly title: string };
  readonly callTime: { readonly uuid: string } | null;
  /** For admins. */
  readonly startsAt?: string | null;
  readonly attendance?: (Noted & { readonly version: number }) | null;
  readonly user?: { readonly id: string; readonly phone: string | null } | null;
  readonly overrideReason?: string | null;
  readonly dropRequestedAt?: string | null;
}

/** Somebody who was called off, or declined. */
interface GoneShift extends Omit<Shift, 'confirmed'> {
  readonly declinedAt: string | null;
  readonly cancelReason: string | null;
}

export interface Times extends Texts<'startTime' | 'endTime'> {
  readonly startTimeTbd: boolean;
  readonly endTimeTbd: boolean;
}

export interface CallTime extends Times, Texts<'uuid' | 'startsAt' | 'endsAt'> {
  readonly version: number;
  readonly staffNeeded: number;
  readonly notesForStaff: string | null;
  readonly dressCode: string | null;
  readonly position: Texts<'id' | 'title'>;
  readonly skillLevel: Texts<'id' | 'name'> | null;
  readonly requirements: readonly StoredRequirement[];
  /** Whether staff can take a place by themselves. */
  readonly claims: 'NONE' | 'APPROVAL' | 'OPEN';
  /** For admins. */
  readonly payRate?: string | null;
  readonly payUnit: PayUnit;
  /** For admins; null: that of the position. */
  readonly billRate?: string | null;
  readonly billUnit?: PayUnit;
}

/** Texts of an event that may be missing. */
export const optionalTexts = [
  ...(['description', 'dressCode', 'venueName', 'room', 'address', 'addressLine2', 'city', 'state', 'zip'] as const),
  ...(['latitude', 'longitude', 'resourceId', 'privateNotes'] as const),
] as const;

export type OptionalText = (typeof optionalTexts)[number];

export interface Event
  extends Times, Texts<'uuid' | 'title' | 'timezone'>, Readonly<Partial<Record<OptionalText, string | null>>> {
  readonly version: number;
  readonly status: EventStatus;
  readonly callTimes: readonly CallTime[];
  readonly workShifts: readonly Shift[];
  /** For admins and clients. */
  readonly coverage?: Readonly<Record<'needed' | 'assigned' | 'open', number>> | null;
  /** For admins. */
  readonly client?: Texts<'id' | 'name'> | null;
  readonly gone?: { readonly nodes: readonly GoneShift[] };
  readonly customFields?: readonly Texts<'fieldUuid' | 'fieldValue'>[];
}

export interface CustomField extends Texts<'id' | 'uuid' | 'name'> {
  readonly type: 'TEXT' | 'MULTILINE' | 'SELECT';
  readonly options: readonly string[];
}

/** What an event is made from: the lists of the business. */
export interface Choices {
  readonly positions: readonly (Texts<'id' | 'title' | 'defaultPayRate'> & {
    readonly payUnit: PayUnit;
    readonly billRate: string | null;
  })[];
  readonly skillLevels: readonly Texts<'id' | 'name'>[];
  readonly customFieldDefinitions: readonly CustomField[];
}

const callFields = `
  uuid version staffNeeded startTime startsAt startTimeTbd endTime endsAt endTimeTbd notesForStaff dressCode payUnit claims
  position { id title } skillLevel { id name } requirements { minLevel qualification { id name } }`;

const eventFields = `
  uuid version status title startTime startTimeTbd endTime endTimeTbd timezone
  description dressCode venueName room address addressLine2 city state zip latitude longitude`;

const shiftFields = `
  uuid version firstName lastName confirmed startTime endTime position { title } callTime { uuid }`;

export const choicesQuery = `query EventChoices {
  positions { id title defaultPayRate payUnit billRate }
  skillLevels { id name }
  customFieldDefinitions { id uuid name type options }
}`;

export const adminEvent = `query EventForAdmin($id: ID!) {
  event(id: $id) {${eventFields}
    resourceId privateNotes client { id name } customFields { fieldUuid fieldValue }
    coverage { needed assigned open }
    callTimes {${callFields} payRate billRate billUnit }
    workShifts {${shiftFields}
      startsAt user { id phone } overrideReason dropRequestedAt attendance { version lateFrom checkedInAt checkedOutAt noShow }
    }
    gone: workShiftsConnection(filter: { statuses: [CANCELED] }, first: 100) {
      nodes {${shiftFields} declinedAt cancelReason }
    }
  }
}`;

/** For clients and staff, who see their own shifts alone. Coverage is null for staff. */
export const othersEvent = `query EventForOthers($id: ID!) {
  event(id: $id) {${eventFields} coverage { needed assigned open } callTimes {${callFields} } workShifts {${shiftFields} } }
}`;

export const createEvent = `mutation CreateEvent($input: CreateEventInput!, $idempotencyKey: String) {
  createEvent(input: $input, idempotencyKey: $idempotencyKey) { uuid title version }
}`;

const clashFields = 'clashes { kind needed assigned eventTitle minutes text user { name } }';

export const changeEvent = `mutation ChangeEvent($id: ID!, $version: Int, $input: UpdateEventInput!, $dryRun: Boolean) {
  change: updateEvent(id: $id, version: $version, input: $input, dryRun: $dryRun) { event { version } ${clashFields} }
}`;

export interface Changed {
  readonly change: { readonly event: { readonly version: number } };
}

export const changeCalls = `mutation ChangeCallTimes($input: ChangeCallTimesInput!, $idempotencyKey: String) {
  change: changeCallTimes(input: $input, idempotencyKey: $idempotencyKey) { callTimes { uuid version } ${clashFields} }
}`;

export interface ChangedCalls {
  readonly change: { readonly callTimes: readonly Pick<CallTime, 'uuid' | 'version'>[] };
}

export const setValues = `mutation SetEventValues($id: ID!, $version: Int, $values: [CustomFieldValueInput!]!) {
  change: setCustomFieldValues(eventId: $id, version: $version, values: $values) { version }
}`;

export const copyEvent = `mutation CopyEvent($id: ID!, $input: CopyEventInput!, $idempotencyKey: String) {
  copyEvent(id: $id, input: $input, idempotencyKey: $idempotencyKey) { event { uuid title startTime } }
}`;
