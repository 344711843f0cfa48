import cluster, { type Worker } from 'node:cluster';
import { readByPrimary, wrap, type ToPrimary, type ToWorker } from './messages.ts';

/** How a process has ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A worker as its primary sees it. */
export interface WorkerProcess {
  readonly pid: number;
  readonly startedAt: number;
  /** Whether it takes connections and messages. */
  readonly isListening: () => boolean;
  /** These never reject, and do not resolve if the worker ends before. */
  readonly listening: Promise<void>;
  readonly ready: Promise<void>;
  readonly ended: Promise<Exit>;
  send(message: ToWorker): void;
  kill(): void;
}

/** Starts a worker for the slot with this number, from the program and with the arguments that this process has. */
export function forkWorker(
  number: number,
  onMessage: (message: ToPrimary, from: WorkerProcess) => void,
): WorkerProcess {
  const worker = cluster.fork({ WORKER_NUMBER: String(number) });
  // What is sent to a worker that was killed fails; its end is noticed by itself.
  worker.on('error', () => undefined);
  let isListening = false;
  let resolveLinked = (): void => undefined;
  // Node loses what is sent to a process that does not read messages yet.
  const linked = new Promise<void>((resolve) => (resolveLinked = resolve));
  let resolveListening = (): void => undefined;
  let resolveReady = (): void => undefined;
  const started: WorkerProcess = {
    pid: worker.process.pid ?? 0,
    startedAt: performance.now(),
    isListening: () => isListening,
    listening: new Promise((resolve) => (resolveListening = resolve)),
    ready: new Promise((resolve) => (resolveReady = resolve)),
    ended: waitForExit(worker),
    send: (message) => void linked.then(() => worker.send(wrap(message), () => undefined)),
    kill: () => void worker.process.kill('SIGKILL'),
  };
  worker.once('exit', () => (isListening = false));
  worker.on('message', (received: unknown) => {
    const message = readByPrimary(received);
    if (message?.kind === 'linked') resolveLinked();
    else if (message?.kind === 'listening') {
      isListening = true;
      resolveListening();
    } else if (message?.kind === 'ready') resolveReady();
    else if (message) onMessage(message, started);
  });
  return started;
}

/** `once` of node:events would reject at an error, such as a message that did not reach a killed worker. */
function waitForExit(worker: Worker): Promise<Exit> {
  // Node says nothing more of a process that could not be started.
  if (worker.process.pid === undefined) return Promise.resolve({ code: 1, signal: null });
  return new Promise((resolve) => worker.once('exit', (code, signal) => resolve({ code, signal })));
}
