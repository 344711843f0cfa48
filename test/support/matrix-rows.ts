import { randomUUID } from 'node:crypto';
import type { OperationRecord } from '../../src/access/operation-record.ts';
import { encodeGlobalId } from '../../src/model/global-ids.ts';
import * as apiKeys from '../../src/services/api-keys.ts';
import * as feeds from '../../src/services/feeds.ts';
import * as auditEntries from '../../src/services/audit-entries.ts';
import * as availability from '../../src/services/availability.ts';
import * as businesses from '../../src/services/businesses.ts';
import { changeMany as changeCallTimes } from '../../src/services/call-times-change-many.ts';
import * as callTimes from '../../src/services/call-times.ts';
import * as candidates from '../../src/services/candidates.ts';
import * as changes from '../../src/services/changes.ts';
import * as conflicts from '../../src/services/conflicts.ts';
import * as coverage from '../../src/services/coverage.ts';
import * as definitions from '../../src/services/custom-field-definitions.ts';
import * as customFieldValues from '../../src/services/custom-field-values.ts';
import * as eventCopies from '../../src/services/events-copy.ts';
import { upsert } from '../../src/services/events-upsert.ts';
import * as events from '../../src/services/events.ts';
import * as history from '../../src/services/history.ts';
import * as mails from '../../src/services/mails.ts';
import * as invitations from '../../src/services/invitations.ts';
import * as labourCost from '../../src/services/labour-cost.ts';
import * as nodes from '../../src/services/nodes.ts';
import * as passwords from '../../src/services/passwords.ts';
import * as rateLimit from '../../src/services/rate-limit.ts';
import * as revision from '../../src/services/revision.ts';
import * as sessions from '../../src/services/sessions.ts';
import * as tokens from '../../src/services/tokens.ts';
import * as userQualifications from '../../src/services/user-qualifications.ts';
import { createMany as createUsers } from '../../src/services/users-create-many.ts';
import * as users from '../../src/services/users.ts';
import * as viewer from '../../src/services/viewer.ts';
import * as assignments from '../../src/services/work-shifts-assign.ts';
import * as shiftMoves from '../../src/services/work-shifts-move.ts';
import * as shiftStatus from '../../src/services/work-shifts-status.ts';
import * as workReport from '../../src/services/work-report.ts';
import * as workShifts from '../../src/services/work-shifts.ts';
import { password } from './factories.ts';
import { attendanceFieldRows, attendanceRouteRows } from './matrix-rows-attendance.ts';
import { offerFieldRows, offerRouteRows } from './matrix-rows-offers.ts';
import { screenFieldRows, screenRouteRows } from './matrix-rows-screens.ts';
import { webhookFieldRows, webhookRouteRows } from './matrix-rows-webhooks.ts';
import { actors, dead, stranger, type ActorName, type Code, type Row, type Target } from './matrix.ts';
import { inRestNames, newFields, newName, resources, type AnyResource } from './resources.ts';

/* The rows of the matrix: each route and root field with its operation and an input. The tests compare them with the routes and fields of the service. */

/** Those whose role or key allows the call; whether they see the row is another question. */
function allowed({ roles, apiKey }: OperationRecord): ReadonlySet<ActorName> {
  if (roles === 'anyone') return new Set(actors);
  return new Set<ActorName>([
    ...(roles.client ? ['client' as const] : []),
    ...(roles.staff ? ['staff' as const] : []),
    ...(roles.screen ? ['screen' as const] : []),
    ...(roles.admin ? (['admin', stranger] as const) : []),
    ...(apiKey ? ['API key' as const] : []),
  ]);
}

/** A row of another business does not exist; a dead credential is none, and worse than none where one is optional. */
export function expectedOf(
  { calls: { operation }, but }: Row,
  actor: ActorName,
  call: { namesRow: boolean; ignoresCredential: boolean },
): Code {
  const special = but?.[actor];
  if (special) return special;
  if (operation.roles === 'anyone' && (call.ignoresCredential || !dead.includes(actor))) return 'OK';
  if (actor === 'anonymous' || dead.includes(actor)) return 'UNAUTHENTICATED';
  if (!allowed(operation).has(actor)) return 'FORBIDDEN';
  return actor === stranger && call.namesRow ? 'NOT_FOUND' : 'OK';
}

const span = { from: '2026-12-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
const callTime = ({ callTimeUuid }: Target) => callTimeUuid;
const shiftUuid = ({ shiftUuid: uuid }: Target) => uuid;
const unwantedUuid = ({ unwantedShiftUuid: uuid }: Target) => uuid;
const heldId = ({ unused }: Target) => unused.heldId;
const unusedField = ({ unused }: Target) => unused.fieldUuid;
const patternUuid = ({ said }: Target) => said.patternUuid;
const exceptionUuid = ({ said }: Target) => said.exceptionUuid;
const week = { rule: 'available', weekday: 'friday', timezone: 'UTC' };
const days = { startsAt: '2031-01-01T00:00:00Z', endsAt: '2031-01-02T00:00:00Z' };
const times = { start_time: '2026-12-31 18:00:00', end_time: '2026-12-31 23:00:00' };
const newUser = () => ({ email: `${randomUUID()}@example.com`, password: 'enough of it', name: 'Robin' });

/** The log-in and the feed of the target are those of its admin. */
const notTheirs = { staff: 'NOT_FOUND', client: 'NOT_FOUND' } as const;

/** Feeds of events are for admins, and the event must be one of theirs. */
const notOfEvents = {
  staff: 'VALIDATION_FAILED',
  client: 'VALIDATION_FAILED',
  "other business's admin": 'VALIDATION_FAILED',
} as const;

export const routeRows: Record<string, Row> = {
  'POST /v1/auth/login': { calls: tokens.login, input: ({ email }) => ({ email, password }) },
  'GET /v1/tokens/business': { calls: apiKeys.list },
  'POST /v1/tokens/business': { calls: apiKeys.create, input: () => ({ name: 'Key' }) },
  'DELETE /v1/tokens/business': { calls: apiKeys.revokeAll },
  'DELETE /v1/tokens/business/{keyId}': { calls: apiKeys.revoke },
  'DELETE /v1/tokens/personal': { calls: tokens.revokeUsed },
  'DELETE /v1/tokens/personal/all': { calls: tokens.revokeAllOwn },
  'GET /v1/sessions': { calls: sessions.list },
  'DELETE /v1/sessions': { calls: sessions.revokeOthers },
  'DELETE /v1/sessions/{uuid}': { calls: sessions.revoke, uuid: ({ sessionUuid }) => sessionUuid, but: notTheirs },
  'GET /v1/events': { calls: events.list },
  'POST /v1/events': { calls: events.create, input: () => ({ title: 'Gala', ...times, timezone: 'Europe/London' }) },
  'POST /v1/events/batch': {
    calls: events.createMany,
    input: () => ({ inputs: [{ title: 'Gala', ...times, timezone: 'Europe/London' }] }),
  },
  'PUT /v1/events/by_resource_id/{id}': {
    calls: upsert,
    input: () => ({ title: 'Gala', ...times, timezone: 'Europe/London' }),
    // Every business has resource ids of its own.
    but: { [stranger]: 'OK' },
  },
  'POST /api/v1/users/batch': { calls: createUsers, input: () => ({ inputs: [{ ...newUser(), role: 'staff' }] }) },
  'GET /v1/events/{uuid}': { calls: events.get },
  'PUT /v1/events/{uuid}': { calls: events.update, input: () => ({ title: 'Changed' }) },
  'GET /v1/objects/events': { calls: events.list },
  'GET /v1/objects/events/{uuid}': { calls: events.get },
  'GET /v1/work_shifts/event/{event_uuid}': { calls: workShifts.listByEvent },
  'GET /api/v1/users': { calls: users.list },
  'GET /v1/staff': { calls: users.listStaff },
  'POST /api/v1/users': { calls: users.create, input: () => ({ ...newUser(), role: 'staff' }) },
  'POST /api/v1/users/{id}/invitation': { calls: invitations.create, id: ({ invited }) => invited.userId },
  'POST /v1/invitations/batch': {
    calls: invitations.createMany,
    input: ({ invited }) => ({ user_ids: [invited.userId] }),
    but: { [stranger]: 'OK' },
  },
  'POST /v1/invitations/claims': {
    calls: invitations.claim,
    input: ({ invited }) => ({ secret: invited.secret, password: 'another for tests' }),
  },
  'POST /v1/mails/offers': { calls: mails.showOffer, input: ({ mailed: { offer } }) => ({ secret: offer }) },
  'POST /v1/mails/offers/answers': {
    calls: mails.answerOffer,
    input: ({ mailed: { offer } }) => ({ secret: offer, answer: 'accept' }),
  },
  'POST /v1/mails/unsubscribe/{token}': { calls: mails.unsubscribe },
  'GET /v1/mails/personal': { calls: mails.getOwn },
  'PUT /v1/mails/personal': { calls: mails.setOwn, input: () => ({ off: ['offer'] }) },
  'POST /v1/passwords/forgotten': { calls: passwords.forget, input: ({ email }) => ({ email }) },
  'POST /v1/passwords/forgotten/claims': {
    calls: passwords.setForgotten,
    input: ({ mailed }) => ({ secret: mailed.password, password: 'another for tests' }),
  },
  'GET /api/v1/users/{id}': { calls: users.get },
  'PUT /api/v1/users/{id}': { calls: users.update, input: () => ({ name: 'Changed' }) },
  'DELETE /api/v1/users/{id}': { calls: users.remove },
  ...Object.fromEntries(resources.flatMap(routeRowsOf)),
  'DELETE /v1/events/{uuid}': { calls: events.update },
  'POST /v1/events/{uuid}/copy': { calls: eventCopies.copy, input: () => ({ days: 7 }) },
  'GET /v1/events/{uuid}/custom_fields': { calls: customFieldValues.getByEvents },
  'PUT /v1/events/{uuid}/custom_fields': {
    calls: customFieldValues.set,
    input: ({ unused }) => ({ values: [{ field_uuid: unused.fieldUuid, value: 'x' }] }),
  },
  // The event belongs to another client.
  'GET /v1/my_events': { calls: events.listOwn },
  'GET /v1/my_events/{uuid}': { calls: events.getOwn, but: { client: 'NOT_FOUND' } },
  'GET /v1/my_shifts': { calls: workShifts.listOwn },
  'GET /v1/call_times': { calls: callTimes.list },
  'POST /v1/call_times': {
    calls: callTimes.create,
    input: ({ eventUuid, positionId }) => ({
      event_uuid: eventUuid,
      position_id: positionId,
      staff_needed: 2,
      start_time: '2026-12-05 18:00:00',
      end_time: '2026-12-05 23:00:00',
    }),
    namesRow: true,
  },
  'POST /v1/call_times/batch': {
    calls: changeCallTimes,
    input: ({ eventUuid, callTimeUuid }) => ({
      event_uuid: eventUuid,
      changes: [{ call_time_uuid: callTimeUuid, staff_needed: 3 }],
    }),
    namesRow: true,
  },
  'GET /v1/call_times/{uuid}': { calls: callTimes.get, uuid: callTime, but: { client: 'NOT_FOUND' } },
  'GET /v1/call_times/{uuid}/candidates': { calls: candidates.list, uuid: callTime },
  'PUT /v1/call_times/{uuid}': { calls: callTimes.update, uuid: callTime, input: () => ({ staff_needed: 3 }) },
  'DELETE /v1/call_times/{uuid}': { calls: callTimes.remove, uuid: ({ unused }) => unused.callTimeUuid },
  'GET /v1/work_shifts': { calls: workShifts.list },
  'POST /v1/work_shifts': {
    calls: assignments.assign,
    input: ({ callTimeUuid, userId }) => ({ call_time_uuid: callTimeUuid, user_id: userId }),
    namesRow: true,
  },
  // A refused assignment is part of the results, not an error.
  'POST /v1/events/batch/update': {
    calls: events.updateMany,
    input: ({ eventUuid }) => ({ inputs: [{ event_uuid: eventUuid, title: 'Changed' }] }),
    but: { [stranger]: 'OK' },
  },
  'POST /v1/work_shifts/batch': {
    calls: assignments.assignMany,
    input: ({ callTimeUuid, userId }) => ({ inputs: [{ call_time_uuid: callTimeUuid, user_id: userId }] }),
    but: { [stranger]: 'OK' },
  },
  'GET /v1/work_shifts/{uuid}': { calls: workShifts.get, uuid: shiftUuid, but: { client: 'NOT_FOUND' } },
  'PUT /v1/work_shifts/{uuid}': { calls: assignments.update, uuid: shiftUuid, input: () => ({ pay_rate: '30' }) },
  'DELETE /v1/work_shifts/{uuid}': { calls: shiftStatus.remove, uuid: shiftUuid },
  'POST /v1/work_shifts/{uuid}/actions/confirm': { calls: shiftStatus.confirm, uuid: shiftUuid },
  'POST /v1/work_shifts/{uuid}/actions/unconfirm': {
    calls: shiftStatus.unconfirm,
    uuid: ({ confirmedShiftUuid }) => confirmedShiftUuid,
  },
  'POST /v1/work_shifts/{uuid}/actions/decline': { calls: shiftStatus.decline, uuid: shiftUuid },
  'POST /v1/work_shifts/{uuid}/actions/drop': { calls: shiftStatus.drop, uuid: shiftUuid },
  'POST /v1/work_shifts/{uuid}/actions/keep': { calls: shiftStatus.keep, uuid: unwantedUuid },
  'POST /v1/work_shifts/{uuid}/actions/cancel': { calls: shiftStatus.cancel, uuid: shiftUuid },
  'POST /v1/work_shifts/{uuid}/actions/move': {
    calls: shiftMoves.move,
    uuid: shiftUuid,
    input: ({ unused }) => ({ call_time_uuid: unused.callTimeUuid }),
  },
  'POST /v1/work_shifts/{uuid}/actions/exchange': {
    calls: shiftMoves.exchange,
    uuid: shiftUuid,
    input: ({ otherShiftUuid }) => ({ other_shift_uuid: otherShiftUuid, override_reason: 'Asked for' }),
  },
  'POST /v1/work_shifts/batch/move': {
    calls: shiftMoves.moveMany,
    input: (target) => ({
      moves: [{ shift_uuid: target.shiftUuid, call_time_uuid: target.unused.callTimeUuid }],
    }),
    but: { [stranger]: 'VALIDATION_FAILED' },
  },
  'POST /v1/work_shifts/batch/confirm': {
    calls: shiftStatus.confirmMany,
    input: (target) => ({ shift_uuids: [target.shiftUuid] }),
    but: { [stranger]: 'OK' },
  },
  'POST /v1/work_shifts/batch/cancel': {
    calls: shiftStatus.cancelMany,
    input: (target) => ({ shift_uuids: [target.shiftUuid] }),
    but: { [stranger]: 'OK' },
  },
  'GET /v1/users/{staff_id}/availability': { calls: availability.get },
  'POST /v1/users/{staff_id}/availability/patterns': {
    calls: availability.patterns.create,
    input: () => ({ ...week, start_time: '09:00', end_time: '17:00' }),
  },
  'POST /v1/availability/patterns/batch': {
    calls: availability.patterns.createMany,
    input: ({ said: { userId } }) => ({
      inputs: [{ staff_id: userId, ...week, start_time: '09:00', end_time: '17:00' }],
    }),
    but: { [stranger]: 'OK' },
  },
  'GET /v1/availability/patterns/{uuid}': { calls: availability.patterns.get, uuid: patternUuid },
  'PUT /v1/availability/patterns/{uuid}': {
    calls: availability.patterns.update,
    uuid: patternUuid,
    input: () => ({ rule: 'preferred' }),
  },
  'DELETE /v1/availability/patterns/{uuid}': { calls: availability.patterns.remove, uuid: patternUuid },
  'POST /v1/users/{staff_id}/availability/exceptions': {
    calls: availability.exceptions.create,
    input: () => ({ rule: 'unavailable', starts_at: days.startsAt, ends_at: days.endsAt }),
  },
  'POST /v1/availability/exceptions/batch': {
    calls: availability.exceptions.createMany,
    input: ({ said: { userId } }) => ({
      inputs: [{ staff_id: userId, rule: 'unavailable', starts_at: days.startsAt, ends_at: days.endsAt }],
    }),
    but: { [stranger]: 'OK' },
  },
  'GET /v1/availability/exceptions/{uuid}': { calls: availability.exceptions.get, uuid: exceptionUuid },
  'PUT /v1/availability/exceptions/{uuid}': {
    calls: availability.exceptions.update,
    uuid: exceptionUuid,
    input: () => ({ note: 'Changed' }),
  },
  'DELETE /v1/availability/exceptions/{uuid}': { calls: availability.exceptions.remove, uuid: exceptionUuid },
  'GET /v1/custom_fields': { calls: definitions.list },
  'POST /v1/custom_fields': { calls: definitions.create, input: () => ({ name: 'Menu', type: 'multiline' }) },
  'GET /v1/custom_fields/{uuid}': { calls: definitions.get, uuid: unusedField },
  'PUT /v1/custom_fields/{uuid}': { calls: definitions.update, uuid: unusedField, input: () => ({ name: 'Changed' }) },
  'DELETE /v1/custom_fields/{uuid}': { calls: definitions.remove, uuid: unusedField },
  'GET /v1/coverage': { calls: coverage.report, query: () => ({ ...span, group_by: 'day' }) },
  'GET /v1/labour_cost': { calls: labourCost.report, query: () => ({ ...span, group_by: 'day' }) },
  'GET /v1/work': { calls: workReport.report, query: () => ({ ...span, group_by: 'day' }) },
  'GET /v1/conflicts': { calls: conflicts.list, query: () => span },
  'GET /v1/user_qualifications': { calls: userQualifications.list },
  'GET /v1/user_qualifications/{id}': { calls: userQualifications.get, id: heldId },
  'POST /v1/user_qualifications': {
    calls: userQualifications.create,
    input: ({ userId, unused }) => ({ user_id: userId, qualification_id: unused.ids.qualification }),
    but: { [stranger]: 'VALIDATION_FAILED' },
  },
  'POST /v1/user_qualifications/batch': {
    calls: userQualifications.createMany,
    input: ({ userId, unused }) => ({ inputs: [{ user_id: userId, qualification_id: unused.ids.qualification }] }),
    but: { [stranger]: 'OK' },
  },
  'PUT /v1/user_qualifications/{id}': { calls: userQualifications.update, id: heldId, input: () => ({ level: 3 }) },
  'DELETE /v1/user_qualifications/{id}': { calls: userQualifications.remove, id: heldId },
  'GET /v1/expiring_qualifications': { calls: userQualifications.expiring },
  'GET /v1/changes': { calls: changes.list },
  'GET /v1/history': { calls: history.list },
  'GET /v1/history/events/{uuid}': { calls: history.listByEvent },
  'GET /v1/history/work_shifts/{uuid}': { calls: history.listByShift, uuid: shiftUuid },
  'GET /v1/changes/stream': { calls: changes.list },
  'GET /v1/revision': { calls: revision.get },
  'GET /v1/audit_entries': { calls: auditEntries.list },
  'GET /v1/business': { calls: businesses.get },
  'PUT /v1/business': { calls: businesses.update, input: () => ({ unique_resource_ids: false }) },
  'GET /v1/viewer': { calls: viewer.get },
  'GET /v1/rate_limit': { calls: rateLimit.get },
  'PUT /v1/passwords/personal': {
    calls: passwords.change,
    input: () => ({ current: password, next: 'another for tests' }),
  },
  'PUT /v1/passwords/users/{id}': { calls: passwords.reset, input: () => ({ password: 'another for tests' }) },
  ...attendanceRouteRows,
  ...offerRouteRows,
  ...webhookRouteRows,
  'GET /v1/feeds': { calls: feeds.list },
  'POST /v1/feeds': {
    calls: feeds.create,
    input: ({ eventUuid }) => ({ kind: 'event', name: 'Feed', event_uuid: eventUuid }),
    but: notOfEvents,
  },
  'POST /v1/feeds/{feedId}/actions/rotate': { calls: feeds.rotate, but: notTheirs },
  'DELETE /v1/feeds/{feedId}': { calls: feeds.revoke, but: notTheirs },
  ...screenRouteRows,
};

/** Value of each path parameter. */
const inAddress: Record<string, (target: Target) => string> = {
  token: ({ mailed: { off } }) => off,
  uuid: ({ eventUuid }) => eventUuid,
  event_uuid: ({ eventUuid }) => eventUuid,
  id: ({ userId }) => String(userId),
  staff_id: ({ said }) => String(said.userId),
  keyId: ({ keyId }) => keyId,
  feedId: ({ feedId }) => feedId,
  message_uuid: ({ webhook }) => webhook.messageUuid,
};

/** Method and address of a route, with ids of the target. */
export function addressOf(name: string, target: Target): { method: string; url: string } {
  const [method = '', template = ''] = name.split(' ');
  const { id, uuid, query } = routeRows[name]!;
  const url = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    if (parameter === 'id' && id) return String(id(target));
    return parameter === 'uuid' && uuid ? uuid(target) : inAddress[parameter]!(target);
  });
  return { method, url: query ? `${url}?${new URLSearchParams(query(target)).toString()}` : url };
}

/** The rows of a plain resource in REST. */
function routeRowsOf(resource: AnyResource): [string, Row][] {
  const { url, noun, operations } = resource;
  const id = ({ unused }: Target) => unused.ids[noun];
  return [
    [`GET ${url}`, { calls: operations.list }],
    [`POST ${url}`, { calls: operations.create, input: () => inRestNames(newFields(resource)) }],
    [`GET ${url}/{id}`, { calls: operations.get, id }],
    [`PUT ${url}/{id}`, { calls: operations.update, id, input: () => inRestNames(newName(resource)) }],
    [`DELETE ${url}/{id}`, { calls: operations.remove, id }],
  ];
}

/** The rows of a plain resource in GraphQL. */
function fieldRowsOf(resource: AnyResource): [string, Row][] {
  const { list, model, noun, operations } = resource;
  const named = ({ unused }: Target) => ({ id: unused.ids[noun] });
  return [
    [list, { calls: operations.list }],
    [noun, { calls: operations.get, input: named }],
    [`create${model}`, { calls: operations.create, input: () => ({ input: newFields(resource) }) }],
    [
      `update${model}`,
      { calls: operations.update, input: (target) => ({ ...named(target), input: newName(resource) }) },
    ],
    [`delete${model}`, { calls: operations.remove, input: named }],
  ];
}

const report = (calls: Row['calls']): Row => ({ calls, input: () => ({ ...span, groupBy: 'DAY' }) });
const wallTimes = { startTime: '2026-12-31 18:00:00', endTime: '2026-12-31 23:00:00' };
const shift = ({ shiftUuid: id }: Target) => ({ id });
const event = ({ eventUuid: id }: Target) => ({ id });

export const fieldRows: Record<string, Row> = {
  viewer: { calls: viewer.get },
  rateLimit: { calls: rateLimit.get },
  // The event belongs to the client; the other client does not find it.
  event: { calls: events.getOwn, input: event, but: { client: 'NOT_FOUND' } },
  myEvents: { calls: events.listOwn },
  myShifts: { calls: workShifts.listOwn },
  events: { calls: events.list },
  workShifts: { calls: workShifts.list },
  callTimes: { calls: callTimes.list },
  coverage: report(coverage.report),
  labourCost: report(labourCost.report),
  work: report(workReport.report),
  callTime: { calls: callTimes.get, input: ({ callTimeUuid: id }) => ({ id }), but: { client: 'NOT_FOUND' } },
  workShift: { calls: workShifts.get, input: shift, but: { client: 'NOT_FOUND' } },
  customFieldDefinition: { calls: definitions.get, input: ({ unused }) => ({ id: unused.fieldUuid }) },
  node: {
    calls: nodes.getByIds,
    input: ({ eventUuid }) => ({ id: encodeGlobalId('Event', eventUuid) }),
    but: { client: 'NOT_FOUND' },
  },
  nodes: {
    calls: nodes.getByIds,
    input: ({ eventUuid }) => ({ ids: [encodeGlobalId('Event', eventUuid)] }),
    but: { client: 'NOT_FOUND' },
  },
  conflicts: { calls: conflicts.list, input: () => span },
  candidates: { calls: candidates.list, input: ({ callTimeUuid: callTimeId }) => ({ callTimeId }) },
  changes: { calls: changes.list },
  history: { calls: history.list },
  revision: { calls: revision.get },
  auditEntries: { calls: auditEntries.list },
  login: { calls: tokens.login, input: ({ email }) => ({ email, password }) },
  createEvent: { calls: events.create, input: () => ({ input: { title: 'Gala', ...wallTimes, timezone: 'UTC' } }) },
  updateEvent: { calls: events.update, input: (target) => ({ ...event(target), input: { title: 'Changed' } }) },
  copyEvent: { calls: eventCopies.copy, input: (target) => ({ ...event(target), input: { days: 7 } }) },
  createCallTime: {
    calls: callTimes.create,
    input: ({ eventUuid, positionId }) => ({
      eventId: eventUuid,
      input: { positionId, staffNeeded: 2, startTime: '2026-12-05 18:00:00', endTime: '2026-12-05 23:00:00' },
    }),
  },
  updateCallTime: { calls: callTimes.update, input: ({ callTimeUuid: id }) => ({ id, input: { staffNeeded: 3 } }) },
  changeCallTimes: {
    calls: changeCallTimes,
    input: ({ eventUuid, callTimeUuid }) => ({
      input: { eventId: eventUuid, changes: [{ callTimeId: callTimeUuid, staffNeeded: 3 }] },
    }),
  },
  deleteCallTime: { calls: callTimes.remove, input: ({ unused }) => ({ id: unused.callTimeUuid }) },
  assignShift: {
    calls: assignments.assign,
    input: ({ callTimeUuid, userId }) => ({ input: { callTimeId: callTimeUuid, userId } }),
  },
  // A refused assignment is part of the results, not an error.
  assignShifts: {
    calls: assignments.assignMany,
    input: ({ callTimeUuid, userId }) => ({ inputs: [{ callTimeId: callTimeUuid, userId }] }),
    but: { [stranger]: 'OK' },
  },
  updateShift: { calls: assignments.update, input: (target) => ({ ...shift(target), input: { payRate: '30' } }) },
  confirmShift: { calls: shiftStatus.confirm, input: shift },
  unconfirmShift: { calls: shiftStatus.unconfirm, input: ({ confirmedShiftUuid: id }) => ({ id }) },
  declineShift: { calls: shiftStatus.decline, input: shift },
  dropShift: { calls: shiftStatus.drop, input: shift },
  keepShift: { calls: shiftStatus.keep, input: ({ unwantedShiftUuid: id }) => ({ id }) },
  cancelShift: { calls: shiftStatus.cancel, input: shift },
  deleteShift: { calls: shiftStatus.remove, input: shift },
  ...Object.fromEntries(resources.flatMap(fieldRowsOf)),
  availability: { calls: availability.get, input: ({ said: { userId } }) => ({ staffId: userId }) },
  availabilityPattern: { calls: availability.patterns.get, input: (target) => ({ id: patternUuid(target) }) },
  createAvailabilityPattern: {
    calls: availability.patterns.create,
    input: ({ said: { userId } }) => ({
      staffId: userId,
      input: { ...week, rule: 'AVAILABLE', weekday: 'FRIDAY', startTime: '09:00', endTime: '17:00' },
    }),
  },
  createAvailabilityPatterns: {
    calls: availability.patterns.createMany,
    input: ({ said: { userId } }) => ({
      inputs: [
        { staffId: userId, ...week, rule: 'AVAILABLE', weekday: 'FRIDAY', startTime: '09:00', endTime: '17:00' },
      ],
    }),
    but: { [stranger]: 'OK' },
  },
  updateAvailabilityPattern: {
    calls: availability.patterns.update,
    input: (target) => ({ id: patternUuid(target), input: { rule: 'PREFERRED' } }),
  },
  deleteAvailabilityPattern: { calls: availability.patterns.remove, input: (target) => ({ id: patternUuid(target) }) },
  availabilityException: { calls: availability.exceptions.get, input: (target) => ({ id: exceptionUuid(target) }) },
  createAvailabilityException: {
    calls: availability.exceptions.create,
    input: ({ said: { userId } }) => ({ staffId: userId, input: { rule: 'UNAVAILABLE', ...days } }),
  },
  createAvailabilityExceptions: {
    calls: availability.exceptions.createMany,
    input: ({ said: { userId } }) => ({ inputs: [{ staffId: userId, rule: 'UNAVAILABLE', ...days }] }),
    but: { [stranger]: 'OK' },
  },
  updateAvailabilityException: {
    calls: availability.exceptions.update,
    input: (target) => ({ id: exceptionUuid(target), input: { note: 'Changed' } }),
  },
  deleteAvailabilityException: {
    calls: availability.exceptions.remove,
    input: (target) => ({ id: exceptionUuid(target) }),
  },
  customFieldDefinitions: { calls: definitions.list },
  createCustomField: { calls: definitions.create, input: () => ({ input: { name: 'Menu', type: 'MULTILINE' } }) },
  updateCustomField: {
    calls: definitions.update,
    input: ({ unused }) => ({ id: unused.fieldUuid, input: { name: 'Changed' } }),
  },
  deleteCustomField: { calls: definitions.remove, input: ({ unused }) => ({ id: unused.fieldUuid }) },
  setCustomFieldValues: {
    calls: customFieldValues.set,
    input: ({ eventUuid, unused }) => ({ eventId: eventUuid, values: [{ fieldId: unused.fieldUuid, value: 'x' }] }),
  },
  userQualifications: { calls: userQualifications.list },
  userQualification: { calls: userQualifications.get, input: ({ unused }) => ({ id: unused.heldId }) },
  qualificationsExpiring: { calls: userQualifications.expiring },
  createUserQualification: {
    calls: userQualifications.create,
    input: ({ userId, unused }) => ({ input: { userId, qualificationId: unused.ids.qualification } }),
    but: { [stranger]: 'VALIDATION_FAILED' },
  },
  createUserQualifications: {
    calls: userQualifications.createMany,
    input: ({ userId, unused }) => ({ inputs: [{ userId, qualificationId: unused.ids.qualification }] }),
    but: { [stranger]: 'OK' },
  },
  updateUserQualification: {
    calls: userQualifications.update,
    input: ({ unused }) => ({ id: unused.heldId, input: { level: 3 } }),
  },
  deleteUserQualification: { calls: userQualifications.remove, input: ({ unused }) => ({ id: unused.heldId }) },
  users: { calls: users.list },
  staff: { calls: users.listStaff },
  user: { calls: users.get, input: ({ userId: id }) => ({ id }) },
  moveShift: {
    calls: shiftMoves.move,
    input: ({ shiftUuid: id, unused }) => ({ id, input: { callTimeId: unused.callTimeUuid } }),
  },
  moveShifts: {
    calls: shiftMoves.moveMany,
    input: (target) => ({
      input: { moves: [{ shiftId: target.shiftUuid, callTimeId: target.unused.callTimeUuid }] },
    }),
    but: { [stranger]: 'VALIDATION_FAILED' },
  },
  exchangeShifts: {
    calls: shiftMoves.exchange,
    input: ({ shiftUuid: id, otherShiftUuid }) => ({
      id,
      input: { otherShiftId: otherShiftUuid, override: { reason: 'Asked for' } },
    }),
  },
  confirmShifts: {
    calls: shiftStatus.confirmMany,
    input: (target) => ({ shiftIds: [target.shiftUuid] }),
    but: { [stranger]: 'OK' },
  },
  cancelShifts: {
    calls: shiftStatus.cancelMany,
    input: (target) => ({ shiftIds: [target.shiftUuid] }),
    but: { [stranger]: 'OK' },
  },
  updateEvents: {
    calls: events.updateMany,
    input: ({ eventUuid }) => ({ inputs: [{ eventId: eventUuid, title: 'Changed' }] }),
    but: { [stranger]: 'OK' },
  },
  createEvents: {
    calls: events.createMany,
    input: () => ({ inputs: [{ title: 'Gala', ...wallTimes, timezone: 'UTC' }] }),
  },
  upsertEvent: {
    calls: upsert,
    input: () => ({ resourceId: 'A-1', input: { title: 'Gala', ...wallTimes, timezone: 'UTC' } }),
  },
  createUsers: { calls: createUsers, input: () => ({ inputs: [{ ...newUser(), role: 'STAFF' }] }) },
  createUser: { calls: users.create, input: () => ({ input: { ...newUser(), role: 'STAFF' } }) },
  inviteUser: { calls: invitations.create, input: ({ invited: { userId: id } }) => ({ id }) },
  inviteUsers: {
    calls: invitations.createMany,
    input: ({ invited: { userId } }) => ({ userIds: [String(userId)] }),
    but: { [stranger]: 'OK' },
  },
  claimInvitation: {
    calls: invitations.claim,
    input: ({ invited }) => ({ secret: invited.secret, password: 'another for tests' }),
  },
  mailedOffer: { calls: mails.showOffer, input: ({ mailed: { offer } }) => ({ secret: offer }) },
  answerMailedOffer: {
    calls: mails.answerOffer,
    input: ({ mailed: { offer } }) => ({ secret: offer, answer: 'ACCEPT' }),
  },
  unsubscribe: { calls: mails.unsubscribe, input: ({ mailed: { off } }) => ({ token: off }) },
  mailSettings: { calls: mails.getOwn },
  updateMailSettings: { calls: mails.setOwn, input: () => ({ input: { off: ['OFFER'] } }) },
  forgetPassword: { calls: passwords.forget, input: ({ email }) => ({ email }) },
  setForgottenPassword: {
    calls: passwords.setForgotten,
    input: ({ mailed }) => ({ secret: mailed.password, password: 'another for tests' }),
  },
  updateUser: { calls: users.update, input: ({ userId: id }) => ({ id, input: { name: 'Changed' } }) },
  deleteUser: { calls: users.remove, input: ({ userId: id }) => ({ id }) },
  changePassword: {
    calls: passwords.change,
    input: () => ({ input: { current: password, next: 'another for tests' } }),
  },
  resetPassword: { calls: passwords.reset, input: ({ userId }) => ({ userId, password: 'another for tests' }) },
  mySessions: { calls: sessions.list },
  revokeSession: { calls: sessions.revoke, input: ({ sessionUuid: uuid }) => ({ uuid }), but: notTheirs },
  revokeOtherSessions: { calls: sessions.revokeOthers },
  logout: { calls: tokens.revokeUsed },
  logoutEverywhere: { calls: tokens.revokeAllOwn },
  business: { calls: businesses.get },
  updateBusiness: { calls: businesses.update, input: () => ({ input: { uniqueResourceIds: false } }) },
  apiKeys: { calls: apiKeys.list },
  createApiKey: { calls: apiKeys.create, input: () => ({ input: { name: 'Key' } }) },
  revokeApiKey: { calls: apiKeys.revoke, input: ({ keyId: id }) => ({ id }) },
  revokeAllApiKeys: { calls: apiKeys.revokeAll },
  ...attendanceFieldRows,
  ...offerFieldRows,
  ...webhookFieldRows,
  feeds: { calls: feeds.list },
  createFeed: {
    calls: feeds.create,
    input: ({ eventUuid: eventId }) => ({ input: { kind: 'EVENT', name: 'Feed', eventId } }),
    but: notOfEvents,
  },
  rotateFeed: { calls: feeds.rotate, input: ({ feedId: id }) => ({ id }), but: notTheirs },
  revokeFeed: { calls: feeds.revoke, input: ({ feedId: id }) => ({ id }), but: notTheirs },
  ...screenFieldRows,
};
