import type { KeyingConfig, ResolverConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** Types that implement each interface, for fragments on it. */
export const possibleTypes = {
  Node: [
    'ApiKey',
    'AuditEntry',
    'WorkShift',
    'User',
    'CallTime',
    'Event',
    'Position',
    'SkillLevel',
    'CustomFieldDefinition',
    'Business',
    'CustomFieldValue',
  ],
};

/** Objects without an id are parts of the object that they are read from. */
export const keys: KeyingConfig = {
  AssignShiftError: () => null,
  AssignShiftResult: () => null,
  BusinessSettings: () => null,
  Clash: () => null,
  Conflict: () => null,
  Coverage: () => null,
  CoverageGroup: () => null,
  CoverageReport: () => null,
  FieldError: () => null,
  LabourCost: () => null,
  LabourCostGroup: () => null,
  LabourCostReport: () => null,
  Login: () => null,
  NewApiKey: () => null,
  RateLimit: () => null,
  Revoked: () => null,
  Viewer: () => null,
  ZonedTime: () => null,
};

/** Pages of a connection make up one list for each filter and order. */
export const resolvers: ResolverConfig = {
  CallTime: {
    workShiftsConnection: relayPagination(),
  },
  Event: {
    callTimesConnection: relayPagination(),
    workShiftsConnection: relayPagination(),
    customFieldsConnection: relayPagination(),
  },
  Query: {
    auditEntries: relayPagination(),
    conflicts: relayPagination(),
    events: relayPagination(),
    myEvents: relayPagination(),
    users: relayPagination(),
    staff: relayPagination(),
    myShifts: relayPagination(),
  },
  User: {
    shiftsConnection: relayPagination(),
  },
};
