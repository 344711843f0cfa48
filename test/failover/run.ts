import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { configOf, signingSecret } from '../support/config.ts';
import { createFactories } from '../support/factories.ts';
import { guideProgram } from '../support/guide-program.ts';
import { startProcess, stopAll } from '../support/process.ts';
import { startRedis } from '../support/redis.ts';
import { follow, probeDatabase, probeService, write, type Target } from './clients.ts';
import { startDatabases } from './databases.ts';
import { openNetwork } from './hosts.ts';
import { asynchronousFaults, faults, measureOutage, takeLeaderAway, type Round } from './rounds.ts';

/*
 * Two processes of the service on three hosts with PostgreSQL, Patroni and etcd behind HAProxy, as the operators' guide sets
 * them up. The leader is taken away ten times under load: killed, frozen, handed over, cut off. With --asynchronous, commits do
 * not wait for a standby, and the leader is lost with its last ones: what a client may notice of that is a cursor that has expired.
 *
 *   apt-get install patroni etcd-server etcd-client haproxy iproute2       (as root, as is the run; about five minutes)
 *   npm run failover -- [--asynchronous] [<number of faults>]
 */

const writerCount = 4;
/** The service is back so long after its database, at the latest. */
const goalS = 5;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { asynchronous: { type: 'boolean', default: false } },
});
const isSynchronous = !values.asynchronous;
const plan = isSynchronous ? faults : asynchronousFaults;
const faultCount = Number(positionals[0] ?? plan.length);

openNetwork();
const databases = await startDatabases({ isSynchronous });
const redis = await startRedis();
print(`three hosts, the leader is ${(await databases.leader())?.name}`);

const start = () =>
  startProcess({
    NODE_ENV: 'test',
    DATABASE_URL: databases.url,
    REDIS_URL: redis.url,
    JWT_SECRETS: `test:${signingSecret}`,
    CALLBOARD_ENTERPRISE_PER_MINUTE: '1000000',
    CALLBOARD_BLOCKED: '600000',
  });
const processes = [await start(), await start()];
const origins = processes.map(({ origin }) => origin);
for (const origin of origins) while ((await fetch(`${origin}/readyz`)).status !== 200) await wait(100);

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databases.url }) });
const { as } = await createFactories(prisma, configOf(), () => new Date()).createTenant('enterprise');
await prisma.$disconnect();

let isOver = false;
let isRead = false;
const target: Target = { origins, token: as.admin, isOver: () => isOver };
const folder = mkdtempSync('/tmp/callboard-sync-');
const sync = startSyncProgram(folder, origins[0]!, as.admin);
const writers = Array.from({ length: writerCount }, (_, writer) => write(target, writer));
const streams = origins.map((origin) => follow(origin, { ...target, isOver: () => isRead }));
const databaseProbes = probeDatabase(target.isOver);
const serviceProbes = origins.map((origin) => probeService(origin, target));

await wait(3000);
const rounds: Round[] = [];
for (const fault of plan.slice(0, faultCount)) {
  const round = await takeLeaderAway(databases, fault);
  rounds.push(round);
  print(`${round.from} was ${fault}: ${round.to} leads`);
  await wait(3000);
}
const endedAt = Date.now();
isOver = true;

const acknowledged = new Map((await Promise.all(writers)).flatMap((each) => [...each]));
const [database, ...service] = await Promise.all([databaseProbes, ...serviceProbes]);
// What was written last comes a moment later.
await wait(5000);
isRead = true;
sync.kill();
await Promise.all(streams.map(({ ended }) => ended));

const stored = await readAll(origins[1]!, as.admin);
const lost = [...acknowledged].filter(([title, uuid]) => stored.get(uuid) !== title);
const titles = [...stored.values()].filter((title) => title !== 'Probe');
const twice = titles.length - new Set(titles).size;
const copy = JSON.parse(readFileSync(join(folder, 'copy.json'), 'utf8')) as { event: { uuid: string }[] };
const copied = new Set(copy.event.map(({ uuid }) => uuid));
const wrongInCopy =
  [...stored.keys()].filter((uuid) => !copied.has(uuid)).length +
  [...copied].filter((uuid) => !stored.has(uuid)).length;

const outages = rounds.map(({ at }, index) =>
  measureOutage({ at, until: rounds[index + 1]?.at ?? endedAt }, database!, service),
);
print('\n| leader | new leader | PostgreSQL is back after | the service after that |\n| --- | --- | --- | --- |');
rounds.forEach(({ fault, from, to }, index) => {
  const { databaseS, serviceS } = outages[index]!;
  print(
    `| ${from} ${fault} | ${to} | ${databaseS.toFixed(1)} s | ${serviceS.map((s) => s.toFixed(1)).join(' s, ')} s |`,
  );
});
print(`\n${acknowledged.size} writes acknowledged, ${lost.length} lost, ${twice} carried out twice`);
streams.forEach(({ seen }, index) => {
  const missed = [...acknowledged.values()].filter((uuid) => !seen.uuids.has(uuid)).length;
  print(
    `stream ${index + 1}: opened ${seen.opened} times, ${seen.expired} expired cursors, ${missed} events not told of`,
  );
  if (missed > 0 && seen.expired === 0) process.exitCode = 1;
});
print(`the copy of the sync program: ${copied.size} events, ${wrongInCopy} wrong`);

const isLate = outages.some(({ serviceS }) => serviceS.some((seconds) => !(seconds <= goalS)));
const hasExpired = streams.every(({ seen }) => seen.expired > 0);
if (!isSynchronous && (lost.length === 0 || !hasExpired)) {
  print('No commit was lost, or a cursor behind one was accepted.');
  process.exitCode = 1;
}
if ((isSynchronous && lost.length > 0) || twice > 0 || wrongInCopy > 0 || isLate) process.exitCode = 1;
stopAll();
await redis.close();
databases.close();
rmSync(folder, { recursive: true });
process.exit();

/** The program of the integrators' guide that keeps a copy in step. */
function startSyncProgram(cwd: string, url: string, token: string) {
  writeFileSync(join(cwd, 'sync.mjs'), guideProgram('sync.mjs'));
  const env = { ...process.env, CALLBOARD_URL: url, CALLBOARD_TOKEN: token };
  return spawn(process.execPath, ['sync.mjs'], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** All events that the service has, titles by uuid. */
async function readAll(origin: string, token: string): Promise<Map<string, string>> {
  const events = new Map<string, string>();
  for (let page = 1, last = 1; page <= last; page++) {
    const answer = await fetch(`${origin}/v1/events?per_page=100&page=${page}&sort_by=created&sort_order=asc`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await answer.json()) as { data: { data: { uuid: string; title: string }[]; last_page: number } };
    for (const { uuid, title } of data.data) events.set(uuid, title);
    last = data.last_page;
  }
  return events;
}
