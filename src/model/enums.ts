import { registerEnumType } from 'type-graphql';
import type * as credentials from '../config/credential-scopes.ts';
import type * as stored from '../generated/prisma/enums.ts';

/* GraphQL spells enum values in capitals; internally they are the database's own values. */

type Spelled<T extends string> = { readonly [Value in T as Uppercase<Value>]: Value };

export const EventStatus = {
  ACTIVE: 'active',
  DRAFT: 'draft',
  CANCELED: 'canceled',
  DELETED: 'deleted',
} as const satisfies Spelled<stored.EventStatus>;

export const ShiftStatus = {
  ACTIVE: 'active',
  CANCELED: 'canceled',
  DELETED: 'deleted',
} as const satisfies Spelled<stored.ShiftStatus>;

export const PayUnit = { HOUR: 'hour', DAY: 'day', FLAT: 'flat' } as const satisfies Spelled<stored.PayUnit>;

export const Role = { ADMIN: 'admin', STAFF: 'staff', CLIENT: 'client' } as const satisfies Spelled<stored.Role>;

export const Plan = {
  FREE: 'free',
  BASIC: 'basic',
  PROFESSIONAL: 'professional',
  ENTERPRISE: 'enterprise',
} as const satisfies Spelled<stored.Plan>;

export const CustomFieldType = {
  TEXT: 'text',
  MULTILINE: 'multiline',
  SELECT: 'select',
} as const satisfies Spelled<stored.CustomFieldType>;

export const CredentialScope = {
  READ: 'read',
  EVENTS_WRITE: 'events:write',
  STAFFING_WRITE: 'staffing:write',
  USERS_WRITE: 'users:write',
  WEBHOOKS: 'webhooks',
  FULL: 'full',
} as const satisfies { readonly [S in credentials.CredentialScope as UnderscoredScope<S>]: S };

type UnderscoredScope<S extends string> = Uppercase<S extends `${infer Noun}:${infer Verb}` ? `${Noun}_${Verb}` : S>;

/** How completely something is staffed. */
export const CoverageState = {
  NONE_NEEDED: 'NONE_NEEDED',
  EMPTY: 'EMPTY',
  PARTIAL: 'PARTIAL',
  FILLED: 'FILLED',
  OVERFILLED: 'OVERFILLED',
} as const;

export const ReportGrouping = { DAY: 'day', EVENT: 'event', POSITION: 'position', CLIENT: 'client' } as const;

export const ConflictKind = { OVERLAP: 'OVERLAP', POSSIBLE_OVERLAP: 'POSSIBLE_OVERLAP' } as const;

export const ClashKind = {
  OVERFILLED: 'OVERFILLED',
  OVERLAP: 'OVERLAP',
  POSSIBLE_OVERLAP: 'POSSIBLE_OVERLAP',
} as const;

export const SortOrder = { ASC: 'asc', DESC: 'desc' } as const;

export const DstNote = { NONE: 'none', AMBIGUOUS: 'ambiguous', CROSSES: 'crosses' } as const;

export const EventSortKey = { START: 'start', TITLE: 'title', CREATED: 'created', MODIFIED: 'modified' } as const;

export const ChangeKind = {
  POSITION: 'position',
  SKILL_LEVEL: 'skillLevel',
  USER: 'user',
  CUSTOM_FIELD: 'customField',
  EVENT: 'event',
  CALL_TIME: 'callTime',
  WORK_SHIFT: 'workShift',
} as const;

export const ChangeOperation = { CHANGED: 'changed', DELETED: 'deleted', LEFT: 'left' } as const;

export const AuditOutcome = { DONE: 'done', REFUSED: 'refused', FAILED: 'failed' } as const;

export const HistoryKind = { ...ChangeKind, CUSTOM_FIELD_VALUE: 'customFieldValue' } as const;

export const HistoryChange = { CREATED: 'created', UPDATED: 'updated', DELETED: 'deleted' } as const;

export const HistoryActor = { USER: 'user', API_KEY: 'apiKey', OPERATOR: 'operator' } as const;

export const ScreenNames = { FULL: 'full', SHORT: 'short', HIDDEN: 'hidden' } as const;

export const ScreenClaimStatus = { PENDING: 'pending', EXPIRED: 'expired', CLAIMED: 'claimed' } as const;

export const AuditActor = {
  USER: 'user',
  API_KEY: 'apiKey',
  SCREEN: 'screen',
  ANONYMOUS: 'anonymous',
  OPERATOR: 'operator',
  SERVICE: 'service',
} as const;

registerEnumType(EventStatus, {
  name: 'EventStatus',
  description: 'Status of an event. Any may follow any other.',
  valuesConfig: {
    ACTIVE: { description: 'Takes place as planned.' },
    DRAFT: { description: 'Still being planned.' },
    CANCELED: { description: 'Called off.' },
    DELETED: { description: 'Hidden: listed only if this status is requested. Can be restored.' },
  },
});
registerEnumType(ShiftStatus, {
  name: 'ShiftStatus',
  description: 'Status of a work shift.',
  valuesConfig: {
    ACTIVE: { description: 'The assignment stands.' },
    CANCELED: { description: 'Called off.' },
    DELETED: { description: 'Removed.' },
  },
});
registerEnumType(PayUnit, {
  name: 'PayUnit',
  description: 'Unit of a pay rate.',
  valuesConfig: {
    HOUR: { description: 'Each hour worked.' },
    DAY: { description: 'Each day worked.' },
    FLAT: { description: 'The whole assignment.' },
  },
});
registerEnumType(Role, {
  name: 'Role',
  description: 'Role of a user: what they may do.',
  valuesConfig: {
    ADMIN: { description: 'Manages the business and its events.' },
    STAFF: { description: 'Works shifts.' },
    CLIENT: { description: 'Reads their own events, which the business staffs.' },
  },
});
registerEnumType(Plan, {
  name: 'Plan',
  description: 'Plan of a business, which sets its requests per minute.',
  valuesConfig: {
    FREE: { description: '60 requests a minute.' },
    BASIC: { description: '120 requests a minute.' },
    PROFESSIONAL: { description: '300 requests a minute.' },
    ENTERPRISE: { description: '1,000 requests a minute.' },
  },
});
registerEnumType(CredentialScope, {
  name: 'CredentialScope',
  description: 'What an API key, or a narrowed personal access token, may do. Each scope that writes includes READ.',
  valuesConfig: {
    READ: { description: 'Reads all that the role may see.' },
    EVENTS_WRITE: {
      description: 'Changes events, call times, custom fields and their values, positions and skill levels.',
    },
    STAFFING_WRITE: { description: 'Changes work shifts: assigns people, confirms, cancels.' },
    USERS_WRITE: { description: 'Creates, changes and deletes users who are no admins.' },
    WEBHOOKS: { description: 'Manages webhooks, and reads their messages.' },
    FULL: { description: 'Does all that the role may do.' },
  },
});
registerEnumType(SortOrder, {
  name: 'SortOrder',
  description: 'Direction of a list.',
  valuesConfig: {
    ASC: { description: 'Oldest first; texts from A on.' },
    DESC: { description: 'Newest first; texts from Z on.' },
  },
});
registerEnumType(DstNote, {
  name: 'DstNote',
  description: 'Effect of a clock change, such as to or from daylight saving time, on a time.',
  valuesConfig: {
    NONE: { description: 'No effect.' },
    AMBIGUOUS: { description: 'This local time occurs twice that day; the first occurrence is meant.' },
    CROSSES: {
      description:
        'The clocks change between start and end, so the duration differs from the difference of the local times.',
    },
  },
});
registerEnumType(EventSortKey, {
  name: 'EventSortKey',
  description: 'What a list of events can be sorted by.',
  valuesConfig: {
    START: { description: 'Instant of the start.' },
    TITLE: { description: 'Title, letter by letter as the database orders them.' },
    CREATED: { description: 'When the event was created.' },
    MODIFIED: { description: 'When the event itself was last changed.' },
  },
});
registerEnumType(CustomFieldType, {
  name: 'CustomFieldType',
  description: 'Type of the values of a custom field.',
  valuesConfig: {
    TEXT: { description: 'A single line of text.' },
    MULTILINE: { description: 'Text of several lines.' },
    SELECT: { description: 'One of the options of the field.' },
  },
});
registerEnumType(CoverageState, {
  name: 'CoverageState',
  description: 'Summary of the staffing of call times.',
  valuesConfig: {
    NONE_NEEDED: { description: 'No call time needs anybody.' },
    EMPTY: { description: 'Staff are needed, and nobody is assigned.' },
    PARTIAL: { description: 'Somebody is assigned, and at least one call time still lacks staff.' },
    FILLED: { description: 'Every call time has exactly the staff that it needs.' },
    OVERFILLED: { description: 'No call time lacks staff, and at least one has more than it needs.' },
  },
});
registerEnumType(ReportGrouping, {
  name: 'ReportGrouping',
  description: 'What each group of a report stands for.',
  valuesConfig: {
    DAY: { description: 'The local date on which an event starts, in the time zone of the event.' },
    EVENT: { description: 'An event.' },
    POSITION: { description: 'A position: that of the call time or of the work shift that is counted.' },
    CLIENT: { description: 'The client of an event.' },
  },
});
registerEnumType(ConflictKind, {
  name: 'ConflictKind',
  description: 'Whether the overlap of two work shifts is certain.',
  valuesConfig: {
    OVERLAP: { description: 'All times are known, and the shifts share some of them.' },
    POSSIBLE_OVERLAP: { description: 'A time is still to be determined, and the shifts may share some.' },
  },
});
registerEnumType(ClashKind, {
  name: 'ClashKind',
  description: 'A rule that an assignment can break.',
  valuesConfig: {
    OVERFILLED: { description: 'The call time has as many active shifts as it needs staff.' },
    OVERLAP: { description: 'The person has another active shift at the same time.' },
    POSSIBLE_OVERLAP: {
      description:
        'The person has another active shift that may overlap, because a start or an end is to be determined.',
    },
  },
});
registerEnumType(ChangeKind, {
  name: 'ChangeKind',
  description: 'Kind of a changed row.',
  valuesConfig: {
    POSITION: { description: 'A position.' },
    SKILL_LEVEL: { description: 'A skill level.' },
    USER: { description: 'A user.' },
    CUSTOM_FIELD: { description: 'A custom field. Its values are part of their events.' },
    EVENT: { description: 'An event, or the custom field values of one.' },
    CALL_TIME: { description: 'A call time.' },
    WORK_SHIFT: { description: 'A work shift.' },
  },
});
registerEnumType(ChangeOperation, {
  name: 'ChangeOperation',
  description: 'What happened to a row, as the caller sees it.',
  valuesConfig: {
    CHANGED: { description: 'It was created, changed, or has come into sight.' },
    DELETED: { description: 'It was deleted.' },
    LEFT: { description: 'The caller does not see it any more.' },
  },
});
registerEnumType(AuditOutcome, {
  name: 'AuditOutcome',
  description: 'Outcome of an audit entry.',
  valuesConfig: {
    DONE: { description: 'The change was made; the entry was stored in the same transaction.' },
    REFUSED: {
      description: 'The caller may not do this. Recorded once an hour for each caller and operation.',
    },
    FAILED: { description: 'The password was wrong. Recorded once a minute for each user.' },
  },
});
registerEnumType(ScreenNames, {
  name: 'ScreenNames',
  description: 'How a screen names people.',
  valuesConfig: {
    FULL: { description: 'By first and last name.' },
    SHORT: { description: 'By first name and initial, such as Anna B.' },
    HIDDEN: { description: 'Not at all.' },
  },
});
registerEnumType(ScreenClaimStatus, {
  name: 'ScreenClaimStatus',
  description: 'What has become of the code of a screen.',
  valuesConfig: {
    PENDING: { description: 'No admin has approved it yet, or its board token was claimed before.' },
    EXPIRED: { description: 'Its time is over: make a new code.' },
    CLAIMED: { description: 'It was approved, and this answer holds the board token.' },
  },
});
registerEnumType(AuditActor, {
  name: 'AuditActor',
  description: 'Kind of caller of an audit entry.',
  valuesConfig: {
    USER: { description: 'A user who logged in or used a personal access token.' },
    API_KEY: { description: 'A business API key.' },
    SCREEN: { description: 'A screen that shows the board.' },
    ANONYMOUS: { description: 'Somebody without a valid credential.' },
    OPERATOR: { description: 'The operator of the service, on the command line.' },
    SERVICE: { description: 'The service itself, such as when it disables a webhook.' },
  },
});
registerEnumType(HistoryKind, {
  name: 'HistoryKind',
  description: 'Kind of a changed row.',
  valuesConfig: {
    EVENT: { description: 'An event.' },
    CALL_TIME: { description: 'A call time of an event.' },
    WORK_SHIFT: { description: 'A work shift at an event.' },
    USER: { description: 'A user.' },
    POSITION: { description: 'A position.' },
    SKILL_LEVEL: { description: 'A skill level.' },
    CUSTOM_FIELD: { description: 'A custom field, as the business defines it.' },
    CUSTOM_FIELD_VALUE: { description: 'The value of a custom field on an event.' },
  },
});
registerEnumType(HistoryChange, {
  name: 'HistoryChange',
  description: 'What happened to a row.',
  valuesConfig: {
    CREATED: { description: 'It was created, with the values after.' },
    UPDATED: { description: 'Some of its fields changed.' },
    DELETED: { description: 'It was deleted. Events and shifts are never: their status says so.' },
  },
});
registerEnumType(HistoryActor, {
  name: 'HistoryActor',
  description: 'Kind of caller of a change.',
  valuesConfig: {
    USER: { description: 'A user.' },
    API_KEY: { description: 'A business API key.' },
    OPERATOR: { description: 'The operator of the service, on the command line.' },
  },
});
