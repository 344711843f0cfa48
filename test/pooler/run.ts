import { spawnSync } from 'node:child_process';
import { startPgBouncer, type PoolMode } from '../support/pgbouncer.ts';

/*
 * Runs the tests through a PgBouncer that it starts, in session and in transaction mode, on databases whose time zone is not UTC:
 * TEST_DATABASE_URL=postgresql://… npm run test:pooler -- [files that contain this] [--mode=transaction]
 */

const modes: readonly PoolMode[] = ['session', 'transaction'];
const timeoutMs = 3_600_000;

const server = process.env['TEST_DATABASE_URL'];
if (!server) throw new Error('TEST_DATABASE_URL is missing: it names a server on which databases can be created.');
const options = process.argv.slice(2);
const [only] = options.flatMap((option) => /^--mode=(.*)$/.exec(option)?.[1] ?? []);
const files = options.filter((option) => !option.startsWith('--mode='));

for (const mode of modes.filter((each) => only === undefined || each === only)) {
  // Each test file has a database of its own, so a pool that is idle has to give its connections back soon.
  const pooler = await startPgBouncer(server, mode, { server_idle_timeout: 2, default_pool_size: 15 });
  process.stdout.write(`\n== through PgBouncer in mode ${mode}\n`);
  const jest = ['--config=test/jest.config.mjs', ...files];
  const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...jest], {
    stdio: 'inherit',
    env: { ...process.env, TEST_POOLER_URL: pooler.urlOf('postgres') },
    timeout: timeoutMs,
  });
  await pooler.close();
  if (status !== 0) process.exitCode = 1;
}
