import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTzFile } from './tz-file.ts';
import type { ZoneRules } from './tz-rules.ts';

/** Reads the version of the data in a folder, which the first line of `tzdata.zi` names. Throws if there are none. */
export function systemVersion(directory: string): string {
  const [, version] = /^# version (\d{4}[a-z]{1,2})\b/.exec(readNames(directory)) ?? [];
  if (version === undefined) throw new Error('the first line of tzdata.zi names no version');
  return version;
}

/**
 * Reads all zones of a folder: the files of the zones that `tzdata.zi` lists, and the further names that it links to them.
 * A broken file, or a missing one, makes the whole folder unusable, so that no version is used in part. Only older names may
 * be missing, which Debian has in a package of its own: links, and names without a region such as `EST5EDT`.
 */
export function readSystemRules(directory: string): Map<string, ZoneRules> {
  const lines = readNames(directory).split('\n');
  const rules = new Map<string, ZoneRules>();
  for (const [, name = ''] of fieldsOf(lines, 'Z')) {
    const zone = readZone(directory, name);
    if (zone) rules.set(name, zone);
  }
  if (rules.size === 0) throw new Error('tzdata.zi names no zone');
  // A link can name another link.
  for (let links = fieldsOf(lines, 'L'), before = Infinity; links.length < before;) {
    before = links.length;
    links = links.filter(([, target = '', name = '']) => {
      const found = rules.get(target);
      if (found) rules.set(name, found);
      return !found;
    });
  }
  return rules;
}

function readZone(directory: string, name: string): ZoneRules | null {
  if (!/^[A-Za-z][\w+-]*(\/[A-Za-z][\w+-]*)*$/.test(name)) throw new Error('tzdata.zi names a zone that is no path');
  try {
    return readTzFile(readFileSync(join(directory, name)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !name.includes('/')) return null;
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

const readNames = (directory: string): string => readFileSync(join(directory, 'tzdata.zi'), 'utf8');

const fieldsOf = (lines: readonly string[], letter: 'Z' | 'L'): string[][] =>
  lines.filter((line) => line.startsWith(`${letter} `)).map((line) => line.trimEnd().split(/ +/));
