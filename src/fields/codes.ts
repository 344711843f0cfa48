import { limits } from '../config/limits.ts';

/*
 * Codes and what they are, for both dialects: GraphQL makes its enums of them, and REST and the inputs list them. Codes that are stored
 * are enums of prisma/schema.prisma, described in model/enums.ts.
 */

/** A value as GraphQL spells it: CALL_TIME for `callTime`, EVENTS_WRITE for `events:write`. */
export const capitalized = (value: string): string =>
  value
    .replaceAll(/(?<=[a-z])[A-Z]/g, '_$&')
    .replaceAll(/[.:]/g, '_')
    .toUpperCase();

/** The codes of a record, in its order. */
export const codesOf = <T extends string>(codes: Readonly<Record<T, string>>) => Object.keys(codes) as T[];

/** What is, or is not, known of an active shift on the day. */
export const attendanceStates = {
  late: 'The start was less than 30 minutes ago, and nobody came.',
  missing: 'The start was 30 minutes to 7 days ago, and nobody came: perhaps a no-show, which an admin says.',
  present: 'The person is there: checked in, and not checked out.',
  not_checked_out: 'The end is over, and the person has not checked out.',
  to_approve: 'All is known, and an admin has not approved it.',
  approved: 'An admin has approved it.',
  no_show: 'The person did not come.',
  overlapping: 'Another shift of the person was worked at the same time.',
} as const;

/** Direction of a list. */
export const sortDirections = {
  asc: 'Oldest first; texts from A on.',
  desc: 'Newest first; texts from Z on.',
} as const;

/** What a list of events can be sorted by. */
export const eventSortKeys = {
  start: 'Instant of the start.',
  title: 'Title, letter by letter as the database orders them.',
  created: 'When the event was created.',
  modified: 'When the event itself was last changed.',
} as const;

/** Summary of the staffing of call times. */
export const coverageStates = {
  NONE_NEEDED: 'No call time needs anybody.',
  EMPTY: 'Staff are needed, and nobody is assigned.',
  PARTIAL: 'Somebody is assigned, and at least one call time still lacks staff.',
  FILLED: 'Every call time has exactly the staff that it needs.',
  OVERFILLED: 'No call time lacks staff, and at least one has more than it needs.',
} as const;

/** What each group of a report stands for. */
export const reportGroupings = {
  day: 'The local date on which an event starts.',
  week: 'The week in which an event starts. It begins on the first day of the week of the business.',
  month: 'The month in which an event starts.',
  event: 'An event.',
  position: 'A position: that of the call time or of the work shift that is counted.',
  client: 'The client of an event.',
  venue: 'The name of the venue of an event.',
  staff: "The person who works a shift. Open places are nobody's. Coverage has no such groups.",
} as const;

/** Whose clocks say on which day an event starts. */
export const reportZones = {
  event: 'Those of the event.',
  business: 'Those of the business.',
} as const;

/** The rules of who can work. */
export const staffRules = {
  UNAVAILABLE: 'The person has said that they cannot work at a part of the time.',
  SHORT_REST: 'Another shift of the person leaves less rest than the setting `restHours` of the business asks for.',
  OVER_WEEKLY_HOURS: 'The person works more in the week than the setting `weeklyHours` of the business allows.',
  MISSING_QUALIFICATION: 'The person does not hold what the position or the call time requires.',
  EXPIRED_QUALIFICATION: 'The person holds what is required, and not on all days of the shift.',
} as const;

/** An overlap of two work shifts, or a broken rule of who can work. */
export const conflictKinds = {
  OVERLAP: 'All times are known, and the shifts share some of them.',
  POSSIBLE_OVERLAP: 'A time is still to be determined, and the shifts may share some.',
  ...staffRules,
} as const;

/** A rule that an assignment can break. */
export const clashKinds = {
  OVERFILLED: 'The call time has as many active shifts as it needs staff.',
  OVERLAP: 'The person has another active shift at the same time. Of an approval: has worked it at the same time.',
  POSSIBLE_OVERLAP:
    'The person has another active shift that may overlap, because a start or an end is to be determined.',
  OUTSIDE_EVENT: 'The call time does not touch its event.',
  ATTENDED: 'Attendance of the shift is noted, and the change would move the shift under it.',
  ...staffRules,
} as const;

/** Whether a member of the staff can be assigned. */
export const verdicts = {
  READY: 'Nothing is against it, and the person is available.',
  ASK: 'Nothing is against it, and the person has not said whether they are available.',
  BLOCKED: 'There is a hard reason. An override with a reason assigns the person anyway.',
} as const;

/** Whether an assignment is refused for a reason. */
export const severities = {
  HARD: 'It is refused, unless an override gives a reason.',
  SOFT: 'It only counts for the score.',
} as const;

/** Reasons for which an assignment is refused. */
const hardReasons = {
  DOUBLE_BOOKED: 'The person has another shift at that time, or may have.',
  ...staffRules,
} as const;

/** Reasons that only count for the score. */
export const softReasons = {
  AVAILABILITY_UNKNOWN: 'The person has not said whether they can work then, or the time is to be determined.',
  PREFERRED: 'The person would like to work then.',
  KNOWS_CLIENT: 'The person has worked for this client.',
  KNOWS_VENUE: 'The person has worked at this venue.',
  KNOWS_POSITION: 'The person has worked in this position.',
  NOT_RELIABLE: `The person did not come, came late or declined late in the last ${limits.reliabilityDays} days.`,
} as const;

/** A reason for or against a candidate. */
export const candidateReasons = { ...hardReasons, ...softReasons } as const;

/** What a move of an event does to its call times and work shifts. */
export const eventChildren = {
  keep: 'They stay where they are.',
} as const;

/** What becomes of the shifts of a deleted user that have not ended. */
export const leaverShifts = {
  cancel: 'They are canceled.',
} as const;

/** What becomes of the events to come of a deleted client. */
export const leaverEvents = {
  keep: 'They keep the client.',
} as const;

/** What happened to a row, as the caller sees it. */
export const changeOps = {
  changed: 'It was created, changed, or has come into sight.',
  deleted: 'It was deleted.',
  left: 'The caller does not see it any more.',
} as const;

/** Outcome of an audit entry. */
export const auditOutcomes = {
  done: 'The change was made; the entry was stored in the same transaction.',
  refused: 'The caller may not do this. Recorded once an hour for each caller and operation.',
  failed: 'The password was wrong. Recorded once a minute for each user.',
} as const;

/** What has become of the code of a screen. */
export const screenClaimStates = {
  pending: 'No admin has approved it yet, or its board token was claimed before.',
  expired: 'Its time is over: make a new code.',
  claimed: 'It was approved, and this answer holds the board token.',
} as const;

/** Kind of caller of an audit entry. */
export const auditActors = {
  user: 'A user who logged in or used a personal access token.',
  apiKey: 'A business API key.',
  screen: 'A screen that shows the board.',
  anonymous: 'Somebody without a valid credential.',
  operator: 'The operator of the service, on the command line.',
  service: 'The service itself, such as when it disables a webhook.',
} as const;

/** What happened to a row. */
export const historyChanges = {
  created: 'It was created, with the values after.',
  updated: 'Some of its fields changed.',
  deleted: 'It was deleted. Events and shifts are never: their status says so.',
} as const;

/** What has become of a webhook message. */
export const messageStatuses = {
  pending: 'It is sent, or sent again after a failure.',
  delivered: 'The receiver accepted it.',
  failed: 'All attempts have failed: it is not sent again by itself.',
} as const;

/** Why a webhook is disabled. */
export const disabledReasons = {
  caller: 'A caller disabled it.',
  gone: 'The receiver answered 410.',
  failing: 'Nothing but failures came for days.',
  expired: 'The change log no longer has all changes that it has not read.',
} as const;
