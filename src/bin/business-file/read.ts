import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import Type from 'typebox';
import { limits } from '../../config/limits.ts';
import { movedTables, type MovedTable } from '../../db/business-rows.ts';
import { Failure, notFound } from '../../errors.ts';
import { compile } from '../../validation/compile.ts';
import { closedObject, idOf } from '../../validation/schemas.ts';
import { version } from '../../version.ts';
import {
  format,
  formatVersion,
  newestMigration,
  refused,
  startDigest,
  type End,
  type FileKey,
  type Header,
} from './format.ts';

/** Rows of one table that follow each other in the file. */
export interface Batch {
  readonly table: MovedTable;
  readonly rows: readonly string[];
}

const text = Type.String({ minLength: 1, maxLength: 200 });
const checkHeader = compile(
  closedObject({
    format: text,
    version: Type.Integer(),
    callboard: text,
    schema: text,
    tzVersion: Type.Union([text, Type.Null()]),
    at: text,
    business: closedObject({ id: idOf('business'), name: Type.String() }),
    sealed: Type.Union([text, Type.Null()]),
  }),
);

/** Reads the header. Throws unless this version can read what follows. */
export async function readHeader(file: string): Promise<Header> {
  if (!(await stat(file).catch(() => null))?.isFile()) throw notFound(`file: ${file}`);
  for await (const line of linesOf(file)) {
    const header = parse(file, line) as Partial<Header> | null;
    if (header?.format !== format) throw refused(file, 'it is no export of a business');
    if (header.version !== formatVersion)
      throw refused(
        file,
        `its format is version ${String(header.version)}, and this Callboard reads version ${formatVersion}`,
      );
    const schema = await newestMigration();
    if (header.schema !== schema)
      throw refused(
        file,
        `its schema is ${String(header.schema)}, of Callboard ${String(header.callboard)}, and this is Callboard ${version} with ${schema}. Bring both databases to the same version, and export again`,
      );
    return checked(file, header);
  }
  throw refused(file, 'it is empty');
}

function checked(file: string, header: object): Header {
  try {
    return checkHeader(header);
  } catch (error) {
    throw refused(file, 'its header is damaged', error);
  }
}

/** Reads all rows, in batches. Throws at the end, at the latest, if anything is missing or was changed. */
export async function* readBatches(file: string, key: FileKey | null): AsyncGenerator<Batch> {
  const digest = startDigest(key);
  const rows: Record<string, number> = Object.fromEntries(movedTables.map(({ name }) => [name, 0]));
  let end: End | null = null;
  let batch: { table: MovedTable; rows: string[]; chars: number } | null = null;
  let isHeader = true;
  for await (const line of linesOf(file)) {
    if (end) throw refused(file, 'it goes on behind its end');
    if (line.startsWith('{"end":')) {
      end = (parse(file, line) as { end: End }).end;
      continue;
    }
    digest.update(line).update('\n');
    if (isHeader) {
      isHeader = false;
      continue;
    }
    const { table, row } = readRow(file, line);
    rows[table.name]! += 1;
    if (
      batch &&
      (batch.table !== table || batch.rows.length >= limits.pageRows || batch.chars > limits.moveLineBytes / 4)
    ) {
      yield batch;
      batch = null;
    }
    batch ??= { table, rows: [], chars: 0 };
    batch.rows.push(row);
    batch.chars += row.length;
  }
  if (!end) throw refused(file, 'it is cut off');
  if (end.digest !== digest.digest('hex') || JSON.stringify(end.rows) !== JSON.stringify(rows))
    throw refused(file, 'it was changed');
  if (batch) yield batch;
}

const tableByName = new Map(movedTables.map((table) => [table.name, table]));

/** A row with other columns than those of its table is refused: the database would leave them out, such as the number of a business. */
function readRow(file: string, line: string): { table: MovedTable; row: string } {
  const [, name = '', row = ''] = /^\{"(\w+)":(\{.*\})\}$/s.exec(line) ?? [];
  const table = tableByName.get(name);
  if (!table) throw refused(file, 'a line of it is no row of a business');
  const columns = Object.keys(parse(file, row) as object);
  if (columns.length !== table.columns.length || !columns.every((column) => table.columns.includes(column)))
    throw refused(file, `a row of ${name} does not have the columns of its table`);
  return { table, row };
}

function parse(file: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw refused(file, 'a line of it is not JSON', error);
  }
}

/** The lines of the file. What a line may take is bounded, whatever it decompresses to. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let from = 0;
      for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, to)]).toString('utf8');
        parts = [];
        bytes = 0;
        from = to + 1;
      }
      parts.push(chunk.subarray(from));
      bytes += chunk.length - from;
      if (bytes > limits.moveLineBytes) throw refused(file, 'a line of it is longer than a row can be');
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refused(file, `it is no export of a business, or it is damaged (${(error as Error).message})`, error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
  if (bytes > 0) throw refused(file, 'it is cut off');
}
