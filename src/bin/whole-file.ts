import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { conflict, Failure } from '../errors.ts';
import { cannotBeWritten } from '../db/engine/data-dir.ts';

/** Writes a file that is readable for its owner only. It is complete or absent, whatever happens meanwhile. */
export async function writeWhole(file: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const unfinished = join(dirname(file), `.${basename(file)}.${randomUUID().slice(0, 8)}`);
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!isOfFile(error)) throw error;
    throw new Failure('PRECONDITION_FAILED', cannotBeWritten(file, error).message, { cause: error });
  }
  const directory = await open(dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Throws CONFLICT if the file exists. */
export function refuseToOverwrite(file: string, advice: string): void {
  if (existsSync(file)) throw conflict(`${file} exists already: ${advice}.`);
}

const fileCalls = ['open', 'write', 'writev', 'fsync', 'close', 'rename'];

const isOfFile = (error: unknown): boolean => fileCalls.includes((error as NodeJS.ErrnoException).syscall ?? '');
