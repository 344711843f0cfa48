import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from './target.ts';

const mb = 1024;

/** Resident memory of a process in MB; null when it is gone. */
export function residentMb(pid: number): number | null {
  try {
    const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kb === undefined ? null : Math.round(Number(kb) / mb);
  } catch {
    return null;
  }
}

/** Watches the resident memory until it is stopped. */
export function watchMemory(pid: number): () => number {
  let highest = residentMb(pid) ?? 0;
  const timer = setInterval(() => (highest = Math.max(highest, residentMb(pid) ?? 0)), 50);
  return () => {
    clearInterval(timer);
    return highest;
  };
}

/** Asks for a garbage collection until the memory is back below the number of MB, for at most `withinMs`. Returns what is resident then. */
export async function settleMemory(pid: number, belowMb: number, withinMs: number): Promise<number | null> {
  for (const end = performance.now() + withinMs; ; await wait(500)) {
    const now = residentMb(pid);
    if (now === null || now <= belowMb || performance.now() > end) return now;
    process.kill(pid, 'SIGWINCH');
  }
}

export interface Calls {
  readonly count: number;
  readonly refused: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

/** One caller of another business, who asks for something else each time, until `stop` is called. */
export function watchCalls(origin: string, credential: string): { stop: () => Promise<Calls> } {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const stopping = new AbortController();
  let refused = 0;
  const calling = (async () => {
    for (let count = 0; !stopping.signal.aborted; count++) {
      const path = `/v1/events?per_page=3&page=${1 + (count % 60)}&_call=${performance.now()}`;
      const { status, ms } = await send(origin, agent, 'GET', path, { as: credential });
      times.push(ms);
      if (status !== 200) refused++;
      await wait(40);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await calling;
      agent.destroy();
      times.sort((a, b) => a - b);
      const at = (share: number) =>
        Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
      return { count: times.length, refused, p50: at(0.5), p95: at(0.95) };
    },
  };
}
