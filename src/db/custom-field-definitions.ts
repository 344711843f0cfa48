import type { CustomField } from '../generated/prisma/client.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { readRows, shownColumns } from './rows.ts';
import { insertRows, lockRows, rowsOfBusiness, updateRows } from './sources.ts';
import { rawOf, type TenantDb } from './tenant.ts';

export type CustomFieldRow = Omit<CustomField, 'businessId'>;

export const shownCustomField = {
  id: true,
  uuid: true,
  name: true,
  type: true,
  options: true,
  sort: true,
  version: true,
} as const;

/** Reads the custom fields of the business, or those with some uuids, in the order of its form. */
export function readCustomFields(db: TenantDb, uuids?: readonly string[]): Promise<CustomFieldRow[]> {
  return readRows<CustomFieldRow>(db, 'CustomField', shownCustomField, {
    orderBy: 'sort',
    ...(uuids && { where: Prisma.sql`t.uuid = ANY(${uuids}::uuid[])` }),
  });
}

const columns = shownColumns('f', shownCustomField);

/**
 * Reads one definition and locks it to the end of the transaction, against changes of it and against new values for it.
 */
export async function lockDefinition(tx: TenantDb, uuid: string): Promise<CustomFieldRow | null> {
  const where = Prisma.sql`f.uuid = ${uuid}::uuid`;
  const [row] = await rawOf(tx).$queryRaw<CustomFieldRow[]>(
    lockRows(tx, 'custom_fields', 'f', { columns, where, lock: 'for update' }),
  );
  return row ?? null;
}

/** Reads definitions and locks them against changes to the end of the transaction. */
export function holdDefinitions(tx: TenantDb, uuids: readonly string[]): Promise<CustomFieldRow[]> {
  const where = Prisma.sql`f.uuid = ANY(${uuids}::uuid[])`;
  return rawOf(tx).$queryRaw<CustomFieldRow[]>(
    lockRows(tx, 'custom_fields', 'f', { columns, where, lock: 'for share' }),
  );
}

/** Counts the events that have each of the values. */
export async function countValues(
  tx: TenantDb,
  customFieldId: number,
  values: readonly string[],
): Promise<Map<string, number>> {
  const rows = await rawOf(tx).$queryRaw<{ value: string; count: number }[]>(Prisma.sql`
    SELECT v.value, count(*)::int AS count FROM ${rowsOfBusiness(tx, 'custom_field_values', 'v')}
     WHERE v.custom_field_id = ${customFieldId} AND v.value = ANY(${values}::text[])
     GROUP BY v.value`);
  return new Map(rows.map(({ value, count }) => [value, count]));
}

/** Replaces values by others, all at once, so that two values can be swapped. */
export async function replaceValues(
  tx: TenantDb,
  customFieldId: number,
  replacements: readonly { from: string; to: string }[],
): Promise<void> {
  const [before, after] = [replacements.map(({ from }) => from), replacements.map(({ to }) => to)];
  await rawOf(tx).$executeRaw(
    updateRows(tx, 'custom_field_values', 'v', {
      set: Prisma.sql`value = r.after`,
      from: Prisma.sql`FROM unnest(${before}::text[], ${after}::text[]) AS r (before, after)`,
      where: Prisma.sql`v.custom_field_id = ${customFieldId} AND v.value = r.before`,
    }),
  );
}

/**
 * Sets values of an event, and replaces those that it has for the same fields. Returns how many characters all values of the event have
 * together then.
 */
export async function setValues(
  tx: TenantDb,
  eventId: number,
  values: readonly { customFieldId: number; value: string }[],
): Promise<number> {
  const [ids, texts] = [values.map(({ customFieldId }) => customFieldId), values.map(({ value }) => value)];
  const rows = Prisma.sql`
      SELECT ${eventId}::int AS event_id, v.custom_field_id, v.value
        FROM unnest(${ids}::int[], ${texts}::text[]) AS v (custom_field_id, value)`;
  const [row] = await rawOf(tx).$queryRaw<{ chars: number }[]>(Prisma.sql`
    WITH stored AS (
      ${insertRows(tx, 'custom_field_values', { columns: Prisma.sql`event_id, custom_field_id, value`, rows })}
          ON CONFLICT (business_id, event_id, custom_field_id) DO UPDATE SET value = excluded.value
      RETURNING char_length(value) AS chars)
    SELECT coalesce(sum(chars), 0)::int AS chars FROM (
      SELECT chars FROM stored
       UNION ALL
      SELECT char_length(v.value) FROM ${rowsOfBusiness(tx, 'custom_field_values', 'v')}
       WHERE v.event_id = ${eventId} AND v.custom_field_id <> ALL(${ids}::int[])) AS all_values`);
  return row?.chars ?? 0;
}
