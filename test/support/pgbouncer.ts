import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort, ownerOf } from './cluster.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

/** A PgBouncer of the test's own in front of a server. It ends with the test's process, whatever happens there. */
export interface PgBouncer {
  /** The URL of a database of the server, through the pooler. */
  urlOf(database: string): string;
  /** Kills it, so that its connections break wherever they are, and starts it again. */
  killAndStart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it with the settings of the operators' guide; `settings` are lines of its configuration. */
export async function startPgBouncer(
  serverUrl: string,
  mode: PoolMode,
  settings: Record<string, string | number> = {},
): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const directory = await mkdtemp(join(tmpdir(), 'callboard-pgbouncer-'));
  const port = await freePort();
  const file = join(directory, 'pgbouncer.ini');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    max_client_conn: 1000,
    default_pool_size: 20,
    ...settings,
  };
  const login = `user=${username}${password ? ` password=${password}` : ''}`;
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    file,
    ['[databases]', `* = host=${hostname} port=${serverPort || 5432} ${login}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  let output = '';
  const start = () => {
    const started = spawn(program(), ['--quiet', file], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: directory,
      ...ownerOf(directory),
    });
    started.stdout.on('data', (chunk) => (output += String(chunk)));
    started.stderr.on('data', (chunk) => (output += String(chunk)));
    return started;
  };
  let child = start();
  const removeNow = () => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', removeNow);

  const urlOf = (database: string) => `postgresql://${username}@127.0.0.1:${port}/${database}`;
  const untilUp = async () => {
    while (!(await isUp(urlOf('pgbouncer')))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer does not start: ${output}`);
      await wait(20);
    }
  };
  await untilUp();
  return {
    urlOf,
    killAndStart: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      child = start();
      await untilUp();
    },
    close: async () => {
      process.removeListener('exit', removeNow);
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGINT');
      child.kill('SIGKILL');
      await ended;
      removeNow();
    },
  };
}

async function isUp(adminUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // Its own database answers only to its administrators, but it answers.
    return (error as { code?: string }).code !== 'ECONNREFUSED';
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Debian's program is not on the path of everybody. */
const program = (): string =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path)) ?? 'pgbouncer';
