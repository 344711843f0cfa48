import autocannon, { type Request } from 'autocannon';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds, mainCpuSeconds, residentMb, type DatabaseMeter } from './meters.ts';
import type { Counts } from './service.ts';

/** `board`: the service's GraphQL board beside the list in REST; `static-304`: of static, too, nothing but a 304. */
export type ContenderName = 'callboard' | 'postgraphile' | 'database' | 'static' | 'static-304' | 'pool' | 'board';

export interface Driven {
  readonly seconds: number;
  readonly latenciesMs: number[];
  /** Of all answers, with their headers; null without HTTP. */
  readonly bytes: number | null;
  readonly failures: Failures;
}

/** How often an answer had this status, or came too late, or not at all. */
export type Failures = Readonly<Record<string, number>>;

/** How much is asked. */
export type Load = { readonly seconds: number } | { readonly requests: number };

/** A contender at a workload. */
export interface Target {
  readonly contender: ContenderName;
  /** Whose CPU and memory count. */
  readonly pid: number;
  drive(load: Load): Promise<Driven>;
  /** What it has done so far; null: it sends no SQL of its own. */
  readonly counts: (() => Promise<Counts>) | null;
}

export interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU seconds for 1,000 answers. */
  readonly processCpuS: number | null;
  /** The part of it that the main thread took. */
  readonly mainCpuS: number | null;
  readonly databaseCpuS: number | null;
  readonly statements: number | null;
  readonly residentMb: number | null;
  /** Of an answer with its headers. */
  readonly answerKb: number | null;
  readonly failures: Failures;
}

const connections = 10;

/** Requests over ten connections, each made when its turn comes. An answer of another status is a failure. */
export async function overHttp(
  origin: string,
  next: () => Request,
  asked: Load,
  isExpected = (status: number) => status < 300,
): Promise<Driven> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  let bytes = 0;
  const failures: Record<string, number> = {};
  const failed = (kind: string, count = 1) => {
    if (count > 0) failures[kind] = (failures[kind] ?? 0) + count;
  };
  await new Promise<void>((resolve, reject) => {
    const load = autocannon(
      {
        url: origin,
        connections,
        ...('seconds' in asked ? { duration: asked.seconds } : { amount: asked.requests }),
        timeout: 20,
        requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
      },
      (error, outcome) => {
        if (error) return reject(error);
        failed('time-out', outcome.timeouts);
        failed('broken', outcome.errors - outcome.timeouts);
        resolve();
      },
    );
    load.on('response', (_client: unknown, status: number, answerBytes: number, ms: number) => {
      if (!isExpected(status)) failed(String(status));
      latenciesMs.push(ms);
      bytes += answerBytes;
      lastAt = performance.now();
    });
  });
  return { seconds: (lastAt - startedAt) / 1000, failures, latenciesMs, bytes };
}

export async function measure(target: Target, seconds: number, meter: DatabaseMeter): Promise<Round> {
  const { pid } = target;
  const before = await target.counts?.();
  const databaseCpu = await meter.start();
  const [cpuBefore, mainBefore] = [cpuSeconds(pid), mainCpuSeconds(pid)];
  const { latenciesMs, seconds: took, bytes, failures } = await target.drive({ seconds });
  const [cpuAfter, mainAfter] = [cpuSeconds(pid), mainCpuSeconds(pid)];
  const databaseS = await databaseCpu();
  const after = await target.counts?.();
  const answers = latenciesMs.length;
  const refused = (after?.refused ?? 0) - (before?.refused ?? 0);
  const perThousand = (s: number) => (s / answers) * 1000;
  const used = (from: number | null, to: number | null) =>
    from === null || to === null ? null : perThousand(to - from);
  return {
    perSecond: answers / took,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    processCpuS: used(cpuBefore, cpuAfter),
    mainCpuS: used(mainBefore, mainAfter),
    databaseCpuS: databaseS === null ? null : perThousand(databaseS),
    statements: before && after ? (after.statements - before.statements) / (after.requests - before.requests) : null,
    residentMb: residentMb(pid),
    answerKb: bytes === null ? null : bytes / answers / 1000,
    failures: refused > 0 ? { ...failures, refused } : failures,
  };
}

export interface Row extends Round {
  readonly contender: ContenderName;
  readonly rounds: readonly Round[];
  /** The same after a time without requests. Null: there was none. */
  readonly afterPause: Round | null;
}

export interface Pace {
  readonly rounds: number;
  readonly roundS: number;
  readonly warmUp: Load;
  /** Null: no pause. */
  readonly pauseS: number | null;
}

/**
 * All contenders warm up, then take turns, so that whatever the machine does meets them all; the medians count. After a pause, in which
 * connections may be closed and compiled code thrown away, they take turns again.
 */
export async function takeTurns(targets: readonly Target[], pace: Pace, meter: DatabaseMeter): Promise<Row[]> {
  for (const target of targets) await target.drive(pace.warmUp);
  const takeRounds = async () => {
    const rounds = new Map<Target, Round[]>(targets.map((target) => [target, []]));
    for (let round = 0; round < pace.rounds; round++)
      for (const target of targets) rounds.get(target)?.push(await measure(target, pace.roundS, meter));
    return rounds;
  };
  const before = await takeRounds();
  if (pace.pauseS !== null) await wait(pace.pauseS * 1000);
  const after = pace.pauseS === null ? null : await takeRounds();
  return targets.map((target) => {
    const rounds = before.get(target) ?? [];
    const afterPause = after && medians(after.get(target) ?? []);
    return { contender: target.contender, ...medians(rounds), rounds, afterPause };
  });
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? NaN)) / 2;
}

function medians(rounds: readonly Round[]): Round {
  const of = (field: Exclude<keyof Round, 'failures'>) => median(rounds.map((round) => round[field] ?? NaN));
  const orNull = (value: number) => (Number.isNaN(value) ? null : value);
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    processCpuS: orNull(of('processCpuS')),
    mainCpuS: orNull(of('mainCpuS')),
    databaseCpuS: orNull(of('databaseCpuS')),
    statements: orNull(of('statements')),
    residentMb: orNull(of('residentMb')),
    answerKb: orNull(of('answerKb')),
    failures: sumOf(rounds.map(({ failures }) => failures)),
  };
}

function sumOf(all: readonly Failures[]): Failures {
  const sum: Record<string, number> = {};
  for (const failures of all)
    for (const [kind, count] of Object.entries(failures)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}
