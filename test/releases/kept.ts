import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/* The released versions that `npm run release:keep` has kept, each in a folder of its own. */

export interface KeptKey {
  readonly businessId: number;
  /** An API key of this business, with all rights. */
  readonly key: string;
}

export interface Release {
  readonly version: string;
  /** Names of its migrations, oldest first. */
  readonly migrations: readonly string[];
  /** Keys in the database of PostgreSQL, and in the embedded one. */
  readonly database: readonly KeptKey[];
  readonly embedded: readonly KeptKey[];
}

/** The admin of business 3 in every kept database. */
export const keptAdmin = { email: 'ann@late.example', password: 'a password that is kept' };

const folder = fileURLToPath(new URL('.', import.meta.url));
const pathOf = (version: string, name: string) => join(folder, version, name);

const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });

/** All kept releases, oldest first. */
export const releases: readonly Release[] = readdirSync(folder, { withFileTypes: true })
  .flatMap((entry) => (/^\d/.test(entry.name) ? [entry.name] : []))
  .sort(byNumber)
  .map((version) => JSON.parse(readFileSync(pathOf(version, 'release.json'), 'utf8')) as Release);

/** The release that the next one is compared with, and that runs beside it during an upgrade. */
export const lastRelease = releases.at(-1)!;

export const readKept = (version: string, name: string): Buffer => {
  const bytes = readFileSync(pathOf(version, name));
  return name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
};

export interface UnpackedService {
  /** The program that serves. */
  readonly main: string;
  remove(): void;
}

/** Unpacks the service of a release, so that its processes can be started. */
export function unpackService(version: string): UnpackedService {
  const directory = mkdtempSync(join(tmpdir(), `callboard-${version}-`));
  execFileSync('tar', ['-xf', '-', '-C', directory], { input: readKept(version, 'service.tar.br') });
  // Its only package with native code is that of today.
  const packages = join(directory, 'node_modules');
  mkdirSync(packages, { recursive: true });
  symlinkSync(fileURLToPath(new URL('../../node_modules/argon2', import.meta.url)), join(packages, 'argon2'));
  return {
    main: join(directory, 'dist/service/main.js'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
