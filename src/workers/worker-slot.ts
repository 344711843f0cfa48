import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { limits } from '../config/limits.ts';
import type { EndReason, ToPrimary } from './messages.ts';
import { forkWorker, type Exit, type WorkerProcess } from './worker-process.ts';

interface SlotParts {
  readonly number: number;
  readonly log: Logger;
  /** A worker that has not ended so long after it was told to is killed. */
  readonly endWithinMs: number;
  readonly onMessage: (message: ToPrimary, from: WorkerProcess) => void;
}

/** Keeps one worker running: one that dies is followed by another, which has the same number. */
export class WorkerSlot {
  readonly #parts: SlotParts;
  /** All workers that have not ended, also those that wait to take over and those that were replaced. */
  readonly #running = new Set<WorkerProcess>();
  #current: WorkerProcess | null = null;
  #isClosing = false;
  /** Workers in a row that died soon after their start. */
  #earlyDeaths = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SlotParts) {
    this.#parts = parts;
  }

  /** The worker that serves; null while there is none. */
  get serving(): WorkerProcess | null {
    return this.#current?.isListening() ? this.#current : null;
  }

  /** Starts the first worker. Resolves with null when it listens, and with its end if it ends before. It is not followed then. */
  async startFirst(): Promise<Exit | null> {
    const first = this.#fork();
    const failure = await Promise.race([first.listening.then(() => null), first.ended]);
    if (failure === null) this.#follow(first);
    return failure;
  }

  start(): void {
    this.#follow(this.#fork());
  }

  /** Starts another worker, and ends the one that serves once the other one is ready. Returns whether that is done. */
  async replace(): Promise<boolean> {
    const next = this.#fork();
    const isReady = await Promise.race([
      next.ready.then(() => true),
      next.ended.then(() => false),
      wait(limits.workerReadyMs, false, { ref: false }),
    ]);
    if (!isReady || this.#isClosing) {
      if (!this.#isClosing) next.kill();
      return false;
    }
    const before = this.#current;
    clearTimeout(this.#timer);
    this.#earlyDeaths = 0;
    this.#follow(next);
    if (before) await this.#end(before, 'replaced');
    return true;
  }

  /** Ends all workers. Returns whether each of them ended as it should. */
  async close(reason: EndReason): Promise<boolean> {
    this.#isClosing = true;
    clearTimeout(this.#timer);
    const exits = await Promise.all([...this.#running].map((worker) => this.#end(worker, reason)));
    // A signal to the whole process group ends a worker that is only starting.
    return exits.every(({ code, signal }) => code === 0 || signal === reason);
  }

  kill(): void {
    this.#isClosing = true;
    for (const worker of this.#running) worker.kill();
  }

  #fork(): WorkerProcess {
    const worker = forkWorker(this.#parts.number, this.#parts.onMessage);
    this.#running.add(worker);
    void worker.ended.then(() => this.#running.delete(worker));
    return worker;
  }

  async #end(worker: WorkerProcess, reason: EndReason): Promise<Exit> {
    worker.send({ kind: 'end', reason });
    const timer = setTimeout(() => worker.kill(), this.#parts.endWithinMs);
    const exit = await worker.ended;
    clearTimeout(timer);
    return exit;
  }

  #follow(worker: WorkerProcess): void {
    this.#current = worker;
    void this.#startAnotherAfter(worker);
  }

  /** The first death is followed at once. Only workers that die again and again soon after their start are waited for. */
  async #startAnotherAfter(worker: WorkerProcess): Promise<void> {
    const { pid, startedAt, ended } = worker;
    const exit = await ended;
    if (this.#current !== worker) return;
    this.#current = null;
    if (this.#isClosing) return;
    const { number, log } = this.#parts;
    if (performance.now() - startedAt > limits.workerSteadyMs) this.#earlyDeaths = 0;
    const afterMs = Math.min(limits.workerRestartMs * (2 ** this.#earlyDeaths - 1), limits.workerRestartMaxMs);
    this.#earlyDeaths++;
    log.error({ worker: number, workerPid: pid, ...exit, afterMs }, 'a worker has ended: starting another one');
    this.#timer = setTimeout(() => this.start(), afterMs);
  }
}
