// Generates the Prisma client into src/generated, when schema.prisma or Prisma itself is newer than what is there.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = `${root}src/generated/prisma/client.ts`;
const sources = ['prisma/schema.prisma', 'prisma/generate.mjs', 'node_modules/prisma/package.json'];

const isFresh =
  existsSync(generated) && sources.every((file) => statSync(root + file).mtimeMs < statSync(generated).mtimeMs);

if (!isFresh) {
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
}
