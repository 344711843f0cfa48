import { getNamedType, isObjectType, type GraphQLNamedType, type GraphQLObjectType } from 'graphql';
import { findPaths, type SchemaField } from '../../src/bin/isolation/documents.ts';
import { createSchema } from '../../src/nouns.ts';

/* The fields below the root that lead to rows, with the way of each role to them. */

export const schema = createSchema();
export type Role = 'admin' | 'key' | 'staff' | 'client' | 'screen';
const roles: readonly Role[] = ['admin', 'key', 'staff', 'client', 'screen'];

/** Staff take places by them, so nobody else may. */
export const ofStaff: readonly string[] = [
  ...['openCallTimes', 'claimCallTime', 'POST /v1/open_call_times/{uuid}/actions/claim'],
  ...['openSwaps', 'requestSwap', 'takeSwap', 'POST /v1/shift_swaps', 'POST /v1/shift_swaps/{uuid}/actions/take'],
];

/** The lists that each role starts from. */
export const nestedRoots: Record<Role, (name: string) => boolean> = {
  // `viewer` would be the shortest way to users: to an admin, who works no shifts, or from a key to nobody.
  // `screens` and `feeds` would be the shortest way to clients, who work no shifts either: they are followed by themselves.
  admin: (name) => !name.startsWith('my') && !['viewer', 'screens', 'feeds', ...ofStaff].includes(name),
  key: (name) =>
    !name.startsWith('my') && !['viewer', 'screens', 'feeds', 'apiKeys', 'auditEntries', ...ofStaff].includes(name),
  staff: (name) => ['myShifts', 'viewer', 'openCallTimes'].includes(name),
  client: (name) => ['myEvents', 'viewer'].includes(name),
  screen: (name) => name === 'myScreenBoard',
};

/** Fields of objects that hold no row of a business: how a list is paged, how a time is told. */
const plain = new Set(['PageInfo', 'ZonedTime']);

export const isFollowed = (field: SchemaField): boolean => {
  const type = getNamedType(field.type);
  return isObjectType(type) && !plain.has(type.name);
};

/** The ways to the types below a list that takes the id of a row. */
function pathsOfList(list: 'candidates' | 'swapOptions'): [GraphQLNamedType, SchemaField[]][] {
  const way = [schema.getQueryType()!.getFields()[list]!];
  const typeOf = ({ type }: SchemaField) => getNamedType(type);
  const below = (name: string, upper: SchemaField[]): [GraphQLNamedType, SchemaField[]] => {
    const field = (typeOf(upper.at(-1)!) as GraphQLObjectType).getFields()[name]!;
    return [typeOf(field), [...upper, field]];
  };
  const nodes = below('nodes', way);
  return [[typeOf(way[0]!), way], nodes, below('edges', way)];
}

/** Every object field that a role can come to, with its way there. */
const stepsOf = (role: Role) =>
  [
    ...findPaths(schema, ({ name }) => nestedRoots[role](name)),
    ...(role === 'admin'
      ? ['screens', 'feeds'].flatMap((root) => [...findPaths(schema, ({ name }) => name === root)].slice(0, 1))
      : []),
    ...(role === 'admin' || role === 'key' ? [...pathsOfList('candidates'), ...pathsOfList('swapOptions')] : []),
  ].flatMap(([type, way]) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter(isFollowed)
          .map((field) => ({ name: `${type.name}.${field.name}`, way: [...way, field] }))
      : [],
  );

/** The history is for admins. */
const history = [
  ...['Event.history', 'WorkShift.history', 'HistoryEntryConnection.nodes', 'HistoryEntryConnection.edges'],
  ...['HistoryEntryEdge.node', 'HistoryEntry.fields', 'HistoryEntry.event'],
];

/** Offers themselves are for admins. */
const ofOffers = ['OfferRecipient.offer', 'Offer.recipients', 'Offer.callTime', 'Offer.createdBy'];

/** Fields that give nothing, though the role can come to them and there is something. All others give what is in reach. */
export const hiddenFields: Record<'staff' | 'client', readonly string[]> = {
  staff: [
    ...history,
    'Event.client',
    'Event.coverage',
    'CallTime.coverage',
    'Event.labourCost',
    'CallTime.labourCost',
    'Position.rates',
    'Event.customFields',
    'Event.customFieldsConnection',
    'CustomFieldValueConnection.nodes',
    'CustomFieldValueConnection.edges',
    'CustomFieldValueEdge.node',
    'Attendance.approvedBy',
    ...ofOffers,
  ],
  client: [
    ...history,
    'WorkShift.attendance',
    // Who is asked, who came and who swaps is not for clients.
    ...['Event.offerRecipients', 'CallTime.offerRecipients', 'Event.shiftSwaps', 'Event.attendance', ...ofOffers],
    ...['workShift', 'event', 'fullPosition', 'user', 'callTime'].map((name) => `OfferRecipient.${name}`),
    ...['shift', 'otherShift', 'event', 'fullPosition', 'from', 'to'].map((name) => `ShiftSwap.${name}`),
    ...['workShift', 'event', 'fullPosition', 'user', 'approvedBy'].map((name) => `Attendance.${name}`),
    'Event.labourCost',
    'CallTime.labourCost',
    'Position.rates',
    'Event.customFields',
    'Event.customFieldsConnection',
    'CustomFieldValueConnection.nodes',
    'CustomFieldValueConnection.edges',
    'CustomFieldValueEdge.node',
    // The shortest way leads to the clients themselves, who work no shifts.
    'User.shifts',
    'User.shiftsConnection',
    // What somebody holds, and when they can work, is for admins and for themselves.
    'User.qualifications',
    'UserQualification.user',
    'UserQualification.qualification',
    'User.availability',
    'Availability.patterns',
    'Availability.exceptions',
    'Availability.contradictedShifts',
    'AvailabilityPattern.user',
    'AvailabilityException.user',
  ],
};

export const rootTypes: readonly unknown[] = [
  schema.getQueryType(),
  schema.getMutationType(),
  schema.getSubscriptionType(),
];

export const nestedCells = roles.flatMap((role) => stepsOf(role).map((step) => ({ role, ...step })));
