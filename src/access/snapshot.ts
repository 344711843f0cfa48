import type { Read } from '../db/engine/reads.ts';
import { memoize } from '../memoize.ts';
import type { Scope, Snapshot } from './scope.ts';

export interface SnapshotScope {
  readonly scope: Scope;
  readonly keepRefusals: () => Promise<void>;
}

/** Holds a transaction open until its snapshot is closed. Refusals are kept after that, on a connection of their own. */
export function holdSnapshot(
  transact: (run: (read: Read) => Promise<void>) => Promise<void>,
  openScope: (read: Read) => SnapshotScope,
): Promise<Snapshot> {
  return new Promise((resolve, reject) => {
    const transaction = transact(async (read) => {
      const { scope, keepRefusals } = openScope(read);
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
