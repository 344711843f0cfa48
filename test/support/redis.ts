import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './cluster.ts';

export interface RedisProcess {
  readonly url: string;
  start(): Promise<void>;
  /** Gone at once; what it held is lost. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  command(name: string, ...args: string[]): Promise<unknown>;
  close(): Promise<void>;
}

/** A Redis of the test's own, to be broken. */
export async function startRedis(): Promise<RedisProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'callboard-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;

  const command = async (name: string, ...args: string[]): Promise<unknown> => {
    const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  };
  const start = async () => {
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      directory,
    ];
    server = spawn('redis-server', args, { stdio: 'ignore' });
    for (let attempt = 0; attempt < 100; attempt++) {
      const isUp = await command('PING').then(
        () => true,
        () => false,
      );
      if (isUp) return;
      await wait(50);
    }
    throw new Error('redis-server does not answer');
  };
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const end = once(server, 'exit');
    server.kill('SIGKILL');
    await end;
  };

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    command,
    close: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
