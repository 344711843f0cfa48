import { mkdir, writeFile } from 'node:fs/promises';
import { nextMigration } from './migration/drift.ts';
import { migrationsDir } from '../db/migrations/migrations.ts';

/** `npm run migration -- <name>`: writes the migration that leads from those there are to schema.prisma and the registry. */
const [name = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9_]{0,99}$/.test(name) || process.argv.length > 3) {
  console.error('Usage: npm run migration -- <name>, in lower-case letters, digits and underscores.');
  process.exit(2);
}

const { scripts, contradictions, advice } = await nextMigration();
if (contradictions.length > 0) {
  console.error(`No migration is written, because schema.prisma and src/db/registry.ts contradict each other.`);
  for (const contradiction of contradictions) console.error(`- ${contradiction}`);
  process.exit(1);
}
if (scripts.length === 0)
  console.log('The migrations agree with schema.prisma and the registry of tables: there is nothing to write.');
const now = Date.now();
for (const [index, sql] of scripts.entries()) {
  // They are applied in the order of their names.
  const timestamp = new Date(now + index * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const directory = `${migrationsDir}${timestamp}_${name}${index === 0 ? '' : `_${index + 1}`}`;
  await mkdir(directory);
  await writeFile(`${directory}/migration.sql`, sql);
  console.log(`${directory}/migration.sql is written. Read it before you commit it.`);
}
for (const each of advice) console.log(`- ${each}`);
