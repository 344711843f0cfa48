import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { breakingPart, findGraphqlBreaks, findRestBreaks, findUnnamed } from './breaks.ts';
import { lastRelease, readKept } from './kept.ts';

/*
 * `npm run release:check` compares the contracts with those of the last release, fails on a break that the changelog does
 * not name, and writes the list of all packages that are shipped, inside the bundle or beside it, (SBOM) to dist/. With --release it also checks the version.
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
 * npm can leave out development packages, but the code of some of them is inside the bundle, and it leaves out others that
 * development packages need as well. So the list is that of all packages, without those that are neither installed nor inside.
 */
function listShippedPackages(): Sbom {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { name?: string; version?: string; dev?: boolean }>;
  };
  const shipped = new Set(
    Object.entries(packages).flatMap(([path, { name = path.replace(/^.*node_modules\//, ''), version: of, dev }]) =>
      dev ? [] : [`${name}@${of}`],
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
