import type { TenantDb, Transact } from '../db/tenant.ts';
import { memoize } from '../memoize.ts';
import type { Scope, Snapshot } from './scope.ts';

export interface SnapshotScope {
  readonly scope: Scope;
  readonly keepRefusals: () => Promise<void>;
}

/** Holds a transaction open until its snapshot is closed. Refusals are kept after that, on a connection of their own. */
export function holdSnapshot(
  transact: Transact,
  openScope: (tx: TenantDb) => SnapshotScope | Promise<SnapshotScope>,
): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    const transaction = transact(async (tx) => {
      const { scope, keepRefusals } = await openScope(tx);
      await new Promise<void>((release) => {
        const close = async () => {
          release();
          // A transaction that ended early, by its timeout or with its connection, has already failed its reader.
          await transaction.catch(() => undefined);
          await keepRefusals();
        };
        resolve({ scope, close: memoize(close) });
      });
    });
    transaction.catch(reject);
  });
}
