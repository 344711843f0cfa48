import { text } from 'node:stream/consumers';
import askHidden from '@inquirer/password';
import type { Command } from 'commander';
import { isolationCredentials } from '../config/config.ts';
import { Failure } from '../errors.ts';
import type { Finding, Verdict } from './isolation/probe.ts';
import { checkIsolation, type IsolationReport } from './isolation/check.ts';
import { printing, table } from './outcome.ts';
import type { Shell } from './shell.ts';

const help = `
Reads what business A has, with A's credential. Then sends the ids of A's rows with B's credential, in every parameter and
argument that the instance's /openapi.json and GraphQL schema show, and compares each answer, byte for byte, with the
answer for an id that does not exist. Searches everything that B can read for ids of A, and at the end compares what A
reads with what A read at the start.

On an isolated instance every call is a read or a refusal, and nothing changes except the audit trail of B and the rate
limits of both. On one that is not isolated: reads come first, and if one of them leaks, no write is tried. If a write
leaks although no read did, it is made once, with the smallest input possible: it may change or delete one row of A.

Credentials of admins or API keys: PROVE_CREDENTIAL_A and PROVE_CREDENTIAL_B in the environment, or two lines on standard
input with --credentials-stdin, or typed on the terminal. Tokens of admins cover more than API keys.

Verdicts:
  isolated      an id of A is answered like an id that does not exist; a list shows no id of A
  forbidden     B may not make this call, whatever id it sends
  no-id         takes no id, so there is nothing to try
  inconclusive  A has no such row, or the call was refused before the id was looked up
  leak          an id of A is answered differently, or the answer shows ids of A`;

interface Options {
  readonly url?: string;
  readonly credentialsStdin?: true;
  readonly strict?: true;
}

export function checkIsolationCommand(program: Command, shell: Shell): void {
  const runCheck = printing(shell, check);
  addCommand(program.command('check-isolation')).action(runCheck);
  // The old name stays for one release.
  addCommand(program.command('prove-isolation', { hidden: true })).action((...args: Parameters<typeof runCheck>) => {
    shell.stderr.write('prove-isolation is now called check-isolation; the old name will go with the next release.\n');
    return runCheck(...args);
  });
}

const addCommand = (command: Command): Command =>
  command
    .description('check that one business of a running instance cannot reach another')
    .option('--url <url>', 'address of the instance (required)')
    .option('--credentials-stdin', 'read the two credentials from standard input, a line each, A first')
    .option('--strict', 'fail for inconclusive results, too')
    .addHelpText('after', help);

async function check(shell: Shell, { url = '', credentialsStdin, strict }: Options) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Failure('VALIDATION_FAILED', '--url must be a URL that starts with http:// or https://.');
  const credentials = await readCredentials(shell, credentialsStdin === true);
  const report = await checkIsolation(new URL(url).origin, credentials, (note) => shell.stderr.write(`${note}\n`));
  const totals = countVerdicts(report);
  const holds = totals.leak === 0 && report.changed.length === 0 && !(strict && totals.inconclusive > 0);
  return {
    json: { holds, ...report, totals },
    text: formatReport(report, totals, holds),
    ...(!holds && { exit: 'failed' as const }),
  };
}

async function readCredentials(shell: Shell, fromStdin: boolean): Promise<{ a: string; b: string }> {
  const set = isolationCredentials(shell.env);
  if (!fromStdin && set.a && set.b) return { a: set.a, b: set.b };
  if (!fromStdin && !shell.stdin.isTTY)
    throw new Failure(
      'VALIDATION_FAILED',
      'There is no terminal to ask for the credentials: set them in the environment or use --credentials-stdin (see --help).',
    );
  const onStderr = { input: shell.stdin, output: shell.stderr };
  const [a = '', b = ''] = fromStdin
    ? (await text(shell.stdin)).split(/\r?\n/).map((line) => line.trim())
    : [
        await askHidden({ message: 'Credential of A:' }, onStderr),
        await askHidden({ message: 'Credential of B:' }, onStderr),
      ];
  if (!a || !b)
    throw new Failure('VALIDATION_FAILED', 'Two credentials are needed: one of business A and one of business B.');
  return { a, b };
}

const verdicts: readonly Verdict[] = ['isolated', 'forbidden', 'no-id', 'inconclusive', 'leak'];

const countVerdicts = ({ findings }: IsolationReport): Record<Verdict, number> =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;

function formatReport(report: IsolationReport, totals: Record<Verdict, number>, holds: boolean): string {
  const { url, a, b, findings, changed, routes, fields, calls } = report;
  const byVerdict = (one: Finding, other: Finding) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict);
  const rows = findings.toSorted(byVerdict).map(({ verdict, surface, target, argument, writes, detail }) => ({
    ...{ verdict, surface, kind: writes ? 'write' : 'read' },
    ...{ route_or_field: target, named_by: argument || null, answer: detail },
  }));
  return [
    `${url}: rows of A, ${a}, as B, ${b}, reaches them`,
    '',
    table(rows),
    '',
    `${routes} routes, ${fields} root fields, ${findings.length} checks in ${calls} calls: ${verdicts.map((verdict) => `${totals[verdict]} ${verdict}`).join(', ')}.`,
    changed.length === 0 ? 'A reads the same as before.' : `A reads something else than before: ${changed.join(', ')}.`,
    holds ? 'The businesses are isolated.' : 'The check failed: the businesses are not isolated, or not provably so.',
  ].join('\n');
}
