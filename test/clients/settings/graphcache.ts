import type { KeyingConfig, ResolverConfig, UpdatesConfig } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';

/** Types that implement each interface, for fragments on it. */
export const possibleTypes = {
  Node: [
    'ApiKey',
    'AuditEntry',
    'Business',
    'WorkShift',
    'User',
    'CallTime',
    'Event',
    'Position',
    'SkillLevel',
    'CustomFieldDefinition',
    'CustomFieldValue',
    'Screen',
    'WebhookMessage',
    'WebhookEndpoint',
    'AvailabilityPattern',
    'AvailabilityException',
  ],
};

/** Objects without an id are parts of the object that they are read from. */
export const keys: KeyingConfig = {
  AssignShiftError: () => null,
  AssignShiftResult: () => null,
  CallTimePayload: () => null,
  CallTimesPayload: () => null,
  Candidate: () => null,
  CandidateReason: () => null,
  CandidateScore: () => null,
  Change: () => null,
  ChangeEventResult: () => null,
  ChangePage: () => null,
  ClaimedInvitation: () => null,
  Clash: () => null,
  Conflict: () => null,
  Coverage: () => null,
  CoverageGroup: () => null,
  CoverageReport: () => null,
  CreateError: () => null,
  CreateEventResult: () => null,
  CreateUserResult: () => null,
  EventPayload: () => null,
  FieldError: () => null,
  HistoryEntry: () => null,
  HistoryField: () => null,
  Invitation: () => null,
  InvitationResult: () => null,
  LabourCost: () => null,
  LabourCostGroup: () => null,
  LabourCostReport: () => null,
  Login: () => null,
  Moved: () => null,
  NewApiKey: () => null,
  OwnScreen: () => null,
  PositionRate: () => null,
  RateLimit: () => null,
  Revocation: () => null,
  ScreenBoard: () => null,
  ScreenCallTime: () => null,
  ScreenClaim: () => null,
  ScreenCode: () => null,
  ScreenEvent: () => null,
  ScreenShift: () => null,
  Session: () => null,
  ShiftPayload: () => null,
  ShiftsPayload: () => null,
  UpsertEventPayload: () => null,
  Viewer: () => null,
  WebhookAttempt: () => null,
  WebhookEndpointWithSecret: () => null,
  WebhookResend: () => null,
  Work: () => null,
  WorkGroup: () => null,
  WorkReport: () => null,
  ZonedTime: () => null,
};

/**
 * These mutations change an object that exists, and their answer is all there is to store. Without this, Graphcache takes an
 * object that leaves its last list, such as a canceled shift, for a new one, and drops all objects of the type.
 */
export const updates: UpdatesConfig = {
  Mutation: {
    deleteCallTime: () => {},
    updateCustomField: () => {},
    deleteCustomField: () => {},
    updatePosition: () => {},
    deletePosition: () => {},
    revokeScreen: () => {},
    updateSkillLevel: () => {},
    deleteSkillLevel: () => {},
    updateUser: () => {},
    deleteUser: () => {},
    resendWebhookMessage: () => {},
    updateWebhookEndpoint: () => {},
    deleteWebhookEndpoint: () => {},
    disableWebhookEndpoint: () => {},
    enableWebhookEndpoint: () => {},
    confirmShift: () => {},
    unconfirmShift: () => {},
    declineShift: () => {},
    cancelShift: () => {},
    deleteShift: () => {},
  },
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
    history: relayPagination(),
  },
  Query: {
    auditEntries: relayPagination(),
    conflicts: relayPagination(),
    candidates: relayPagination(),
    callTimes: relayPagination(),
    events: relayPagination(),
    myEvents: relayPagination(),
    history: relayPagination(),
    users: relayPagination(),
    staff: relayPagination(),
    workShifts: relayPagination(),
    myShifts: relayPagination(),
  },
  User: {
    shiftsConnection: relayPagination(),
  },
  WebhookEndpoint: {
    messages: relayPagination(),
  },
  WorkShift: {
    history: relayPagination(),
  },
};
