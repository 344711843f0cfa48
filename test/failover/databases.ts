import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addHost, type Host } from './hosts.ts';

/* Three hosts with etcd, Patroni and PostgreSQL, and HAProxy here, all run with the files of .deploy. */

const names = ['db1', 'db2', 'db3'] as const;
const firstNumber = 11;
/** A number for a transaction is given by a leader only; so many in a row show that HAProxy knows who that is. */
const checksInARow = 20;
/** The superuser of patroni.yml, and its password. */
const administrator = 'postgres:change-this-one';

export interface Databases {
  /** URL of the leader, whoever it is, for the service. */
  readonly url: string;
  readonly hosts: readonly Host[];
  /** The host that Patroni's members agree on; null while there is none. */
  leader(): Promise<Host | null>;
  /** Waits until there is a leader, with a synchronous standby where commits wait for one, and every other member streams from it. */
  untilHealthy(): Promise<void>;
  /** Starts the programs of a host again whose processes have been killed. */
  restart(host: Host): void;
  /** Hands over to another host, as an operator does. */
  switchOver(): void;
  close(): void;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Asynchronous: a commit is acknowledged before any standby has it. */
export async function startDatabases({ isSynchronous }: { isSynchronous: boolean }): Promise<Databases> {
  const folder = mkdtempSync('/tmp/callboard-failover-');
  execFileSync('chown', ['postgres:', folder]);
  const hosts = names.map((name, index) => addHost(name, firstNumber + index));
  for (const host of hosts) configure(host, folder, isSynchronous);
  const restart = (host: Host) => startPrograms(host, join(folder, host.name));
  for (const host of hosts) restart(host);

  const configOf = (host: Host) => join(folder, host.name, 'patroni.yml');
  /** Asks one host after the other: some may be frozen or cut off. */
  const members = async (): Promise<Member[]> => {
    for (const { address } of hosts)
      try {
        const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) });
        return ((await answer.json()) as { members: Member[] }).members;
      } catch {
        // The next one may answer.
      }
    return [];
  };
  const leader = async () => {
    for (const host of hosts)
      try {
        const answer = await fetch(`http://${host.address}:8008/primary`, { signal: AbortSignal.timeout(1000) });
        if (answer.status === 200) return host;
      } catch {
        // It is not the leader, or nobody can know.
      }
    return null;
  };
  const untilHealthy = async () => {
    const deadline = Date.now() + 180_000;
    const wanted = isSynchronous ? 'leader,replica,sync_standby' : 'leader,replica,replica';
    let seen: Member[] = [];
    while (Date.now() < deadline) {
      seen = await members();
      const roles = seen.map(({ role }) => role).sort();
      const isStreaming = ({ role, state }: Member) =>
        state === 'running' || (role !== 'leader' && state === 'streaming');
      if (roles.join() === wanted && seen.every(isStreaming) && (await leader())) return;
      await wait(500);
    }
    throw new Error(`The databases do not become healthy: ${JSON.stringify(seen)}; see ${folder}`);
  };
  const switchOver = () =>
    void hosts[0]!.run([
      'runuser',
      '-u',
      'postgres',
      '--',
      'patronictl',
      '-c',
      configOf(hosts[0]!),
      'switchover',
      '--force',
    ]);

  await untilHealthy();
  await startHaproxy(hosts[0]!);
  const url = await createDatabase();
  return {
    url,
    hosts,
    leader,
    untilHealthy,
    restart,
    switchOver,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes the files of .deploy for a host, with its name, its address and a folder of the test. */
function configure({ name, address }: Host, folder: string, isSynchronous: boolean): void {
  const own = join(folder, name);
  mkdirSync(own);
  const places: Record<string, string> = {
    '/var/lib/postgresql/15/callboard': join(own, 'data'),
    '/var/lib/postgresql/.pgpass-callboard': join(own, 'pgpass'),
    '/var/run/postgresql': own,
    '/var/lib/etcd/callboard': join(own, 'etcd'),
    'name: db1': `name: ${name}`,
    'ETCD_NAME=db1': `ETCD_NAME=${name}`,
    'synchronous_mode: true': `synchronous_mode: ${isSynchronous}`,
  };
  for (const file of ['patroni.yml', 'etcd.env']) {
    let text = readFileSync(new URL(`../../.deploy/${file}`, import.meta.url), 'utf8');
    for (const [there, here] of Object.entries(places)) text = text.replaceAll(there, here);
    // The lists name all hosts; every other address is the host's own.
    text = text.replace(/^(?!.*(hosts:|INITIAL_CLUSTER=)).*$/gm, (line) => line.replace('198.51.100.11', address));
    writeFileSync(join(own, file), text);
  }
  execFileSync('chown', ['-R', 'postgres:', own]);
}

function startPrograms(host: Host, folder: string): void {
  const output = openSync(join(folder, 'output'), 'a');
  const stdio = ['ignore', output, output] as const;
  const settings = readFileSync(join(folder, 'etcd.env'), 'utf8').matchAll(/^([A-Z0-9_]+)=(.*)$/gm);
  const env = Object.fromEntries([...settings].map(([, name, value]) => [name, value]));
  const asOwner = ['runuser', '-u', 'postgres', '--'];
  host.start([...asOwner, 'etcd'], { stdio: [...stdio], env: { ...process.env, ...env } });
  host.start([...asOwner, 'patroni', join(folder, 'patroni.yml')], { stdio: [...stdio] });
}

/** HAProxy stands beside the service, on this host. */
async function startHaproxy({ address }: Host): Promise<void> {
  const file = new URL('../../.deploy/haproxy-postgres.cfg', import.meta.url).pathname;
  if (!readFileSync(file, 'utf8').includes(address)) throw new Error(`${file} does not name ${address}.`);
  spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  // Until its first checks, HAProxy takes every host for the leader.
  for (let inARow = 0; inARow < checksInARow;)
    try {
      await onLeader(administrator, ['SELECT txid_current()']);
      inARow++;
    } catch {
      inARow = 0;
      await wait(200);
    }
}

/** Makes the role and the database of the service, and the one of the probe. */
async function createDatabase(): Promise<string> {
  await onLeader(administrator, [
    // As the guide says: commits that wait for a standby must not leave Patroni without a connection.
    `CREATE ROLE callboard LOGIN PASSWORD 'change-this-as-well' CONNECTION LIMIT 60`,
    'CREATE DATABASE callboard OWNER callboard',
    `CREATE ROLE probe LOGIN PASSWORD 'probe' CONNECTION LIMIT 20`,
    'CREATE DATABASE probe OWNER probe',
  ]);
  await onLeader('probe:probe', ['CREATE TABLE written (at timestamptz DEFAULT now())'], 'probe');
  return 'postgresql://callboard:change-this-as-well@127.0.0.1:5000/callboard';
}

/** Writes a row of the probe. */
export const writeProbe = () => onLeader('probe:probe', ['INSERT INTO written DEFAULT VALUES'], 'probe');

/** Runs statements on the leader through HAProxy, on a connection of its own. Throws if it does not answer within 2 s. */
async function onLeader(login: string, statements: readonly string[], database = 'postgres'): Promise<void> {
  const client = new pg.Client({
    connectionString: `postgresql://${login}@127.0.0.1:5000/${database}`,
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const sql of statements) await client.query(sql);
  } finally {
    client.end().catch(() => undefined);
  }
}
