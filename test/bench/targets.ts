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

/** The pool counts no requests. */
const poolWarmUpS = 10;

const is304 = (status: number) => status === 304;

export type Targets = ReturnType<typeof createTargets>;

export function createTargets({ service, postgraphile, pool }: Contenders, fixed: Running & { origin: string }) {
  const http = (contender: ContenderName, { origin, pid, counts }: Peer, next: () => Request): Target => ({
    contender,
    pid,
    counts,
    drive: (load) => overHttp(origin, next, load),
  });
  return {
    ours: (next: () => Request, contender: ContenderName = 'callboard') => http(contender, service, next),
    unchanged: (request: Request): Target => ({
      ...http('callboard', service, () => request),
      drive: (load) => overHttp(service.origin, () => request, load, is304),
    }),
    postgraphile: (next: () => Request) => postgraphile && http('postgraphile', postgraphile, next),
    fromMemory: (name: string): Target => ({
      contender: 'static',
      pid: fixed.pid,
      counts: null,
      drive: (load) => overHttp(fixed.origin, () => ({ method: 'GET', path: `/${name}` }), load),
    }),
    unchangedFromMemory: (name: string): Target => {
      const request = { method: 'GET', path: `/${name}`, headers: { 'if-none-match': `"${name}"` } };
      return {
        contender: 'static-304',
        pid: fixed.pid,
        counts: null,
        drive: (load) => overHttp(fixed.origin, () => request, load, is304),
      };
    },
    inPool: (contender: ContenderName, job: Omit<Job, 'seconds'>): Target => ({
      contender,
      pid: pool.pid,
      counts: null,
      drive: async (load) => {
        const seconds = 'seconds' in load ? load.seconds : poolWarmUpS;
        return { ...(await pool.ask<Done>('run', { ...job, seconds })), bytes: null, failures: {} };
      },
    }),
  };
}
