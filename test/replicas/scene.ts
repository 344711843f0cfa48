import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { openDatabase } from '../../src/db/engine/open-database.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { startCluster, startReplica, type Cluster, type ReplicaCluster } from '../support/cluster.ts';
import { configOf } from '../support/config.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Tenant } from '../support/factories.ts';
import { catchUp, countsOf, metricsToken, until } from '../support/replicas.ts';

/* A primary with a streaming replica, which the tests beside this file share. */

export let primary: Cluster;
export let replica: ReplicaCluster;
/** A process with the replica, and one that reads the primary alone. */
export let service: TestApp;
export let plain: TestApp;
/** The warnings of all processes. */
export const log: string[] = [];

let database: TestDatabase;
let prober: Tenant;

export const startService = (env: Record<string, string> = {}): Promise<TestApp> =>
  startApp({
    beside: { database } as TestApp,
    env: {
      METRICS_TOKEN: metricsToken,
      CALLBOARD_ANSWER_CACHE: '0',
      CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000000',
      LOG_LEVEL: 'warn',
      ...env,
    },
    logTo: { write: (line: string) => void log.push(line) },
  });

export const startWith = (...replicas: readonly ReplicaCluster[]): Promise<TestApp> =>
  startService({ DATABASE_READ_URLS: replicas.map(({ url }) => url).join(',') });

/** A read begins the checks of a replica. */
export async function isInUse(app = service, replicas = 1): Promise<void> {
  await until(async () => {
    await app.call('GET', '/v1/events', { as: prober.as.key });
    return (await countsOf(app)).used === replicas;
  });
}

/** Declares the cluster of a test file. */
export function useReplicas(): void {
  beforeAll(async () => {
    primary = await startCluster({ fsync: 'off' });
    const migrated = await openDatabase(configOf({ DATABASE_URL: primary.url }).db);
    await migrated.migrate();
    database = {
      prisma: migrated.prisma,
      config: (env) => configOf({ DATABASE_URL: primary.url, ...env }),
      hooks: {},
      close: () => migrated.close(),
    };
    replica = await startReplica(primary);
    [service, plain] = [await startWith(replica), await startService()];
    prober = await plain.createTenant();
    await isInUse();
  });

  afterEach(async () => {
    await replica.resumeReplay();
    await catchUp(primary, replica);
    await isInUse();
  });

  afterAll(async () => {
    for (const app of [service, plain]) await app?.close();
    await database?.close();
    await replica?.close();
    await primary?.close();
  });
}
