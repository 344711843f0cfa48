import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { limits } from '../config/limits.ts';
import { countWhatIsLeft, deleteBusinessRows } from '../db/business-rows.ts';
import { isUnchangedSince } from '../db/change-log.ts';
import { bindToBusiness } from '../db/tenant.ts';
import { conflict, Failure, notFound } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { oneLine } from './explain.ts';
import { id } from './id.ts';
import { onDatabase } from './on-database.ts';
import { printing } from './outcome.ts';
import type { Shell } from './shell.ts';

const help = `
The business must have been exported from this database, and not have changed since. All that belongs to it goes in one transaction:
users, events, history, audit trail, API keys and webhooks. Nobody can log in any more. Only the file of the export brings it back.`;

/** The command that deletes a business. */
export function businessDeleteCommand(business: Command, shell: Shell): void {
  business
    .command('delete')
    .description('delete a business with all that belongs to it, after an export')
    .argument('<business>', 'the business', id)
    .option('--confirm <business>', 'the number once more, instead of asking for it on the terminal', id)
    .addHelpText('after', help)
    .action(printing(shell, deleteBusiness));
}

async function deleteBusiness(shell: Shell, business: number, { confirm }: { readonly confirm?: number }) {
  const { name, rows } = await onDatabase(shell, {}, async ({ prisma }) => {
    const described = await describe(prisma, business);
    await requireConfirmation(shell, business, described.text, confirm);
    const { transact } = bindToBusiness(prisma, business);
    const deleted = await transact(async (tx) => {
      await requireExport(prisma, business);
      return deleteBusinessRows(tx);
    }, limits.longCommandMs);
    return { name: described.name, rows: deleted };
  });
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return {
    json: { business_id: business, rows },
    text: `Deleted business ${business} (${oneLine(name)}): ${all.toLocaleString('en-US')} rows in all.`,
  };
}

/** The question before a deletion, with the rows that would be lost. */
async function describe(prisma: PrismaClient, business: number): Promise<{ name: string; text: string }> {
  const found = await prisma.business.findUnique({ where: { id: business }, select: { name: true } });
  if (!found) throw notFound('business');
  await requireExport(prisma, business);
  const left = await countWhatIsLeft(bindToBusiness(prisma, business).db, new Date());
  const text = `Business ${business} (${oneLine(found.name)}) has ${left.users} users, ${left.events} events, ${left.eventsToCome} of them to come, and ${left.workShifts} active shifts that have not ended.`;
  return { name: found.name, text };
}

async function requireExport(prisma: PrismaClient, business: number): Promise<void> {
  const last = await prisma.auditEntry.findFirst({
    where: { businessId: business, action: 'cli.business.export' },
    orderBy: { id: 'desc' },
    select: { at: true, details: true },
  });
  const { snapshot } = (last?.details ?? {}) as { snapshot?: string };
  if (last && (await isUnchangedSince(bindToBusiness(prisma, business).db, new Date(snapshot ?? last.at)))) return;
  throw conflict(
    `Business ${business} has ${last ? 'changed since its last export' : 'not been exported'}: run \`callboard business export ${business}\` first. Nothing is deleted.`,
  );
}

async function requireConfirmation(
  shell: Shell,
  business: number,
  text: string,
  confirm: number | undefined,
): Promise<void> {
  if (confirm === undefined && !shell.stdin.isTTY)
    throw new Failure('VALIDATION_FAILED', `${text} To delete all of it, send --confirm ${business}.`);
  const answer = confirm ?? Number(await ask(shell, `${text}\nTo delete all of it, type the number of the business: `));
  if (answer !== business) throw new Failure('VALIDATION_FAILED', `That is not ${business}. Nothing is deleted.`);
}

/** The question uses stderr, because stdout is for the result only. */
async function ask(shell: Shell, question: string): Promise<string> {
  const terminal = createInterface({ input: shell.stdin, output: shell.stderr });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}
