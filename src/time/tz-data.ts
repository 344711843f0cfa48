import { ConfigError } from '../config/config.ts';
import { memoize } from '../memoize.ts';
import { readPackedRules, readPackedText, packedVersion } from './tz-package.ts';
import type { ZoneRules } from './tz-rules.ts';
import { runtimeRules, runtimeVersion } from './tz-runtime.ts';
import { readSystemRules, systemVersion } from './tz-system.ts';

export type TzSource = 'runtime' | 'system' | 'package';

/** Which time zone data are in force. */
export interface TzData {
  /** Version of the IANA data, such as `2026f`. */
  readonly version: string;
  readonly source: TzSource;
  /** Sources that could not be used, each with its reason. */
  readonly unusable: readonly string[];
}

export interface TzChoice {
  /** `auto` takes the newest version; of two with the same, the first of runtime, system and package. */
  readonly source: 'auto' | TzSource;
  /** Folder of the system's data. */
  readonly directory: string;
}

interface Candidate {
  readonly source: TzSource;
  readonly version: string;
  /** Reads and checks everything. Throws if anything is broken. */
  readonly load: () => RulesByName;
}

/** Read once, because the package does not change while the process runs. */
const readPackage = memoize(() => byName(readPackedRules(readPackedText())));

type RulesByName = (zone: string) => ZoneRules | undefined;

const fallback: TzChoice = { source: 'auto', directory: '/usr/share/zoneinfo' };
let choice = fallback;
let inForce: (TzData & { readonly rulesOf: (zone: string) => ZoneRules }) | undefined;
/** Changes with each choice, so that years computed before it are not used again. */
let generation = 0;

/**
 * Chooses the data that every conversion in this process uses from now on, and says which they are. Throws `ConfigError`
 * if a source is demanded that cannot be used.
 */
export function useTzData(wanted: TzChoice): TzData {
  choice = wanted;
  inForce = undefined;
  generation += 1;
  return tzData();
}

export function tzData(): TzData {
  const { version, source, unusable } = loaded();
  return { version, source, unusable };
}

/** Whether data are older than a year. A version names only its year, so its age is counted from the middle of that. */
export function isOlderThanAYear(version: string, now: Date): boolean {
  return now.getTime() >= Date.UTC(Number(version.slice(0, 4)) + 1, 6, 1);
}

/** Returns the rules of a zone in the data in force. Throws a `RangeError` for a name that no data know. */
export function rulesInForce(zone: string): ZoneRules {
  return loaded().rulesOf(zone);
}

export const tzGeneration = (): number => generation;

function loaded() {
  return (inForce ??= choose(choice));
}

function choose({ source, directory }: TzChoice) {
  const unusable: string[] = [];
  const candidates = findCandidates(directory, unusable);
  for (const candidate of candidates.filter((each) => source === 'auto' || each.source === source)) {
    try {
      const known = candidate.load();
      const others = candidates.filter((each) => each !== candidate);
      const rulesOf = (zone: string) => known(zone) ?? rulesIn(others, zone);
      return { version: candidate.version, source: candidate.source, unusable, rulesOf };
    } catch (error) {
      unusable.push(`${candidate.source} ${candidate.version}: ${(error as Error).message}`);
    }
  }
  throw new ConfigError(`CALLBOARD_TZ_DATA is ${source}, but these data cannot be used: ${unusable.join('; ')}.`);
}

/** Finds the sources that name a version, newest first. Versions such as 2026f are ordered as texts. */
function findCandidates(directory: string, unusable: string[]): Candidate[] {
  const found: Candidate[] = [];
  const add = (source: TzSource, find: () => Omit<Candidate, 'source'>) => {
    try {
      found.push({ source, ...find() });
    } catch (error) {
      unusable.push(`${source}: ${(error as Error).message}`);
    }
  };
  add('runtime', () => ({ version: runtimeVersion() ?? '', load: () => runtimeRules }));
  add('system', () => ({ version: systemVersion(directory), load: memoize(() => byName(readSystemRules(directory))) }));
  add('package', () => ({ version: packedVersion(readPackedText()), load: readPackage }));
  return found.sort((a, b) => (a.version === b.version ? 0 : a.version < b.version ? 1 : -1));
}

function byName(rules: ReadonlyMap<string, ZoneRules>): RulesByName {
  return (zone) => rules.get(zone);
}

/** A name that the data in force lack has the rules of the newest other data that know it. */
function rulesIn(others: readonly Candidate[], zone: string): ZoneRules {
  for (const { load } of others) {
    try {
      const found = load()(zone);
      if (found) return found;
    } catch {
      // A source that is broken, or does not know the name, leaves it to the next.
    }
  }
  return runtimeRules(zone);
}
