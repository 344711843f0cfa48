import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes the version after this one: this build with further migrations, by name. Returns its programs. */
export function makeNextVersion(folder: string, migrations: Readonly<Record<string, string>>) {
  for (const part of ['dist', 'prisma', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(folder, 'prisma/migrations', name));
    writeFileSync(join(folder, 'prisma/migrations', name, 'migration.sql'), sql);
  }
  return { main: join(folder, 'dist/main.js'), callboard: join(folder, 'dist/bin/callboard.js') };
}
