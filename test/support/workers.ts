import { request, type Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { signingSecret } from './config.ts';
import type { TestDatabase } from './database.ts';
import { startProcess, type ServiceProcess } from './process.ts';

/** A line of the log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly pid: number;
  /** Number of the worker that wrote the line; missing in lines of the primary. */
  readonly worker?: number;
  readonly [field: string]: unknown;
}

/** A service with several workers. */
export interface Workers extends ServiceProcess {
  /** The log so far. */
  lines(): readonly LogLine[];
  /** The workers that have logged this, each once. */
  workersThatSaid(text: string): number[];
  /** The process that a worker number belongs to now. */
  pidOf(worker: number): number;
}

export const workersEnv = (database: TestDatabase): Record<string, string> => ({
  CALLBOARD_WORKERS: '2',
  DATABASE_URL: database.config().db.url ?? '',
  JWT_SECRETS: `test:${signingSecret}`,
  CALLBOARD_DB_POOL: '4',
  // A busy machine lets connections and requests wait for long.
  CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
  CALLBOARD_BLOCKED: '600000',
  CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
});

const listening = 'Server listening';

/** Starts a service, and waits until so many of its workers listen. */
export async function startWorkers(
  env: Record<string, string>,
  count = Number(env['CALLBOARD_WORKERS']),
): Promise<Workers> {
  const service = await startProcess(env);
  const lines = () => readLines(service.output());
  const workersThatSaid = (text: string) => [
    ...new Set(lines().flatMap(({ msg, worker }) => (msg.startsWith(text) && worker !== undefined ? [worker] : []))),
  ];
  await until(() => workersThatSaid(listening).length === count);
  return {
    ...service,
    lines,
    workersThatSaid,
    pidOf: (number) => {
      const line = lines().findLast(({ msg, worker }) => worker === number && msg.startsWith(listening));
      if (!line) throw new Error(`worker ${number} has never listened`);
      return line.pid;
    },
  };
}

/** Whole lines of JSON; what else a process prints is left out. */
export const readLines = (output: string): LogLine[] =>
  output
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20);
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly as?: string;
  readonly body?: object;
  /** Without one, the call has a connection of its own. */
  readonly agent?: Agent;
}

export function ask(origin: string, path: string, { method = 'GET', as, body, agent }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const call = request(origin + path, { method, headers, agent: agent ?? false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += String(chunk)));
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    call.once('error', reject);
    call.end(body && JSON.stringify(body));
  });
}
