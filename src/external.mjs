/*
 * Packages that stay outside of the bundle: dist/ loads them by name. The npm package depends on them, and on no others. Those of
 * tracing, which only some people need, are its optional peers.
 */
const external = [
  // They load files of their own: native code, WebAssembly, data, code of worker threads.
  ...['argon2', '@electric-sql/pglite', 'fs-native-extensions', '@prisma/client'],
  ...['moment-timezone', '@zxcvbn-ts/language-common', 'pino', 'pino-pretty', 'thread-stream'],
  // Tracing patches libraries as they are loaded, and only what is loaded by name.
  ...['graphql', 'pg', 'ioredis', '@fastify/otel', '@prisma/instrumentation', '@opentelemetry'],
  // Optional parts of packages that are not installed.
  'class-validator',
];

export function isExternal(id) {
  return external.some((name) => id === name || id.startsWith(`${name}/`));
}
