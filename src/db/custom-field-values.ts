import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import { readSlices } from './by-parent.ts';
import type { ListOptions } from './fields.ts';
import {
  insertRows,
  rowsOfBusiness,
  rowsOfVisibleEvents,
  visibleCustomFieldValues,
  type AskedEvents,
} from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** The value of a custom field on an event, with the names from the definition. */
export interface CustomFieldValueRow {
  eventId: number;
  fieldUuid: string;
  fieldName: string;
  fieldValue: string;
  /** Position of the field in the form of the business. */
  sort: number;
  fieldId: number;
}

const columns = Prisma.sql`
           v.event_id AS "eventId", f.uuid AS "fieldUuid", f.name AS "fieldName", v.value AS "fieldValue",
           f.sort, f.id AS "fieldId"`;

const customFields = (db: TenantDb) =>
  Prisma.sql`JOIN ${rowsOfBusiness(db, 'custom_fields', 'f')} ON f.id = v.custom_field_id`;

/** Builds a statement that reads the custom field values of events; those of each event are in the order of the form. */
export function selectCustomFieldValuesOfEvents(
  db: TenantDb,
  events: AskedEvents,
  { atMostEach }: ListOptions = {},
): Prisma.Sql {
  const values = rowsOfVisibleEvents(db, 'custom_field_values', 'v', events, {
    order: Prisma.sql`v.custom_field_id`,
    atMostEach,
  });
  return Prisma.sql`
    WITH v AS MATERIALIZED (SELECT v.* FROM ${values})
    SELECT ${columns}
      FROM v
      ${customFields(db)}
     ORDER BY v.event_id, f.sort, f.id`;
}

export function readCustomFieldValuesOfEvents(
  db: TenantDb,
  eventIds: readonly number[],
  options: ListOptions,
): Promise<CustomFieldValueRow[]> {
  return rawOf(db).$queryRaw<CustomFieldValueRow[]>(selectCustomFieldValuesOfEvents(db, eventIds, options));
}

/** Reads the values that any of the events have for any of the fields, in any order. */
export function readCustomFieldValues(
  db: TenantDb,
  eventIds: readonly number[],
  fieldUuids: readonly string[],
): Promise<CustomFieldValueRow[]> {
  return rawOf(db).$queryRaw<CustomFieldValueRow[]>(Prisma.sql`
    SELECT ${columns} FROM ${visibleCustomFieldValues(db)} ${customFields(db)}
     WHERE v.event_id = ANY(${eventIds}::int[]) AND f.uuid = ANY(${fieldUuids}::uuid[])`);
}

export interface CustomFieldValueFilter {
  readonly fieldUuids?: readonly string[];
}

export function readCustomFieldValueSlices(
  db: TenantDb,
  eventIds: readonly number[],
  { fieldUuids }: CustomFieldValueFilter,
  window: PageWindow,
) {
  return readSlices<CustomFieldValueRow>(
    db,
    {
      parent: 'eventId',
      order: Prisma.sql`sort, "fieldId"`,
      rows: Prisma.sql`
      SELECT ${columns} FROM ${visibleCustomFieldValues(db)} ${customFields(db)}
       WHERE v.event_id = ANY(${eventIds}::int[])
         ${fieldUuids ? Prisma.sql`AND f.uuid = ANY(${[...fieldUuids]}::uuid[])` : Prisma.empty}`,
    },
    window,
  );
}

/** Counts the events with a value for a field whose values have more characters together than they may. */
export async function countEventsAboveChars(db: TenantDb, customFieldId: number, charsMax: number): Promise<number> {
  const [row] = await rawOf(db).$queryRaw<{ events: number }[]>(Prisma.sql`
    SELECT count(*)::int AS events FROM (
      SELECT v.event_id FROM ${rowsOfBusiness(db, 'custom_field_values', 'v')}
       WHERE v.event_id IN (SELECT f.event_id FROM ${rowsOfBusiness(db, 'custom_field_values', 'f')}
                             WHERE f.custom_field_id = ${customFieldId})
       GROUP BY v.event_id HAVING sum(char_length(v.value)) > ${charsMax}::int) AS above`);
  return row?.events ?? 0;
}

/** Copies the custom field values of an event to another one, without reading them. Returns how many characters they have together. */
export async function copyValues(tx: TenantDb, eventId: number, copyId: number): Promise<number> {
  const rows = Prisma.sql`
      SELECT ${copyId}::int AS event_id, v.custom_field_id, v.value
        FROM ${rowsOfBusiness(tx, 'custom_field_values', 'v')} WHERE v.event_id = ${eventId}`;
  const [row] = await rawOf(tx).$queryRaw<{ chars: number }[]>(Prisma.sql`
    WITH stored AS (
      ${insertRows(tx, 'custom_field_values', { columns: Prisma.sql`event_id, custom_field_id, value`, rows })}
      RETURNING char_length(value) AS chars)
    SELECT coalesce(sum(chars), 0)::int AS chars FROM stored`);
  return row?.chars ?? 0;
}
