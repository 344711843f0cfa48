import { setTimeout as wait } from 'node:timers/promises';
import type { Probe } from './clients.ts';
import type { Databases } from './databases.ts';
import type { Host } from './hosts.ts';

export type Fault = 'killed' | 'frozen' | 'handed over' | 'cut off' | 'lost with its last commits';

/** Ten times, each kind at least twice. */
export const faults: readonly Fault[] = [
  'killed',
  'frozen',
  'handed over',
  'cut off',
  'killed',
  'frozen',
  'handed over',
  'cut off',
  'killed',
  'handed over',
];

/** What takes acknowledged commits along where these do not wait for a standby. */
export const asynchronousFaults: readonly Fault[] = [
  'lost with its last commits',
  'killed',
  'lost with its last commits',
  'cut off',
  'lost with its last commits',
];

export interface Round {
  readonly fault: Fault;
  readonly from: string;
  readonly to: string;
  readonly at: number;
}

/** A new leader is there within so long, or the round has failed. */
const newLeaderMs = 90_000;
/** The old leader comes back after the new one has written for so long. */
const backAfterMs = 8000;

/** The leader is alone for so long before it is lost with its last commits. */
const aloneMs = 1000;

/** Cuts the standbys off, and then loses the leader before they are back. */
async function loseWithLastCommits(leader: Host, standbys: readonly Host[]): Promise<void> {
  for (const host of standbys) host.cutOff();
  await wait(aloneMs);
  leader.signal('SIGKILL');
  // What it has sent would otherwise still arrive.
  leader.cutOff();
  for (const host of standbys) host.connect();
}

/** Takes the leader away, waits for another one, and gives the old one back. */
export async function takeLeaderAway(databases: Databases, fault: Fault): Promise<Round> {
  const old = await databases.leader();
  if (!old) throw new Error('There is no leader.');
  const at = Date.now();
  if (fault === 'killed') old.signal('SIGKILL');
  else if (fault === 'frozen') old.signal('SIGSTOP');
  else if (fault === 'cut off') old.cutOff();
  else if (fault === 'lost with its last commits')
    await loseWithLastCommits(
      old,
      databases.hosts.filter((host) => host !== old),
    );
  else databases.switchOver();

  const deadline = Date.now() + newLeaderMs;
  let next = null;
  while (!next || next === old) {
    if (Date.now() > deadline) throw new Error(`Nobody took over from ${old.name}, which was ${fault}.`);
    await wait(200);
    next = await databases.leader();
  }
  await wait(backAfterMs);
  if (fault === 'frozen') old.signal('SIGCONT');
  if (fault === 'cut off' || fault === 'lost with its last commits') old.connect();
  if (fault === 'killed' || fault === 'lost with its last commits') databases.restart(old);
  await databases.untilHealthy();
  return { fault, from: old.name, to: next.name, at };
}

export interface Outage {
  /** Seconds from the fault until PostgreSQL was written to again; 0 if no write of the probe failed. */
  readonly databaseS: number;
  /** Seconds from there until each process was written to again. */
  readonly serviceS: readonly number[];
}

/** So many writes in a row, asked every 200 ms, show that something is back. */
const inARow = 5;

/** When the first of so many answers in a row came, after the first failure. The start, if there was none. */
function backAt(probes: readonly Probe[], from: number): number {
  const asked = probes.filter(({ askedAt }) => askedAt >= from);
  const firstFailure = asked.findIndex(({ isAnswered }) => !isAnswered);
  if (firstFailure === -1) return from;
  const isBack = (index: number) =>
    index > firstFailure && asked.slice(index, index + inARow).filter(({ isAnswered }) => isAnswered).length === inARow;
  return asked.find((_, index) => isBack(index))?.answeredAt ?? Infinity;
}

/** What the probes saw between a fault and the next one. */
export function measureOutage(
  { at, until }: { at: number; until: number },
  database: readonly Probe[],
  processes: readonly (readonly Probe[])[],
): Outage {
  const before = (probes: readonly Probe[]) => probes.filter(({ askedAt }) => askedAt < until);
  const databaseAt = backAt(before(database), at);
  return {
    databaseS: (databaseAt - at) / 1000,
    serviceS: processes.map((probes) => Math.max(0, backAt(before(probes), at) - databaseAt) / 1000),
  };
}
