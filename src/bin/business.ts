import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { byOperator } from '../access/audit.ts';
import { createPasswords } from '../access/passwords.ts';
import { limits } from '../config/limits.ts';
import { noteOrigin } from '../db/change-log.ts';
import { setUniqueResourceIds } from '../db/businesses.ts';
import { notFound } from '../errors.ts';
import { Plan, Weekday, type Prisma, type PrismaClient } from '../generated/prisma/client.ts';
import { refuseSharedResourceIds } from '../services/businesses.ts';
import { createUserInput, emailColumns, splitName, refuseTakenEmail } from '../services/users.ts';
import { compile } from '../validation/compile.ts';
import { closedObject, idOf, oneOf, visibleText, zone } from '../validation/schemas.ts';
import { formOf } from '../validation/text-forms.ts';
import { businessDeleteCommand } from './business-delete.ts';
import { businessMoveCommands } from './business-move.ts';
import { id } from './id.ts';
import { onDatabase } from './on-database.ts';
import { minute, printing, table } from './outcome.ts';
import { readPassword, withPassword, type PasswordOptions } from './password.ts';
import type { Shell } from './shell.ts';

const plans = Object.values(Plan);
const plan = oneOf(plans);

const weekdays = Object.values(Weekday);

const newBusiness = compile(
  closedObject({
    timezone: zone(),
    weekStart: oneOf(weekdays),
    name: visibleText(limits.textChars),
    plan,
    adminEmail: createUserInput.properties.email,
    adminName: createUserInput.properties.name,
  }),
);

const planChange = compile(closedObject({ business: idOf('business'), plan }));

const closeHelp = `
It takes effect at once in all processes: no password, session, token, API key, screen, calendar feed or link of a mail works, and no
mails, webhooks, reminders or offers are sent. Mails that are out can still be unsubscribed from. Nothing is lost: \`callboard business
open\` brings all of it back, and what waits is sent then.`;

export function businessCommands(program: Command, shell: Shell): void {
  const business = program.command('business').description('manage businesses');

  withPassword(
    business
      .command('create')
      .description('create a business and its first admin; migrates the database first')
      .option('--name <text>', 'name of the business (required)')
      .option('--plan <plan>', `${plans.join(', ')} (required)`)
      .option('--admin-email <address>', 'e-mail address that the admin logs in with (required)')
      .option('--admin-name <text>', 'full name of the admin (required)')
      .option('--timezone <zone>', 'IANA time zone of the business; asked for, or UTC')
      .option('--week-start <day>', `first day of its week: ${weekdays.join(', ')}; asked for, or monday`),
  ).action(printing(shell, create));

  business.command('list').description('show all businesses').action(printing(shell, list));

  business
    .command('set-plan')
    .description('change the plan of a business; takes effect at once')
    .option('--business <id>', 'the business (required)', id)
    .option('--plan <plan>', `${plans.join(', ')} (required)`)
    .action(printing(shell, setPlan));

  business
    .command('close')
    .description('keep everybody and all jobs from a business, such as the copy of one that has moved')
    .argument('<business>', 'the business', id)
    .addHelpText('after', closeHelp)
    .action(printing(shell, (to: Shell, of: number) => setClosed(to, of, true)));
  business
    .command('open')
    .description('open a business that was closed')
    .argument('<business>', 'the business', id)
    .action(printing(shell, (to: Shell, of: number) => setClosed(to, of, false)));

  business
    .command('set-resource-ids')
    .description('say whether no two events of a business may have the same resource id')
    .requiredOption('--business <id>', 'the business', id)
    .requiredOption('--unique <yes|no>', 'yes or no')
    .action(printing(shell, setResourceIds));

  business
    .command('list-twins')
    .description('show names of one list that are the same but for the kind of their letters and white space')
    .action(printing(shell, listTwins));

  businessMoveCommands(business, shell);
  businessDeleteCommand(business, shell);
}

/** Rows that an earlier version took as different. They stay, and the next write of such a name is refused. */
async function listTwins(shell: Shell) {
  const rows = await onDatabase(shell, {}, async ({ prisma }) => {
    const [positions, levels, fields] = await Promise.all([
      prisma.position.findMany({ select: { businessId: true, title: true } }),
      prisma.skillLevel.findMany({ select: { businessId: true, name: true } }),
      prisma.customField.findMany({ select: { businessId: true, name: true, options: true } }),
    ]);
    return [
      ...positions.map(({ businessId, title }) => ({ business: businessId, of: 'positions', name: title })),
      ...levels.map(({ businessId, name }) => ({ business: businessId, of: 'skill levels', name })),
      ...fields.flatMap(({ businessId: business, name, options }) => [
        { business, of: 'custom fields', name },
        ...options.map((option) => ({ business, of: `options of ${name}`, name: option })),
      ]),
    ];
  });
  const keyOf = ({ business, of, name }: (typeof rows)[number]) => JSON.stringify([business, of, formOf(name)]);
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  const twins = rows
    .filter((row) => (counts.get(keyOf(row)) ?? 0) > 1)
    .map((row) => ({ key: keyOf(row), row }))
    .toSorted((one, other) => one.key.localeCompare(other.key, 'en', { numeric: true }))
    .map(({ row }) => row);
  return { json: twins, text: twins.length > 0 ? table(twins) : 'There are none.' };
}

const resourceIdChange = compile(closedObject({ business: idOf('business'), unique: oneOf(['yes', 'no']) }));

async function setResourceIds(shell: Shell, options: Record<string, unknown>) {
  const { business, unique } = resourceIdChange(options);
  const areUnique = unique === 'yes';
  await onDatabase(shell, {}, ({ prisma }) =>
    refuseSharedResourceIds(
      prisma.$transaction(async (tx) => {
        const before = await tx.business.findUnique({ where: { id: business }, select: { uniqueResourceIds: true } });
        if (!before) throw notFound('business');
        await setUniqueResourceIds(tx, business, areUnique);
        const details = { uniqueResourceIds: { from: before.uniqueResourceIds, to: areUnique } };
        const entry = byOperator(business, 'business.set-resource-ids', ['business', business], details);
        await tx.auditEntry.createMany({ data: [entry] });
      }),
    ),
  );
  const text = areUnique ? 'must be unique' : 'need not be unique';
  return {
    json: { id: business, unique_resource_ids: areUnique },
    text: `Resource ids of business ${business} ${text}.`,
  };
}

const calendarDefaults = { timezone: 'UTC', weekStart: Weekday.monday };

/** Asks for what was not given. An empty answer is the default. The prompt uses stderr, because stdout is for the result only. */
async function askCalendar(shell: Shell, given: Record<string, unknown>) {
  const terminal = createInterface({ input: shell.stdin, output: shell.stderr });
  const ask = async (question: string, suggested: string) =>
    (await terminal.question(`${question} [${suggested}]: `)).trim() || suggested;
  try {
    const { timezone, weekStart } = calendarDefaults;
    return {
      ...(given['timezone'] === undefined && { timezone: await ask('Time zone of the business', timezone) }),
      ...(given['weekStart'] === undefined && { weekStart: await ask('First day of its week', weekStart) }),
    };
  } finally {
    terminal.close();
  }
}

async function create(shell: Shell, { passwordStdin, ...options }: PasswordOptions & Record<string, unknown>) {
  const calendar = passwordStdin || !shell.stdin.isTTY ? calendarDefaults : await askCalendar(shell, options);
  const { name, plan: chosen, adminEmail, adminName, ...place } = newBusiness({ ...calendar, ...options });
  const password = await readPassword(shell, { ...(passwordStdin && { passwordStdin }) });
  const ids = await onDatabase(shell, { schema: 'migrated' }, async ({ prisma }, config) => {
    const passwordHash = await createPasswords(config.auth).hash(password);
    return refuseTakenEmail(
      prisma.$transaction(async (tx) => {
        await noteOrigin(tx, { kind: 'operator', operation: 'cli.business.create' });
        const { id: businessId } = await tx.business.create({ data: { name, plan: chosen, ...place } });
        const admin = { ...splitName(adminName), ...emailColumns(adminEmail), role: 'admin' as const, passwordHash };
        const { id: userId } = await tx.user.create({ data: { businessId, ...admin } });
        const details = { name, plan: chosen, ...place, admin: { id: userId, email: adminEmail } };
        const entry = byOperator(businessId, 'business.create', ['business', businessId], details);
        await tx.auditEntry.createMany({ data: [entry] });
        return { business_id: businessId, user_id: userId };
      }),
      'adminEmail',
    );
  });
  return { json: ids, text: `Made business ${ids.business_id} (${name}, ${chosen}). ${adminEmail} may log in.` };
}

async function list(shell: Shell) {
  const rows = await onDatabase(shell, {}, ({ prisma }) => readBusinesses(prisma));
  const isAnyClosed = rows.some(({ closed_at }) => closed_at !== undefined);
  const lines = rows.map(({ created_at, closed_at, ...row }) => ({
    ...{ ...row, created: minute(new Date(created_at)) },
    ...(isAnyClosed && { closed: closed_at === undefined ? null : minute(new Date(closed_at)) }),
  }));
  return { json: rows, text: rows.length > 0 ? table(lines) : 'There are no businesses yet.' };
}

async function setPlan(shell: Shell, options: Record<string, unknown>) {
  const input = planChange(options);
  const changed = await onDatabase(shell, {}, async ({ prisma }) => {
    const where = { id: input.business };
    await prisma.$transaction(async (tx) => {
      const before = await tx.business.findUnique({ where, select: { plan: true } });
      if (!before) throw notFound('business');
      await tx.business.updateMany({ where, data: { plan: input.plan } });
      const details = { plan: { from: before.plan, to: input.plan } };
      const entry = byOperator(input.business, 'business.set-plan', ['business', input.business], details);
      await tx.auditEntry.createMany({ data: [entry] });
    });
    const [row] = await readBusinesses(prisma, where);
    if (!row) throw notFound('business');
    return row;
  });
  return { json: changed, text: `Business ${changed.id} (${changed.name}) is on the plan ${changed.plan}.` };
}

const closing = compile(closedObject({ business: idOf('business') }));

async function setClosed(shell: Shell, of: number, isClosed: boolean) {
  const { business } = closing({ business: of });
  const where = { id: business };
  const row = await onDatabase(shell, {}, async ({ prisma }) => {
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.business.updateMany({
        where: { ...where, closedAt: isClosed ? null : { not: null } },
        data: { closedAt: isClosed ? new Date() : null },
      });
      if (count === 0) return;
      const action = isClosed ? 'business.close' : 'business.open';
      await tx.auditEntry.createMany({ data: [byOperator(business, action, ['business', business])] });
    });
    const [found] = await readBusinesses(prisma, where);
    if (!found) throw notFound('business');
    return found;
  });
  return {
    json: row,
    text: `Business ${row.id} (${row.name}) is ${isClosed ? 'closed: nobody can use it, and it sends nothing' : 'open'}.`,
  };
}

async function readBusinesses(prisma: PrismaClient, where: Prisma.BusinessWhereInput = {}) {
  const rows = await prisma.business.findMany({
    where,
    orderBy: { id: 'asc' },
    include: { _count: { select: { users: { where: { deletedAt: null } } } } },
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    plan: row.plan,
    users: row._count.users,
    created_at: row.createdAt.toISOString(),
    ...(row.closedAt && { closed_at: row.closedAt.toISOString() }),
  }));
}
