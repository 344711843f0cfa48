import Type, { type Static, type TSchema } from 'typebox';
import { operation, type Operation } from '../access/operation.ts';
import { commonRead } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { hasScopes, mayCall } from '../access/actor.ts';
import { limits } from '../config/limits.ts';
import { mapPlainModels } from '../fields/catalogs.ts';
import type { NodeType } from '../fields/node-types.ts';
import { decodeGlobalId, splitValueKey, valueKey } from '../model/global-ids.ts';
import { closedObject } from '../validation/schemas.ts';
import * as apiKeys from './api-keys.ts';
import * as attendance from './attendance.ts';
import * as auditEntries from './audit-entries.ts';
import { exceptions, patterns } from './availability.ts';
import * as callTimes from './call-times.ts';
import { plainOperations } from './catalogs-plain.ts';
import * as customFields from './custom-field-definitions.ts';
import * as customFieldValues from './custom-field-values.ts';
import * as events from './events.ts';
import * as feeds from './feeds.ts';
import * as offers from './offers.ts';
import { positions } from './positions.ts';
import * as screens from './screens.ts';
import * as swaps from './swaps.ts';
import * as userQualifications from './user-qualifications.ts';
import * as users from './users.ts';
import { businessOf } from './viewer.ts';
import * as webhookMessages from './webhooks-messages.ts';
import * as webhooks from './webhooks.ts';
import * as workShifts from './work-shifts.ts';

export interface AnyNode {
  readonly type: NodeType;
  readonly row: object;
}

type ByKey = ReadonlyMap<string, object>;

/**
 * Reads rows by their global ids, in the order of the ids: one statement for each type. Null stands for a text that is no
 * global id, for a row that does not exist, and for one that the caller may not see.
 */
export const getByIds = operation({
  ...commonRead,
  name: 'nodes.ofIds',
  input: closedObject({ ids: Type.Array(Type.String(), { maxItems: limits.namedItemsMax }) }),
  run: async (scope, { ids }): Promise<(AnyNode | null)[]> => {
    const named = ids.map(decodeGlobalId);
    const types = new Set(named.flatMap((id) => (id ? [id.type] : [])));
    const rows = new Map<NodeType, ByKey>();
    for (const type of types) {
      const keys = named.flatMap((id) => (id?.type === type ? [id.key] : []));
      rows.set(type, await readers[type](scope, [...new Set(keys)]));
    }
    return named.map((id) => {
      const row = id && rows.get(id.type)?.get(id.key);
      return id && row ? { type: id.type, row } : null;
    });
  },
});

type Reader = (scope: Scope, keys: string[]) => Promise<ByKey>;

const readers: Record<NodeType, Reader> = {
  Business: async (scope) => new Map([[String(scope.businessId), businessOf(scope)]]),
  User: (scope, keys) => read(scope, users.getByIds, { userIds: keys.map(Number) }, byId),
  Event: (scope, uuids) => read(scope, events.getByUuids, { uuids }, byUuid),
  CallTime: (scope, uuids) => read(scope, callTimes.getByUuids, { uuids }, byUuid),
  WorkShift: (scope, uuids) => read(scope, workShifts.getByUuids, { uuids }, byUuid),
  Attendance: (scope, uuids) => read(scope, attendance.getByUuids, { uuids }, byUuid),
  Offer: (scope, uuids) => read(scope, offers.getByUuids, { uuids }, byUuid),
  OfferRecipient: (scope, uuids) => read(scope, offers.getRecipientsByUuids, { uuids }, byUuid),
  ShiftSwap: (scope, uuids) => read(scope, swaps.getByUuids, { uuids }, byUuid),
  Position: (scope, keys) => read(scope, positions.getMany, { ids: keys.map(Number) }, byId),
  ...mapPlainModels(
    ({ model }): Reader =>
      (scope, keys) =>
        read(scope, plainOperations[model].getMany, { ids: keys.map(Number) }, byId),
  ),
  AvailabilityPattern: (scope, uuids) => read(scope, patterns.getByUuids, { uuids }, byUuid),
  AvailabilityException: (scope, uuids) => read(scope, exceptions.getByUuids, { uuids }, byUuid),
  UserQualification: (scope, keys) => read(scope, userQualifications.getByIds, { ids: keys.map(Number) }, byId),
  CustomFieldDefinition: (scope, uuids) => read(scope, customFields.getByUuids, { uuids }, byUuid),
  CustomFieldValue: (scope, keys) => readValues(scope, keys),
  ApiKey: (scope, publicIds) => read(scope, apiKeys.getByPublicIds, { publicIds }, ({ publicId }) => publicId),
  WebhookEndpoint: (scope, uuids) => read(scope, webhooks.getByUuids, { uuids }, byUuid),
  WebhookMessage: (scope, uuids) => read(scope, webhookMessages.getByUuids, { uuids }, byUuid),
  Feed: (scope, publicIds) => read(scope, feeds.getByPublicIds, { publicIds }, ({ publicId }) => publicId),
  Screen: (scope, uuids) => read(scope, screens.getByUuids, { uuids }, byUuid),
  AuditEntry: (scope, keys) => read(scope, auditEntries.getByIds, { ids: keys.map(Number) }, byId),
};

const byId = ({ id }: { id: number }) => String(id);
const byUuid = ({ uuid }: { uuid: string }) => uuid;

/** Calls an operation that reads rows. A caller who may not call it sees none of them, and no refusal is kept. */
async function read<S extends TSchema, Row extends object>(
  scope: Scope,
  readRows: Operation<S, Row[]>,
  input: Static<S>,
  keyOf: (row: Row) => string,
): Promise<ByKey> {
  const { operation: record } = readRows;
  if (!mayCall(scope.actor, record) || !hasScopes(scope.actor.scopes, record.scopes)) return new Map();
  const rows = await readRows(scope, input);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function readValues(scope: Scope, keys: readonly string[]): Promise<ByKey> {
  const parts = keys.map(splitValueKey);
  const eventIds = [...new Set(parts.map(({ eventId }) => Number(eventId)))];
  const fieldUuids = [...new Set(parts.map(({ fieldUuid }) => fieldUuid))];
  return read(scope, customFieldValues.getSome, { eventIds, fieldUuids }, valueKey);
}
