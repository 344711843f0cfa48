import { text } from 'node:stream/consumers';
import askHidden from '@inquirer/password';
import type { Command } from 'commander';
import { proofCredentials } from '../config/config.ts';
import { Failure } from '../errors.ts';
import type { Finding, Verdict } from './isolation/attempt.ts';
import { proveIsolation, type Report } from './isolation/prove.ts';
import { printing, table } from './outcome.ts';

const help = `
Reads what business A has, with A's credential; then names A's rows with B's credential in every parameter and argument
that the instance's /openapi.json and GraphQL schema show, and compares each answer with that for an id that does not
exist, byte for byte. Looks for ids of A in everything that B can read, and at the end whether A reads as before.

Where isolation holds, every call is a read or a refusal, and nothing changes, save the audit trail of B and the budgets
of both. Where it does not hold: reads are tried first, and one that leaks keeps all writes from being tried; a write that
leaks although no read did is made once, with the least that it can be made with: it may change or delete one row of A.

Credentials, of an admin or API keys: PROVE_CREDENTIAL_A and PROVE_CREDENTIAL_B in the environment, or two lines on
standard input with --credentials-stdin, or asked for on the terminal. Tokens of admins reach more than API keys.

Verdicts:
  held      answered as an unknown id is; of lists: they show no id of A
  closed    refused for who asks, whatever is named
  nameless  names no row of anybody
  unproven  A has no such row, or the call was refused before the id was looked at
  leak      it was answered otherwise, or shows what belongs to A`;

interface Options {
  readonly url: string;
  readonly credentialsStdin?: true;
  readonly strict?: true;
}

export function proveIsolationCommand(program: Command): void {
  program
    .command('prove-isolation')
    .description('try to reach one business of a running instance with the credential of another')
    .requiredOption('--url <url>', 'where the instance is')
    .option('--credentials-stdin', 'read the two credentials from standard input, a line each, A first')
    .option('--strict', 'fail as well where something is unproven')
    .addHelpText('after', help)
    .action(printing(prove));
}

async function prove({ url, credentialsStdin, strict }: Options) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Failure('VALIDATION_FAILED', '--url must be a URL that starts with http:// or https://.');
  const credentials = await readCredentials(credentialsStdin === true);
  const report = await proveIsolation(new URL(url).origin, credentials, (note) => process.stderr.write(`${note}\n`));
  const totals = totalsOf(report);
  const holds = totals.leak === 0 && report.changed.length === 0 && !(strict && totals.unproven > 0);
  return {
    json: { holds, ...report, totals },
    text: textOf(report, totals, holds),
    ...(!holds && { exit: 'failed' as const }),
  };
}

async function readCredentials(fromStdin: boolean): Promise<{ a: string; b: string }> {
  const set = proofCredentials();
  if (!fromStdin && set.a && set.b) return { a: set.a, b: set.b };
  if (!fromStdin && !process.stdin.isTTY)
    throw new Failure('VALIDATION_FAILED', 'There is no terminal to ask for the credentials on: see --help.');
  const onStderr = { output: process.stderr };
  const [a = '', b = ''] = fromStdin
    ? (await text(process.stdin)).split(/\r?\n/).map((line) => line.trim())
    : [
        await askHidden({ message: 'Credential of A:' }, onStderr),
        await askHidden({ message: 'Credential of B:' }, onStderr),
      ];
  if (!a || !b) throw new Failure('VALIDATION_FAILED', 'Two credentials are needed, of A and of B.');
  return { a, b };
}

const verdicts: readonly Verdict[] = ['held', 'closed', 'nameless', 'unproven', 'leak'];

const totalsOf = ({ findings }: Report): Record<Verdict, number> =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;

function textOf(report: Report, totals: Record<Verdict, number>, holds: boolean): string {
  const { url, a, b, findings, changed, routes, fields, calls } = report;
  const byVerdict = (one: Finding, other: Finding) => verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict);
  const rows = findings.toSorted(byVerdict).map(({ verdict, surface, target, argument, writes, detail }) => ({
    ...{ verdict, surface, kind: writes ? 'write' : 'read' },
    ...{ route_or_field: target, named_by: argument || null, answer: detail },
  }));
  return [
    `${url}: what is A's, ${a}, seen as B, ${b}`,
    '',
    table(rows),
    '',
    `${routes} routes, ${fields} root fields, ${findings.length} checks in ${calls} calls: ${verdicts.map((verdict) => `${totals[verdict]} ${verdict}`).join(', ')}.`,
    changed.length === 0 ? 'A reads as before.' : `A reads otherwise than before: ${changed.join(', ')}.`,
    holds ? 'Isolation holds.' : 'Isolation is not proven.',
  ].join('\n');
}
