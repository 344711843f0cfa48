import { setTimeout as wait } from 'node:timers/promises';
import type { TestApp } from './app.ts';
import type { Cluster } from './cluster.ts';

/** What a service has to be started with, so that its reads can be counted. */
export const metricsToken = 'a-token-of-the-metrics';

export async function until(isDone: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(10)) if (await isDone()) return;
  throw new Error('It does not come to pass.');
}

/** Waits until a replica shows all that is committed. */
export async function catchUp(primary: Cluster, server: Cluster): Promise<void> {
  const [row] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_lsn() AS lsn');
  await until(async () => {
    const [at] = await server.query<{ isThere: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1 AS "isThere"', [
      row?.lsn,
    ]);
    return at?.isThere === true;
  });
}

/** The metrics about replicas. */
export interface ReplicaCounts {
  readonly replica: number;
  readonly primary: number;
  readonly used: number;
  readonly fallbacks: Readonly<Record<string, number>>;
}

export async function countsOf(app: TestApp): Promise<ReplicaCounts> {
  const { body } = await app.app.http.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  const valueOf = (series: string) =>
    Number(
      body
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1] ?? 0,
    );
  const fallbacks = body.matchAll(/^callboard_replica_fallbacks_total\{reason="(\w+)"\} (\d+)$/gm);
  return {
    replica: valueOf('callboard_replica_reads_total{source="replica"}'),
    primary: valueOf('callboard_replica_reads_total{source="primary"}'),
    used: valueOf('callboard_replicas_used'),
    fallbacks: Object.fromEntries([...fallbacks].map(([, reason, count]) => [reason, Number(count)])),
  };
}

/** How the counts grow meanwhile. */
export async function growthOf(app: TestApp, run: () => Promise<unknown>) {
  const before = await countsOf(app);
  await run();
  const after = await countsOf(app);
  const reasons = Object.entries(after.fallbacks).map(([reason, count]) => [
    reason,
    count - (before.fallbacks[reason] ?? 0),
  ]);
  return {
    replica: after.replica - before.replica,
    primary: after.primary - before.primary,
    fallbacks: Object.fromEntries(reasons.filter(([, count]) => count !== 0)) as Record<string, number>,
  };
}
