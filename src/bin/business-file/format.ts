import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecretBox, type SecretBox } from '../../access/secret-box.ts';
import { limits } from '../../config/limits.ts';
import { migrationNames } from '../../db/migrations/migrations.ts';
import { Failure, invalid } from '../../errors.ts';

/*
 * The file of a business: lines of JSON, compressed by gzip. The first line is the header. Then comes a line for each row, an
 * object that has the name of the table as its only key, in the order in which rows refer to each other. The last line has the number
 * of rows by table, and a digest of all lines before it.
 */

export const format = 'callboard business';
/** Goes up with every change of the format that an older Callboard could not read. */
export const formatVersion = 1;

export interface Header {
  readonly format: string;
  readonly version: number;
  /** Version of Callboard that wrote the file. */
  readonly callboard: string;
  /** The latest migration of its database. */
  readonly schema: string;
  /** Version of the time zone data that its instants were derived with. */
  readonly tzVersion: string | null;
  readonly at: string;
  readonly business: { readonly id: number; readonly name: string };
  /** The time, sealed with the key of the file; null: the file has no secrets. */
  readonly sealed: string | null;
}

export interface End {
  readonly rows: Readonly<Record<string, number>>;
  readonly digest: string;
}

/** Keys of a file: one seals its secrets, and one shows that nobody has changed it. */
export interface FileKey {
  readonly box: SecretBox;
  readonly macKey: Buffer;
}

/** Reads the key of a file. */
export function readFileKey(path: string): FileKey {
  const secret = readText(path)?.trim() ?? '';
  if (Buffer.byteLength(secret) < limits.secretBytes)
    throw invalid({
      keyFile: [`must name a readable file with at least ${limits.secretBytes} bytes, such as 32 random ones`],
    });
  return {
    box: createSecretBox([{ kid: 'file', secret }]),
    macKey: Buffer.from(hkdfSync('sha256', secret, '', 'callboard business file', 32)),
  };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The digest of a file. With a key, only its owner can make one. */
export const startDigest = (key: FileKey | null) => (key ? createHmac('sha256', key.macKey) : createHash('sha256'));

export async function newestMigration(): Promise<string> {
  return (await migrationNames()).at(-1) ?? '';
}

/** The file cannot be imported. */
export const refused = (file: string, why: string, cause?: unknown) =>
  new Failure('PRECONDITION_FAILED', `${file} is not imported: ${why}. Nothing is changed.`, { cause });
