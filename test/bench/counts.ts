import { existsSync } from 'node:fs';
import pg from 'pg';
import { findGrowth, readCounted, writeCounted } from './counted.ts';
import { places } from './places.ts';
import { startOn, stopAll } from './processes.ts';
import { measurePromoted, mostPromoted } from './promoted.ts';
import { measureRoads } from './road.ts';

/*
 * What requests take, whatever the machine: `--check` fails where it is more than counted.json says; without it, what is less or new is
 * written down, and with `--all` everything. It needs a PostgreSQL server: BENCH_DATABASE_URL.
 */

const checks = process.argv.includes('--check');
const print = (text: string) => void process.stdout.write(`${text}\n`);

async function onDatabase<T>(serverUrl: string, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: serverUrl });
  const name = `callboard_counts_${process.pid}`;
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  try {
    return await work(Object.assign(new URL(serverUrl), { pathname: name }).href);
  } finally {
    await stopAll();
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function check(databaseUrl: string): Promise<string[]> {
  const faults = findGrowth(await measureRoads(databaseUrl), readCounted());
  const { before, after } = await measurePromoted(databaseUrl);
  for (const [when, bytes] of [
    ['before', before],
    ['after', after],
  ] as const)
    if (bytes > mostPromoted)
      faults.push(
        `A board promotes ${Math.round(bytes)} bytes ${when} its connections were ended: over ${mostPromoted}.`,
      );
  return faults;
}

const { BENCH_DATABASE_URL: serverUrl } = process.env;
const program = places.node('24');
if (!serverUrl && !checks) print('BENCH_DATABASE_URL is not set: what requests take is not counted.');
else if (!serverUrl || !existsSync(program))
  throw new Error('This needs BENCH_DATABASE_URL and Node 24: npm ci --prefix test/nodes');
else {
  startOn(program);
  if (checks) {
    const faults = await onDatabase(serverUrl, check);
    for (const fault of faults) print(fault);
    process.exitCode = faults.length > 0 ? 1 : 0;
  } else {
    const roads = await onDatabase(serverUrl, measureRoads);
    const written = await writeCounted(roads, process.argv.includes('--all'));
    print(written.length > 0 ? `wrote down ${written.join(', ')}` : 'nothing takes less than was written down');
  }
}
