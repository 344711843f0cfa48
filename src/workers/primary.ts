import cluster from 'node:cluster';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { loadConfig, type Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { createLog } from '../log.ts';
import { WorkerSlot } from './worker-slot.ts';
import { createRelay } from './relay.ts';

/**
 * Runs the workers of a service behind one port until SIGTERM or SIGINT, and keeps what they share: rate limits, attempts and
 * commits. It serves no request itself. SIGHUP replaces the workers one by one; a second signal to end ends them at once.
 */
export async function runPrimary(config: Config): Promise<void> {
  const log = createLog(config);
  // Whatever NODE_CLUSTER_SCHED_POLICY says: workers hand over by giving connections back to the primary.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  void new RateLimiterClusterMaster();
  const slots: WorkerSlot[] = [];
  const onMessage = createRelay(() => slots.flatMap(({ serving }) => serving ?? []));
  const endWithinMs = config.http.shutdownTimeoutMs + limits.workerEndGraceMs;
  for (let number = 1; number <= config.workers; number++)
    slots.push(new WorkerSlot({ number, log, endWithinMs, onMessage }));

  let isClosing = false;
  const killAll = () => {
    for (const slot of slots) slot.kill();
  };
  closeWithGrace(
    { delay: false, logger: log, skip: ['SIGHUP'], onSecondSignal: killAll, onSecondError: killAll },
    async ({ err, signal }) => {
      isClosing = true;
      if (err) log.fatal({ err }, 'unexpected failure: closing');
      else log.info(`${signal ?? 'close'}: closing ${slots.length} workers`);
      const reason = signal === 'SIGINT' ? signal : 'SIGTERM';
      const areDone = await Promise.all(slots.map((slot) => slot.close(reason)));
      if (areDone.includes(false)) throw new Error('A worker did not end as it should.');
    },
  );
  const [first, ...others] = slots;
  const starting = first?.startFirst();
  replaceOnHangUp(slots, log, { starting, isClosing: () => isClosing });
  const failure = await starting;
  if (isClosing) return;
  // The worker has said why, as a single process does.
  if (failure) process.exit(failure.code ?? 1);
  for (const slot of others) slot.start();
  log.info(
    { workers: slots.length, connectionsMax: slots.length * config.db.poolSize },
    'started the first worker; starting the others',
  );
}

interface Progress {
  readonly starting: Promise<unknown> | undefined;
  readonly isClosing: () => boolean;
}

/** Replaces the workers at SIGHUP, one after the other, unless a new one does not become ready. */
function replaceOnHangUp(slots: readonly WorkerSlot[], log: Logger, { starting, isClosing }: Progress): void {
  const replaceAll = async () => {
    log.info('SIGHUP: replacing the workers');
    try {
      loadConfig();
    } catch (error) {
      return log.error({ err: error }, 'the settings are wrong: the workers are not replaced');
    }
    for (const [index, slot] of slots.entries()) {
      if (isClosing()) return;
      if (await slot.replace()) log.info({ worker: index + 1 }, 'a worker was replaced');
      else if (!isClosing())
        return log.error({ worker: index + 1 }, 'a new worker did not become ready: the others are not replaced');
    }
    log.info('all workers were replaced');
  };
  let replacing: Promise<void> | null = null;
  let isWanted = false;
  const run = async () => {
    await starting;
    while (isWanted && !isClosing()) {
      isWanted = false;
      await replaceAll();
    }
    replacing = null;
  };
  process.on('SIGHUP', () => {
    // The terminal that the service was started on is gone.
    if (process.stdin.isTTY) return void process.kill(process.pid, 'SIGTERM');
    isWanted = true;
    replacing ??= run();
  });
}
