import { randomUUID } from 'node:crypto';
import { password } from './factories.ts';
import { actors, dead, stranger, type ActorName, type Target } from './matrix.ts';

/* Who may call what, and with what: the matrix's rows. Which routes and fields there are, the service says. */

/** Those who may do it at all; whether a row is in reach is the other question. */
const groups = {
  anyone: actors,
  everyone: ['client', 'staff', 'admin', 'API key', stranger],
  'everyone in person': ['client', 'staff', 'admin', stranger],
  admins: ['admin', 'API key', stranger],
  'admins in person': ['admin', stranger],
  'admins and staff': ['staff', 'admin', 'API key', stranger],
  'staff in person': ['staff'],
  'clients in person': ['client'],
} as const satisfies Record<string, readonly ActorName[]>;

export type Code = 'OK' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND';

export interface Row {
  readonly may: keyof typeof groups;
  /** REST's body, or GraphQL's variables. */
  readonly input?: (target: Target) => object;
  /** Where an answer is not what follows from who may do it and whose row it is. */
  readonly but?: Partial<Record<ActorName, Code>>;
}

/** A row of another business does not exist; a dead credential is none, and worse than none where one is optional. */
export function expectedOf(
  { may, but }: Row,
  actor: ActorName,
  call: { namesRow: boolean; ignoresCredential: boolean },
): Code {
  const special = but?.[actor];
  if (special) return special;
  if (may === 'anyone' && (call.ignoresCredential || !dead.includes(actor))) return 'OK';
  if (actor === 'anonymous' || dead.includes(actor)) return 'UNAUTHENTICATED';
  if (!(groups[may] as readonly ActorName[]).includes(actor)) return 'FORBIDDEN';
  return actor === stranger && call.namesRow ? 'NOT_FOUND' : 'OK';
}

const times = { start_time: '2026-12-31 18:00:00', end_time: '2026-12-31 23:00:00' };
const newUser = () => ({ email: `${randomUUID()}@example.com`, password: 'enough of it', name: 'Robin' });

export const routeRows: Record<string, Row> = {
  'POST /v1/auth/login': { may: 'anyone', input: ({ email }) => ({ email, password }) },
  'GET /v1/tokens/business': { may: 'admins in person' },
  'POST /v1/tokens/business': { may: 'admins in person', input: () => ({ name: 'Key' }) },
  'DELETE /v1/tokens/business': { may: 'admins in person' },
  'DELETE /v1/tokens/business/{keyId}': { may: 'admins in person' },
  'DELETE /v1/tokens/personal': { may: 'everyone in person' },
  'DELETE /v1/tokens/personal/all': { may: 'everyone in person' },
  'GET /v1/events': { may: 'admins' },
  'POST /v1/events': { may: 'admins', input: () => ({ title: 'Gala', ...times, timezone: 'Europe/London' }) },
  'GET /v1/events/{uuid}': { may: 'admins' },
  'PUT /v1/events/{uuid}': { may: 'admins', input: () => ({ title: 'Changed' }) },
  'GET /v1/objects/events': { may: 'admins' },
  'GET /v1/objects/events/{uuid}': { may: 'admins' },
  'GET /v1/work_shifts/event/{event_uuid}': { may: 'admins' },
  'GET /api/v1/users': { may: 'admins' },
  'POST /api/v1/users': { may: 'admins', input: () => ({ ...newUser(), role: 'staff' }) },
  'GET /api/v1/users/{id}': { may: 'admins' },
  'PUT /api/v1/users/{id}': { may: 'admins', input: () => ({ name: 'Changed' }) },
  'DELETE /api/v1/users/{id}': { may: 'admins' },
};

/** What stands in the place of each parameter of an address. */
export const inAddress: Record<string, (target: Target) => string> = {
  uuid: ({ eventUuid }) => eventUuid,
  event_uuid: ({ eventUuid }) => eventUuid,
  id: ({ userId }) => String(userId),
  keyId: ({ keyId }) => keyId,
};

const span = { from: '2026-12-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
const report = { may: 'admins', input: () => ({ ...span, groupBy: 'DAY' }) } as const;
const wallTimes = { startTime: '2026-12-31 18:00:00', endTime: '2026-12-31 23:00:00' };
const shift = ({ shiftUuid: uuid }: Target) => ({ uuid });
const event = ({ eventUuid: uuid }: Target) => ({ uuid });

export const fieldRows: Record<string, Row> = {
  viewer: { may: 'everyone' },
  rateLimit: { may: 'anyone' },
  // Of the client, who asks for another client's.
  event: { may: 'everyone', input: event, but: { client: 'NOT_FOUND' } },
  myEvents: { may: 'clients in person' },
  myShifts: { may: 'staff in person' },
  events: { may: 'admins' },
  coverage: report,
  labourCost: report,
  conflicts: { may: 'admins', input: () => span },
  auditEntries: { may: 'admins in person' },
  login: { may: 'anyone', input: ({ email }) => ({ email, password }) },
  createEvent: { may: 'admins', input: () => ({ input: { title: 'Gala', ...wallTimes, timezone: 'UTC' } }) },
  updateEvent: { may: 'admins', input: (target) => ({ ...event(target), input: { title: 'Changed' } }) },
  copyEvent: { may: 'admins', input: (target) => ({ ...event(target), input: { days: 7 } }) },
  createCallTime: {
    may: 'admins',
    input: ({ eventUuid, positionId }) => ({ eventUuid, input: { positionId, staffNeeded: 2, ...wallTimes } }),
  },
  updateCallTime: { may: 'admins', input: ({ callTimeUuid: uuid }) => ({ uuid, input: { staffNeeded: 3 } }) },
  deleteCallTime: { may: 'admins', input: ({ unused }) => ({ uuid: unused.callTimeUuid }) },
  assignShift: { may: 'admins', input: ({ callTimeUuid, userId }) => ({ input: { callTimeUuid, userId } }) },
  // What one of many is refused for stands in its result.
  assignShifts: {
    may: 'admins',
    input: ({ callTimeUuid, userId }) => ({ inputs: [{ callTimeUuid, userId }] }),
    but: { [stranger]: 'OK' },
  },
  updateShift: { may: 'admins', input: (target) => ({ ...shift(target), input: { payRate: '30' } }) },
  confirmShift: { may: 'admins and staff', input: shift },
  unconfirmShift: { may: 'admins and staff', input: ({ confirmedShiftUuid: uuid }) => ({ uuid }) },
  declineShift: { may: 'admins and staff', input: shift },
  cancelShift: { may: 'admins', input: shift },
  deleteShift: { may: 'admins', input: shift },
  positions: { may: 'admins' },
  createPosition: { may: 'admins', input: () => ({ input: { title: 'Rigger', defaultPayRate: '20' } }) },
  updatePosition: {
    may: 'admins',
    input: ({ unused }) => ({ id: unused.positionId, input: { title: 'Changed' } }),
  },
  deletePosition: { may: 'admins', input: ({ unused }) => ({ id: unused.positionId }) },
  skillLevels: { may: 'admins' },
  createSkillLevel: { may: 'admins', input: () => ({ input: { name: 'Novice' } }) },
  updateSkillLevel: {
    may: 'admins',
    input: ({ unused }) => ({ id: unused.skillLevelId, input: { name: 'Changed' } }),
  },
  deleteSkillLevel: { may: 'admins', input: ({ unused }) => ({ id: unused.skillLevelId }) },
  customFieldDefinitions: { may: 'admins' },
  createCustomField: { may: 'admins', input: () => ({ input: { name: 'Menu', type: 'MULTILINE' } }) },
  updateCustomField: {
    may: 'admins',
    input: ({ unused }) => ({ uuid: unused.fieldUuid, input: { name: 'Changed' } }),
  },
  deleteCustomField: { may: 'admins', input: ({ unused }) => ({ uuid: unused.fieldUuid }) },
  setCustomFieldValues: {
    may: 'admins',
    input: ({ eventUuid, unused }) => ({ eventUuid, values: [{ fieldUuid: unused.fieldUuid, value: 'x' }] }),
  },
  users: { may: 'admins' },
  user: { may: 'admins', input: ({ userId: id }) => ({ id }) },
  createUser: { may: 'admins', input: () => ({ input: { ...newUser(), role: 'STAFF' } }) },
  updateUser: { may: 'admins', input: ({ userId: id }) => ({ id, input: { name: 'Changed' } }) },
  deleteUser: { may: 'admins', input: ({ userId: id }) => ({ id }) },
  changePassword: {
    may: 'everyone in person',
    input: () => ({ input: { current: password, next: 'another for tests' } }),
  },
  resetPassword: { may: 'admins', input: ({ userId }) => ({ userId, password: 'another for tests' }) },
  logout: { may: 'everyone in person' },
  logoutEverywhere: { may: 'everyone in person' },
  apiKeys: { may: 'admins in person' },
  createApiKey: { may: 'admins in person', input: () => ({ input: { name: 'Key' } }) },
  revokeApiKey: { may: 'admins in person', input: ({ keyId: id }) => ({ id }) },
  revokeAllApiKeys: { may: 'admins in person' },
};
