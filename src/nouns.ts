import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { ApiKeyResolver } from './graphql/api-keys.ts';
import { AttendanceFields, AttendanceResolver, WorkShiftAttendanceResolver } from './graphql/attendance.ts';
import { AuditEntryResolver } from './graphql/audit-entries.ts';
import { availabilityResolvers } from './graphql/availability.ts';
import { BusinessFields, BusinessResolver } from './graphql/businesses.ts';
import { CallTimeFields } from './graphql/call-times-fields.ts';
import { CallTimeResolver } from './graphql/call-times.ts';
import { CandidateResolver } from './graphql/candidates.ts';
import { plainResolvers } from './graphql/catalogs-plain.ts';
import { ChangeResolver } from './graphql/changes.ts';
import { ClashFields } from './graphql/clashes.ts';
import { ConflictResolver } from './graphql/conflicts.ts';
import { CallTimeCoverageResolver, CoverageResolver, EventCoverageResolver } from './graphql/coverage.ts';
import { CustomFieldDefinitionResolver } from './graphql/custom-field-definitions.ts';
import { CustomFieldValueResolver } from './graphql/custom-field-values.ts';
import { EventBatchResolver, UpsertEventFields } from './graphql/events-batch.ts';
import { EventCopyResolver } from './graphql/events-copy.ts';
import { EventFields } from './graphql/events-fields.ts';
import { EventResolver } from './graphql/events.ts';
import { FeedResolver } from './graphql/feeds.ts';
import { NodeFields } from './graphql/global-ids.ts';
import {
  EventHistoryResolver,
  HistoryEntryFields,
  HistoryFieldFields,
  HistoryResolver,
  WorkShiftHistoryResolver,
} from './graphql/history.ts';
import { InvitationResolver } from './graphql/invitations.ts';
import { CallTimeLabourCostResolver, EventLabourCostResolver, LabourCostResolver } from './graphql/labour-cost.ts';
import { MailResolver } from './graphql/mails.ts';
import { ChangeFields, NodeResolver } from './graphql/nodes.ts';
import { OfferFields, OfferResolver, OpenCallTimeResolver, RecipientFields } from './graphql/offers.ts';
import { payloadResolvers } from './graphql/payloads.ts';
import { PayrollResolver } from './graphql/payroll.ts';
import { PositionFields } from './graphql/positions-fields.ts';
import { PositionResolver } from './graphql/positions.ts';
import { RateLimitResolver } from './graphql/rate-limit.ts';
import { RequirementFields } from './graphql/requirements.ts';
import { RevisionResolver } from './graphql/revision.ts';
import { buildSchema, type ResolverClass } from './graphql/schema.ts';
import { OwnScreenResolver, ScreenPairingResolver, ScreenResolver } from './graphql/screens.ts';
import { SessionResolver } from './graphql/sessions.ts';
import { SwapResolver } from './graphql/swaps.ts';
import { TokenResolver, ViewerFields } from './graphql/tokens.ts';
import { UserQualificationResolver } from './graphql/user-qualifications.ts';
import { UserFields } from './graphql/users-fields.ts';
import { UserResolver } from './graphql/users.ts';
import { WebhookFields, WebhookMessageResolver } from './graphql/webhooks-messages.ts';
import { WebhookResolver } from './graphql/webhooks.ts';
import { WorkReportResolver } from './graphql/work-report.ts';
import { WorkShiftFields } from './graphql/work-shifts-fields.ts';
import { ShiftMoveResolver, ShiftsPayloadFields } from './graphql/work-shifts-move.ts';
import { WorkShiftResolver } from './graphql/work-shifts.ts';
import { timesResolvers } from './graphql/zoned-times.ts';
import { attendanceRoutes } from './rest/attendance.ts';
import { auditEntryRoutes } from './rest/audit-entries.ts';
import { availabilityRoutes } from './rest/availability.ts';
import { businessRoutes } from './rest/businesses.ts';
import { callTimeRoutes } from './rest/call-times.ts';
import { candidateRoutes } from './rest/candidates.ts';
import { plainRoutes } from './rest/catalogs-plain.ts';
import { changeRoutes, changeStreamRoutes } from './rest/changes.ts';
import { conflictRoutes } from './rest/conflicts.ts';
import { coverageRoutes } from './rest/coverage.ts';
import { customFieldDefinitionRoutes } from './rest/custom-field-definitions.ts';
import { customFieldValueRoutes } from './rest/custom-field-values.ts';
import { eventBatchRoutes } from './rest/events-batch.ts';
import { eventCopyRoutes } from './rest/events-copy.ts';
import { earlierEventRoutes } from './rest/events-earlier.ts';
import { ownEventRoutes } from './rest/events-own.ts';
import { eventRoutes } from './rest/events.ts';
import { feedRoutes } from './rest/feeds.ts';
import { historyRoutes } from './rest/history.ts';
import { invitationRoutes } from './rest/invitations.ts';
import { labourCostRoutes } from './rest/labour-cost.ts';
import { mailRoutes } from './rest/mails.ts';
import { offerRoutes } from './rest/offers.ts';
import { passwordRoutes } from './rest/passwords.ts';
import { payrollRoutes } from './rest/payroll.ts';
import { positionRoutes } from './rest/positions.ts';
import { rateLimitRoutes } from './rest/rate-limit.ts';
import { revisionRoutes } from './rest/revision.ts';
import type { AddRoutes } from './rest/route.ts';
import { ownScreenRoutes } from './rest/screens-own.ts';
import { screenRoutes } from './rest/screens.ts';
import { sessionCookieRoutes } from './rest/sessions-cookie.ts';
import { sessionRoutes } from './rest/sessions.ts';
import { swapRoutes } from './rest/swaps.ts';
import { tokenRoutes } from './rest/tokens.ts';
import { userQualificationRoutes } from './rest/user-qualifications.ts';
import { staffRoutes } from './rest/users-staff.ts';
import { userRoutes } from './rest/users.ts';
import { viewerRoutes } from './rest/viewer.ts';
import { webhookMessageRoutes } from './rest/webhooks-messages.ts';
import { webhookRoutes } from './rest/webhooks.ts';
import { workReportRoutes } from './rest/work-report.ts';
import { assignmentRoutes } from './rest/work-shifts-assign.ts';
import { shiftMoveRoutes } from './rest/work-shifts-move.ts';
import { shiftStatusRoutes } from './rest/work-shifts-status.ts';
import { workShiftRoutes } from './rest/work-shifts.ts';

/* The nouns that callers reach: the only list of routes and resolvers. app.ts hands it to REST and GraphQL. */

/** Routes in the order in which the reference shows them. */
export const routes: readonly AddRoutes[] = [
  tokenRoutes,
  sessionCookieRoutes,
  sessionRoutes,
  invitationRoutes,
  mailRoutes,
  passwordRoutes,
  viewerRoutes,
  rateLimitRoutes,
  eventRoutes,
  eventBatchRoutes,
  eventCopyRoutes,
  earlierEventRoutes,
  ownEventRoutes,
  callTimeRoutes,
  candidateRoutes,
  workShiftRoutes,
  assignmentRoutes,
  shiftMoveRoutes,
  shiftStatusRoutes,
  attendanceRoutes,
  offerRoutes,
  swapRoutes,
  positionRoutes,
  ...plainRoutes,
  userQualificationRoutes,
  customFieldDefinitionRoutes,
  customFieldValueRoutes,
  coverageRoutes,
  labourCostRoutes,
  workReportRoutes,
  payrollRoutes,
  conflictRoutes,
  userRoutes,
  staffRoutes,
  ...availabilityRoutes,
  businessRoutes,
  screenRoutes,
  ownScreenRoutes,
  feedRoutes,
  webhookRoutes,
  webhookMessageRoutes,
  changeRoutes,
  historyRoutes,
  changeStreamRoutes,
  revisionRoutes,
  auditEntryRoutes,
];

const resolvers: readonly ResolverClass[] = [
  EventResolver,
  EventFields,
  CallTimeFields,
  WorkShiftFields,
  UserFields,
  ...timesResolvers,
  ...payloadResolvers,
  CallTimeResolver,
  CandidateResolver,
  WorkShiftResolver,
  ShiftMoveResolver,
  ShiftsPayloadFields,
  ClashFields,
  AttendanceResolver,
  AttendanceFields,
  WorkShiftAttendanceResolver,
  OfferResolver,
  OfferFields,
  SwapResolver,
  RecipientFields,
  OpenCallTimeResolver,
  TokenResolver,
  ViewerFields,
  SessionResolver,
  InvitationResolver,
  MailResolver,
  ApiKeyResolver,
  AuditEntryResolver,
  ScreenResolver,
  ScreenPairingResolver,
  OwnScreenResolver,
  FeedResolver,
  WebhookResolver,
  WebhookFields,
  WebhookMessageResolver,
  ChangeResolver,
  UserResolver,
  PositionResolver,
  PositionFields,
  ...plainResolvers,
  RequirementFields,
  UserQualificationResolver,
  ...availabilityResolvers,
  CustomFieldDefinitionResolver,
  CustomFieldValueResolver,
  EventBatchResolver,
  UpsertEventFields,
  EventCopyResolver,
  RateLimitResolver,
  RevisionResolver,
  CoverageResolver,
  EventCoverageResolver,
  CallTimeCoverageResolver,
  LabourCostResolver,
  WorkReportResolver,
  PayrollResolver,
  EventLabourCostResolver,
  CallTimeLabourCostResolver,
  ConflictResolver,
  HistoryResolver,
  EventHistoryResolver,
  WorkShiftHistoryResolver,
  HistoryEntryFields,
  HistoryFieldFields,
  NodeResolver,
  NodeFields,
  ChangeFields,
  BusinessResolver,
  BusinessFields,
];

export function createSchema(): GraphQLSchema {
  return buildSchema(resolvers);
}
