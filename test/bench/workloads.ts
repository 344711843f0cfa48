import { startStatic, type Contenders } from './contenders.ts';
import { answersOf, listPlans, unchangedPlans } from './lists.ts';
import type { Target } from './rounds.ts';
import type { Scene } from './scene.ts';
import { singlePlans } from './singles.ts';
import { afresh, createTargets } from './targets.ts';
import { writePlans } from './writes.ts';

export interface Workload {
  readonly name: string;
  readonly title: string;
  /** The service comes first. */
  readonly targets: readonly Target[];
  /** Whether every answer of the service has to be computed. */
  readonly isAfresh: boolean;
  /** Whether each answer is one that was given before. */
  readonly isKnown: boolean;
}

/** The workloads that are wanted, and why any is missing. */
export async function makeWorkloads(
  scene: Scene,
  contenders: Contenders,
  isWanted: (name: string) => boolean,
): Promise<{ workloads: Workload[]; missing: string[] }> {
  const fixed = await startStatic(await answersOf(scene, contenders.service.origin));
  const parts = { scene, contenders, targets: createTargets(contenders, fixed) };
  const unchanged = await unchangedPlans(parts);
  const plans = [...listPlans(parts), ...unchanged.plans, ...singlePlans(parts), ...(await writePlans(parts))];
  return {
    workloads: plans
      .filter(({ name }) => isWanted(name))
      .map(({ name, title, targets }) => ({
        name,
        title,
        targets: targets().filter((target) => target !== null),
        isAfresh: title.endsWith(afresh),
        isKnown: /-(same|304)$/.test(name),
      })),
    missing: unchanged.missing.filter(isWanted).map((name) => `${name} is missing: the service answered no 304.`),
  };
}
