import { findDemoUsers, type DemoUser } from '../db/demo-users.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Passwords } from './passwords.ts';

/** Public: it opens the demo businesses only. */
export const demoPassword = 'callboard-demo';

const demoDomains = ['aurora.example', 'harbor.example'];
const demoEmails = demoDomains.flatMap((domain) => ['admin', 'staff', 'client'].map((role) => `${role}@${domain}`));

export interface DemoLogIns {
  /** Null where there is nothing to log in to. */
  readonly password: string | null;
  readonly logIns: readonly Pick<DemoUser, 'email' | 'role' | 'business'>[];
}

/**
 * The log-ins that the demo seed made, as far as they still work: none on a database without demo businesses, and none of
 * a user who was deleted or given another password. Calls at the same moment share one look-up.
 */
export function createDemoLogIns(prisma: PrismaClient, passwords: Passwords): () => Promise<DemoLogIns> {
  let running: Promise<DemoLogIns> | undefined;
  // One seed gives all its users one hash, so that one is checked once, not six at each call.
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
