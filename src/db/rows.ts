import { Prisma } from '../generated/prisma/client.ts';
import { columnOf, registry } from './registry.ts';
import { rawOf, type TenantDb } from './tenant.ts';

/** Tables whose rows all admins of the business see, and nobody else unless the query says so. */
type AdminModel = 'ApiKey' | 'CustomField' | 'Feed' | 'Screen' | 'WebhookEndpoint' | 'WebhookMessage';

interface Choice {
  /** Condition on the row `t`. */
  readonly where?: Prisma.Sql;
  /** The field that orders the rows before their ids. */
  readonly orderBy?: string;
  readonly atMost?: number;
}

/** The columns of some fields of a table under an alias. */
export const shownColumns = (alias: string, shown: object): Prisma.Sql =>
  Prisma.raw(
    Object.keys(shown)
      .map((name) => `${alias}.${columnOf(name)} AS "${name}"`)
      .join(', '),
  );

/**
 * Reads rows of a table. Whatever can be exported is read by SQL: a model of Prisma would read
 * outside the snapshot of the export, and would wait for a second connection.
 */
export function readRows<Row extends object>(
  db: TenantDb,
  model: AdminModel,
  shown: { readonly [K in keyof Row]: true },
  { where = Prisma.sql`TRUE`, orderBy = 'id', atMost }: Choice = {},
): Promise<Row[]> {
  return rawOf(db).$queryRaw<Row[]>(Prisma.sql`
    SELECT ${shownColumns('t', shown)} FROM ${Prisma.raw(registry[model].table)} t
     WHERE t.business_id = ${db.$businessId} AND ${where}
     ORDER BY ${Prisma.raw(`t.${columnOf(orderBy)}`)}, t.id ${atMost === undefined ? Prisma.empty : Prisma.sql`LIMIT ${atMost}`}`);
}
