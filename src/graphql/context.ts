import type { CallScope } from '../access/scope.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What every resolver of one request shares. */
export interface Context {
  readonly scope: CallScope;
  readonly loaders: Loaders;
  /** Takes further points from the caller's budget, beyond the one that every request costs. */
  readonly spend: (points: number) => Promise<void>;
}

export const createContext = (scope: CallScope, spend: Context['spend']): Context => ({
  scope,
  loaders: createLoaders(scope),
  spend,
});
