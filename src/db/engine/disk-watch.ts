import type { PrismaClient } from '../../generated/prisma/client.ts';
import { limits } from '../../config/limits.ts';
import { isDiskFull } from './failures.ts';

/** Knows whether the disk of the database is full. */
export interface DiskWatch {
  /** Takes the error of a statement. One that says that the disk is full is remembered. */
  readonly failed: (error: unknown) => void;
  /**
   * Whether writes fail because the disk is full. After one that failed, it is tried whether there is room again, at most
   * once in `limits.retryMs`. Throws when the database cannot be asked.
   */
  readonly isFull: () => Promise<boolean>;
}

/** `needRoom` does something for which the disk must have room, and leaves nothing behind. */
export function watchDisk(needRoom: () => Promise<void>): DiskWatch {
  let isFull = false;
  let triedAt = -Infinity;
  const tryAgain = async () => {
    triedAt = performance.now();
    try {
      await needRoom();
      isFull = false;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  };
  return {
    failed: (error) => {
      isFull ||= isDiskFull(error);
    },
    isFull: async () => {
      if (isFull && performance.now() - triedAt >= limits.retryMs) await tryAgain();
      return isFull;
    },
  };
}

/**
 * Makes PostgreSQL write about 0.8 MB of a temporary file, which it deletes at once. This needs room as a write does, but
 * no right to write, and leaves no dead rows.
 */
export async function writeTemporaryFile(prisma: PrismaClient): Promise<void> {
  await prisma.$transaction([
    prisma.$executeRaw`SET LOCAL work_mem = '64kB'`,
    prisma.$queryRaw`SELECT count(*)::int AS rows FROM generate_series(1, 60000)`,
  ]);
}
