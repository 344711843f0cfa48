import type { AtOnce } from './at-once.ts';
import type { Attendance } from './attendance.ts';
import type { Candidates } from './candidates.ts';
import type { Feeds } from './feeds.ts';
import type { Offers } from './offers.ts';
import type { Filters } from './filters.ts';
import type { Growth } from './growth.ts';
import type { Live } from './live.ts';
import type { Memory } from './memory.ts';
import { reportedSpan } from './reported.ts';
import type { Reports } from './reports.ts';
import { mostFiles, type Roads } from './road.ts';
import type { ContenderName, Round, Row } from './rounds.ts';
import type { Startup } from './startup.ts';
import type { Mails } from './mails.ts';
import type { Webhooks } from './webhooks.ts';

export interface Figures {
  /** By workload. */
  readonly workloads: Readonly<Record<string, readonly Row[]>>;
  readonly growth: Growth | null;
  readonly filters: Filters | null;
  readonly reports: Reports | null;
  readonly candidates: Candidates | null;
  readonly atOnce: AtOnce | null;
  readonly memory: Memory | null;
  /** On the oldest Node that is supported. */
  readonly memoryOnOldest: Memory | null;
  readonly live: Live | null;
  readonly startup: Startup | null;
  readonly webhooks: Webhooks | null;
  readonly mails: Mails | null;
  readonly roads: Roads | null;
  readonly offers: Offers | null;
  readonly feeds: Feeds | null;
  readonly attendance: Attendance | null;
}

/** The figures beside the workloads before anything is measured. */
export const nothingElse: Omit<Figures, 'workloads'> = {
  growth: null,
  filters: null,
  reports: null,
  candidates: null,
  atOnce: null,
  memory: null,
  memoryOnOldest: null,
  live: null,
  startup: null,
  webhooks: null,
  mails: null,
  roads: null,
  offers: null,
  feeds: null,
  attendance: null,
};

export interface Goal {
  readonly name: string;
  readonly goal: string;
  /** Null: not measured. */
  readonly measured: string | null;
  /** The same ratio by the CPU that an answer took, service and database together: it stays where others use the machine. */
  readonly byCpu: string | null;
  readonly isMet: boolean | null;
}

/** The goals beside what was measured. A ratio is one of medians within this run. */
export function judge(figures: Figures): Goal[] {
  const { workloads, growth, filters, reports, candidates, atOnce, memory, memoryOnOldest, live, startup } = figures;
  const { webhooks, mails, roads, offers, feeds, attendance } = figures;
  const rowOf = (workload: string, contender: ContenderName) =>
    workloads[workload]?.find((row) => row.contender === contender);
  type Figure = (round: Round) => number;
  const rateOf: Figure = ({ perSecond }) => perSecond;
  /** Of the service and the database, for 1,000 answers; the other way round, as more is worse. */
  const thriftOf: Figure = ({ processCpuS, databaseCpuS }) => 1 / ((processCpuS ?? NaN) + (databaseCpuS ?? 0));
  /** How the service stands to another contender, before or after the pause, whichever is worse. */
  const standing = (workload: string, other: ContenderName, figure: Figure): number | undefined => {
    const [own, their] = [rowOf(workload, 'callboard'), rowOf(workload, other)];
    if (!own || !their) return undefined;
    const before = figure(own) / figure(their);
    const after = own.afterPause && their.afterPause ? figure(own.afterPause) / figure(their.afterPause) : before;
    const worse = Math.min(before, after);
    return Number.isFinite(worse) ? worse : undefined;
  };
  const cpuOfKb = (workload: string, contender: ContenderName) => {
    const row = rowOf(workload, contender);
    return row && (row.processCpuS ?? NaN) / (row.answerKb ?? NaN);
  };
  const ratio = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined || !Number.isFinite(one / other) ? undefined : one / other;

  const atLeast = (
    name: string,
    workload: string,
    other: ContenderName,
    least: number,
    { unit = 'times', by = 'rate' }: { unit?: 'times' | 'percent'; by?: 'rate' | 'cpu' } = {},
  ): Goal => {
    const printed = (value: number | undefined) =>
      value === undefined ? null : unit === 'times' ? `${value.toFixed(2)} x` : `${(100 * value).toFixed(1)} %`;
    const values = { rate: standing(workload, other, rateOf), cpu: standing(workload, other, thriftOf) };
    const value = values[by];
    return {
      name,
      goal: `${unit === 'times' ? `>= ${least} x` : `>= ${100 * least} %`}${by === 'cpu' ? ' by CPU' : ''}`,
      measured: printed(values.rate),
      byCpu: printed(values.cpu),
      isMet: value === undefined ? null : value >= least,
    };
  };
  const atMost = (name: string, value: number | undefined, most: number, unit: string, digits = 2): Goal => {
    // A division by zero is no figure, and must not count as a small one.
    const isFigure = value !== undefined && Number.isFinite(value);
    return {
      name,
      goal: `<= ${most} ${unit}`,
      measured: isFigure ? `${value.toFixed(digits)} ${unit}` : null,
      byCpu: null,
      isMet: isFigure ? value <= most : null,
    };
  };
  const sizes = [15, 100];

  return [
    ...sizes.flatMap((size) => [
      atLeast(`board of ${size} afresh / PostGraphile`, `board-${size}`, 'postgraphile', 2, { by: 'cpu' }),
      atLeast(`board of ${size} afresh / database`, `board-${size}`, 'database', 0.9, { unit: 'percent' }),
    ]),
    ...sizes.map((size) =>
      atLeast(`board of ${size} repeated / PostGraphile`, `board-${size}-same`, 'postgraphile', 24),
    ),
    atLeast('one event afresh / PostGraphile', 'event', 'postgraphile', 1, { by: 'cpu' }),
    ...sizes.flatMap((size) => [
      atLeast(`REST list of ${size} afresh / board of ${size} afresh`, `rest-${size}`, 'board', 1.2),
      atLeast(`REST list of ${size} afresh / database`, `rest-${size}`, 'database', 1, { unit: 'percent' }),
      atMost(
        `service CPU for each KB, REST list of ${size} / board of ${size}`,
        ratio(cpuOfKb(`rest-${size}`, 'callboard'), cpuOfKb(`rest-${size}`, 'board')),
        1,
        'x',
      ),
    ]),
    ...sizes.map((size) =>
      atLeast(`REST list of ${size} 304 / static`, `rest-${size}-304`, 'static', 0.2, { unit: 'percent' }),
    ),
    atLeast('create an event / the same inserts by a plain pool', 'create', 'pool', 0.6, { unit: 'percent' }),
    atMost('GraphQL page 1 / page 1 of 1,000 events', ratio(growth?.page1Ms, growth?.page1Of1000Ms), 1.5, 'x'),
    atMost('REST page 1 / page 1 of 1,000 events', ratio(growth?.restPage1Ms, growth?.restPage1Of1000Ms), 1.5, 'x'),
    atMost('keyset page 1,000 / page 1 of 1,000 events', ratio(growth?.keyset1000Ms, growth?.page1Of1000Ms), 1.5, 'x'),
    atMost('REST page 1,000 / REST page 1', ratio(growth?.restPage1000Ms, growth?.restPage1Ms), 10, 'x'),
    ...Object.entries(filters ?? { 'any filter': undefined }).map(([name, times]) =>
      atMost(`page 1 by ${name} / the same of 1,000 events`, ratio(times?.ofAllMs, times?.ofThousandMs), 2, 'x'),
    ),
    atMost(`coverage over 400 days, ${reportedCount} events`, reports?.coverageMs, 50, 'ms', 0),
    atMost(`labour cost over 400 days, ${reportedCount} events`, reports?.labourCostMs, 150, 'ms', 0),
    atMost('candidates of 5,000 staff and 200,000 shifts, p95', candidates?.p95Ms, 50, 'ms', 0),
    atMost(
      'assign with rest and weekly hours / without',
      ratio(candidates?.assignMs, candidates?.assignUncheckedMs),
      1.15,
      'x',
    ),
    atMost('payroll of 5,000 staff over a month', candidates?.payrollMs, 300, 'ms', 0),
    atMost('calendar feed of 500 shifts afresh', feeds?.afreshMs, 30, 'ms', 1),
    atMost('calendar feed of 500 shifts, 304', feeds?.unchangedMs, 3, 'ms', 1),
    atMost('open call times of one person of 100,000, p95', offers?.openP95Ms, 30, 'ms', 0),
    atMost(
      'statements of an offer to 500 people beyond those of one',
      offers ? offers.to500Statements - offers.to1Statements : undefined,
      10,
      'statements',
      0,
    ),
    atMost('50 people accept at once for 10 places, p95', offers?.acceptP95Ms, 150, 'ms', 0),
    {
      name: '1,000 people check in within a minute, each stored once',
      goal: '1000 rows',
      measured: attendance && `${attendance.stored} rows`,
      byCpu: null,
      isMet: attendance && attendance.stored === 1000,
    },
    atMost('1,000 people check in within a minute, p95', attendance?.checkInP95Ms, 100, 'ms', 0),
    atMost('payroll of 2,000 people over a month', attendance?.payrollMs, 300, 'ms', 0),
    atMost(
      'coverage of a year with 200,000 check-ins / without',
      ratio(attendance?.coverageMs, attendance?.coverageWithoutMs),
      1.3,
      'x',
    ),
    atMost(
      'candidates after a year of check-ins / without',
      ratio(attendance?.candidatesMs, attendance?.candidatesWithoutMs),
      1.1,
      'x',
    ),
    atMost('work by STAFF over 240,000 shifts', reports?.byStaffMs, 800, 'ms', 0),
    atMost('work by [WEEK, POSITION] over 240,000 shifts', reports?.byWeekAndPositionMs, 800, 'ms', 0),
    atMost(
      'GraphQL page 1 of the shifts of a business / of 1,000 shifts',
      ratio(reports?.shiftPage1Ms, reports?.shiftPage1Of1000Ms),
      2,
      'x',
    ),
    atMost(
      'REST page 1 of the shifts of a business / of 1,000 shifts',
      ratio(reports?.restShiftPage1Ms, reports?.restShiftPage1Of1000Ms),
      2,
      'x',
    ),
    atMost('100 assignments at once / singly', ratio(atOnce?.assign100Ms, atOnce?.assign100SinglyMs), 0.1, 'x', 3),
    atMost(
      'statements of 100 assignments at once beyond those of one',
      atOnce ? atOnce.assign100Statements - atOnce.assign1Statements : undefined,
      10,
      'statements',
      0,
    ),
    atMost('50 equal boards at once, computed', atOnce?.equalComputed, 1, 'times'),
    atMost('commit to client, 1,000 streams, p99', live?.oneProcess.p99Ms, 300, 'ms', 0),
    atMost('commit to client, 1,000 streams over two processes, p99', live?.twoProcesses?.p99Ms, 300, 'ms', 0),
    atMost('resident memory of an open stream', live?.kbPerStream, 25, 'KB', 1),
    boardsBesideStreams(live),
    atMost('resident memory, most', memory?.maxMb, 340, 'MB', 0),
    atMost('resident memory on Node 20, most', memoryOnOldest?.maxMb, 230, 'MB', 0),
    atMost(
      'resident memory, last third / middle third of the time',
      ratio(memory?.lastMb, memory?.middleMb),
      1.05,
      'x',
    ),
    atMost('mixed load, p99 / p50', ratio(memory?.p99Ms, memory?.p50Ms), 5, 'x'),
    atMost('ready to serve, PostgreSQL', seconds(startup?.postgresMs), 1, 's'),
    atMost('ready to serve, embedded, first', seconds(startup?.embeddedFirstMs), 3, 's'),
    atMost('ready to serve, embedded, later', seconds(startup?.embeddedLaterMs), 1.5, 's'),
    atMost('resident memory, embedded, after the tour of the README', startup?.embeddedMb, 400, 'MB', 0),
    {
      name: `${webhooks?.deliveries ?? 1000} webhook messages to ${webhooks?.endpoints ?? 50} endpoints`,
      goal: `>= ${leastDeliveries} /s`,
      measured: webhooks && `${webhooks.perSecond.toFixed(0)} /s`,
      byCpu: null,
      isMet: webhooks && webhooks.perSecond >= leastDeliveries,
    },
    {
      name: `${mails?.mails ?? 1000} mails to a server that takes 20 ms each, one of which hangs`,
      goal: `>= ${leastDeliveries} /s`,
      measured: mails && `${mails.perSecond.toFixed(0)} /s`,
      byCpu: null,
      isMet: mails && mails.perSecond >= leastDeliveries,
    },
    ...Object.entries(mostFiles).map(([name, most]) =>
      atMost(`files of ours that run for one request, ${name}`, roads?.[name]?.files.length, most, 'files', 0),
    ),
  ];
}

const reportedCount = reportedSpan.events.toLocaleString('en');

/** Deliveries a second. */
const leastDeliveries = 100;

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);

function boardsBesideStreams(live: Live | null): Goal {
  const share = live && live.boardsPerSecond.withStreams / live.boardsPerSecond.without;
  return {
    name: 'board of 15 afresh with 1,000 idle streams / without',
    goal: '>= 90 %',
    measured: share === null ? null : `${(100 * share).toFixed(1)} %`,
    byCpu: null,
    isMet: share === null ? null : share >= 0.9,
  };
}
