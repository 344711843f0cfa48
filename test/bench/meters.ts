import { readFileSync } from 'node:fs';
import pg from 'pg';

/** Linux counts them in hundredths. */
const ticksPerS = 100;
const sampleMs = 500;

/** CPU that the process has used in all its threads so far, in seconds; null where that cannot be known. */
export const cpuSeconds = (pid: number): number | null => readCpu(`/proc/${pid}/stat`);

/** The same of its main thread alone. */
export const mainCpuSeconds = (pid: number): number | null => readCpu(`/proc/${pid}/task/${pid}/stat`);

function readCpu(path: string): number | null {
  try {
    const stat = readFileSync(path, 'utf8');
    // The name of the program, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerS;
  } catch {
    return null;
  }
}

/** Resident memory in MB (10^6 bytes); null where that cannot be known. */
export function residentMb(pid: number): number | null {
  try {
    const [, kB] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kB === undefined ? null : (Number(kB) * 1024) / 1e6;
  } catch {
    return null;
  }
}

export interface DatabaseMeter {
  /** Starts to count; the answer ends it, with the seconds that the backends of the database have used. */
  start(): Promise<() => Promise<number | null>>;
  close(): Promise<void>;
}

/**
 * Adds up the CPU of the backends of one database, which only those use that are measured. Backends come and go with the
 * pools: they are looked at twice a second, and one that has gone counts as it was last seen. The server's common
 * processes (WAL writer, checkpointer) are not counted. Needs the server on this machine.
 */
export async function openDatabaseMeter(serverUrl: string, database: string): Promise<DatabaseMeter> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();

  async function look(): Promise<Map<number, number>> {
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = $1', [
      database,
    ]);
    return new Map(
      rows.flatMap(({ pid }) => {
        const seconds = cpuSeconds(pid);
        return seconds === null ? [] : [[pid, seconds] as const];
      }),
    );
  }

  return {
    start: async () => {
      const before = await look();
      const latest = new Map(before);
      let looking: Promise<unknown> = Promise.resolve();
      const update = async () => {
        for (const [pid, seconds] of await look()) latest.set(pid, seconds);
      };
      const timer = setInterval(() => {
        looking = looking.then(update);
      }, sampleMs);
      return async () => {
        clearInterval(timer);
        await looking;
        await update();
        if (latest.size === 0) return null;
        return [...latest].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
      };
    },
    close: () => client.end(),
  };
}
