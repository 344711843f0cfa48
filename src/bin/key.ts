import type { Command } from 'commander';
import Type from 'typebox';
import { isPublicId, generateApiKey } from '../access/api-keys.ts';
import { byOperator } from '../access/audit.ts';
import { credentialScopes } from '../config/credential-scopes.ts';
import { limits } from '../config/limits.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import { invalid, notFound } from '../errors.ts';
import type { ApiKey } from '../generated/prisma/client.ts';
import { readActiveKeys, shownKey } from '../db/api-keys.ts';
import { activeAt, createKeyInput, keyDetails, newKeyColumns } from '../services/api-keys.ts';
import { compile } from '../validation/compile.ts';
import { closedObject, idOf } from '../validation/schemas.ts';
import { id } from './id.ts';
import { onDatabase } from './on-database.ts';
import { minute, printing, table } from './outcome.ts';
import type { Shell } from './shell.ts';

const business = idOf('business');
const newKeyFields = createKeyInput.properties;
const newKey = compile(
  closedObject({
    business,
    name: newKeyFields.name,
    scope: newKeyFields.scopes,
    expiresIn: Type.Optional(Type.String()),
  }),
);
const keysOf = compile(closedObject({ business }));

export function keyCommands(program: Command, shell: Shell): void {
  const key = program.command('key').description('manage the API keys of a business');
  const ofBusiness = (name: string) => key.command(name).option('--business <id>', 'the business (required)', id);

  ofBusiness('create')
    .description('create a key; it is shown only once')
    .option('--name <text>', 'what the key is for (required)')
    .option('--scope <scope...>', `what it may do: ${credentialScopes.join(', ')} (default: full)`)
    .option('--expires-in <time>', 'when it ends, in hours or days from now, such as 12h or 90d (default: never)')
    .action(printing(shell, create));
  ofBusiness('list').description('show the active keys').action(printing(shell, list));
  ofBusiness('revoke')
    .description('revoke a key')
    .argument('<key>', 'id of the key, as listed')
    .action(printing(shell, revoke));
}

async function create(shell: Shell, options: object) {
  const input = newKey(options);
  const now = new Date();
  const expiresAt = input.expiresIn === undefined ? null : addLifetime(now, input.expiresIn);
  const columns = newKeyColumns({ name: input.name, scopes: input.scope ?? null, expiresAt }, now);
  const { key, ...stored } = generateApiKey();
  const row = await inBusiness(shell, input.business, async (db) => {
    const { id: keyId, ...made } = await db.apiKey.create({
      data: { businessId: input.business, ...columns, ...stored },
      select: { ...shownKey, id: true },
    });
    const entry = byOperator(input.business, 'key.create', ['apiKey', keyId], keyDetails(made));
    await db.auditEntry.createMany({ data: [entry] });
    return made;
  });
  return {
    json: { ...viewOf(row), key },
    text: `${key}\n\nThis is key ${row.publicId} of business ${input.business}: ${row.scopes.join(', ')}, ${
      row.expiresAt ? `until ${minute(row.expiresAt)}` : 'without expiry'
    }. It is shown this once.`,
  };
}

const hoursIn = { h: 1, d: 24 };

/** The end of a lifetime such as `12h` or `90d` that begins now. */
function addLifetime(now: Date, text: string): Date {
  const [, count, unit] = /^([1-9]\d{0,5})([hd])$/.exec(text) ?? [];
  const hours = count && unit ? Number(count) * hoursIn[unit as keyof typeof hoursIn] : NaN;
  if (!(hours <= limits.keyLifetimeDaysMax * hoursIn.d))
    throw invalid({
      expiresIn: [`must be hours or days such as 12h or 90d, and at most ${limits.keyLifetimeDaysMax} days`],
    });
  return new Date(now.getTime() + hours * 3_600_000);
}

async function list(shell: Shell, options: object) {
  const input = keysOf(options);
  const rows = await inBusiness(shell, input.business, (db) => readActiveKeys(db, new Date()));
  const lines = rows.map((row) => ({
    id: row.publicId,
    name: row.name,
    last_four: row.lastFour,
    scopes: row.scopes.join(' '),
    created: minute(row.createdAt),
    last_used: row.lastUsedAt && minute(row.lastUsedAt),
    expires: row.expiresAt && minute(row.expiresAt),
  }));
  return { json: rows.map(viewOf), text: rows.length > 0 ? table(lines) : 'There are no active keys.' };
}

async function revoke(shell: Shell, publicId: string, options: object) {
  const input = keysOf(options);
  const revokedAt = new Date();
  await inBusiness(shell, input.business, async (db) => {
    if (!isPublicId(publicId)) throw notFound('API key');
    const [revoked] = await db.apiKey.updateManyAndReturn({
      where: { publicId, ...activeAt(revokedAt) },
      data: { revokedAt },
      select: { id: true, name: true },
    });
    if (!revoked) throw notFound('API key');
    const details = { keyId: publicId, name: revoked.name };
    const entry = byOperator(input.business, 'key.revoke', ['apiKey', revoked.id], details);
    await db.auditEntry.createMany({ data: [entry] });
  });
  return {
    json: { id: publicId, revoked_at: revokedAt.toISOString() },
    text: `Key ${publicId} is revoked.`,
  };
}

/** Runs the work in a transaction that is bound to an existing business. */
const inBusiness = <T>(shell: Shell, businessId: number, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  onDatabase(shell, {}, ({ prisma }) =>
    bindToBusiness(prisma, businessId).transact(async (db) => {
      if ((await db.business.count()) === 0) throw notFound('business');
      return work(db);
    }),
  );

const viewOf = (row: Pick<ApiKey, keyof typeof shownKey>) => ({
  id: row.publicId,
  name: row.name,
  last_four: row.lastFour,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  scopes: row.scopes,
  expires_at: row.expiresAt?.toISOString() ?? null,
});
