import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

const blockBytes = 8192;
/** PostgreSQL continues a larger relation in a further file. */
const fileBlocks = 131_072;

interface Relation {
  readonly name: string;
  readonly file: string;
  /** Blocks of its file when PostgreSQL last counted them. The file shrinks only when they are counted. */
  readonly blocks: number;
  /** The file of the primary key, for a table whose blocks were never counted. */
  readonly keyFile: string | null;
}

/**
 * Throws unless each table and index has its file, at least as long as PostgreSQL counted. PostgreSQL itself notices a
 * missing part only when it reads it, and takes a table whose file was cut to nothing for an empty one.
 */
export async function requireWholeFiles(pglite: PGlite, directory: string): Promise<void> {
  const { rows } = await pglite.query<Relation>(`
    SELECT c.relname AS name, pg_relation_filepath(c.oid) AS file, least(greatest(c.relpages, 0), ${fileBlocks}) AS blocks,
           CASE WHEN c.reltuples = -1 THEN pg_relation_filepath(k.indexrelid) END AS "keyFile"
      FROM pg_class c
      LEFT JOIN pg_index k ON k.indrelid = c.oid AND k.indisprimary
     WHERE c.relkind IN ('r', 'i', 't', 'S') AND pg_relation_filepath(c.oid) IS NOT NULL`);
  for (const { name, file, blocks, keyFile } of rows) {
    const path = join(directory, file);
    if (!existsSync(path)) throw new Error(`${file}, of ${name}, is missing`);
    const bytes = statSync(path).size;
    // An index always has a first block; further blocks hold its entries.
    const isHollow = bytes === 0 && keyFile !== null && sizeOf(join(directory, keyFile)) > blockBytes;
    if (bytes % blockBytes !== 0 || bytes < blocks * blockBytes || isHollow)
      throw new Error(`${file}, of ${name}, is cut short`);
  }
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
