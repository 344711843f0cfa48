// Bundles the service and its command line into dist/: a start that loads a few files instead of a thousand is much faster.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { isExternal } from './external.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// Some globals, such as `decodeURIComponent`, are without effects to rolldown, whatever its options of tree shaking and minifying
// say: it removes calls of them whose value is dropped. test/shipped.test.ts refuses such calls.
const bundle = await rolldown({
  cwd: root,
  input: {
    main: 'src/main.ts',
    'bin/callboard': 'src/bin/callboard.ts',
    'bin/pack-database': 'src/bin/pack-database.ts',
  },
  platform: 'node',
  external: isExternal,
  tsconfig: 'tsconfig.json',
  checks: { unresolvedImport: false },
  logLevel: 'warn',
});
for (const folder of ['chunks', 'bin']) rmSync(`${root}dist/${folder}`, { recursive: true, force: true });
// TypeGraphQL takes names of types from names of classes.
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  keepNames: true,
});
await bundle.close();
writeFileSync(`${root}dist/licenses.md`, readLicenses(output.flatMap(({ moduleIds = [] }) => moduleIds)));

/** The licences of the packages inside ask to be passed on with their code. */
function readLicenses(files) {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []));
  const packages = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice)/i.test(file))
      .map((file) => `\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}`);
    return `## ${name} ${version}\n\nLicence: ${license}${texts.join('')}\n`;
  });
  return `# Packages inside the files of this folder\n\n${packages.sort().join('\n')}`;
}
