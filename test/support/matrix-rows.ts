import { randomUUID } from 'node:crypto';
import type { OperationRecord } from '../../src/access/operation-record.ts';
import * as apiKeys from '../../src/services/api-keys.ts';
import * as auditEntries from '../../src/services/audit-entries.ts';
import * as callTimes from '../../src/services/call-times.ts';
import * as conflicts from '../../src/services/conflicts.ts';
import * as coverage from '../../src/services/coverage.ts';
import * as definitions from '../../src/services/custom-field-definitions.ts';
import * as customFieldValues from '../../src/services/custom-field-values.ts';
import * as eventCopies from '../../src/services/events-copy.ts';
import * as events from '../../src/services/events.ts';
import * as labourCost from '../../src/services/labour-cost.ts';
import * as passwords from '../../src/services/passwords.ts';
import * as rateLimit from '../../src/services/rate-limit.ts';
import * as tokens from '../../src/services/tokens.ts';
import * as users from '../../src/services/users.ts';
import * as viewer from '../../src/services/viewer.ts';
import * as assignments from '../../src/services/work-shifts-assign.ts';
import * as shiftStatus from '../../src/services/work-shifts-status.ts';
import * as workShifts from '../../src/services/work-shifts.ts';
import { password } from './factories.ts';
import { actors, dead, stranger, type ActorName, type Target } from './matrix.ts';
import { inRestNames, newFields, newName, resources, restResources, type AnyResource } from './resources.ts';

/* The rows of the matrix: each route and root field with its operation and an input. The tests compare them with the routes and fields of the service. */

/** Those whose role or key allows the call; whether they see the row is another question. */
function allowed({ roles, apiKey }: OperationRecord): ReadonlySet<ActorName> {
  if (roles === 'anyone') return new Set(actors);
  return new Set<ActorName>([
    ...(roles.client ? ['client' as const] : []),
    ...(roles.staff ? ['staff' as const] : []),
    ...(roles.admin ? (['admin', stranger] as const) : []),
    ...(apiKey ? ['API key' as const] : []),
  ]);
}

export type Code = 'OK' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND';

export interface Row {
  /** The operation behind the route or field. Its record says who may call it. */
  readonly calls: { readonly operation: OperationRecord };
  /** REST's body, or GraphQL's variables. */
  readonly input?: (target: Target) => object;
  /** The id in REST's address, where it is not that of a user. */
  readonly id?: (target: Target) => number;
  /** Exceptions from the outcome that permission and visibility imply. */
  readonly but?: Partial<Record<ActorName, Code>>;
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

const times = { start_time: '2026-12-31 18:00:00', end_time: '2026-12-31 23:00:00' };
const newUser = () => ({ email: `${randomUUID()}@example.com`, password: 'enough of it', name: 'Robin' });

export const routeRows: Record<string, Row> = {
  'POST /v1/auth/login': { calls: tokens.login, input: ({ email }) => ({ email, password }) },
  'GET /v1/tokens/business': { calls: apiKeys.list },
  'POST /v1/tokens/business': { calls: apiKeys.create, input: () => ({ name: 'Key' }) },
  'DELETE /v1/tokens/business': { calls: apiKeys.revokeAll },
  'DELETE /v1/tokens/business/{keyId}': { calls: apiKeys.revoke },
  'DELETE /v1/tokens/personal': { calls: tokens.revokeUsed },
  'DELETE /v1/tokens/personal/all': { calls: tokens.revokeAllOwn },
  'GET /v1/events': { calls: events.list },
  'POST /v1/events': { calls: events.create, input: () => ({ title: 'Gala', ...times, timezone: 'Europe/London' }) },
  'GET /v1/events/{uuid}': { calls: events.get },
  'PUT /v1/events/{uuid}': { calls: events.update, input: () => ({ title: 'Changed' }) },
  'GET /v1/objects/events': { calls: events.list },
  'GET /v1/objects/events/{uuid}': { calls: events.get },
  'GET /v1/work_shifts/event/{event_uuid}': { calls: workShifts.listByEvent },
  'GET /api/v1/users': { calls: users.list },
  'POST /api/v1/users': { calls: users.create, input: () => ({ ...newUser(), role: 'staff' }) },
  'GET /api/v1/users/{id}': { calls: users.get },
  'PUT /api/v1/users/{id}': { calls: users.update, input: () => ({ name: 'Changed' }) },
  'DELETE /api/v1/users/{id}': { calls: users.remove },
  ...Object.fromEntries(restResources.flatMap(routeRowsOf)),
};

/** Value of each path parameter. */
const inAddress: Record<string, (target: Target) => string> = {
  uuid: ({ eventUuid }) => eventUuid,
  event_uuid: ({ eventUuid }) => eventUuid,
  id: ({ userId }) => String(userId),
  keyId: ({ keyId }) => keyId,
};

/** Method and address of a route, with ids of the target. */
export function addressOf(name: string, target: Target): { method: string; url: string } {
  const [method = '', template = ''] = name.split(' ');
  const { id } = routeRows[name]!;
  const url = template.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    parameter === 'id' && id ? String(id(target)) : inAddress[parameter]!(target),
  );
  return { method, url };
}

/** The rows of a plain resource in REST. */
function routeRowsOf(resource: AnyResource & { readonly url: string }): [string, Row][] {
  const { url, noun, operations } = resource;
  const id = ({ unused }: Target) => unused.ids[noun];
  return [
    [`GET ${url}`, { calls: operations.list }],
    [`POST ${url}`, { calls: operations.create, input: () => inRestNames(newFields(resource)) }],
    ...(operations.get ? [[`GET ${url}/{id}`, { calls: operations.get, id }] satisfies [string, Row]] : []),
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
    ...(operations.get ? [[noun, { calls: operations.get, input: named }] satisfies [string, Row]] : []),
    [`create${model}`, { calls: operations.create, input: () => ({ input: newFields(resource) }) }],
    [
      `update${model}`,
      { calls: operations.update, input: (target) => ({ ...named(target), input: newName(resource) }) },
    ],
    [`delete${model}`, { calls: operations.remove, input: named }],
  ];
}

const span = { from: '2026-12-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
const report = (calls: Row['calls']): Row => ({ calls, input: () => ({ ...span, groupBy: 'DAY' }) });
const wallTimes = { startTime: '2026-12-31 18:00:00', endTime: '2026-12-31 23:00:00' };
const shift = ({ shiftUuid: uuid }: Target) => ({ uuid });
const event = ({ eventUuid: uuid }: Target) => ({ uuid });

export const fieldRows: Record<string, Row> = {
  viewer: { calls: viewer.get },
  rateLimit: { calls: rateLimit.get },
  // The event belongs to the client; the other client does not find it.
  event: { calls: events.getOwn, input: event, but: { client: 'NOT_FOUND' } },
  myEvents: { calls: events.listOwn },
  myShifts: { calls: workShifts.listOwn },
  events: { calls: events.list },
  coverage: report(coverage.report),
  labourCost: report(labourCost.report),
  conflicts: { calls: conflicts.list, input: () => span },
  auditEntries: { calls: auditEntries.list },
  login: { calls: tokens.login, input: ({ email }) => ({ email, password }) },
  createEvent: { calls: events.create, input: () => ({ input: { title: 'Gala', ...wallTimes, timezone: 'UTC' } }) },
  updateEvent: { calls: events.update, input: (target) => ({ ...event(target), input: { title: 'Changed' } }) },
  copyEvent: { calls: eventCopies.copy, input: (target) => ({ ...event(target), input: { days: 7 } }) },
  createCallTime: {
    calls: callTimes.create,
    input: ({ eventUuid, positionId }) => ({ eventUuid, input: { positionId, staffNeeded: 2, ...wallTimes } }),
  },
  updateCallTime: { calls: callTimes.update, input: ({ callTimeUuid: uuid }) => ({ uuid, input: { staffNeeded: 3 } }) },
  deleteCallTime: { calls: callTimes.remove, input: ({ unused }) => ({ uuid: unused.callTimeUuid }) },
  assignShift: {
    calls: assignments.assign,
    input: ({ callTimeUuid, userId }) => ({ input: { callTimeUuid, userId } }),
  },
  // A refused assignment is part of the results, not an error.
  assignShifts: {
    calls: assignments.assignMany,
    input: ({ callTimeUuid, userId }) => ({ inputs: [{ callTimeUuid, userId }] }),
    but: { [stranger]: 'OK' },
  },
  updateShift: { calls: assignments.update, input: (target) => ({ ...shift(target), input: { payRate: '30' } }) },
  confirmShift: { calls: shiftStatus.confirm, input: shift },
  unconfirmShift: { calls: shiftStatus.unconfirm, input: ({ confirmedShiftUuid: uuid }) => ({ uuid }) },
  declineShift: { calls: shiftStatus.decline, input: shift },
  cancelShift: { calls: shiftStatus.cancel, input: shift },
  deleteShift: { calls: shiftStatus.remove, input: shift },
  ...Object.fromEntries(resources.flatMap(fieldRowsOf)),
  customFieldDefinitions: { calls: definitions.list },
  createCustomField: { calls: definitions.create, input: () => ({ input: { name: 'Menu', type: 'MULTILINE' } }) },
  updateCustomField: {
    calls: definitions.update,
    input: ({ unused }) => ({ uuid: unused.fieldUuid, input: { name: 'Changed' } }),
  },
  deleteCustomField: { calls: definitions.remove, input: ({ unused }) => ({ uuid: unused.fieldUuid }) },
  setCustomFieldValues: {
    calls: customFieldValues.set,
    input: ({ eventUuid, unused }) => ({ eventUuid, values: [{ fieldUuid: unused.fieldUuid, value: 'x' }] }),
  },
  users: { calls: users.list },
  user: { calls: users.get, input: ({ userId: id }) => ({ id }) },
  createUser: { calls: users.create, input: () => ({ input: { ...newUser(), role: 'STAFF' } }) },
  updateUser: { calls: users.update, input: ({ userId: id }) => ({ id, input: { name: 'Changed' } }) },
  deleteUser: { calls: users.remove, input: ({ userId: id }) => ({ id }) },
  changePassword: {
    calls: passwords.change,
    input: () => ({ input: { current: password, next: 'another for tests' } }),
  },
  resetPassword: { calls: passwords.reset, input: ({ userId }) => ({ userId, password: 'another for tests' }) },
  logout: { calls: tokens.revokeUsed },
  logoutEverywhere: { calls: tokens.revokeAllOwn },
  apiKeys: { calls: apiKeys.list },
  createApiKey: { calls: apiKeys.create, input: () => ({ input: { name: 'Key' } }) },
  revokeApiKey: { calls: apiKeys.revoke, input: ({ keyId: id }) => ({ id }) },
  revokeAllApiKeys: { calls: apiKeys.revokeAll },
};
