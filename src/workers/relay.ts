import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../config/limits.ts';
import type { ToPrimary } from './messages.ts';
import { mergeMetrics } from './metrics-text.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Passes on what workers tell each other: commits, and metrics. `serving` lists the workers that take messages. */
export function createRelay(serving: () => readonly WorkerProcess[]) {
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;

  /** A worker that does not answer in time is left out. */
  async function readMetrics(worker: WorkerProcess): Promise<string | null> {
    const id = ++asked;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    worker.send({ kind: 'report', id });
    const late = wait(limits.metricsCollectMs, null, { ref: false });
    return Promise.race([answer, worker.ended.then(() => null), late]).finally(() => waiting.delete(id));
  }

  return (message: ToPrimary, from: WorkerProcess): void => {
    if (message.kind === 'committed') {
      for (const worker of serving()) if (worker !== from) worker.send(message);
    } else if (message.kind === 'metrics') waiting.get(message.id)?.(message.text);
    else if (message.kind === 'collect') {
      const { id } = message;
      void Promise.all(serving().map(readMetrics)).then((texts) =>
        from.send({ kind: 'collected', id, text: mergeMetrics(texts.filter((text) => text !== null)) }),
      );
    }
  };
}
