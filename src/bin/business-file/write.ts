import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { limits } from '../../config/limits.ts';
import { movedTables, readRowsAfter, type MovedTable } from '../../db/business-rows.ts';
import { writeWhole } from '../whole-file.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { startDigest, type End, type FileKey, type Header } from './format.ts';
import type { ChangeRow } from './secrets.ts';

/** Writes all rows of a business that one snapshot has, page by page. Returns the number of rows by table. */
export async function writeBusinessFile(
  db: TenantDb,
  file: string,
  header: Header,
  { key, change }: { readonly key: FileKey | null; readonly change: ChangeRow },
): Promise<End['rows']> {
  const rows: Record<string, number> = {};
  async function* lines() {
    const digest = startDigest(key);
    const digested = (text: string) => {
      digest.update(text);
      return text;
    };
    yield digested(`${JSON.stringify(header)}\n`);
    for (const table of movedTables) {
      rows[table.name] = 0;
      for await (const page of pagesOf(db, table)) {
        rows[table.name]! += page.length;
        yield digested(page.map((row) => `{"${table.name}":${change(table, row)}}\n`).join(''));
      }
    }
    const end: End = { rows, digest: digest.digest('hex') };
    yield `${JSON.stringify({ end })}\n`;
  }
  await writeWhole(file, (handle) =>
    pipeline(Readable.from(lines(), { highWaterMark: 1 }), createGzip(), async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) await handle.writeFile(chunk);
    }),
  );
  return rows;
}

async function* pagesOf(db: TenantDb, table: MovedTable): AsyncGenerator<string[]> {
  let place: string | null = null;
  for (;;) {
    const page = await readRowsAfter(db, table, place, limits.pageRows);
    if (page.length > 0) yield page.map(({ row }) => row);
    if (page.length < limits.pageRows) return;
    place = page.at(-1)!.place;
  }
}
