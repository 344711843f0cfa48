import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/*
 * The gate tests a share of what depends on chance, repetition or whole matrices; at night all of it is tested. The seed chooses
 * the share: the tree that is tested, at night the date, or TEST_SEED.
 */

/** True for `npm run test:nightly`, which runs in full what the gate runs a share of. */
export const isNightly = Boolean(process.env['TEST_NIGHTLY']);

const readTree = () => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return 'no repository';
  }
};

/** Set in the first process of a run, so that its workers choose alike. */
const seed = (process.env['TEST_SEED'] ||= isNightly
  ? new Date().toISOString().slice(0, 10)
  : readTree().trim().slice(0, 12));

/** A whole number from the seed and a name, for generators of random values: 0 to 2^31 - 1. */
export const seedOf = (name) => createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() >>> 1;

/**
 * One of `parts` shares of the items, in their order; all of them at night. `name` says what is chosen, so that several choices
 * with one seed differ. What found a fault once belongs into `always`, which returns true for what is in every share.
 */
export function takeShare(name, items, parts, always = () => false) {
  if (isNightly || parts <= 1) return [...items];
  const ranks = new Map(items.map((_, index) => [index, seedOf(`${name} ${index}`)]));
  const order = [...ranks.keys()].sort((a, b) => ranks.get(a) - ranks.get(b));
  const chosen = new Set(order.slice(0, Math.max(1, Math.ceil(items.length / parts))));
  return items.filter((item, index) => chosen.has(index) || always(item));
}
