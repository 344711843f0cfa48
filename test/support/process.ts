import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface ServiceProcess {
  /** Address of the service. */
  readonly origin: string;
  readonly pid: number;
  /** The output so far. */
  output(): string;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const running = new Set<ChildProcess>();
const kept = new Set<ChildProcess>();

/** What starts the service, and in which folder. */
interface Start {
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Whether signals go to everything that the command starts, as Ctrl+C on a terminal does: npm and npx pass none on. */
  readonly isGroup?: boolean;
  /** Whether it outlives the test file that starts it: `stopAll` leaves it alone. */
  readonly isKept?: boolean;
  /** What the process writes when it is ready, in a group its address. */
  readonly ready?: RegExp;
}

/** The program of a version, as its build made it. */
export const builtAt = (program: string): Start => ({ command: [process.execPath, program] });

export const built = builtAt(main);

/** The command line that `npm run build` made, with these words. */
export const commandLine = (...words: string[]): Start => ({
  command: [process.execPath, fileURLToPath(new URL('../../dist/bin/callboard.js', import.meta.url)), ...words],
});

/** The built `callboard work`. It has no address. */
export const worker: Start = { ...commandLine('work'), ready: /"msg":"(working)"/ };

/** What `npm run build` made, under another version of Node. */
export const builtUnder = (node: string): Start => ({ command: [node, main] });

/**
 * The service as an operator runs it: what `npm run build` made, in a process of its own. `within`: words of a command that
 * becomes the one after it. `start`: what else starts it.
 */
export async function startProcess(
  env: Record<string, string>,
  within: string[] = [],
  start: Start = built,
): Promise<ServiceProcess> {
  const { child, output } = spawnService(env, within, start);
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, address] = (start.ready ?? /Server listening at (http:[^"\s]+)/).exec(output()) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${String(code)}: ${output()}`)));
  });
  return {
    origin,
    pid: child.pid ?? 0,
    output,
    stop: async (signal = 'SIGTERM') => {
      const end = once(child, 'close');
      sendSignal(child, signal);
      const [code, by] = (await end) as [number | null, NodeJS.Signals | null];
      return { code, signal: by };
    },
  };
}

/** Starts the service where it is meant to refuse, and waits for its end. */
export async function refusedStart(
  env: Record<string, string>,
  within: string[] = [],
  start: Start = built,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnService(env, within, start);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

/** Stops all processes that failed tests left behind; for afterAll. */
export function stopAll(): void {
  for (const child of running) sendSignal(child, 'SIGKILL');
}

// Jest ends a worker by this signal when it begins a new one.
process.once('SIGTERM', () => {
  stopAll();
  for (const child of kept) sendSignal(child, 'SIGKILL');
  process.kill(process.pid, 'SIGTERM');
});

const groups = new WeakSet<ChildProcess>();

function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (groups.has(child) && child.pid !== undefined) process.kill(-child.pid, signal);
  else child.kill(signal);
}

function spawnService(
  env: Record<string, string>,
  within: string[],
  { command, cwd, isGroup = false, isKept = false }: Start,
) {
  const { PATH = '', HOME = '' } = process.env;
  const [program, ...args] = [...within, ...command];
  const child = spawn(program ?? '', args, {
    ...(cwd !== undefined && { cwd }),
    detached: isGroup,
    env: { PATH, HOME, PORT: '0', LOG_FORMAT: 'json', CALLBOARD_DRAIN_DELAY: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = isKept ? kept : running;
  started.add(child);
  if (isGroup) groups.add(child);
  child.once('exit', () => started.delete(child));
  let written = '';
  const output = () => written;
  child.stdout.on('data', (chunk) => (written += String(chunk)));
  child.stderr.on('data', (chunk) => (written += String(chunk)));
  return { child, output };
}
