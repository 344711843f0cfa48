import type { Request } from 'autocannon';
import { childrenOf, cpuSeconds, type DatabaseMeter } from './meters.ts';
import { instants, serviceBoard } from './requests.ts';
import { median, overHttp, type Failures } from './rounds.ts';
import type { Scene } from './scene.ts';
import { startService, type Service } from './service.ts';

/** What answers cost with so many workers; CPU in seconds for 1,000 answers. */
export interface WorkerCosts {
  readonly perSecond: number;
  /** All workers together. */
  readonly workerCpuS: number;
  /** 0 without a primary. */
  readonly primaryCpuS: number;
  readonly databaseCpuS: number;
  readonly clientCpuS: number;
}

/** Boards of 15, by one process and by a service with two workers. */
export interface WorkerFigures {
  readonly known: { readonly one: WorkerCosts; readonly two: WorkerCosts };
  readonly afresh: { readonly one: WorkerCosts; readonly two: WorkerCosts };
}

/** Boards a second where nothing but their CPU limits them, the client is elsewhere, and the work is spread over all cores. */
export interface NodeArithmetic {
  /** PostgreSQL and the service on two cores. */
  readonly oneNode: number;
  /** Four cores, one of the nodes with PostgreSQL. */
  readonly twoNodes: number;
  /** What PostgreSQL takes of the four. */
  readonly databaseCores: number;
  /** PostgreSQL alone on two cores: the limit, however many nodes there are. */
  readonly mostOfDatabase: number;
}

export function reckonNodes({ workerCpuS, primaryCpuS, databaseCpuS }: WorkerCosts): NodeArithmetic {
  const each = (workerCpuS + primaryCpuS + databaseCpuS) / 1000;
  return {
    oneNode: 2 / each,
    twoNodes: 4 / each,
    databaseCores: ((4 / each) * databaseCpuS) / 1000,
    mostOfDatabase: 2000 / databaseCpuS,
  };
}

interface Pace {
  readonly rounds: number;
  readonly roundS: number;
  readonly computedWarmUpS: number;
}

const shortTurns = 3;

export async function measureWorkers(scene: Scene, pace: Pace, meter: DatabaseMeter): Promise<WorkerFigures> {
  const env = { DATABASE_URL: scene.databaseUrl };
  const services = [await startService(env), await startService({ ...env, CALLBOARD_WORKERS: '2' })] as const;
  const board = serviceBoard(scene.main);
  const from = instants(scene.events);
  const same = board(15, from());
  const compare = async (next: () => Request) => {
    for (const { origin } of services) await overHttp(origin, next, pace.computedWarmUpS);
    const costs: readonly [WorkerCosts[], WorkerCosts[]] = [[], []];
    for (let turn = 0; turn < pace.rounds * shortTurns; turn++)
      for (const [index, service] of services.entries())
        costs[index]?.push(await measureTurn(service, next, pace.roundS, meter));
    return { one: medians(costs[0]), two: medians(costs[1]) };
  };
  const known = await compare(() => same);
  const afresh = await compare(() => board(15, from()));
  for (const service of services) await service.stop();
  return { known, afresh };
}

async function measureTurn(
  { origin, pid }: Service,
  next: () => Request,
  seconds: number,
  meter: DatabaseMeter,
): Promise<WorkerCosts> {
  const workers = childrenOf(pid);
  const serving = workers.length > 0 ? workers : [pid];
  const cpuOf = (pids: readonly number[]) => pids.map((each) => cpuSeconds(each) ?? NaN);
  const before = { serving: cpuOf(serving), primary: cpuOf([pid]), client: process.cpuUsage() };
  const databaseCpu = await meter.start();
  const { latenciesMs, seconds: took, failures } = await overHttp(origin, next, seconds);
  const used = (pids: readonly number[], earlier: readonly number[]) =>
    cpuOf(pids).map((now, index) => now - (earlier[index] ?? NaN));
  const ofWorkers = used(serving, before.serving);
  const [ofPrimary = NaN] = used([pid], before.primary);
  const { user, system } = process.cpuUsage(before.client);
  const databaseS = (await databaseCpu()) ?? NaN;
  requireWhole(failures, ofWorkers);
  const perThousand = (s: number) => (s / latenciesMs.length) * 1000;
  return {
    perSecond: latenciesMs.length / took,
    workerCpuS: perThousand(ofWorkers.reduce((sum, s) => sum + s, 0)),
    primaryCpuS: workers.length > 0 ? perThousand(ofPrimary) : 0,
    databaseCpuS: perThousand(databaseS),
    clientCpuS: perThousand((user + system) / 1e6),
  };
}

/** A comparison in which a worker did nothing, or requests failed, says nothing. */
function requireWhole(failures: Failures, cpuOfWorkers: readonly number[]): void {
  if (Object.keys(failures).length > 0) throw new Error(`Requests failed: ${JSON.stringify(failures)}`);
  if (cpuOfWorkers.some((s) => s < 0.05)) throw new Error('A worker did nothing.');
}

function medians(all: readonly WorkerCosts[]): WorkerCosts {
  const of = (field: keyof WorkerCosts) => median(all.map((costs) => costs[field]));
  return {
    perSecond: of('perSecond'),
    workerCpuS: of('workerCpuS'),
    primaryCpuS: of('primaryCpuS'),
    databaseCpuS: of('databaseCpuS'),
    clientCpuS: of('clientCpuS'),
  };
}
