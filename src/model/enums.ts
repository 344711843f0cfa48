import * as credentials from '../config/credential-scopes.ts';
import { changeKinds } from '../fields/change-kinds.ts';
import * as codes from '../fields/codes.ts';
import { scopeWords } from '../fields/grants.ts';
import { historyActors, historyKinds } from '../fields/history.ts';
import type * as stored from '../generated/prisma/enums.ts';
import type { DstEffect } from '../time/zoned-time.ts';
import { enumOf } from './enum-of.ts';

export const EventStatus = enumOf<stored.EventStatus>('EventStatus', 'Status of an event. Any may follow any other.', {
  active: 'Takes place as planned.',
  draft: 'Still being planned.',
  canceled: 'Called off.',
  deleted: 'Hidden: listed only if this status is requested. Can be restored.',
});

export const ShiftStatus = enumOf<stored.ShiftStatus>('ShiftStatus', 'Status of a work shift.', {
  active: 'The assignment stands.',
  canceled: 'Called off.',
  deleted: 'Removed.',
});

export const PayUnit = enumOf<stored.PayUnit>('PayUnit', 'Unit of a pay rate.', {
  hour: 'Each hour worked.',
  day: 'Each day worked.',
  flat: 'The whole assignment.',
});

export const Role = enumOf<stored.Role>('Role', 'Role of a user: what they may do.', {
  admin: 'Manages the business and its events.',
  staff: 'Works shifts.',
  client: 'Reads their own events, which the business staffs.',
});

export const FeedKind = enumOf<stored.FeedKind>('FeedKind', 'What a calendar feed shows.', {
  shifts: 'The shifts of its owner.',
  event: 'One event with its shifts.',
  client: 'The events of one client.',
  business: 'All events of the business.',
});

export const OfferMode = enumOf<stored.OfferMode>('OfferMode', 'How the places of an offer go.', {
  first_come: 'To whoever accepts first.',
  approval: 'To whom an admin approves.',
});

export const OfferState = enumOf<stored.OfferState>('OfferState', "What has become of one person's part in an offer.", {
  sent: 'The person is asked, and has not answered.',
  accepted: 'The person has the place, and a confirmed shift.',
  waitlisted: 'The person answered when all places were taken, and gets the next one.',
  requested: 'The person asks for the place, and an admin has not decided.',
  declined: 'The person does not want the place.',
  expired: 'Nobody answered in time, or no place became free.',
  withdrawn: 'The offer was taken back.',
  filled: 'The places went to others. An answer puts the person on the waitlist.',
  refused: 'An admin did not approve.',
  ended: 'The shift that came of it was canceled, or belongs to somebody else.',
});

export const AttendanceSource = enumOf<stored.AttendanceSource>(
  'AttendanceSource',
  'Who noted that somebody came to a shift.',
  {
    admin: 'An admin.',
    code: 'The person, with a code of the event.',
    kiosk: 'The person, on a screen of the event.',
    api: 'An API key.',
  },
);

enumOf('AttendanceState', 'What is, or is not, known of an active shift on the day.', codes.attendanceStates);

export const SwapState = enumOf<stored.SwapState>('SwapState', 'What has become of a swap of shifts.', {
  requested: 'Nobody has taken it.',
  taken: 'Somebody has taken it, and an admin has not decided.',
  done: 'The shifts belong to the other people.',
  refused: 'An admin did not approve, or the person who was asked does not want it.',
  canceled: 'It was taken back.',
  expired: 'A shift of it has started.',
  void: 'A shift of it has changed, or a person of it has left.',
});

export const CallTimeClaims = enumOf<stored.CallTimeClaims>(
  'CallTimeClaims',
  'Whether staff can claim a place of a call time by themselves.',
  {
    none: 'They cannot.',
    approval: 'They can ask for it, and an admin approves.',
    open: 'They get it at once.',
  },
);

export const Plan = enumOf<stored.Plan>('Plan', 'Plan of a business, which sets its requests per minute.', {
  free: '60 requests a minute.',
  basic: '120 requests a minute.',
  professional: '300 requests a minute.',
  enterprise: '1,000 requests a minute.',
});

export const Weekday = enumOf<stored.Weekday>('Weekday', 'Day of the week.', {
  monday: 'Day 1 by ISO 8601.',
  tuesday: 'Day 2 by ISO 8601.',
  wednesday: 'Day 3 by ISO 8601.',
  thursday: 'Day 4 by ISO 8601.',
  friday: 'Day 5 by ISO 8601.',
  saturday: 'Day 6 by ISO 8601.',
  sunday: 'Day 7 by ISO 8601.',
});

export const AvailabilityRule = enumOf<stored.AvailabilityRule>(
  'AvailabilityRule',
  'What a person says of a time. Where several are about the same time, UNAVAILABLE holds, and then PREFERRED.',
  {
    available: 'They can work.',
    preferred: 'They like to work.',
    unavailable: 'They cannot work.',
  },
);

export const CredentialScope = enumOf<credentials.CredentialScope>(
  'CredentialScope',
  'What an API key, or a narrowed personal access token, may do. Each scope that writes includes READ.',
  Object.fromEntries(credentials.credentialScopes.map((scope) => [scope, `Allows to ${scopeWords(scope)}.`])) as Record<
    credentials.CredentialScope,
    string
  >,
);

enumOf('SortOrder', 'Direction of a list.', codes.sortDirections);

export const DstNote = enumOf<DstEffect>(
  'DstNote',
  'Effect of a clock change, such as to or from daylight saving time, on a time.',
  {
    none: 'No effect.',
    ambiguous: 'This local time occurs twice that day; the first occurrence is meant.',
    crosses: 'The clocks change between start and end, so the duration differs from the difference of the local times.',
  },
);

enumOf('EventSortKey', 'What a list of events can be sorted by.', codes.eventSortKeys);

export const CustomFieldType = enumOf<stored.CustomFieldType>(
  'CustomFieldType',
  'Type of the values of a custom field.',
  {
    text: 'A single line of text.',
    multiline: 'Text of several lines.',
    select: 'One of the options of the field.',
  },
);

export const CoverageState = enumOf('CoverageState', 'Summary of the staffing of call times.', codes.coverageStates);

enumOf('ReportGrouping', 'What each group of a report stands for.', codes.reportGroupings);

enumOf('ReportZone', 'Whose clocks say on which day an event starts.', codes.reportZones);

export const ConflictKind = enumOf(
  'ConflictKind',
  'An overlap of two work shifts, or a broken rule of who can work.',
  codes.conflictKinds,
);

export const ClashKind = enumOf('ClashKind', 'A rule that an assignment can break.', codes.clashKinds);

export const CandidateVerdict = enumOf(
  'CandidateVerdict',
  'Whether a member of the staff can be assigned.',
  codes.verdicts,
);

export const ReasonSeverity = enumOf(
  'ReasonSeverity',
  'Whether an assignment is refused for a reason.',
  codes.severities,
);

export const CandidateReasonCode = enumOf(
  'CandidateReasonCode',
  'A reason for or against a candidate.',
  codes.candidateReasons,
);

export const EventChildren = enumOf(
  'EventChildren',
  'What a move of an event does to its call times and work shifts.',
  codes.eventChildren,
);

export const LeaverShifts = enumOf(
  'LeaverShifts',
  'What becomes of the shifts of a deleted user that have not ended.',
  codes.leaverShifts,
);

export const LeaverEvents = enumOf(
  'LeaverEvents',
  'What becomes of the events to come of a deleted client.',
  codes.leaverEvents,
);

export const ChangeKind = enumOf('ChangeKind', 'Kind of a changed row.', changeKinds);

export const ChangeOperation = enumOf(
  'ChangeOperation',
  'What happened to a row, as the caller sees it.',
  codes.changeOps,
);

export const AuditOutcome = enumOf('AuditOutcome', 'Outcome of an audit entry.', codes.auditOutcomes);

export const ScreenNames = enumOf<stored.ScreenNames>('ScreenNames', 'How a screen names people.', {
  full: 'By first and last name.',
  short: 'By first name and initial, such as Anna B.',
  hidden: 'Not at all.',
});

export const ScreenClaimStatus = enumOf(
  'ScreenClaimStatus',
  'What has become of the code of a screen.',
  codes.screenClaimStates,
);

export const AuditActor = enumOf('AuditActor', 'Kind of caller of an audit entry.', codes.auditActors);

export const HistoryKind = enumOf('HistoryKind', 'Kind of a changed row.', historyKinds);

export const HistoryChange = enumOf('HistoryChange', 'What happened to a row.', codes.historyChanges);

export const HistoryActor = enumOf('HistoryActor', 'Kind of caller of a change.', historyActors);
