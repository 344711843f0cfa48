import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* What global setup makes once, and every test file copies. The name is the same in all workers of one run. */
export const serverUrl = process.env['TEST_DATABASE_URL'];
/** A pooler in front of that server, through which the service connects: test/pooler/run.ts starts one. */
export const poolerUrl = process.env['TEST_POOLER_URL'];
export const redisUrl = process.env['TEST_REDIS_URL'];

const run = process.env['CALLBOARD_TEST_RUN'] ?? String(process.pid);

/** Set in the parent before the workers start: they inherit it. */
export const shareRun = (): void => {
  process.env['CALLBOARD_TEST_RUN'] = run;
};

export const embeddedTemplate = join(tmpdir(), `callboard-test-${run}.tar`);
export const databasePrefix = `callboard_test_${run}_`;
export const serverTemplate = `${databasePrefix}template`;
/** With the demo around a day, in UTC. The first test file of the day that needs it makes it. */
export const demoTemplateOf = (day: Date): string =>
  `${databasePrefix}demo_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;

export const urlOf = (database: string): string => Object.assign(new URL(serverUrl ?? ''), { pathname: database }).href;

/** The URL that the service gets. */
export const serviceUrlOf = (database: string): string =>
  poolerUrl ? Object.assign(new URL(poolerUrl), { pathname: database }).href : urlOf(database);

/** One Redis serves many databases whose businesses have the same ids: each gets keys of its own. */
export const redisUrlOf = (database: string): string =>
  Object.assign(new URL(redisUrl ?? ''), { search: `?keyPrefix=${database}:` }).href;
