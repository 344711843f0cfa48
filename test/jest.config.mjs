import { existsSync } from 'node:fs';
import { isNightly, takeShare } from './support/share.mjs';

/**
 * The run without a server: what only embedded databases show, and a file of each layer. The gate runs these files once, here;
 * those of the second line run on PostgreSQL as well.
 */
const embedded = ['readme', 'process', 'empty-database', 'disk-full', 'embedded-faults.nightly'];
const layers = ['config', 'registry', 'events', 'login', 'graphql-errors', 'graphql-compiled', 'contract-shapes'];

/** Only the night runs these: they repeat much, or show what other versions, programs and machines do. */
const nightlyOnly = [
  ...['assignments-many.nightly', 'attack.pg.nightly', 'backup.long', 'backup-schedule.pg.nightly', 'cells.pg.nightly'],
  ...['database-tls.pg.nightly', 'disk-full.pg.nightly', 'embedded-upgrades.long', 'node-versions.nightly'],
  ...['package.nightly', 'payroll-model.nightly', 'pooler.pg.nightly', 'rolling-restart.pg.nightly', 'season.nightly'],
  ...[
    'time-zones.pg.nightly',
    'openapi.tools.nightly',
    'deploy.tools.nightly',
    'isolation.nightly',
    'upgrades.pg.nightly',
  ],
];

/** Of each of these groups, the gate runs one file in so many, chosen by the seed. */
const sampled = {
  // In each run are whole journeys, the board, the keyboard, and the time without a network.
  'browser files': {
    parts: 7,
    names: [
      ...[
        'board-actions',
        'board-live',
        'board-moving',
        'board-page',
        'board-truth',
        'console',
        'console-availability',
      ],
      ...['console-call-sheet', 'console-candidates', 'console-event', 'console-event-new'],
      ...['console-events', 'console-feeds', 'console-language', 'console-mails', 'console-offers', 'console-parts'],
      ...[
        'console-people',
        'console-qualifications',
        'console-settings',
        'console-staffing',
        'console-swaps',
        'guides',
      ],
      ...['playground', 'playground-accessibility', 'playground-charts', 'playground-links', 'playground-results'],
      ...['playground-share', 'playground-tables', 'playground-tabs', 'screens', 'site', 'stay-logged-in'],
    ].map((name) => `${name}.browser`),
  },
  races: {
    parts: 3,
    names: [
      ...['assignments', 'catalog-races', 'changes-races', 'equal-requests', 'event-overlaps', 'fair-shares'],
      ...['last-admin', 'live-races', 'offers-races', 'safe-retries', 'users-role'],
    ].map((name) => `${name}.pg`),
  },
  faults: {
    parts: 4,
    names: [
      ...['database-fitness', 'degraded', 'faults', 'faults-transactions', 'migrate-locks', 'outcomes', 'proxies'],
      ...['readiness-reasons', 'redis-faults', 'response-cache', 'shutdown', 'webhook-processes'],
    ].map((name) => `${name}.pg`),
  },
  'bounds and odd clients': {
    parts: 3,
    names: [
      ...['credential-scopes', 'csv-formulas', 'event-input', 'field-limits', 'parity-limits', 'parity-types'],
      ...['pipelining', 'retime-process', 'telemetry', 'transport-slow'],
    ].map((name) => `${name}.long`),
  },
  // What looks at many nouns, keeps the service going, or is told by pages and documents.
  'what is beside the nouns': {
    parts: 3,
    names: [
      ...['business-ids', 'business-move', 'business-move-refusals', 'candidates-model', 'changes-visibility'],
      ...['common-passwords', 'csv.pg', 'database-tls', 'degraded', 'live-bounds', 'migrations'],
      ...[
        'openapi-examples',
        'pages',
        'playground',
        'playground-tables',
        'release-check.tools',
        'screens-board',
        'seed',
      ],
      ...['webhook-receiver', 'webhook-targets'],
    ],
  },
};

const hasServer = Boolean(process.env.TEST_DATABASE_URL);
/** `npm test -- <name>` takes any file of this name that can run. */
const isNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

/** Throws if a file is gone: it would be left out without a word. */
const toGlobs = (names) =>
  names.map((name) => {
    if (existsSync(new URL(`${name}.test.ts`, import.meta.url))) return `**/test/${name}.test.ts`;
    throw new Error(`test/jest.config.mjs names ${name}.test.ts, which is not there.`);
  });

function leftOut() {
  const chosen = Object.entries(sampled).flatMap(([group, { parts, names }]) => takeShare(group, names, parts));
  const all = Object.values(sampled).flatMap(({ names }) => names);
  return toGlobs([...embedded, ...nightlyOnly, ...all.filter((name) => !chosen.includes(name))]);
}

function chooseFiles() {
  if (isNamed) return ['**/*.test.ts'];
  if (isNightly) return ['**/*.nightly.test.ts', ...toGlobs(nightlyOnly)];
  if (hasServer) return ['**/*.test.ts', ...leftOut().map((glob) => `!${glob}`)];
  return toGlobs([...embedded, ...layers]);
}

/** The suite runs on PostgreSQL with TEST_DATABASE_URL (and on Redis with TEST_REDIS_URL), and a choice of it on embedded databases. */
export default {
  rootDir: '..',
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  testRunner: '<rootDir>/test/support/jest/runner.mjs',
  testMatch: chooseFiles(),
  testPathIgnorePatterns: [
    // What only a server can show: races, two processes on one database.
    ...(hasServer ? [] : ['\\.pg\\.']),
    // Only root can mount the small disk of this one.
    ...(process.getuid?.() === 0 ? [] : ['/disk-full\\.pg\\.nightly\\.test\\.ts$']),
    // What only a browser can show needs TEST_CHROMIUM, the path of one.
    ...(process.env.TEST_CHROMIUM ? [] : ['\\.browser\\.test\\.ts$']),
    // Linters, generators and clients of other authors are large: `npm run tools` installs them.
    ...(process.env.TEST_TOOLS ? [] : ['\\.tools\\.']),
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
  // Each worker loads the service, and keeps its services, a process of the package and a browser. At night, attacks are judged by what
  // others notice of them, so nothing runs beside them.
  maxWorkers: isNightly ? 1 : 2,
  // Garbage of earlier test files piles up: 30 MB a file, some 200. A worker that begins anew pays for all that it keeps again.
  workerIdleMemoryLimit: '3GB',
};
