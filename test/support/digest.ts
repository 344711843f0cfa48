import { createHash } from 'node:crypto';

/** Computes a digest of every table of a database, independent of the order of rows. */
export async function digestOf(query: (sql: string) => Promise<object[]>): Promise<Record<string, string>> {
  const tables = await query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
  const digests: Record<string, string> = {};
  for (const { name } of tables as { name: string }[]) {
    const rows = (await query(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`)) as { row: string }[];
    const digest = createHash('sha256').update(rows.map(({ row }) => row).join('\n'));
    digests[name] = `${rows.length} ${digest.digest('hex')}`;
  }
  return digests;
}
