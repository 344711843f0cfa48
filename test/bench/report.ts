import type { Figures, Goal } from './goals.ts';
import { reportedShifts } from './reported.ts';
import type { Delays } from './live.ts';
import type { Round, Row } from './rounds.ts';

/** Columns as wide as they need to be, the first to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const figureHead = [
  '',
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU s/1000',
  'main thread',
  'database CPU s/1000',
  'SQL',
  'MB',
  'KB each',
  'failed',
];

const digits = (value: number | null, count: number) => (value === null ? '-' : value.toFixed(count));

export const workloadTable = (title: string, rows: readonly Row[]): string =>
  table(
    [title, ...figureHead.slice(1)],
    rows.flatMap((row) => [
      lineOf(`  ${row.contender}`, row),
      ...(row.afterPause ? [lineOf('  after a pause', row.afterPause)] : []),
    ]),
  );

const lineOf = (name: string, round: Round): string[] => [
  name,
  digits(round.perSecond, round.perSecond < 100 ? 1 : 0),
  digits(round.p50Ms, 2),
  digits(round.p99Ms, 2),
  digits(round.processCpuS, 2),
  digits(round.mainCpuS, 2),
  digits(round.databaseCpuS, 2),
  digits(round.statements, 1),
  digits(round.residentMb, 0),
  digits(round.answerKb, 1),
  Object.entries(round.failures)
    .map(([kind, count]) => `${count} x ${kind}`)
    .join(', '),
];

export const goalTable = (goals: readonly Goal[]): string =>
  table(
    ['goal', 'wanted', 'measured', 'by CPU', ''],
    goals.map(({ name, goal, measured, byCpu, isMet }) => [
      name,
      goal,
      measured ?? 'not measured',
      byCpu ?? '',
      isMet === null ? '' : isMet ? 'met' : 'NOT MET',
    ]),
  );

export function otherTables(figures: Figures): string[] {
  const { growth, filters, reports, candidates, atOnce, memory, live, startup, roads } = figures;
  const ms = (value: number | undefined) => (value === undefined ? '-' : `${value.toFixed(2)} ms`);
  return [
    ...(growth
      ? [
          table(
            [`growth: ${growth.events} events in one business, one request at a time`, 'median'],
            [
              ['  GraphQL page 1', ms(growth.page1Ms)],
              ['  GraphQL page 1 of 1,000 events', ms(growth.page1Of1000Ms)],
              ['  GraphQL page 1,000 by cursor', ms(growth.keyset1000Ms)],
              ['  REST page 1', ms(growth.restPage1Ms)],
              ['  REST page 1 of 1,000 events', ms(growth.restPage1Of1000Ms)],
              ['  REST page 1,000', ms(growth.restPage1000Ms)],
              ['  seeding', growth.seedS === null ? '-' : `${growth.seedS} s`],
            ],
          ),
        ]
      : []),
    ...(filters
      ? [
          table(
            ['page 1 by a filter, medians', 'of 1,000 events', 'of all'],
            Object.entries(filters).map(([name, { ofThousandMs, ofAllMs }]) => [
              `  ${name}`,
              ms(ofThousandMs),
              ms(ofAllMs),
            ]),
          ),
        ]
      : []),
    ...(reports
      ? [
          table(
            [`reports over 400 days: ${reports.events} events`, 'median'],
            [
              ['  coverage', ms(reports.coverageMs)],
              ['  labour cost', ms(reports.labourCostMs)],
              ['  work by STAFF, 240,000 shifts', ms(reports.byStaffMs)],
              ['  work by [WEEK, POSITION], likewise', ms(reports.byWeekAndPositionMs)],
              [`  GraphQL page 1 of ${reportedShifts.all} shifts`, ms(reports.shiftPage1Ms)],
              ['  GraphQL page 1 of 1,000 shifts', ms(reports.shiftPage1Of1000Ms)],
              [`  REST page 1 of ${reportedShifts.all} shifts`, ms(reports.restShiftPage1Ms)],
              ['  REST page 1 of 1,000 shifts', ms(reports.restShiftPage1Of1000Ms)],
            ],
          ),
        ]
      : []),
    ...(candidates
      ? [
          table(
            ['candidates of 5,000 staff and 200,000 shifts', ''],
            [
              ['  median', ms(candidates.medianMs)],
              ['  p95', ms(candidates.p95Ms)],
              ['  assign with rest and weekly hours, median', ms(candidates.assignMs)],
              ['  assign without, median', ms(candidates.assignUncheckedMs)],
              ['  payroll over a month, median', ms(candidates.payrollMs)],
            ],
          ),
        ]
      : []),
    ...(atOnce
      ? [
          table(
            ['100 assignments', 'median', 'statements'],
            [
              ['  in one request', ms(atOnce.assign100Ms), String(atOnce.assign100Statements)],
              ['  one at a time', ms(atOnce.assign100SinglyMs), String(100 * atOnce.assign1Statements)],
            ],
          ),
        ]
      : []),
    ...(memory
      ? [
          table(
            [`resident memory in ${memory.seconds} s of the mixed load (${memory.answers} answers)`, 'MB'],
            [
              ['  most', memory.maxMb.toFixed(0)],
              ['  mean of the middle third', memory.middleMb.toFixed(0)],
              ['  mean of the last third', memory.lastMb.toFixed(0)],
              ['  p50 and p99 of the answers', `${ms(memory.p50Ms)}, ${ms(memory.p99Ms)}`],
            ],
          ),
        ]
      : []),
    ...(live
      ? [
          table(
            [`live updates: ${live.streams} streams of one business`, 'p50', 'p99', 'most'],
            (
              [
                ['  one process', live.oneProcess],
                ['  two processes', live.twoProcesses],
              ] as const
            ).map(([name, delays]) => [name, ...delayCells(delays)]),
          ),
        ]
      : []),
    ...(startup
      ? [
          table(
            ['ready to serve', 'median of 3'],
            [
              ['  PostgreSQL', ms(startup.postgresMs)],
              ['  embedded, first', ms(startup.embeddedFirstMs)],
              ['  embedded, later', ms(startup.embeddedLaterMs)],
              ['  resident after the tour, embedded', `${startup.embeddedMb.toFixed(0)} MB`],
            ],
          ),
        ]
      : []),
    ...(roads
      ? [
          table(
            ['what of ours runs for one request', 'files', 'functions', 'of them named'],
            Object.entries(roads).map(([name, { files, functions, named }]) => [
              `  ${name}`,
              ...[files.length, functions, named].map(String),
            ]),
          ),
        ]
      : []),
  ];
}

const delayCells = (delays: Delays | null): string[] =>
  delays ? [delays.p50Ms, delays.p99Ms, delays.maxMs].map((value) => `${value.toFixed(0)} ms`) : ['-', '-', '-'];
