import type { Attack } from './attack.ts';
import { byteAttacks } from './bytes.ts';
import { documentAttacks } from './documents.ts';
import { exportAttacks } from './exports.ts';
import { hashAttacks } from './hashes.ts';
import { makeScene, type SceneOptions } from './scene.ts';
import { heapMbUsually, measure, startService, type Result, type Scale } from './measure.ts';
import { objectAttacks } from './objects.ts';
import { statementAttacks } from './statements.ts';
import { streamAttacks } from './streams.ts';

export const attacks: readonly Attack[] = [
  ...statementAttacks,
  ...exportAttacks,
  ...hashAttacks,
  ...objectAttacks,
  ...documentAttacks,
  ...byteAttacks,
  ...streamAttacks,
];

export const fullScale: Scale = { isShort: false, attackMs: 8000, calmMs: 2000, p95Max: 500 };

/** Other work may run on the machine, so the p95 is printed and not judged. */
export const shortScale: Scale = {
  isShort: true,
  attackMs: 2500,
  calmMs: 800,
  p95Max: Infinity,
};

export const fullScene = { bigEvents: 100_000, shifts: 400, longEvents: 100, longValues: 400 };
export const shortScene = { bigEvents: 10_000, shifts: 300, longEvents: 100, longValues: 40 };

/** Runs the attacks one after the other. A process that did not hold is replaced for the next attack. */
export async function runAttacks(
  wanted: readonly Attack[],
  sceneOptions: SceneOptions,
  scale: Scale,
  onResult: (result: Result) => void,
  { stopping = new AbortController().signal, heapMb = heapMbUsually }: { stopping?: AbortSignal; heapMb?: number } = {},
): Promise<void> {
  const scene = await makeScene(sceneOptions);
  let service = await startService(scene, heapMb);
  try {
    for (const attack of wanted) {
      const result = await measure({ service, scene, scale, stopping }, attack);
      if (stopping.aborted) return;
      onResult(result);
      const isHealthy = result.memoryMb.after !== null && result.faults.length === 0;
      if (isHealthy) continue;
      // Memory that this attack left behind is not held against the next one.
      if (result.memoryMb.after !== null) await service.stop('SIGKILL');
      service = await startService(scene, heapMb);
    }
  } finally {
    await service.stop('SIGKILL').catch(() => undefined);
    await scene.close();
  }
}
