import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { breakingPart, findGraphqlBreaks, findRestBreaks, findUnnamed } from './breaks.ts';
import { lastRelease, readKept } from './kept.ts';

/*
 * `npm run release:check` compares the contracts with those of the last release, fails on a break that the changelog does
 * not name, and writes the list of all packages that the service runs on (SBOM) to dist/. With --release it also checks the version.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const faults: string[] = [];

const { version } = JSON.parse(read('package.json')) as { version: string };
const last = lastRelease.version;
const changelog = read('.github/CHANGELOG.md');

const breaks = [
  ...(await findGraphqlBreaks(String(readKept(last, 'schema.graphql')), read('schema.graphql'))),
  ...findRestBreaks(String(readKept(last, 'openapi.json.br')), read('test/openapi.snapshot.json')),
];
const unnamed = findUnnamed(breaks, breakingPart(changelog, last));
if (unnamed.length > 0)
  faults.push(
    `The changelog does not name ${unnamed.length} of ${breaks.length} breaking changes since ${last}. Add them above [${last}], under "### Breaking":`,
    ...unnamed.map(({ name, message }) => `- \`${name}\`: ${message}`),
  );

if (process.argv.includes('--release')) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [lastMajor = 0, lastMinor = 0, lastPatch = 0] = last.split('.').map(Number);
  const isBroken = breaks.length > 0;
  const isNext =
    major > lastMajor ||
    (major === lastMajor &&
      (minor > lastMinor ? !isBroken || major === 0 : minor === lastMinor && patch > lastPatch && !isBroken));
  if (!isNext)
    faults.push(`Version ${version} cannot follow ${last}, from which ${breaks.length} changes break a client.`);
  if (!new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changelog))
    faults.push(`The changelog has no section "## [${version}] - <date>".`);
}

interface Sbom {
  components: { readonly name: string; readonly version: string }[];
  dependencies: { readonly ref: string; dependsOn: string[] }[];
}

/**
 * What the service runs on, by package-lock.json, as `npm audit --omit=dev` has it, and what is inside the bundle and the pages.
 * `npm sbom --omit=dev` also leaves out packages that development packages need as well.
 */
function listShippedPackages(): Sbom {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { name?: string; version?: string; dev?: boolean; devOptional?: boolean }>;
  };
  const shipped = new Set(
    Object.entries(packages).flatMap(
      ([path, { name = path.replace(/^.*node_modules\//, ''), version: of, ...flags }]) =>
        flags.dev || flags.devOptional ? [] : [`${name}@${of}`],
    ),
  );
  for (const list of ['dist/licenses.md', 'dist/pages/licenses.md'])
    for (const [, name, of] of read(list).matchAll(/^## (\S+)(?: -)? (\d\S*)/gm)) shipped.add(`${name}@${of}`);
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const all = JSON.parse(execFileSync('npm', args, { cwd: root, maxBuffer: 2 ** 28, encoding: 'utf8' })) as Sbom;
  const isShipped = (ref: string) => shipped.has(ref) || ref.startsWith('callboard@');
  return {
    ...all,
    components: all.components.filter((each) => shipped.has(`${each.name}@${each.version}`)),
    dependencies: all.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map((each) => ({ ...each, dependsOn: each.dependsOn.filter(isShipped) })),
  };
}

const sbom = listShippedPackages();
writeFileSync(`${root}dist/sbom.cdx.json`, JSON.stringify(sbom, null, 2));

process.stdout.write(`${breaks.length} breaking changes since ${last}, ${breaks.length - unnamed.length} named.\n`);
process.stdout.write(`dist/sbom.cdx.json: ${sbom.components.length} packages.\n`);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
