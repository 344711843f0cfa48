import { Prisma } from '../generated/prisma/client.ts';
import type { PageWindow } from '../paging/pages.ts';
import { firstOf, rowsFirst, slicesOf } from './by-parent.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** A custom field's value on an event, the definition's names beside it. */
export interface CustomFieldValueRow {
  eventId: number;
  fieldUuid: string;
  fieldName: string;
  fieldValue: string;
  /** Where the field stands in the business's form. */
  sort: number;
  fieldId: number;
}

const columns = Prisma.sql`
           v.event_id AS "eventId", f.uuid AS "fieldUuid", f.name AS "fieldName", v.value AS "fieldValue",
           f.sort, f.id AS "fieldId"`;

export const selectCustomFieldValues = Prisma.sql`
    SELECT ${columns}
      FROM custom_field_values v
      JOIN custom_fields f ON f.business_id = v.business_id AND f.id = v.custom_field_id`;

export const customFieldOrder = Prisma.sql`sort, "fieldId"`;

/** The custom field values of many events in one statement, each event's in the order of the business's form. */
export const customFieldValuesOfEvents = (
  db: TenantDb,
  eventIds: readonly number[],
  atMostEach?: number,
): Promise<CustomFieldValueRow[]> =>
  rawOf(db).$queryRaw<CustomFieldValueRow[]>(Prisma.sql`
    ${rowsFirst(
      Prisma.sql`v`,
      eventIds,
      (eventId) => Prisma.sql`
           SELECT * FROM custom_field_values v
            WHERE v.business_id = ${db.$businessId} AND v.event_id = ${eventId}
            ${firstOf(Prisma.sql`v.custom_field_id`, atMostEach)}`,
    )}
    SELECT ${columns}
      FROM v
      JOIN custom_fields f ON f.business_id = ${db.$businessId} AND f.id = v.custom_field_id
     ORDER BY v.event_id, f.sort, f.id`);

export interface CustomFieldValueFilter {
  readonly fieldUuids?: readonly string[];
}

export const customFieldValueSlices = (
  db: TenantDb,
  eventIds: readonly number[],
  { fieldUuids }: CustomFieldValueFilter,
  window: PageWindow,
) =>
  slicesOf<CustomFieldValueRow>(
    db,
    {
      parent: 'eventId',
      order: customFieldOrder,
      rows: Prisma.sql`${selectCustomFieldValues}
       WHERE v.business_id = ${db.$businessId} AND v.event_id = ANY(${eventIds}::int[])
         ${fieldUuids ? Prisma.sql`AND f.uuid = ANY(${[...fieldUuids]}::uuid[])` : Prisma.empty}`,
    },
    window,
  );
