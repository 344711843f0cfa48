import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { settings } from '../../src/config/settings.ts';
import { freePort } from '../support/cluster.ts';
import { places } from './places.ts';
import { start, type Running } from './processes.ts';

export interface Counts {
  readonly requests: number;
  readonly statements: number;
  /** Answers of status 200 that told of an error, as those of GraphQL may; the service's own log alone tells them. */
  readonly refused?: number;
  /** Bytes that outlived the young generation, where V8 prints them (`--trace-gc-nvp`). */
  readonly promoted?: number;
}

export interface Service extends Running {
  readonly origin: string;
  /** From being started until /readyz said yes. */
  readonly readyMs: number;
  /** Of the requests answered so far, by the service's own log. */
  counts(): Promise<Counts>;
}

const readyWithinMs = 60_000;
const pollMs = 5;

/** Limits that are there to stop loads such as these. */
const unthrottled = Object.fromEntries(
  Object.entries({ CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000000', CALLBOARD_ANONYMOUS_PER_MINUTE: '1000000' }).filter(
    ([name]) => name in settings,
  ),
);

interface HowToStart {
  readonly nodeOptions?: readonly string[];
  /** Another program of ours that serves, and may answer commands. */
  readonly args?: readonly string[];
  readonly answers?: boolean;
  /** Another Node. */
  readonly program?: string;
}

/** As src/guide/operators.md runs it on PostgreSQL, log and all; its log goes to a file. */
export async function startService(
  env: Record<string, string>,
  { nodeOptions = [], args = [places.service], answers = false, ...how }: HowToStart = {},
): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'callboard-bench-'));
  const file = join(folder, 'log');
  const output = openSync(file, 'a+');
  const port = await freePort();
  const startedAt = performance.now();
  const running = start({
    ...how,
    args: [...usualNodeOptions(), ...nodeOptions, ...args],
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      JWT_SECRETS: `bench:${randomBytes(32).toString('base64url')}`,
      CALLBOARD_DRAIN_DELAY: '0',
      ...unthrottled,
      ...env,
    },
    output,
    answers,
  });
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin, running.child);
  const readyMs = performance.now() - startedAt;
  const log = readLog(output);
  return {
    ...running,
    origin,
    readyMs,
    counts: async () => {
      // A line is written once its answer is: the last ones may follow the answers.
      await wait(50);
      return log();
    },
    stop: async () => {
      await running.stop();
      closeSync(output);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Those in the first line of the command line. */
export function usualNodeOptions(): string[] {
  const [firstLine = ''] = readFileSync(places.commandLine, 'utf8').split('\n', 1);
  return firstLine.match(/--\S+/g) ?? [];
}

async function ready(origin: string, child: { exitCode: number | null }): Promise<void> {
  const endsAt = performance.now() + readyWithinMs;
  while (performance.now() < endsAt) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await wait(pollMs);
  }
  throw new Error('the service does not become ready');
}

/** Reads on from where it was, and adds up. */
function readLog(file: number) {
  const total = { requests: 0, statements: 0, refused: 0, promoted: 0 };
  const chunk = Buffer.alloc(1 << 20);
  let position = 0;
  let rest = '';
  return () => {
    for (;;) {
      const length = readSync(file, chunk, 0, chunk.length, position);
      if (length === 0) return { ...total };
      position += length;
      const lines = (rest + chunk.toString('latin1', 0, length)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        total.promoted += Number(/ gc=s .* promoted=(\d+)/.exec(line)?.[1] ?? 0);
        const [, statements] = /"sql":(\d+)/.exec(line) ?? [];
        if (statements === undefined) continue;
        total.requests++;
        total.statements += Number(statements);
        if (line.includes('"status":200,') && !line.includes('"outcome":"ok"')) total.refused++;
      }
    }
  };
}
