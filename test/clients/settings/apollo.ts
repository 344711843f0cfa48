import type { TypePolicies } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';

/** Types that implement each interface, for fragments on it. */
export const possibleTypes = {
  Node: [
    'ApiKey',
    'Attendance',
    'Event',
    'User',
    'WorkShift',
    'AuditEntry',
    'AvailabilityPattern',
    'AvailabilityException',
    'UserQualification',
    'Business',
    'CallTime',
    'Offer',
    'OfferRecipient',
    'SkillLevel',
    'Qualification',
    'CustomFieldValue',
    'ShiftSwap',
    'CustomFieldDefinition',
    'Feed',
    'Position',
    'Screen',
    'WebhookMessage',
    'WebhookEndpoint',
  ],
};

/**
 * An object without an id is part of another one: fields that are read later join those that are there. Pages of a connection
 * make up one list for each filter and order. Other lists are replaced by what is read later.
 */
export const typePolicies: TypePolicies = {
  Availability: {
    merge: true,
    fields: {
      patterns: { merge: false },
      exceptions: { merge: false },
      contradictedShifts: { merge: false },
    },
  },
  CallTime: {
    fields: {
      workShifts: { merge: false },
      workShiftsConnection: relayStylePagination(['page', 'perPage', 'filter', 'sort']),
      offerRecipients: { merge: false },
      requirements: { merge: false },
    },
  },
  Candidate: {
    fields: {
      reasons: { merge: false },
    },
  },
  CandidateReliability: { merge: true },
  CandidateScore: { merge: true },
  ChangePage: {
    merge: true,
    fields: {
      changes: { merge: false },
    },
  },
  CheckInCode: { merge: true },
  Coverage: { merge: true },
  CoverageReport: {
    merge: true,
    fields: {
      groups: { merge: false },
    },
  },
  Event: {
    fields: {
      callTimes: { merge: false },
      callTimesConnection: relayStylePagination(['page', 'perPage', 'filter']),
      workShifts: { merge: false },
      workShiftsConnection: relayStylePagination(['page', 'perPage', 'filter', 'sort']),
      customFields: { merge: false },
      customFieldsConnection: relayStylePagination(['page', 'perPage', 'filter']),
      offerRecipients: { merge: false },
      shiftSwaps: { merge: false },
      attendance: { merge: false },
      history: relayStylePagination(['page', 'perPage']),
    },
  },
  ExpiringQualification: {
    fields: {
      shifts: { merge: false },
    },
  },
  HistoryEntry: {
    fields: {
      fields: { merge: false },
    },
  },
  LabourCost: { merge: true },
  LabourCostReport: {
    merge: true,
    fields: {
      groups: { merge: false },
    },
  },
  MailedOffer: { merge: true },
  MailSettings: { merge: true },
  Offer: {
    fields: {
      recipients: { merge: false },
    },
  },
  OwnScreen: { merge: true },
  Payroll: {
    merge: true,
    fields: {
      rows: { merge: false },
    },
  },
  PayrollSums: { merge: true },
  Position: {
    fields: {
      rates: { merge: false },
      requirements: { merge: false },
    },
  },
  Query: {
    fields: {
      apiKeys: { merge: false },
      attendance: relayStylePagination(['page', 'perPage', 'filter']),
      auditEntries: relayStylePagination(['page', 'perPage', 'filter']),
      callTimes: relayStylePagination(['page', 'perPage', 'filter', 'sort']),
      candidates: relayStylePagination(['page', 'perPage', 'search', 'verdicts', 'callTimeId']),
      skillLevels: { merge: false },
      qualifications: { merge: false },
      conflicts: relayStylePagination(['page', 'perPage', 'userId', 'from', 'to']),
      customFieldDefinitions: { merge: false },
      events: relayStylePagination(['page', 'perPage', 'filter', 'sort']),
      myEvents: relayStylePagination(['page', 'perPage', 'statuses']),
      feeds: { merge: false },
      history: relayStylePagination(['page', 'perPage', 'filter']),
      nodes: { merge: false },
      offers: relayStylePagination(['page', 'perPage', 'filter']),
      offerRecipients: relayStylePagination(['page', 'perPage', 'filter']),
      openCallTimes: relayStylePagination(['page', 'perPage']),
      positions: { merge: false },
      screens: { merge: false },
      mySessions: { merge: false },
      shiftSwaps: relayStylePagination(['page', 'perPage', 'filter']),
      openSwaps: relayStylePagination(['page', 'perPage']),
      swapOptions: relayStylePagination(['page', 'perPage', 'search', 'shiftId']),
      userQualifications: relayStylePagination(['page', 'perPage', 'userId', 'qualificationId']),
      qualificationsExpiring: relayStylePagination(['page', 'perPage', 'within']),
      users: relayStylePagination(['page', 'perPage', 'role', 'search']),
      staff: relayStylePagination(['page', 'perPage', 'search', 'positionId', 'freeFor']),
      webhookEndpoints: { merge: false },
      workShifts: relayStylePagination(['page', 'perPage', 'filter', 'sort']),
      myShifts: relayStylePagination(['page', 'perPage', 'from', 'to', 'statuses']),
    },
  },
  RateLimit: { merge: true },
  ScreenBoard: {
    merge: true,
    fields: {
      events: { merge: false },
    },
  },
  ScreenCheckInCode: { merge: true },
  ScreenEvent: {
    fields: {
      callTimes: { merge: false },
      workShifts: { merge: false },
    },
  },
  User: {
    fields: {
      qualifications: { merge: false },
      shifts: { merge: false },
      shiftsConnection: relayStylePagination(['page', 'perPage', 'filter', 'sort']),
    },
  },
  Viewer: { merge: true },
  WebhookEndpoint: {
    fields: {
      messages: relayStylePagination(['page', 'perPage', 'filter']),
    },
  },
  WebhookMessage: {
    fields: {
      attempts: { merge: false },
    },
  },
  Work: { merge: true },
  WorkReport: {
    merge: true,
    fields: {
      groups: { merge: false },
    },
  },
  WorkShift: {
    fields: {
      history: relayStylePagination(['page', 'perPage']),
    },
  },
  ZonedTime: { merge: true },
};
