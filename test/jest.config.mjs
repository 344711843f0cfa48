import { existsSync } from 'node:fs';

/** Files that work on an embedded database wherever the suite runs: the run without a server has them, and they are run once. */
const embedded = [
  ...['backup.long', 'embedded-faults.nightly', 'embedded-upgrades.long', 'empty-database', 'process', 'readme'],
];

/** What the run without a server tests of all else: a file or two of each layer, and what embedded databases do in their own way. */
const contract = [
  ...['config', 'registry', 'migrations', 'disk-full', 'retime', 'pages', 'guides', 'parity', 'contract-shapes'],
  ...['contract-silent', 'events', 'call-times', 'work-shifts', 'users', 'custom-fields', 'login'],
  ...['tokens', 'tenancy', 'own-reach', 'changes', 'live', 'graphql-errors', 'graphql-compiled', 'webhook-delivery'],
];

const hasServer = Boolean(process.env.TEST_DATABASE_URL);
/** `npm test -- <name>` takes any file of this name that can run. */
const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

/** Throws if a file is gone: it would be left out without a word. */
const toGlobs = (names) =>
  names.map((name) => {
    if (existsSync(new URL(`${name}.test.ts`, import.meta.url))) return `**/test/${name}.test.ts`;
    throw new Error(`test/jest.config.mjs names ${name}.test.ts, which is not there.`);
  });

/** The suite runs on PostgreSQL with TEST_DATABASE_URL (and on Redis with TEST_REDIS_URL), and a choice of it on embedded databases. */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testRunner: '<rootDir>/test/support/jest/runner.mjs',
  testMatch: process.env.TEST_NIGHTLY
    ? ['**/*.nightly.test.ts']
    : hasServer || isNamed
      ? ['**/*.test.ts', ...(isNamed ? [] : toGlobs(embedded).map((glob) => `!${glob}`))]
      : toGlobs([...embedded, ...contract]),
  testPathIgnorePatterns: [
    // What only a server can show: races, two processes on one database.
    ...(hasServer ? [] : ['\\.pg\\.']),
    // Only root can mount the small disk of this one.
    ...(process.getuid?.() === 0 ? [] : ['/disk-full\\.pg\\.test\\.ts$']),
    // What only a browser can show needs TEST_CHROMIUM, the path of one.
    ...(process.env.TEST_CHROMIUM ? [] : ['\\.browser\\.test\\.ts$']),
    // Linters, generators and clients of other authors are large: `npm run tools` installs them.
    ...(process.env.TEST_TOOLS ? [] : ['\\.tools\\.test\\.ts$']),
    // These look into the sessions of connections without a pooler, or start one of their own.
    ...(process.env.TEST_POOLER_URL ? ['/(reads|database-sessions|pooler)\\.pg(\\.nightly)?\\.test\\.ts$'] : []),
  ],
  // Packages of their own.
  modulePathIgnorePatterns: [
    '<rootDir>/test/clients/',
    '<rootDir>/test/nodes/',
    '<rootDir>/test/openapi/',
    '<rootDir>/test/schema-lint/',
    '<rootDir>/test/bench/.peers/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  // Node and tsx import everything.
  transform: {},
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/jest/each-file.ts'],
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // Against tests that hang. On a busy machine everything takes several times as long.
  testTimeout: 300_000,
  // A server leaves its workers waiting at times: for the database, for time-outs, for processes of their own. At night, attacks are
  // judged by what others notice of them, so nothing runs beside them.
  maxWorkers: process.env.TEST_NIGHTLY ? 1 : hasServer ? 3 : 2,
  // Garbage of earlier test files piles up: 30 MB a file, some 200. A file itself can need as much as the limit.
  workerIdleMemoryLimit: '1200MB',
};
