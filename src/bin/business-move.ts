import type { Command } from 'commander';
import { limits } from '../config/limits.ts';
import { invalid } from '../errors.ts';
import { compile } from '../validation/compile.ts';
import { closedObject, idOf } from '../validation/schemas.ts';
import { oneLine } from './explain.ts';
import { exportBusiness } from './business-file/export.ts';
import { readFileKey, type FileKey } from './business-file/format.ts';
import { checkBusinessFile, importBusiness } from './business-file/import.ts';
import { id } from './id.ts';
import { onDatabase } from './on-database.ts';
import { printing } from './outcome.ts';
import type { Shell } from './shell.ts';

const exportHelp = `
The file holds everything that belongs to the business, save log-ins and answers to idempotency keys, as it is at one moment; the
service may run meanwhile. Secrets are hashes of passwords and API keys, and the signing secrets of webhooks. The rest of the file
is not encrypted: it has names, e-mail addresses and notes.`;

const importHelp = `
The file is checked to its end before anything is written, and then the business is added in one transaction. Its database must have
the schema that the file was exported from, no business with this number, and none of its e-mail addresses. With a file without
secrets, nobody can log in until passwords are set, API keys and screens are revoked, and webhooks are disabled and have new secrets.`;

/** Commands that take a business to another database. */
export function businessMoveCommands(business: Command, shell: Shell): void {
  business
    .command('export')
    .description('write a business with all that belongs to it to a file')
    .argument('<business>', 'the business', id)
    .requiredOption('--to <file>', 'where to; it must not exist')
    .option('--key-file <file>', 'seal the secrets with the text of this file, which the import needs too')
    .option('--without-secrets', 'leave the secrets out')
    .addHelpText('after', exportHelp)
    .action(printing(shell, exportTo));
  business
    .command('import')
    .description('add a business from a file that export wrote')
    .argument('<file>', 'the file')
    .option('--key-file <file>', 'what the secrets were sealed with')
    .addHelpText('after', importHelp)
    .action(printing(shell, importFrom));
}

/** The disk that a file is on may take longer than the service waits for PostgreSQL. */
const patient = { queryTimeoutMs: limits.longCommandMs };

const exported = compile(closedObject({ business: idOf('business') }));

interface ExportOptions {
  readonly to: string;
  readonly keyFile?: string;
  readonly withoutSecrets?: true;
}

async function exportTo(shell: Shell, business: number, { to, keyFile, withoutSecrets }: ExportOptions) {
  const { business: businessId } = exported({ business });
  if ((keyFile === undefined) === (withoutSecrets === undefined))
    throw invalid({ keyFile: ['or --without-secrets must say what becomes of the secrets: use one of them'] });
  const key = optionalKey(keyFile);
  const { header, rows } = await onDatabase(shell, { settings: patient }, ({ prisma }, config) =>
    exportBusiness(prisma, config, { businessId, file: to, key }),
  );
  return {
    json: { file: to, business_id: businessId, schema: header.schema, at: header.at, secrets: key !== null, rows },
    text: `Wrote business ${businessId} (${oneLine(header.business.name)}) to ${to}: ${summarize(rows)}, secrets ${key ? 'sealed' : 'left out'}.`,
  };
}

async function importFrom(shell: Shell, file: string, { keyFile }: { readonly keyFile?: string }) {
  const key = optionalKey(keyFile);
  const header = await checkBusinessFile(file, key);
  const rows = await onDatabase(shell, { settings: patient }, ({ prisma }, config) =>
    importBusiness(prisma, config, { file, key, header }),
  );
  const { id: businessId, name } = header.business;
  return {
    json: { file, business_id: businessId, exported_at: header.at, secrets: key !== null, rows },
    text: [
      `Imported business ${businessId} (${oneLine(name)}) as of ${header.at}: ${summarize(rows)}.`,
      ...(key ? [] : ['It has no secrets: set passwords with `callboard user set-password`, and make new API keys.']),
    ].join('\n'),
  };
}

const optionalKey = (path: string | undefined): FileKey | null => (path === undefined ? null : readFileKey(path));

function summarize(rows: Readonly<Record<string, number>>): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  return `${(rows['events'] ?? 0).toLocaleString('en-US')} events, ${all.toLocaleString('en-US')} rows in all`;
}
