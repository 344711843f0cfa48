import { findDemoUsers, type DemoUser } from '../db/demo-users.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Passwords } from './passwords.ts';

/** This password is public: it opens the demo businesses only. */
export const demoPassword = 'callboard-demo';

const demoDomains = ['aurora.example', 'harbor.example'];
const demoEmails = demoDomains.flatMap((domain) => ['admin', 'staff', 'client'].map((role) => `${role}@${domain}`));

export interface DemoLogIns {
  /** Null where no demo log-in works. */
  readonly password: string | null;
  readonly logIns: readonly Pick<DemoUser, 'email' | 'role' | 'business'>[];
}

/**
 * Finds the log-ins of the demo seed that still work: none on a database without demo businesses, and none for a user who
 * was deleted or got another password. Simultaneous calls share one look-up.
 */
export function createDemoLogIns(prisma: PrismaClient, passwords: Passwords): () => Promise<DemoLogIns> {
  let running: Promise<DemoLogIns> | undefined;
  // One seed gives all its users the same hash, so the hash is checked once instead of six times in each call.
  const isOpenedBy = new Map<string, boolean>();

  async function opens(hash: string): Promise<boolean> {
    const known = isOpenedBy.get(hash);
    if (known !== undefined) return known;
    const isOpen = (await passwords.check(hash, demoPassword)) === 'match';
    if (isOpenedBy.size >= 10 * demoEmails.length) isOpenedBy.clear();
    isOpenedBy.set(hash, isOpen);
    return isOpen;
  }

  async function lookUp(): Promise<DemoLogIns> {
    const logIns = [];
    for (const { passwordHash, ...shown } of await findDemoUsers(prisma, demoEmails))
      if (await opens(passwordHash)) logIns.push(shown);
    return { password: logIns.length > 0 ? demoPassword : null, logIns };
  }

  return () =>
    (running ??= lookUp().finally(() => {
      running = undefined;
    }));
}
