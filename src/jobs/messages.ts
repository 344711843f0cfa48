import type { LoggedChange } from '../db/change-log.ts';
import { columnOf, kindsByTable, type LoggedKind, type LoggedTable } from '../db/registry.ts';
import { webhookTypes, type WebhookType } from '../fields/webhook-types.ts';

/** A message as it is stored: its type, and its body as it is sent. */
export interface NewMessage {
  readonly type: WebhookType;
  readonly payload: string;
}

/** A message about a row. It has no values, so that no receiver gets private notes or pay. */
interface Draft {
  readonly type: WebhookType;
  readonly row: Row;
  readonly change: LoggedChange;
  /** Names of the changed fields, as REST spells them. */
  readonly fields: Set<string>;
}

interface Row {
  readonly kind: LoggedKind;
  readonly id: number;
  readonly uuid: string | null;
  /** Id of the event that the row belongs to. */
  readonly eventId: number | null;
}

const nouns = new Set(Object.keys(webhookTypes).map((type) => nameOf(type as WebhookType)));

/** The noun in the types of messages about rows of a kind: of an offer, it is the parts of people that change. */
function nounOf(kind: LoggedKind): string {
  if (kind === 'offerRecipient') return 'offer';
  if (kind === 'shiftSwap') return 'swap';
  if (kind === 'userQualification') return 'qualification';
  return kind.startsWith('availability') ? 'availability' : columnOf(kind);
}

/** The tables whose changes become messages: those whose rows a type names, and the values of custom fields. */
export const tablesWithMessages = [...kindsByTable]
  .filter(([, kind]) => nouns.has(nounOf(kind)) || kind === 'customFieldValue')
  .map(([table]) => table as LoggedTable);

/** Columns that change with others, or that the API does not show. */
const silentColumns = new Set([
  ...['business_id', 'id', 'uuid', 'version', 'created_at', 'modified_at', 'updated_at', 'deleted_at'],
  ...['first_name', 'last_name', 'confirmed_at', 'declined_at', 'announced_until'],
]);

/** Names of fields in REST, where they differ from the column. An instant moves with the wall-clock time or its time zone. */
const restNames: Readonly<Record<string, string>> = {
  start_local: 'start_time',
  starts_at: 'start_time',
  start_tbd: 'start_time_tbd',
  end_local: 'end_time',
  ends_at: 'end_time',
  end_tbd: 'end_time_tbd',
};
const restNamesOfCallTimes: Readonly<Record<string, string>> = {
  ...restNames,
  staff_needed: 'staff_needed_count',
  pay_rate: 'payrate',
  pay_unit: 'payrate_unit',
  requirements_version: 'requirements',
};

/**
 * Makes the messages of logged changes, in their order: one for each row, type and commit. `eventUuids` has the UUID of each event
 * that the changes belong to and that still exists.
 */
export function toWebhookMessages(
  changes: readonly LoggedChange[],
  eventUuids: ReadonlyMap<number, string>,
): NewMessage[] {
  const drafts = new Map<string, Draft>();
  for (const change of changes) {
    const draft = draftOf(change);
    if (!draft) continue;
    const key = keyOf(draft, draft.type);
    const merged = drafts.get(key);
    if (merged) for (const field of draft.fields) merged.fields.add(field);
    else drafts.set(key, draft);
  }
  const isSaidBy = (draft: Draft, verb: string) => drafts.has(keyOf(draft, `${nameOf(draft.type)}.${verb}`));
  return (
    [...drafts.values()]
      .filter(
        (draft) => !(draft.type.endsWith('.updated') && (isSaidBy(draft, 'created') || isSaidBy(draft, 'deleted'))),
      )
      // A claim is answered in the transaction that makes it: nobody was asked.
      .filter((draft) => draft.type !== 'offer.sent' || !claimed.some((state) => isSaidBy(draft, state)))
      .flatMap((draft) => messageOf(draft, eventUuids))
  );
}

const withStates: ReadonlySet<string> = new Set(['offer_recipients', 'shift_swaps']);

const claimed = ['accepted', 'requested', 'waitlisted'];

const keyOf = ({ row, change }: Draft, type: string) => `${change.revision} ${type} ${row.kind} ${row.id}`;

function nameOf(type: WebhookType): string {
  return type.slice(0, type.indexOf('.'));
}

function draftOf(change: LoggedChange): Draft | null {
  const { table, rowId: id, uuid, eventId } = change;
  // A value is part of its event.
  if (table === 'custom_field_values') {
    if (eventId === null) return null;
    const row: Row = { kind: 'event', id: eventId, uuid: null, eventId };
    return { type: 'event.updated', row, change, fields: new Set(['custom_fields']) };
  }
  const kind = kindsByTable.get(table);
  if (!kind || !nouns.has(nounOf(kind))) return null;
  const fields = change.change === 'update' ? fieldsOf(change) : new Set<string>();
  // Of a swap and of a part in an offer, only the states are told.
  if (withStates.has(table) && (change.change === 'delete' || change.after?.['state'] === undefined)) return null;
  const noun = nounOf(kind);
  const type = `${noun}.${noun === 'availability' ? 'changed' : verbOf(change, fields)}` as WebhookType;
  if (!(type in webhookTypes) || (type.endsWith('.updated') && fields.size === 0)) return null;
  return { type, row: { kind, id, uuid, eventId }, change, fields };
}

function fieldsOf({ table, after }: LoggedChange): Set<string> {
  const names = table === 'call_times' ? restNamesOfCallTimes : restNames;
  return new Set(
    Object.keys(after ?? {}).flatMap((column) => (silentColumns.has(column) ? [] : [names[column] ?? column])),
  );
}

/** Returns the verb of the message: what happened to the row. Events, shifts and users that are deleted stay in their tables. */
function verbOf({ table, change, after }: LoggedChange, fields: ReadonlySet<string>): string {
  if (withStates.has(table)) return String(after?.['state']);
  if (change === 'delete') return 'deleted';
  if (table === 'attendance') return verbOfAttendance(after);
  if (change === 'insert') return table === 'work_shifts' ? 'assigned' : 'created';
  // The service has noted that the end of what somebody holds is near.
  if ((after?.['announced_until'] ?? null) !== null) return 'expiring';
  const status = after?.['status'];
  if (status === 'deleted' || (after?.['deleted_at'] ?? null) !== null) return 'deleted';
  if (status === 'canceled') return (after?.['declined_at'] ?? null) === null ? 'canceled' : 'declined';
  if (table !== 'work_shifts') return 'updated';
  if (fields.has('user_id')) return 'assigned';
  const confirmed = after?.['confirmed'];
  return confirmed === true ? 'confirmed' : confirmed === false ? 'unconfirmed' : 'updated';
}

/** What was noted last. */
function verbOfAttendance(after: LoggedChange['after']): string {
  if ((after?.['approved_at'] ?? null) !== null) return 'approved';
  if (after?.['no_show'] === true) return 'no_show';
  if ((after?.['checked_out_at'] ?? null) !== null) return 'checked_out';
  return (after?.['checked_in_at'] ?? null) === null ? 'updated' : 'checked_in';
}

function messageOf({ type, row, change, fields }: Draft, eventUuids: ReadonlyMap<number, string>): NewMessage[] {
  const { kind, id, eventId } = row;
  const eventUuid = eventId === null ? undefined : eventUuids.get(eventId);
  const uuid = row.uuid ?? (kind === 'event' ? eventUuid : undefined);
  // A custom field value of an event that is gone.
  if (kind === 'event' && uuid === undefined) return [];
  const data = {
    kind,
    ...(uuid === undefined ? { id } : { uuid }),
    ...(kind !== 'event' && eventUuid !== undefined && { event_uuid: eventUuid }),
    revision: String(change.revision),
    fields: [...fields],
  };
  return [{ type, payload: JSON.stringify({ type, timestamp: change.at.toISOString(), data }) }];
}
