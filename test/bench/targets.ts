import type { Request } from 'autocannon';
import type { Contenders, Peer } from './contenders.ts';
import type { Done, Job } from './contenders/pool.ts';
import type { Running } from './processes.ts';
import { overHttp, type ContenderName, type Target } from './rounds.ts';
import type { Scene } from './scene.ts';

/** What a workload is made of. */
export interface Parts {
  readonly scene: Scene;
  readonly contenders: Contenders;
  readonly targets: Targets;
}

export interface Plan {
  readonly name: string;
  readonly title: string;
  /** The service comes first. Null: not installed. */
  readonly targets: () => readonly (Target | null)[];
}

export const afresh = 'computed afresh';

const is304 = (status: number) => status === 304;

export type Targets = ReturnType<typeof createTargets>;

export function createTargets({ service, postgraphile, pool }: Contenders, fixed: Running & { origin: string }) {
  const http = (contender: ContenderName, { origin, pid, counts }: Peer, next: () => Request): Target => ({
    contender,
    pid,
    counts,
    drive: (seconds) => overHttp(origin, next, seconds),
  });
  return {
    ours: (next: () => Request, contender: ContenderName = 'callboard') => http(contender, service, next),
    unchanged: (request: Request): Target => ({
      ...http('callboard', service, () => request),
      drive: (seconds) => overHttp(service.origin, () => request, seconds, is304),
    }),
    postgraphile: (next: () => Request) => postgraphile && http('postgraphile', postgraphile, next),
    fromMemory: (name: string): Target => ({
      contender: 'static',
      pid: fixed.pid,
      counts: null,
      drive: (seconds) => overHttp(fixed.origin, () => ({ method: 'GET', path: `/${name}` }), seconds),
    }),
    unchangedFromMemory: (name: string): Target => {
      const request = { method: 'GET', path: `/${name}`, headers: { 'if-none-match': `"${name}"` } };
      return {
        contender: 'static-304',
        pid: fixed.pid,
        counts: null,
        drive: (seconds) => overHttp(fixed.origin, () => request, seconds, is304),
      };
    },
    inPool: (contender: ContenderName, job: Omit<Job, 'seconds'>): Target => ({
      contender,
      pid: pool.pid,
      counts: null,
      drive: async (seconds) => ({ ...(await pool.ask<Done>('run', { ...job, seconds })), bytes: null, failures: {} }),
    }),
  };
}
