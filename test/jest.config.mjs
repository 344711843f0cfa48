/** The suite runs on embedded databases; with TEST_DATABASE_URL (and TEST_REDIS_URL) on PostgreSQL (and Redis). */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testRunner: '<rootDir>/test/support/jest/runner.mjs',
  testMatch: ['**/*.test.ts'],
  // What only a server can show (races, two processes on one database) is part of the run on PostgreSQL alone.
  // What only a browser can show needs TEST_CHROMIUM, the path of one.
  // What takes long and tells the same on any database is part of that run too, or of one with TEST_LONG.
  testPathIgnorePatterns: [
    ...(process.env.TEST_DATABASE_URL ? [] : ['\\.pg\\.test\\.ts$']),
    ...(process.env.TEST_DATABASE_URL || process.env.TEST_LONG ? [] : ['\\.long\\.test\\.ts$']),
    // Only root can mount the small disk of this one.
    ...(process.getuid?.() === 0 ? [] : ['/disk-full\\.pg\\.test\\.ts$']),
    ...(process.env.TEST_CHROMIUM ? [] : ['\\.browser\\.test\\.ts$']),
    // Linters, generators and clients of other authors are large: `npm run tools` installs them.
    ...(process.env.TEST_TOOLS ? [] : ['\\.tools\\.test\\.ts$']),
    // These look into the sessions of connections without a pooler, or start one of their own.
    ...(process.env.TEST_POOLER_URL ? ['/(reads|database-sessions|pooler)\\.pg\\.test\\.ts$'] : []),
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
  // A server leaves its workers waiting at times: for the database, for time-outs, for processes of their own.
  maxWorkers: process.env.TEST_DATABASE_URL ? 3 : 2,
  // Garbage of earlier test files piles up.
  workerIdleMemoryLimit: '2500MB',
};
