import type { Command } from 'commander';
import Type from 'typebox';
import { byOperator } from '../access/audit.ts';
import { emailKeyOf } from '../access/log-in.ts';
import { createPasswords } from '../access/passwords.ts';
import { noteOrigin } from '../db/change-log.ts';
import { isForeignKeyViolation } from '../db/engine/failures.ts';
import { revokeTokens } from '../db/log-ins.ts';
import { bindToBusiness } from '../db/tenant.ts';
import { notFound } from '../errors.ts';
import { Role } from '../generated/prisma/enums.ts';
import { createUserInput, emailColumns, splitName, refuseTakenEmail } from '../services/users.ts';
import { compile } from '../validation/compile.ts';
import { closedObject, idOf } from '../validation/schemas.ts';
import { id } from './id.ts';
import { onDatabase } from './on-database.ts';
import { minute, printing, table } from './outcome.ts';
import { readPassword, withPassword, type PasswordOptions } from './password.ts';
import type { Shell } from './shell.ts';

const { email, name, role } = createUserInput.properties;
const newUser = compile(closedObject({ business: idOf('business'), email, name, role }));
const usersOf = compile(closedObject({ business: idOf('business'), role: Type.Optional(role) }));
const userByEmail = compile(closedObject({ email }));

export function userCommands(program: Command, shell: Shell): void {
  const user = program.command('user').description('manage the users of a business');

  withPassword(
    user
      .command('create')
      .description('create a user who can log in')
      .option('--business <id>', 'the business (required)', id)
      .option('--email <address>', 'e-mail address to log in with (required)')
      .option('--name <text>', 'full name (required)')
      .option('--role <role>', `${Object.values(Role).join(', ')} (required)`),
  ).action(printing(shell, create));

  user
    .command('list')
    .description('show the users of a business')
    .option('--business <id>', 'the business (required)', id)
    .option('--role <role>', `only these: ${Object.values(Role).join(', ')}`)
    .action(printing(shell, list));

  withPassword(
    user
      .command('set-password')
      .description('set a new password for a user; revokes their personal access tokens')
      .option('--email <address>', 'e-mail address of the user (required)'),
  ).action(printing(shell, setPassword));
}

async function create(shell: Shell, { passwordStdin, ...options }: PasswordOptions & Record<string, unknown>) {
  const input = newUser(options);
  const password = await readPassword(shell, { ...(passwordStdin && { passwordStdin }) });
  const ids = await onDatabase(shell, {}, async ({ prisma }, config) => {
    const columns = { ...splitName(input.name), ...emailColumns(input.email), role: input.role };
    const passwordHash = await createPasswords(config.auth).hash(password);
    try {
      const userId = await prisma.$transaction(async (tx) => {
        await noteOrigin(tx, { kind: 'operator', operation: 'cli.user.create' });
        const made = await refuseTakenEmail(
          tx.user.create({ data: { businessId: input.business, ...columns, passwordHash } }),
        );
        const details = { role: input.role, email: input.email };
        const entry = byOperator(input.business, 'user.create', ['user', made.id], details);
        await tx.auditEntry.createMany({ data: [entry] });
        return made.id;
      });
      return { business_id: input.business, user_id: userId };
    } catch (error) {
      throw isForeignKeyViolation(error) ? notFound('business') : error;
    }
  });
  return {
    json: ids,
    text: `Made user ${ids.user_id} (${input.email}, ${input.role}) of business ${ids.business_id}.`,
  };
}

async function list(shell: Shell, options: Record<string, unknown>) {
  const { business, role: only } = usersOf(options);
  const rows = await onDatabase(shell, {}, async ({ prisma }) => {
    if (!(await prisma.business.findUnique({ where: { id: business }, select: { id: true } })))
      throw notFound('business');
    return prisma.user.findMany({
      where: { businessId: business, deletedAt: null, ...(only && { role: only }) },
      orderBy: { id: 'asc' },
      select: { id: true, name: true, email: true, role: true, createdAt: true },
    });
  });
  return {
    json: rows.map(({ createdAt, ...row }) => ({ ...row, created_at: createdAt.toISOString() })),
    text:
      rows.length > 0
        ? table(rows.map(({ createdAt, ...row }) => ({ ...row, created: minute(createdAt) })))
        : 'There are no such users.',
  };
}

async function setPassword(shell: Shell, { passwordStdin, ...options }: PasswordOptions & Record<string, unknown>) {
  const input = userByEmail(options);
  const password = await readPassword(shell, { ...(passwordStdin && { passwordStdin }) });
  const changed = await onDatabase(shell, {}, async ({ prisma }, config) => {
    // An e-mail identifies the business as well, as at a log-in.
    const emailKey = emailKeyOf(input.email);
    const user = await prisma.user.findUnique({ where: { emailKey }, select: { businessId: true, id: true } });
    if (!user) throw notFound('user');
    const passwordHash = await createPasswords(config.auth).hash(password);
    const now = new Date();
    const revoked = await bindToBusiness(prisma, user.businessId).transact(async (db) => {
      const data = { passwordHash, updatedAt: now };
      const { count } = await db.user.updateMany({ where: { id: user.id, emailKey }, data });
      if (count === 0) throw notFound('user');
      const revokedTokens = await revokeTokens({ db, clock: () => now }, { userId: user.id });
      const entry = byOperator(user.businessId, 'user.set-password', ['user', user.id], { revokedTokens });
      await db.auditEntry.createMany({ data: [entry] });
      return revokedTokens;
    });
    return { business_id: user.businessId, user_id: user.id, revoked_tokens: revoked };
  });
  return {
    json: changed,
    text: `${input.email} has another password. Personal tokens ended: ${changed.revoked_tokens}.`,
  };
}
