import { registerEnumType } from 'type-graphql';
import type * as stored from '../generated/prisma/enums.ts';

/* GraphQL spells enum values in capitals; inside they are the database's own. */

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

export const SortOrder = { ASC: 'asc', DESC: 'desc' } as const;

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
  valuesConfig: { ASC: { description: 'Oldest first.' }, DESC: { description: 'Newest first.' } },
});
