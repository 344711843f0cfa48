import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { breakingPart, findGraphqlBreaks, findRestBreaks, findUnnamed } from './breaks.ts';
import { lastRelease, readKept } from './kept.ts';

/*
 * `npm run release:check` compares the contracts with those of the last release, fails on a break that the changelog does
 * not name, and writes the list of all packages in production (SBOM) to dist/. With --release it also checks the version.
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

/** Packages of workspaces are those of tests. */
const sbomArgs = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--workspaces=false'];
const sbom = execFileSync('npm', sbomArgs, { cwd: root, maxBuffer: 2 ** 28, encoding: 'utf8' });
mkdirSync(`${root}dist`, { recursive: true });
writeFileSync(`${root}dist/sbom.cdx.json`, sbom);
const { components } = JSON.parse(sbom) as { components: object[] };

process.stdout.write(`${breaks.length} breaking changes since ${last}, ${breaks.length - unnamed.length} named.\n`);
process.stdout.write(`dist/sbom.cdx.json: ${components.length} packages.\n`);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
