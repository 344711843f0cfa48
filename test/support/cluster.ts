import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** A PostgreSQL of the test's own, to be broken. It ends with the test's process, whatever happens there. */
export interface Cluster {
  /** URL for the service: a role without rights over the server. */
  readonly url: string;
  /** URL for the administrator, with the same database. */
  readonly adminUrl: string;
  /** Starts it again, and waits until it takes connections. */
  start(): Promise<void>;
  /** `pg_ctl stop -m fast`: connections are ended, what is committed is written. */
  stopFast(): Promise<void>;
  /** `kill -9` of the server: its backends notice by themselves. */
  kill(): Promise<void>;
  /** Server and backends do nothing any more, but their connections stand. */
  freeze(): void;
  thaw(): void;
  /** Runs a statement as the administrator. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** A streaming replica of a cluster. */
export interface ReplicaCluster extends Cluster {
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
}

export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const { data, options, ...server } = await prepareServer(settings);
  execFileSync(
    binary('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N', '--locale=C.UTF-8'],
    options,
  );
  await server.start();
  await server.query(`CREATE ROLE callboard LOGIN`, [], 'postgres');
  await server.query(`CREATE DATABASE callboard OWNER callboard`, [], 'postgres');
  return server;
}

/** Copies a running cluster and follows it. */
export async function startReplica(primary: Cluster, settings: Record<string, string> = {}): Promise<ReplicaCluster> {
  const { data, options, ...server } = await prepareServer(settings);
  const { port } = new URL(primary.url);
  const source = ['-h', '127.0.0.1', '-p', port, '-U', 'postgres'];
  execFileSync(binary('pg_basebackup'), [...source, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '-N'], options);
  await server.start();
  return {
    ...server,
    pauseReplay: async () => {
      await server.query('SELECT pg_wal_replay_pause()');
      await until(async () => {
        const [row] = await server.query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state');
        return row?.state === 'paused';
      });
    },
    resumeReplay: async () => void (await server.query('SELECT pg_wal_replay_resume()')),
  };
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await wait(10)) if (await isDone()) return;
  throw new Error('It does not come to pass.');
}

/** A server with a folder and a port of its own, and no data yet. */
async function prepareServer(settings: Record<string, string>) {
  const directory = await mkdtemp(join(tmpdir(), 'callboard-pg-'));
  const owner = ownerOf(directory);
  const data = join(directory, 'data');
  const port = await freePort();
  const options = { stdio: 'ignore', cwd: directory, ...owner } as const;
  const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: directory, ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const urlAs = (role: string, database = 'callboard') => `postgres://${role}@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;

  const isUp = () => server !== undefined && server.exitCode === null && server.signalCode === null;
  const query = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = [], database = 'callboard') => {
    const client = new pg.Client({ connectionString: urlAs('postgres', database), connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      client.end().catch(() => undefined);
    }
  };
  const start = async () => {
    const deadline = Date.now() + 20_000;
    while (Date.now() < deadline) {
      // After a kill, the server refuses to start while a backend of the one before is still there.
      if (!isUp()) server = spawn(binary('postgres'), ['-D', data, ...args], options);
      const answers = await query('SELECT 1', [], 'postgres').then(
        () => true,
        () => false,
      );
      if (answers) return;
      await wait(20);
    }
    throw new Error('PostgreSQL does not start');
  };
  const end = async (signal: NodeJS.Signals) => {
    if (!isUp()) return;
    const ended = once(server as ChildProcess, 'exit');
    server?.kill(signal);
    await ended;
  };
  const thaw = () => signalAll(server?.pid, 'SIGCONT');
  const removeNow = () => {
    thaw();
    signalAll(server?.pid, 'SIGKILL');
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };

  process.once('exit', removeNow);
  return {
    data,
    options,
    url: urlAs('callboard'),
    adminUrl: urlAs('postgres'),
    start,
    stopFast: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    freeze: () => signalAll(server?.pid, 'SIGSTOP'),
    thaw,
    query,
    close: async () => {
      process.removeListener('exit', removeNow);
      thaw();
      await end('SIGQUIT');
      removeNow();
    },
  };
}

/** The server's own programs, which most systems keep off the path. */
export function binary(name: string): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [...versions.map((version) => `${debian}/${version}/bin`), ...fromConfig()];
  return directories.map((path) => join(path, name)).find((path) => existsSync(path)) ?? name;
}

function fromConfig(): string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()];
  } catch {
    return [];
  }
}

/** PostgreSQL refuses to run as root: who is root lets somebody else. */
export function ownerOf(directory: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((what) => Number(idOf(what, 'postgres') ?? idOf(what, 'nobody'))) as [
    number,
    number,
  ];
  chownSync(directory, uid, gid);
  return { uid, gid };
}

function idOf(what: string, user: string): string | undefined {
  try {
    return execFileSync('id', [what, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** Signals the server first, so that it starts no new processes meanwhile. */
function signalAll(server: number | undefined, signal: NodeJS.Signals): void {
  if (server === undefined) return;
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const backends = rows.flatMap(([pid = 0, parent]) => (parent === server ? [pid] : []));
  for (const pid of [server, ...backends])
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
}

const given = new Set<number>();

/** The one port of the range below that fetch refuses, as browsers do: https://fetch.spec.whatwg.org/#port-blocking. */
const blockedPort = 10_080;

/**
 * A port on which nothing listens. It is below those that the system gives to outgoing connections, one of which could take it
 * before its program does, or while that is restarted.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (port === blockedPort || given.has(port)) continue;
    given.add(port);
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    listener.close();
    await once(listener, 'close');
    return port;
  }
}
