import argon2 from 'argon2';
import pLimit from 'p-limit';
import type { Config } from '../config/config.ts';
import { unavailable } from '../errors.ts';

const cost = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export interface Passwords {
  /** Hashes the password, in PHC format. */
  hash(password: string): Promise<string>;
  /** Checks a password. A missing or corrupt hash takes the same work as a good one. */
  check(storedHash: string | null, password: string): Promise<'match' | 'mismatch' | 'corrupt'>;
  /** How many hashes wait for their turn. */
  waiting(): number;
}

export function createPasswords({ hashConcurrency, hashQueue }: Config['auth']): Passwords {
  const limit = pLimit(hashConcurrency);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= hashQueue) throw unavailable('Too many log-ins at the same time: try again.', 1);
    return limit(work);
  };
  let decoy: Promise<string> | undefined;
  const decoyHash = () => (decoy ??= argon2.hash('the hash that unknown e-mails are compared with', cost));
  return {
    waiting: () => limit.pendingCount,
    hash: (password) => inTurn(() => argon2.hash(password, cost)),
    check: async (storedHash, password) => {
      const hash = storedHash?.startsWith('$argon2id$') ? storedHash : await decoyHash();
      const isMatch = await inTurn(() => argon2.verify(hash, password).catch(() => null));
      if (isMatch === null) await inTurn(async () => argon2.verify(await decoyHash(), password));
      if (isMatch === null || (storedHash !== null && hash !== storedHash)) return 'corrupt';
      return isMatch && storedHash !== null ? 'match' : 'mismatch';
    },
  };
}
