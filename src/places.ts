import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { dirname, join } from 'node:path';

/** Folder of the package, with `package.json`, `prisma/` and `dist/`. Bundled code does not stand where its source does. */
export const packageRoot = pathToFileURL(`${findUp(import.meta.dirname)}/`);

function findUp(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findUp(dirname(folder));
}
