// Makes the tarball of the npm package: `npm run pack -- [options of npm pack]`. The manifest of the package depends on what dist/
// loads by name; an install with package.json of this repository would also get what the bundle and the pages have inside.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExternal } from '../external.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
// `private` keeps `npm publish` from making a package of the checkout as it is.
const forCheckouts = ['private', 'scripts', 'devDependencies', 'overrides', 'allowScripts'];

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const key of forCheckouts) delete manifest[key];
for (const name of Object.keys(manifest.dependencies))
  if (!isExternal(name) || name in manifest.peerDependencies) delete manifest.dependencies[name];

const list = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
const stage = mkdtempSync(join(tmpdir(), 'callboard-pack-'));
try {
  for (const { path } of JSON.parse(list)[0].files) cpSync(join(root, path), join(stage, path));
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  execFileSync('npm', ['pack', stage, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
} finally {
  rmSync(stage, { recursive: true });
}
