import { settingOfFile } from './setting-files.ts';
import { file } from './setting-types.ts';
import { retiredSettings, settings } from './settings.ts';

/** Shorter names of settings are too close to those of other programs. */
const nearNameCharsMin = 8;

/** Kubernetes sets such variables, and others with values such as `tcp://10.0.0.1:80`, for each of its services. */
const serviceLink = /_(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR))$/;

export interface UnknownName {
  readonly text: string;
  /** Whether the service can start all the same. */
  readonly isHarmless: boolean;
}

/** Finds variables that are no settings but look like them: by our prefix, or as near misses of a setting that is not set. */
export function findUnknownNames(env: NodeJS.ProcessEnv): UnknownName[] {
  const isSet = (name: string) => Boolean(env[name]?.trim() ?? env[`${name}_FILE`]?.trim());
  const missing = Object.entries(settings).flatMap(([name, { type }]) => {
    if (name.length < nearNameCharsMin || isSet(name)) return [];
    return type === file.type ? [name] : [name, `${name}_FILE`];
  });
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (isSettingOf(settings, name) || isSettingOf(retiredSettings, name)) return [];
    const meant = value.trim() === '' ? undefined : missing.find((each) => isNear(name.toUpperCase(), each));
    if (meant === undefined && !name.startsWith('CALLBOARD_')) return [];
    const advice = meant === undefined ? 'src/guide/operators.md lists them all.' : `Did you mean ${meant}?`;
    const isHarmless = /^(tcp|udp|sctp):\/\//.test(value) || (meant === undefined && serviceLink.test(name));
    return [{ text: `${name} is not a setting of Callboard. ${advice}`, isHarmless }];
  });
}

/** Warns of variables that were settings in the version before, and are set. */
export function findRetiredNames(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap((name) => {
    const reason = env[name] && retiredSettings[settingOfFile(name, retiredSettings) ?? name];
    return reason ? [`${name} has no effect, and the next version will refuse it: ${reason}. Remove it.`] : [];
  });
}

const isSettingOf = (list: Readonly<Record<string, unknown>>, name: string) =>
  name in list || settingOfFile(name, list) !== null;

/** Whether one letter more, less or other, or two that are swapped, make one name of the other. */
function isNear(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  let start = 0;
  while (start < length && one[start] === other[start]) start++;
  let end = 0;
  while (end < length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left === `${right[1]}${right[0]}`;
}
