// Generates the Prisma client into src/generated.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// Generation is WebAssembly, but Prisma first asks for its native schema engine, which comes from a download site.
// Naming any existing file keeps it from looking: a machine that reaches the npm registry alone can build.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' };
const prisma = `${root}node_modules/prisma/build/index.js`;
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [prisma, 'generate', '--config', 'prisma/config.ts', '--no-hints'],
  { cwd: root, env, encoding: 'utf8' },
);
if (status !== 0) {
  process.stderr.write(stdout + stderr);
  process.exit(status ?? 1);
}
