import { registerEnumType } from 'type-graphql';
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

export const AuditOutcome = { DONE: 'done', REFUSED: 'refused', FAILED: 'failed' } as const;

export const AuditActor = { USER: 'user', API_KEY: 'apiKey', ANONYMOUS: 'anonymous', OPERATOR: 'operator' } as const;

registerEnumType(EventStatus, {
  name: 'EventStatus',
  description: 'Status of an event. Any may follow any other.',
  valuesConfig: {
    ACTIVE: { description: 'Takes place as planned.' },
    DRAFT: { description: 'Still being planned.' },
    CANCELED: { description: 'Called off.' },
    DELETED: { description: 'Out of sight: only listed when asked for by this status. Can be restored.' },
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
  description: 'What a pay rate is paid for.',
  valuesConfig: {
    HOUR: { description: 'Each hour worked.' },
    DAY: { description: 'Each day worked.' },
    FLAT: { description: 'The whole assignment.' },
  },
});
registerEnumType(Role, {
  name: 'Role',
  description: 'What a user may do.',
  valuesConfig: {
    ADMIN: { description: 'Manages the business.' },
    STAFF: { description: 'Works shifts.' },
    CLIENT: { description: 'Has events staffed.' },
  },
});
registerEnumType(Plan, {
  name: 'Plan',
  description: 'Plan of a business: how many requests a minute it may make.',
  valuesConfig: {
    FREE: { description: '60 requests a minute.' },
    BASIC: { description: '120 requests a minute.' },
    PROFESSIONAL: { description: '300 requests a minute.' },
    ENTERPRISE: { description: '1,000 requests a minute.' },
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
  description: 'What a change of the clocks, such as to or from daylight saving time, does to a time.',
  valuesConfig: {
    NONE: { description: 'Nothing.' },
    AMBIGUOUS: { description: 'The clocks show this time twice that day; the first is meant.' },
    CROSSES: {
      description:
        'The clocks change between start and end: more or less time passes than the two local times suggest.',
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
  description: 'What a custom field takes.',
  valuesConfig: {
    TEXT: { description: 'A single line of text.' },
    MULTILINE: { description: 'Text of several lines.' },
    SELECT: { description: 'One of the options of the field.' },
  },
});
registerEnumType(CoverageState, {
  name: 'CoverageState',
  description: 'How far the call times of an event, or of a group of events, are staffed.',
  valuesConfig: {
    NONE_NEEDED: { description: 'No call time asks for anybody.' },
    EMPTY: { description: 'Staff are needed, and nobody is assigned.' },
    PARTIAL: { description: 'Somebody is assigned, and at least one call time still lacks staff.' },
    FILLED: { description: 'Every call time has exactly the staff that it needs.' },
    OVERFILLED: { description: 'No call time lacks staff, and at least one has more than it needs.' },
  },
});
registerEnumType(ReportGrouping, {
  name: 'ReportGrouping',
  description: 'What the groups of a report stand for.',
  valuesConfig: {
    DAY: { description: 'The local date on which an event starts, in the time zone of the event.' },
    EVENT: { description: 'An event.' },
    POSITION: { description: 'A position: that of the call time or of the work shift that is counted.' },
    CLIENT: { description: 'The client of an event.' },
  },
});
registerEnumType(ConflictKind, {
  name: 'ConflictKind',
  description: 'How certain it is that two work shifts of one person overlap.',
  valuesConfig: {
    OVERLAP: { description: 'All times are known, and the shifts share some of them.' },
    POSSIBLE_OVERLAP: { description: 'A time is still to be determined, and the shifts may share some.' },
  },
});
registerEnumType(ClashKind, {
  name: 'ClashKind',
  description: 'A rule that stands against an assignment.',
  valuesConfig: {
    OVERFILLED: { description: 'The call time has as many active shifts as it needs staff.' },
    OVERLAP: { description: 'The person has another active shift at the same time.' },
    POSSIBLE_OVERLAP: {
      description:
        'The person has another active shift that may be at the same time: a start or an end is to be determined.',
    },
  },
});
registerEnumType(AuditOutcome, {
  name: 'AuditOutcome',
  description: 'How something in the audit trail ended.',
  valuesConfig: {
    DONE: { description: 'It was done; the entry was stored together with it.' },
    REFUSED: {
      description: 'The caller may not do it: the first such refusal of an hour, for each caller and operation.',
    },
    FAILED: { description: 'A wrong password: the first of a minute, for each user.' },
  },
});
registerEnumType(AuditActor, {
  name: 'AuditActor',
  description: 'Who is behind an entry of the audit trail.',
  valuesConfig: {
    USER: { description: 'A user, with a personal access token, or who logged in.' },
    API_KEY: { description: 'A business API key.' },
    ANONYMOUS: { description: 'Somebody without a valid credential.' },
    OPERATOR: { description: 'The operator of the service, on the command line.' },
  },
});
