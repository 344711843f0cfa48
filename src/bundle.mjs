// Bundles the service and its command line into dist/: a start that loads a few files instead of a thousand is much faster.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Packages that stay outside. */
const external = [
  // They load files of their own: native code, WebAssembly, assets, data, code of worker threads.
  ...['argon2', '@electric-sql/pglite', 'fs-native-extensions', '@prisma/client', '@prisma/schema-engine-wasm'],
  ...['@fastify/swagger-ui', 'moment-timezone', '@zxcvbn-ts/language-common', 'pino', 'pino-pretty', 'thread-stream'],
  // Tracing patches libraries as they are loaded, and only what is loaded by name.
  ...['graphql', 'pg', 'ioredis', '@fastify/otel', '@prisma/instrumentation', '@opentelemetry'],
  // Optional parts of packages that are not installed.
  'class-validator',
];

const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`));

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
await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  keepNames: true,
  sourcemap: true,
});
await bundle.close();
