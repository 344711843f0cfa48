import type { Command } from 'commander';
import Type from 'typebox';
import { createPasswords } from '../access/passwords.ts';
import { limits } from '../config/limits.ts';
import type { Database } from '../db/engine/database.ts';
import { conflict, Failure, invalid } from '../errors.ts';
import { Plan } from '../generated/prisma/enums.ts';
import { compile } from '../validation/compile.ts';
import { int4, oneOf, optionalFields, visibleText } from '../validation/schemas.ts';
import { id as wholeNumber } from './id.ts';
import { onDatabase } from './on-database.ts';
import { printing } from './outcome.ts';
import type { BulkRequest } from './seed/bulk.ts';
import type { Shell } from './shell.ts';

const seedOptions = compile(
  optionalFields({
    events: int4(1, limits.int4Max),
    withChildren: int4(0, limits.int4Max),
    name: visibleText(limits.textChars),
    plan: oneOf(Object.values(Plan)),
    force: Type.Literal(true),
  }),
);

/**
 * One statement inserts a thousand events with their children, which takes longer than the service's time-outs allow.
 */
const settings = {
  statementTimeoutMs: limits.longCommandMs,
  queryTimeoutMs: limits.longCommandMs,
  transactionTimeoutMs: limits.longCommandMs,
};

export function seedCommand(program: Command, shell: Shell): void {
  program
    .command('seed')
    .description('create two demo businesses or, with --events, one large business; migrates the database first')
    .option('--events <n>', 'create one business with this many events instead of the demo', wholeNumber)
    .option(
      '--with-children <n>',
      'create call times, shifts and custom values for this many of the events only',
      wholeNumber,
    )
    .option('--name <text>', 'name of that business')
    .option('--plan <plan>', `plan of that business: ${Object.values(Plan).join(', ')}`)
    .option('--force', 'seed even if the database already contains other businesses')
    .action(printing(shell, seed));
}

async function seed(shell: Shell, options: object) {
  const { events, force, ...ofBulk } = seedOptions(options);
  const lone = Object.keys(ofBulk);
  if (events === undefined && lone.length > 0)
    throw invalid(Object.fromEntries(lone.map((field) => [field, ['goes with --events only']])));
  return onDatabase(shell, { schema: 'migrated', settings }, async (database, config) => {
    if (events === undefined && config.env === 'production')
      throw new Failure(
        'PRECONDITION_FAILED',
        'Everybody knows the password of the demo accounts, so they are not made with NODE_ENV=production.',
      );
    const others = await database.prisma.business.count();
    if (others > 0 && !force)
      throw conflict(`The database holds businesses already (${others}): --force seeds beside them.`);
    return events === undefined
      ? demo(database, createPasswords(config.auth).hash)
      : bulk(shell, database, { events, ...ofBulk });
  });
}

async function demo({ prisma }: Database, hash: (password: string) => Promise<string>) {
  const { seedDemo } = await import('./seed/demo.ts');
  const { businesses, password } = await seedDemo(prisma, new Date(), hash);
  const lines = businesses.map(({ name, plan, adminEmail }) => `${name} (${plan}): log in as ${adminEmail}`);
  return {
    json: { businesses: businesses.map(({ adminEmail, ...rest }) => ({ ...rest, admin_email: adminEmail })), password },
    text: [...lines, `The password is ${password}`].join('\n'),
  };
}

async function bulk(shell: Shell, { prisma }: Database, request: Omit<BulkRequest, 'today' | 'onProgress'>) {
  const { seedBulk } = await import('./seed/bulk.ts');
  const made = await seedBulk(prisma, { ...request, today: new Date(), onProgress: createProgress(shell) });
  return {
    json: {
      business_id: made.businessId,
      events: made.events,
      call_times: made.callTimes,
      work_shifts: made.workShifts,
      custom_values: made.customValues,
    },
    text: [
      `Made business ${made.businessId} with ${count(made.events)} events, ${count(made.callTimes)} call times, ${count(made.workShifts)} work shifts, ${count(made.customValues)} custom values.`,
      `Nobody may log in to it yet: callboard user create --business ${made.businessId} …`,
    ].join('\n'),
  };
}

const count = (n: number): string => n.toLocaleString('en-US');

/** Shows progress as one changing line on a terminal, otherwise as a line for each tenth. */
function createProgress({ stderr }: Shell) {
  let tenths = -1;
  return (done: number, total: number): void => {
    const line = `${count(done)} of ${count(total)} events`;
    const reached = Math.floor((10 * done) / total);
    if (stderr.isTTY) stderr.write(`\r${line}${done === total ? '\n' : ''}`);
    else if (reached > tenths) stderr.write(`${line}\n`);
    tenths = reached;
  };
}
