import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Config } from '../../config/config.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { DatabaseHooks } from './database.ts';
import type { DiskWatch } from './disk-watch.ts';
import { countStatement, currentRowBound } from './statement-count.ts';
import { wrapAdapters, type AdapterParts, type SqlListener } from './statements.ts';

/** Makes the listener that counts each statement for its request, and passes it to the hooks and to the disk watch. */
export function listenerFor({ onSql, onSqlAnswered }: DatabaseHooks, disk: Pick<DiskWatch, 'failed'>): SqlListener {
  return {
    sent: (sql) => {
      countStatement();
      onSql?.(sql);
    },
    answered: (durationMs) => onSqlAnswered?.(durationMs),
    failed: disk.failed,
    read: takeRows,
  };
}

/** Counts rows that come through Prisma, which has no place to count them as they arrive. Throws if they are too many. */
function takeRows(rows: readonly (readonly unknown[])[]): void {
  const bound = currentRowBound();
  if (!bound) return;
  for (const cells of rows) bound.takeRow(measureCells(cells), cells.length);
  if (bound.refusal) throw bound.refusal;
}

const measureCells = (cells: readonly unknown[]): number =>
  cells.reduce<number>((bytes, cell) => bytes + (typeof cell === 'string' ? cell.length : 0), 0);

export function openClient(
  factory: SqlDriverAdapterFactory,
  parts: AdapterParts,
  config: Config['db'],
  waitMs: number,
): PrismaClient {
  return new PrismaClient({
    adapter: wrapAdapters(factory, parts),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: waitMs + config.connectTimeoutMs, timeout: config.transactionTimeoutMs },
  });
}
