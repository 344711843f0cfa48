import type { Config } from '../../config/config.ts';
import type { Database } from './database.ts';
import { StandbyReplica, type Replica, type ReplicaHooks } from './replica.ts';

/** The replicas of a database. None is ever waited for: where none can be used, the primary is read. */
export interface Replicas {
  /** Returns the replica whose turn it is; null if all are left out. */
  next(): Replica | null;
  countUsed(): number;
  close(): Promise<void>;
}

/** Opens pools to the replicas that the configuration names. They are connected to at the first read; null if there are none. */
export function openReplicas(config: Config['db'], primary: Database, hooks: ReplicaHooks): Replicas | null {
  if (config.replicas.length === 0) return null;
  const replicas = config.replicas.map((server) => new StandbyReplica(server, config, primary, hooks));
  let turn = 0;
  return {
    next() {
      for (const replica of replicas) replica.begin();
      const used = replicas.filter(({ isUsed }) => isUsed);
      return used[turn++ % used.length] ?? null;
    },
    countUsed: () => replicas.filter(({ isUsed }) => isUsed).length,
    close: async () => void (await Promise.all(replicas.map((replica) => replica.close()))),
  };
}
