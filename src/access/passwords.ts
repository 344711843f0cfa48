import argon2 from 'argon2';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { overBound } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import { isCommonPassword } from '../validation/common-passwords.ts';

const cost = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hash of a random password that nobody knows. Passwords of unknown e-mails are compared with it. */
const decoyHash = '$argon2id$v=19$m=19456,t=2,p=1$GycR0I1okHpQ/VV2SpqGyw$Kjv6TvkqGLFF3Zgf7SBDjVN3k6MNUcigqSQ7QcR2VEQ';

/** For whom a password is hashed. Callers take turns by it. */
interface HashPayer {
  /** The network address of a log-in, or the business of a caller who is known. */
  readonly key: string;
  /** The account of a log-in, whether it exists or not. */
  readonly group?: string;
}

type PasswordCheck = 'match' | 'oldMatch' | 'mismatch' | 'corrupt';

/** Devices type one letter in several ways; this is the one that is hashed. */
const composed = (password: string): string => password.normalize('NFC');

export interface Passwords {
  /** Hashes the password, in PHC format. */
  hash(password: string, payer?: HashPayer): Promise<string>;
  /** Whether a new password is refused because it is among the most common ones. A setting decides whether they are. */
  isTooCommon(password: string): boolean;
  /**
   * Checks a password in its composed form, and then as it was sent, if that is another one: an earlier version hashed it so, which
   * makes an `oldMatch`. A missing or corrupt hash takes the same work as a good one.
   */
  check(storedHash: string | null, password: string, payer?: HashPayer): Promise<PasswordCheck>;
  /** How many hashes wait for their turn. */
  waiting(): number;
}

/** The command line, and the service itself. */
const nobody: HashPayer = { key: 'nobody' };

/** No address, business or account computes all of the hashes at a time, so that a flood of log-ins lets others through. */
export function createPasswords({ hashConcurrency, hashQueue, refuseCommonPasswords }: Config['auth']): Passwords {
  const each = Math.max(1, hashConcurrency - 1);
  const queue = new FairQueue<string>({
    total: hashConcurrency,
    each: () => each,
    eachGroup: each,
    waitingMax: hashQueue,
  });
  const inTurn = async <T>(payer: HashPayer, work: () => Promise<T>): Promise<T> => {
    const end = await queue.take({ ...payer, waitMs: limits.longWaitMs, refusal: tooManyLogIns });
    try {
      return await work();
    } finally {
      end();
    }
  };
  const checkForm = async (storedHash: string | null, password: string, payer: HashPayer) => {
    const hash = storedHash?.startsWith('$argon2id$') ? storedHash : decoyHash;
    const isMatch = await inTurn(payer, () => argon2.verify(hash, password).catch(() => null));
    if (isMatch === null) await inTurn(payer, () => argon2.verify(decoyHash, password));
    if (isMatch === null || (storedHash !== null && hash !== storedHash)) return 'corrupt';
    return isMatch && storedHash !== null ? 'match' : 'mismatch';
  };
  return {
    isTooCommon: (password) => refuseCommonPasswords && isCommonPassword(composed(password)),
    waiting: () => queue.waitingCount,
    hash: (password, payer = nobody) => inTurn(payer, () => argon2.hash(composed(password), cost)),
    check: async (storedHash, password, payer = nobody) => {
      const first = await checkForm(storedHash, composed(password), payer);
      if (first === 'match' || password === composed(password)) return first;
      const second = await checkForm(storedHash, password, payer);
      return second === 'match' ? 'oldMatch' : second;
    },
  };
}

const tooManyLogIns = () => overBound('password_hashes', 'Too many log-ins at the same time: try again.', 1);
