import type { Command } from 'commander';
import Type from 'typebox';
import { isPublicId, generateApiKey } from '../access/api-keys.ts';
import { byOperator } from '../access/audit.ts';
import { bindToBusiness, type TenantDb } from '../db/tenant.ts';
import { notFound } from '../errors.ts';
import { createKeyInput, shown } from '../services/api-keys.ts';
import { compile } from '../validation/compile.ts';
import { closed, idOf } from '../validation/schemas.ts';
import { id } from './id.ts';
import { onDatabase } from './on-database.ts';
import { minute, printing, table } from './outcome.ts';

const business = idOf('business');
const newKey = compile(Type.Object({ business, name: createKeyInput.properties.name }, closed));
const keysOf = compile(Type.Object({ business }, closed));

export function keyCommands(program: Command): void {
  const key = program.command('key').description('manage the API keys of a business');
  const ofBusiness = (name: string) => key.command(name).requiredOption('--business <id>', 'the business', id);

  ofBusiness('create')
    .description('create a key; it is shown only once')
    .requiredOption('--name <text>', 'what the key is for')
    .action(printing(create));
  ofBusiness('list').description('show the active keys').action(printing(list));
  ofBusiness('revoke')
    .description('revoke a key')
    .argument('<key>', 'id of the key, as listed')
    .action(printing(revoke));
}

async function create(options: object) {
  const input = newKey(options);
  const { key, ...stored } = generateApiKey();
  const row = await inBusiness(input.business, async (db) => {
    const { id: keyId, ...made } = await db.apiKey.create({
      data: { businessId: input.business, name: input.name, ...stored },
      select: { ...shown, id: true },
    });
    const details = { keyId: made.publicId, name: input.name };
    await db.auditEntry.createMany({ data: [byOperator(input.business, 'key.create', ['apiKey', keyId], details)] });
    return made;
  });
  return {
    json: { ...viewOf(row), key },
    text: `${key}\n\nThis is key ${row.publicId} of business ${input.business}. It is shown this once.`,
  };
}

async function list(options: object) {
  const input = keysOf(options);
  const rows = await inBusiness(input.business, (db) =>
    db.apiKey.findMany({ where: { revokedAt: null }, orderBy: { id: 'asc' }, select: shown }),
  );
  const lines = rows.map(({ publicId, name, lastFour, createdAt, lastUsedAt }) => ({
    id: publicId,
    name,
    last_four: lastFour,
    created: minute(createdAt),
    last_used: lastUsedAt && minute(lastUsedAt),
  }));
  return { json: rows.map(viewOf), text: rows.length > 0 ? table(lines) : 'There are no active keys.' };
}

async function revoke(publicId: string, options: object) {
  const input = keysOf(options);
  const revokedAt = new Date();
  await inBusiness(input.business, async (db) => {
    if (!isPublicId(publicId)) throw notFound('API key');
    const [revoked] = await db.apiKey.updateManyAndReturn({
      where: { publicId, revokedAt: null },
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
const inBusiness = <T>(businessId: number, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  onDatabase({}, ({ prisma }) =>
    bindToBusiness(prisma, businessId).transact(async (db) => {
      if ((await db.business.count()) === 0) throw notFound('business');
      return work(db);
    }),
  );

const viewOf = (row: {
  publicId: string;
  name: string;
  lastFour: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}) => ({
  id: row.publicId,
  name: row.name,
  last_four: row.lastFour,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
});
