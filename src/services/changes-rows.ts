import type { TSchema, Static } from 'typebox';
import type { Operation } from '../access/operation.ts';
import { hasScopes, mayCall } from '../access/actor.ts';
import type { Scope } from '../access/scope.ts';
import { kindsByTable, type LoggedTable } from '../db/registry.ts';
import { mapPlainKinds } from '../fields/catalogs.ts';
import type { ChangeKind } from '../fields/change-kinds.ts';
import * as attendance from './attendance.ts';
import { exceptions, patterns } from './availability.ts';
import * as callTimes from './call-times.ts';
import { plainOperations } from './catalogs-plain.ts';
import * as customFields from './custom-field-definitions.ts';
import * as events from './events.ts';
import * as offers from './offers.ts';
import { positions } from './positions.ts';
import * as swaps from './swaps.ts';
import * as userQualifications from './user-qualifications.ts';
import * as users from './users.ts';
import * as workShifts from './work-shifts.ts';

export function kindOf(table: LoggedTable): ChangeKind {
  const kind = kindsByTable.get(table)!;
  return kind === 'customFieldValue' ? 'event' : kind === 'requirement' ? 'callTime' : kind;
}

/** The names of a row: all kinds have a number, and some a uuid too. */
export interface RowName {
  readonly id: number;
  readonly uuid: string | null;
}

type RowsByKey = ReadonlyMap<number | string, object>;

interface RowReader {
  readonly calls: Pick<Operation<TSchema, unknown>, 'operation'>;
  readonly read: (scope: Scope, names: readonly RowName[]) => Promise<RowsByKey>;
  readonly keyOf: (name: RowName) => number | string | null;
}

function byId<S extends TSchema, Row extends { readonly id: number }>(
  calls: Operation<S, Row[]>,
  toInput: (ids: number[]) => Static<S>,
): RowReader {
  return {
    calls,
    keyOf: ({ id }) => id,
    read: async (scope, names) =>
      new Map((await calls(scope, toInput(names.map(({ id }) => id)))).map((row) => [row.id, row])),
  };
}

function byUuid<S extends TSchema, Row extends { readonly uuid: string }>(
  calls: Operation<S, Row[]>,
  toInput: (uuids: string[]) => Static<S>,
): RowReader {
  return {
    calls,
    keyOf: ({ uuid }) => uuid,
    read: async (scope, names) =>
      new Map((await calls(scope, toInput(names.flatMap(({ uuid }) => uuid ?? [])))).map((row) => [row.uuid, row])),
  };
}

/** Changed rows are read through the operations that read them elsewhere, so what a caller may see is decided there. */
const readers: Readonly<Record<ChangeKind, RowReader>> = {
  position: byId(positions.getByIds, (ids) => ({ ids })),
  ...mapPlainKinds(({ model }) => byId(plainOperations[model].getByIds, (ids) => ({ ids }))),
  user: byId(users.getByIds, (userIds) => ({ userIds })),
  availabilityPattern: byUuid(patterns.getByUuids, (uuids) => ({ uuids })),
  availabilityException: byUuid(exceptions.getByUuids, (uuids) => ({ uuids })),
  userQualification: byId(userQualifications.getByIds, (ids) => ({ ids })),
  customField: byUuid(customFields.getByUuids, (uuids) => ({ uuids })),
  event: byId(events.getByIds, (eventIds) => ({ eventIds })),
  callTime: byId(callTimes.getByIds, (callTimeIds) => ({ callTimeIds })),
  workShift: byUuid(workShifts.getByUuids, (uuids) => ({ uuids })),
  attendance: byUuid(attendance.getByUuids, (uuids) => ({ uuids })),
  offerRecipient: byUuid(offers.getRecipientsByUuids, (uuids) => ({ uuids })),
  shiftSwap: byUuid(swaps.getByUuids, (uuids) => ({ uuids })),
};

/** Whether the caller may read rows of this kind at all. */
export function mayReadKind({ actor }: Scope, kind: ChangeKind): boolean {
  const { operation: record } = readers[kind].calls;
  return mayCall(actor, record) && hasScopes(actor.scopes, record.scopes);
}

/** Reads rows of one kind as they are now. The returned function gives the row of a name; null if the caller sees none. */
export async function readRowsOfKind(
  scope: Scope,
  kind: ChangeKind,
  names: readonly RowName[],
): Promise<(name: RowName) => object | null> {
  const { read, keyOf } = readers[kind];
  const rows = await read(scope, names);
  return (name) => {
    const key = keyOf(name);
    return (key === null ? undefined : rows.get(key)) ?? null;
  };
}
