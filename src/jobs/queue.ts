import { createHash } from 'node:crypto';
import PgBoss from 'pg-boss';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import type { EndpointKey } from '../db/webhook-delivery.ts';

/** A job: something is to be done for an endpoint. What it is stands in the tables of webhooks. */
export interface EndpointJob extends EndpointKey {
  readonly id: string;
}

/** The queue of jobs, which all processes on a database share. Losing jobs loses nothing: they are made anew of the tables. */
export interface JobQueue {
  /** Adds jobs for these endpoints, except for those that wait or run already, and where a business has so many. */
  add(endpoints: readonly EndpointKey[], perBusiness: number): Promise<void>;
  /** Takes jobs, the oldest first. */
  take(atMost: number): Promise<EndpointJob[]>;
  done(job: EndpointJob): Promise<void>;
  close(): Promise<void>;
}

const queueName = 'webhooks';

/** Opens the queue, and makes its tables at the first time, in a schema of their own. */
export async function openJobQueue(
  database: Pick<Database, 'executeSql' | 'schema'>,
  onError: (error: Error) => void,
): Promise<JobQueue> {
  const schema = queueSchemaOf(database.schema);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.executeSql(text, values) as Promise<{ rows: unknown[] }> },
    schema,
    schedule: false,
    maintenanceIntervalSeconds: 60,
    archiveCompletedAfterSeconds: 60,
    deleteAfterHours: 1,
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(queueName, {
    name: queueName,
    // One waiting job for each key.
    policy: 'short',
    // A lost job is not repeated: the next look makes another one.
    retryLimit: 0,
    expireInSeconds: limits.leaseMs / 1000,
    retentionMinutes: 60,
  });
  const present = `
    SELECT data FROM ${schema}.job
     WHERE name = $1 AND (state = 'created' OR (state = 'active' AND started_on + expire_in > now()))`;

  return {
    async add(endpoints, perBusiness) {
      const { rows } = await database.executeSql(present, [queueName]);
      const keys = new Set<string>();
      const countByBusiness = new Map<number, number>();
      const countIn = (endpoint: EndpointKey) => {
        keys.add(keyOf(endpoint));
        countByBusiness.set(endpoint.businessId, (countByBusiness.get(endpoint.businessId) ?? 0) + 1);
      };
      for (const { data } of rows as { data: EndpointKey }[]) countIn(data);
      const jobs = endpoints.flatMap((data) => {
        const isEnough = (countByBusiness.get(data.businessId) ?? 0) >= perBusiness;
        if (isEnough || keys.has(keyOf(data))) return [];
        countIn(data);
        return [{ name: queueName, data, singletonKey: keyOf(data) }];
      });
      if (jobs.length > 0) await boss.insert(jobs);
    },
    async take(atMost) {
      const jobs = await boss.fetch<EndpointKey>(queueName, { batchSize: atMost, priority: false });
      return jobs.map(({ id, data: { businessId, endpointId } }) => ({ id, businessId, endpointId }));
    },
    // Nobody reads finished jobs.
    done: ({ id }) => boss.deleteJob(queueName, id),
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

const keyOf = ({ businessId, endpointId }: EndpointKey): string => `${businessId}:${endpointId}`;

/** Services in different schemas of one database have queues of their own. pg-boss takes plain names of at most 50 characters. */
function queueSchemaOf(schema: string | null): string {
  if (schema === null || schema === 'public') return 'pgboss';
  return `pgboss_${createHash('sha256').update(schema).digest('hex').slice(0, 12)}`;
}
