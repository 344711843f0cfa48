import { byOperator } from '../../access/audit.ts';
import type { Config } from '../../config/config.ts';
import { limits } from '../../config/limits.ts';
import { readSchemaState } from '../../db/migrations/migrations.ts';
import { refuseToOverwrite } from '../whole-file.ts';
import { bindToBusiness } from '../../db/tenant.ts';
import { readTzState } from '../../db/tz-state.ts';
import { notFound } from '../../errors.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { newestIn } from '../retime/pass.ts';
import { version } from '../../version.ts';
import { format, formatVersion, newestMigration, type End, type FileKey, type Header } from './format.ts';
import { leaveOut, sealing, webhookBoxOf } from './secrets.ts';
import { writeBusinessFile } from './write.ts';

/** Writes a business to a file, from one snapshot. Without a key, its secrets are left out. */
export async function exportBusiness(
  prisma: PrismaClient,
  config: Config,
  { businessId, file, key }: { readonly businessId: number; readonly file: string; readonly key: FileKey | null },
): Promise<{ header: Header; rows: End['rows'] }> {
  refuseToOverwrite(file, 'choose another name');
  const tzVersion = newestIn(await readTzState(prisma)) || null;
  const schema = await newestMigration();
  const { db: bound, readSnapshot } = bindToBusiness(prisma, businessId);
  const written = await readSnapshot(limits.longCommandMs)(async (db) => {
    const business = await db.business.findFirst({ select: { id: true, name: true } });
    if (!business) throw notFound('business');
    const at = new Date().toISOString();
    const sealed = key?.box.seal(at) ?? null;
    const header = { format, version: formatVersion, callboard: version, schema, tzVersion, at, business, sealed };
    const change = key ? sealing(key.box, webhookBoxOf(config)) : leaveOut;
    return { header, rows: await writeBusinessFile(db, file, header, { key, change }) };
  });
  // An export may come from a standby, which stores no entry.
  if (!(await readSchemaState((sql) => prisma.$queryRaw(sql))).isReadOnly) {
    const details = { secrets: key !== null, snapshot: written.header.at, rows: written.rows };
    const entry = byOperator(businessId, 'business.export', ['business', businessId], details);
    await bound.auditEntry.createMany({ data: [entry] });
  }
  return written;
}
