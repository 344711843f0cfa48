import { byOperator } from '../../access/audit.ts';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import {
  advanceSequences,
  analyzeTables,
  findTakenValues,
  insertMovedRows,
  movedTables,
  type MovedTable,
} from '../../db/business-rows.ts';
import { beginMovedLog, endMovedLog } from '../../db/change-log.ts';
import { isDiskFull, isUnreachable } from '../../db/engine/failures.ts';
import { bindToBusiness, rawOf, type TenantDb } from '../../db/tenant.ts';
import { noteOlderTzData, readTzState } from '../../db/tz-state.ts';
import { conflict, Failure } from '../../errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { causeOf } from '../explain.ts';
import { newestIn } from '../retime/pass.ts';
import { refused, type End, type FileKey, type Header } from './format.ts';
import { readBatches, readHeader } from './read.ts';
import { fillingIn, unsealing, webhookBoxOf, type ChangeRow } from './secrets.ts';

/** Reads a file to its end without a database. Throws if it cannot be imported, whatever the database is. */
export async function checkBusinessFile(file: string, key: FileKey | null): Promise<Header> {
  const header = await readHeader(file);
  if (header.sealed !== null && !key) throw refused(file, 'its secrets are sealed: name their key with --key-file');
  if (header.sealed === null && key) throw refused(file, 'it has no secrets: leave --key-file out');
  if (header.sealed !== null && key?.box.open(header.sealed) !== header.at)
    throw refused(file, 'its secrets are sealed with another key');
  for await (const batch of readBatches(file, key)) void batch;
  return header;
}

/** Adds the business of a checked file to the database, in one transaction. */
export async function importBusiness(
  prisma: PrismaClient,
  config: Config,
  { file, key, header }: { readonly file: string; readonly key: FileKey | null; readonly header: Header },
): Promise<End['rows']> {
  const webhooks = webhookBoxOf(config);
  const change = key ? unsealing(key.box, webhooks) : fillingIn(webhooks, new Date());
  const { transact } = bindToBusiness(prisma, header.business.id);
  const imported = transact(async (tx) => {
    await rawOf(tx)
      .$queryRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(limits.longCommandMs)}, TRUE)`;
    await refuseTakenId(tx, header);
    const counts: Record<string, number> = Object.fromEntries(movedTables.map(({ name }) => [name, 0]));
    for await (const { table, rows } of readBatches(file, key)) {
      await addRows(tx, table, rows, change);
      counts[table.name]! += rows.length;
    }
    for (const table of movedTables) await advanceSequences(tx, table);
    await endMovedLog(tx, 'cli.business.import');
    const { id } = header.business;
    const details = { secrets: key !== null, exported: header.at, rows: counts };
    await tx.auditEntry.createMany({ data: [byOperator(id, 'business.import', ['business', id], details)] });
    // The instants may have been derived with other data than those of this database: the service then derives them anew.
    const raw = rawOf(tx);
    if ((newestIn(await readTzState(raw)) || null) !== header.tzVersion) await noteOlderTzData(raw, new Date());
    await analyzeTables(tx);
    return counts;
  }, limits.longCommandMs);
  return imported.catch((error: unknown) => {
    if (error instanceof Failure || isUnreachable(error) || isDiskFull(error)) throw error;
    throw refused(file, `the database does not take its rows (${causeOf(error)})`, error);
  });
}

async function addRows(tx: TenantDb, table: MovedTable, rows: readonly string[], change: ChangeRow): Promise<void> {
  const changed = rows.map((row) => change(table, row));
  await refuseTakenValues(tx, table, changed);
  await insertMovedRows(tx, table, changed);
  if (table.name === movedTables[0]?.name) await beginMovedLog(tx);
}

async function refuseTakenId(tx: TenantDb, { business: { id, name } }: Header): Promise<void> {
  const there = await tx.business.findFirst({ select: { name: true } });
  if (there)
    throw conflict(
      `Business ${id} (${name}) is not imported: the database has a business ${id} already (${there.name}). Nothing is changed.`,
    );
}

async function refuseTakenValues(tx: TenantDb, table: MovedTable, rows: readonly string[]): Promise<void> {
  const taken = await findTakenValues(tx, table, rows);
  if (taken.length > 0)
    throw conflict(
      `The business is not imported: another business of the database has ${taken.join(', ')} (${table.name}). Nothing is changed.`,
    );
}
