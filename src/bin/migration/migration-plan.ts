import { PGlite } from '@electric-sql/pglite';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { lockModeSql, strongerLock } from '../../db/migrations/lock-waits.ts';
import { inTransaction, loneStatementOf } from '../../db/migrations/migration-statements.ts';
import { readMigrations } from '../../db/migrations/migrations.ts';

/** A lock that a migration takes on a table that is there already. */
interface PlannedLock {
  readonly table: string;
  readonly mode: string;
  /** The statements of other sessions that wait while the lock is held. */
  readonly stops: 'reads and writes' | 'writes' | 'nothing';
  /** Size of the table with its indexes, and its rows as PostgreSQL estimates them. */
  readonly bytes: number;
  readonly rows: number;
}

export interface PlannedMigration {
  readonly name: string;
  /** Whether it is one statement that lets writes go on, outside of a transaction. */
  readonly isAlone: boolean;
  readonly locks: readonly PlannedLock[];
}

/** Locks that stop more than other changes of the schema. */
const stopsByMode: Readonly<Record<string, PlannedLock['stops']>> = {
  SHARE: 'writes',
  'SHARE ROW EXCLUSIVE': 'writes',
  EXCLUSIVE: 'writes',
  'ACCESS EXCLUSIVE': 'reads and writes',
};

/**
 * Says what the pending migrations lock. They are tried on a throw-away database without rows, which shows every lock but those
 * that depend on the rows or on the extensions of the server.
 */
export async function planMigrations(prisma: PrismaClient, pending: readonly string[]): Promise<PlannedMigration[]> {
  const sizes = await prisma.$queryRaw<{ table: string; bytes: bigint; rows: bigint }[]>`
    SELECT relname::text AS "table", pg_total_relation_size(oid) AS bytes, greatest(reltuples, 0)::bigint AS rows
      FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(quote_ident(current_schema()))`;
  const pglite = new PGlite();
  try {
    const planned: PlannedMigration[] = [];
    for (const { name, script } of await readMigrations()) {
      await pglite.exec(`BEGIN; ${inTransaction(script)}`);
      const { rows } = await pglite.query<{ table: string; mode: string }>(`
        SELECT c.relname::text AS "table", ${lockModeSql('l.mode')} AS mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
         WHERE l.locktype = 'relation' AND l.mode <> 'AccessShareLock' ORDER BY 1`);
      await pglite.exec('COMMIT');
      if (!pending.includes(name)) continue;
      const isAlone = loneStatementOf(script, null) !== null;
      const strongest = new Map<string, string>();
      for (const { table, mode } of rows) strongest.set(table, strongerLock(strongest.get(table) ?? mode, mode));
      const locks = [...strongest].flatMap(([table, inTurn]) => {
        const size = sizes.find((each) => each.table === table);
        const mode = isAlone ? 'SHARE UPDATE EXCLUSIVE' : inTurn;
        const stops = stopsByMode[mode] ?? 'nothing';
        return size ? [{ table, mode, stops, bytes: Number(size.bytes), rows: Number(size.rows) }] : [];
      });
      planned.push({ name, isAlone, locks });
    }
    return planned;
  } finally {
    await pglite.close();
  }
}
