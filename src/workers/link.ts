import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { readByWorker, wrap, type EndReason, type ToPrimary, type ToWorker } from './messages.ts';

/** The connection of a worker to its primary. */
export interface WorkerLink {
  /** Tells the primary how far the start is. */
  report(state: 'listening' | 'ready'): void;
  /** Sets what ends this worker when the primary says so. Signals are for the primary alone: Ctrl+C reaches both. */
  onEnd(end: (reason: EndReason) => void): void;
  /** Tells the other workers that the business has changed. */
  sendCommitted(businessId: number): void;
  onCommitted(listener: (businessId: number) => void): void;
  /** Sets what reads the metrics of this worker. */
  onReport(read: () => Promise<string>): void;
  /** Reads the metrics of all workers. */
  collectMetrics(): Promise<string>;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Opens the link of a worker. Null in a process that is none. */
export function openLink({ worker }: Pick<Config, 'worker'>): WorkerLink | null {
  if (worker === null) return null;
  const listeners: Partial<{ [K in ToWorker['kind']]: (message: Extract<ToWorker, { kind: K }>) => void }> = {};
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;
  let endedEarly: EndReason | null = null;
  // When the primary is gone, Node ends the worker.
  const send = (message: ToPrimary) => void process.send?.(wrap(message), undefined, undefined, () => undefined);
  // The worker may still be starting when it is told to end.
  listeners.end = ({ reason }) => (endedEarly = reason);
  listeners.collected = ({ id, text }) => waiting.get(id)?.(text);
  process.on('message', (received) => {
    const message = readByWorker(received);
    if (message) listeners[message.kind]?.(message as never);
  });
  for (const signal of signals) process.on(signal, () => undefined);
  send({ kind: 'linked' });

  return {
    report: (kind) => send({ kind }),
    onEnd: (end) => {
      listeners.end = ({ reason }) => end(reason);
      if (endedEarly !== null) end(endedEarly);
    },
    sendCommitted: (businessId) => send({ kind: 'committed', businessId }),
    onCommitted: (listener) => (listeners.committed = ({ businessId }) => listener(businessId)),
    onReport: (read) => {
      listeners.report = ({ id }) => void read().then((text) => send({ kind: 'metrics', id, text }));
    },
    collectMetrics: () => {
      const id = ++asked;
      return new Promise<string>((resolve, reject) => {
        // The primary waits for the others for so long, and answers then.
        const timer = setTimeout(() => reject(new Error('The primary does not answer.')), 2 * limits.metricsCollectMs);
        waiting.set(id, (text) => {
          clearTimeout(timer);
          resolve(text);
        });
        send({ kind: 'collect', id });
      }).finally(() => waiting.delete(id));
    },
  };
}
