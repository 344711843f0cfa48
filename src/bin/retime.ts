import type { Command } from 'commander';
import type { Database } from '../db/engine/database.ts';
import { readTzState } from '../db/tz-state.ts';
import { Failure } from '../errors.ts';
import { tzData } from '../time/tz-data.ts';
import { onDatabase } from './on-database.ts';
import { printing, table } from './outcome.ts';
import { deriveAnew, newestIn, previewRetime } from './retime/pass.ts';
import { sumUp, type BusinessReport } from './retime/report.ts';
import type { Shell } from './shell.ts';

const help = `
Rows are compared one by one: an instant that is still to come and differs from what the time zone data in force give is
derived anew from its wall-clock time. Past instants stay as they are. The service does the same by itself after a start with
newer data. A row whose wall-clock time clocks now skip, or whose end would not be after its start, is listed and stays as it
is: change its time through the API.`;

export function retimeCommand(program: Command, shell: Shell): void {
  program
    .command('retime')
    .description('derive the instants of events, call times and shifts to come from the time zone data in force')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', help)
    .action(printing(shell, retime));
}

function retime(shell: Shell, { dryRun = false }: { readonly dryRun?: boolean }) {
  return onDatabase(shell, {}, async ({ prisma }) => {
    const report = dryRun ? await preview(prisma) : await derive(prisma);
    const { version, source } = tzData();
    const sums = sumUp(report);
    return {
      json: {
        tz_version: version,
        tz_source: source,
        dry_run: dryRun,
        ...sums,
        businesses: report.map(({ id, name, zones }) => ({
          id,
          name,
          zones: zones.map(({ problemExamples, ...zone }) => ({ ...zone, problem_examples: problemExamples })),
        })),
      },
      text: [
        `Time zone data ${version} (${source}): ${sums.changed} rows ${dryRun ? 'would change' : 'changed'}, ${sums.problems} need a decision.`,
        ...formatReport(report),
      ].join('\n'),
    };
  });
}

type Client = Database['prisma'];

async function preview(prisma: Client): Promise<BusinessReport[]> {
  const newest = newestIn(await readTzState(prisma));
  if (newest > tzData().version) throw olderData(newest);
  return previewRetime({ prisma, clock: () => new Date() });
}

async function derive(prisma: Client): Promise<BusinessReport[]> {
  const { version } = tzData();
  const outcome = await deriveAnew({ prisma, version, clock: () => new Date() }, { always: true });
  if (outcome.kind === 'older') throw olderData(outcome.newest);
  return outcome.kind === 'complete' ? outcome.report : [];
}

const olderData = (newest: string) =>
  new Failure(
    'PRECONDITION_FAILED',
    `The instants of the database have time zone data ${newest}, and this process has ${tzData().version}: update its data first.`,
  );

function formatReport(report: readonly BusinessReport[]): string[] {
  if (report.length === 0) return [];
  const zones = report.flatMap(({ id, name, zones: own }) =>
    own.map((zone) => ({ business: `${id} ${name}`, ...zone })),
  );
  const counts = zones.map(({ business, zone, changed, problems }) => ({ business, zone, ...changed, problems }));
  const examples = zones.flatMap((zone) =>
    zone.examples.map((each) => `${each.table} ${each.uuid}: ${each.wall} in ${zone.zone}, ${each.from} -> ${each.to}`),
  );
  const problems = zones.flatMap((zone) =>
    zone.problemExamples.map((each) => `${each.table} ${each.uuid}: ${each.reason}`),
  );
  return [
    '',
    table(counts),
    ...(examples.length > 0 ? ['', 'Examples:', ...examples] : []),
    ...(problems.length > 0 ? ['', 'Not changed, for you to decide:', ...problems] : []),
  ];
}
