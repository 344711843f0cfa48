import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { ConfigError } from '../../config/config.ts';
import { isDiskFull } from './failures.ts';

/** The database within the data folder, and the place of a restored database until it is complete. */
export function databaseDir(dataDir: string): string {
  return join(dataDir, 'pgdata');
}

export function restoredDir(dataDir: string): string {
  return join(dataDir, 'pgdata.restored');
}

/** The data folder, or the database in it, cannot be used. */
export class DataDirError extends ConfigError {}

/**
 * Locks the folder for this process, because two processes that write to it would destroy the database. The kernel releases
 * the lock when the process ends, however it ends, so it is never stale. Returns the function that unlocks the folder.
 * Throws `DataDirError`.
 */
export function takeDataDir(dataDir: string): () => void {
  const lockFile = join(dataDir, 'lock');
  const fd = openLockFile(dataDir, lockFile);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new DataDirError(
      `DATA_DIR ${dataDir} is in use by ${holder(lockFile)}. Stop that one first, or set another DATA_DIR.`,
    );
  }
  try {
    ftruncateSync(fd);
    writeSync(fd, `process ${process.pid}, started ${new Date(Date.now() - process.uptime() * 1000).toISOString()}`, 0);
  } catch (error) {
    closeSync(fd);
    throw cannotBeWritten(`DATA_DIR ${dataDir}`, error);
  }
  return () => closeSync(fd);
}

/** Throws `DataDirError` if the folder cannot be used, or made. It changes nothing. */
export function requireUsable(dataDir: string): void {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotBeWritten(`DATA_DIR ${dataDir}`, error);
  }
}

function openLockFile(dataDir: string, lockFile: string): number {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return openSync(lockFile, 'a+', 0o600);
  } catch (error) {
    throw cannotBeWritten(`DATA_DIR ${dataDir}`, error);
  }
}

export const fullDiskAdvice = 'Free some space on it, or make it larger, and start again: what is stored is not lost.';

export function cannotBeWritten(path: string, error: unknown): DataDirError {
  const reason = isDiskFull(error) ? `its disk is full. ${fullDiskAdvice}` : `${(error as Error).message}.`;
  return new DataDirError(`${path} cannot be written: ${reason}`, { cause: error });
}

/** The process that wrote the lock file. The file may be empty for an instant, and Windows refuses to read a locked file. */
function holder(lockFile: string): string {
  try {
    return readFileSync(lockFile, 'utf8') || 'another process';
  } catch {
    return 'another process';
  }
}
