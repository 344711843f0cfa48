import { Prisma } from '../generated/prisma/client.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** A custom field's value on an event, the definition's names beside it. */
export interface CustomFieldValueRow {
  eventId: number;
  fieldUuid: string;
  fieldName: string;
  fieldValue: string;
}

/** The custom field values of many events in one statement, each event's in the order of the business's form. */
export const customFieldValuesOfEvents = (db: TenantDb, eventIds: readonly number[]): Promise<CustomFieldValueRow[]> =>
  rawOf(db).$queryRaw<CustomFieldValueRow[]>(Prisma.sql`
    SELECT v.event_id AS "eventId", f.uuid AS "fieldUuid", f.name AS "fieldName", v.value AS "fieldValue"
      FROM custom_field_values v
      JOIN custom_fields f ON f.business_id = v.business_id AND f.id = v.custom_field_id
     WHERE v.business_id = ${db.$businessId} AND v.event_id = ANY(${eventIds}::int[])
     ORDER BY v.event_id, f.sort, f.id`);
