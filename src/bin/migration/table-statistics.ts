import type { Table } from '../../db/registry.ts';
import type { Query } from './triggers.ts';

const analyzeAfterRows = 1000;

interface StoredOptions {
  readonly table: string;
  readonly options: readonly string[] | null;
}

/**
 * Finds the statements that make autovacuum gather the statistics of a table after so many changed rows. PostgreSQL would wait for
 * a tenth of a table: until then, its statistics do not know a new business among large ones, and the reads of that business take
 * up to a thousand times as long.
 */
export async function findStatisticsChanges(query: Query, tables: readonly Table[]): Promise<string[]> {
  const stored = await query<StoredOptions>(`
    SELECT c.relname::text AS "table", c.reloptions AS options FROM pg_class c
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`);
  const wanted = ['autovacuum_analyze_scale_factor=0', `autovacuum_analyze_threshold=${analyzeAfterRows}`];
  return tables.flatMap(({ table, businessField }) => {
    const options = stored.find((each) => each.table === table)?.options ?? [];
    const isRight = businessField === null || wanted.every((option) => options.includes(option));
    return isRight ? [] : [`ALTER TABLE "${table}" SET (${wanted.join(', ')});`];
  });
}
