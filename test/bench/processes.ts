import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** A process that this run has started. */
export interface Running {
  readonly pid: number;
  /** Has it do something, and waits for what it answers (contenders/child.ts). */
  ask<T>(command: string, input?: unknown): Promise<T>;
  stop(): Promise<void>;
}

export interface Start {
  readonly program?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file descriptor that takes what the process prints; without it, that comes to our own stderr. */
  readonly output?: number;
  /** Whether it is one of ours that can be asked. */
  readonly answers?: boolean;
}

let usualProgram = process.execPath;

/** Has all that is started from now on run on this Node. */
export function startOn(program: string): void {
  usualProgram = program;
}

const startMs = 60_000;
const answerMs = 120_000;
const stopMs = 8_000;
const running = new Set<ChildProcess>();

/** A process with nothing of our environment but what it needs to run at all. */
export function start({
  program = usualProgram,
  args,
  env,
  output,
  answers = true,
}: Start): Running & { child: ChildProcess } {
  const { PATH = '', HOME = '' } = process.env;
  const print = output ?? 2;
  const child = spawn(program, args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', print, print, answers ? 'ipc' : 'ignore'],
  });
  endWithUs(child);
  let asked = 0;
  return {
    child,
    pid: child.pid ?? 0,
    ask: async <T>(command: string, input?: unknown) => {
      const id = ++asked;
      const answer = messageOf<{ id: number; answer: T; error?: string }>(
        child,
        (message) => message.id === id,
        answerMs,
      );
      child.send({ id, command, input });
      const { answer: given, error } = await answer;
      if (error !== undefined) throw new Error(error);
      return given;
    },
    stop: () => stop(child),
  };
}

/** The same, once it has said that it is ready, and at which port. */
export async function startReady(options: Start): Promise<Running & { origin: string }> {
  const started = start(options);
  const { ready } = await messageOf<{ ready: number }>(started.child, (message) => 'ready' in message, startMs);
  return { ...started, origin: `http://127.0.0.1:${ready}` };
}

/** A child that `stopAll` ends too. */
export function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

export const stopAll = async (): Promise<void> => void (await Promise.all([...running].map(stop)));

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill('SIGTERM');
  const isOver = await Promise.race([end.then(() => true), wait(stopMs, false, { ref: false })]);
  if (isOver) return;
  child.kill('SIGKILL');
  await end;
}

function messageOf<T extends object>(child: ChildProcess, fits: (message: T) => boolean, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (result: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      result();
    };
    const onMessage = (message: unknown) => {
      if (fits(message as T)) settle(() => resolve(message as T));
    };
    const onExit = () => settle(() => reject(new Error(`${child.spawnargs.slice(1).join(' ')} has ended`)));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`${child.spawnargs.slice(1).join(' ')} does not answer`))),
      withinMs,
    );
    child.on('message', onMessage).once('exit', onExit);
  });
}
