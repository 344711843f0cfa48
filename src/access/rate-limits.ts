import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import type { Actor } from './actor.ts';
import { callerAt } from './address.ts';
import type { Counters } from './counters.ts';

export interface BudgetState {
  /** Requests a window. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly resetS: number;
  readonly isSpent: boolean;
}

export interface Budgets {
  /**
   * Takes points from the caller's budget and says what is left. A business has one budget for REST and GraphQL and all
   * its credentials together; who shows no valid credential has one by IP address.
   */
  spend(actor: Actor, ip: string, points: number): Promise<BudgetState>;
}

/** The limit is that of the plan as read for the request: a change of plan acts at once, and keeps the count. */
export function createBudgets(config: Config['budget'], counters: Counters): Budgets {
  const counter = counters.counter('budget', limits.budgetWindowS);
  return {
    async spend(actor, ip, points) {
      const isAnonymous = actor.kind === 'anonymous';
      const limit = isAnonymous ? config.anonymousPerMinute : config.byPlan[actor.plan];
      const key = isAnonymous ? `ip:${callerAt(ip)}` : `business:${actor.businessId}`;
      const { points: spent, msLeft } = await counter.add(key, points);
      return {
        limit,
        remaining: Math.max(0, limit - spent),
        resetS: Math.min(limits.budgetWindowS, Math.ceil(msLeft / 1000)),
        isSpent: spent > limit,
      };
    },
  };
}
