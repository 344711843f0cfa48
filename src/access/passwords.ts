import argon2 from 'argon2';
import pLimit from 'p-limit';
import type { Config } from '../config.ts';
import { unavailable } from '../errors.ts';

const cost = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export interface Passwords {
  /** The password's hash in PHC format. */
  hash(password: string): Promise<string>;
  /** False also for a missing or corrupt hash, after the same work as for a good one. */
  matches(storedHash: string | null, password: string): Promise<boolean>;
}

export function createPasswords({ hashConcurrency, hashQueue }: Config['auth']): Passwords {
  const limit = pLimit(hashConcurrency);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= hashQueue) throw unavailable('Too many log-ins at once.', 1);
    return limit(work);
  };
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => argon2.hash(password, cost)),
    matches: async (storedHash, password) => {
      decoy ??= argon2.hash('the hash that unknown e-mails are compared with', cost);
      const isUsable = storedHash?.startsWith('$argon2id$') ?? false;
      const hash = isUsable && storedHash ? storedHash : await decoy;
      const isMatch = await inTurn(() => argon2.verify(hash, password).catch(() => false));
      return isUsable && isMatch;
    },
  };
}
