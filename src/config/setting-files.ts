import { readFileSync } from 'node:fs';
import { file, type Setting } from './setting-types.ts';

const suffix = '_FILE';

/** The setting `X` of a variable `X_FILE`, if there may be one. */
export function settingOfFile(name: string, settings: Readonly<Record<string, unknown>>): string | null {
  const setting = name.endsWith(suffix) ? name.slice(0, -suffix.length) : '';
  return setting in settings ? setting : null;
}

/**
 * Returns the text of a setting: the variable `X`, or what the file holds that the variable `X_FILE` names, so that
 * secrets can come from the files of a container or of systemd. Null if there is neither. What is wrong is added to
 * `faults`.
 */
export function readSettingText(
  name: string,
  { type }: Setting,
  env: NodeJS.ProcessEnv,
  faults: string[],
): string | null {
  const text = env[name]?.trim() || null;
  const variable = `${name}${suffix}`;
  const path = env[variable]?.trim();
  if (!path) return text;
  const content = readText(path)?.trim();
  if (type === file.type) faults.push(`${variable} is not a setting: ${name} itself is the path of a file.`);
  else if (text !== null) faults.push(`${variable} and ${name} are both set: set one of them.`);
  // Without DATABASE_URL, the service would use the embedded database, so an empty file is a fault.
  else if (!content) faults.push(`${variable} is not valid: expected the path of a readable file that is not empty.`);
  else return content;
  return null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
