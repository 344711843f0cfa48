import type { CustomField } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rawOf } from './raw.ts';
import type { TenantDb } from './tenant.ts';

/** A custom field as it is read. */
export type CustomFieldRow = Omit<CustomField, 'businessId'>;

const definitions = (tx: TenantDb) => Prisma.sql`
  SELECT f.id, f.uuid, f.name, f.type, f.options, f.sort, f.version FROM custom_fields f WHERE f.business_id = ${tx.$businessId}`;

/** One definition, locked to the end of the transaction against changes of it and against values for it. */
export async function lockDefinition(tx: TenantDb, uuid: string): Promise<CustomFieldRow | null> {
  const [row] = await rawOf(tx).$queryRaw<CustomFieldRow[]>(Prisma.sql`
    ${definitions(tx)} AND f.uuid = ${uuid}::uuid FOR UPDATE`);
  return row ?? null;
}

/** Definitions that stay as they are to the end of the transaction. */
export const holdDefinitions = (tx: TenantDb, uuids: readonly string[]): Promise<CustomFieldRow[]> =>
  rawOf(tx).$queryRaw<CustomFieldRow[]>(Prisma.sql`
    ${definitions(tx)} AND f.uuid = ANY(${uuids}::uuid[]) ORDER BY f.id FOR SHARE`);

/** How many events have each of the values. */
export async function countValues(
  tx: TenantDb,
  customFieldId: number,
  values: readonly string[],
): Promise<Map<string, number>> {
  const rows = await rawOf(tx).$queryRaw<{ value: string; count: number }[]>(Prisma.sql`
    SELECT v.value, count(*)::int AS count FROM custom_field_values v
     WHERE v.business_id = ${tx.$businessId} AND v.custom_field_id = ${customFieldId} AND v.value = ANY(${values}::text[])
     GROUP BY v.value`);
  return new Map(rows.map(({ value, count }) => [value, count]));
}

/** Puts other values in the place of some, all at once: two can change places. */
export async function replaceValues(
  tx: TenantDb,
  customFieldId: number,
  replacements: readonly { from: string; to: string }[],
): Promise<void> {
  await rawOf(tx).$executeRaw(Prisma.sql`
    UPDATE custom_field_values AS v SET value = r.after
      FROM unnest(${replacements.map(({ from }) => from)}::text[], ${replacements.map(({ to }) => to)}::text[]) AS r (before, after)
     WHERE v.business_id = ${tx.$businessId} AND v.custom_field_id = ${customFieldId} AND v.value = r.before`);
}

/** Sets an event's values, over those that it has. */
export async function setValues(
  tx: TenantDb,
  eventId: number,
  values: readonly { customFieldId: number; value: string }[],
): Promise<void> {
  await rawOf(tx).$executeRaw(Prisma.sql`
    INSERT INTO custom_field_values (business_id, event_id, custom_field_id, value)
    SELECT ${tx.$businessId}::int, ${eventId}::int, field_id, value
      FROM unnest(${values.map(({ customFieldId }) => customFieldId)}::int[], ${values.map(({ value }) => value)}::text[]) AS v (field_id, value)
        ON CONFLICT (business_id, event_id, custom_field_id) DO UPDATE SET value = excluded.value`);
}
