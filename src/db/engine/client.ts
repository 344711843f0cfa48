import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Config } from '../../config/config.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { DatabaseHooks } from './database.ts';
import type { DiskWatch } from './disk-watch.ts';
import { countStatement, currentRowBound, type RowBound } from './statement-count.ts';
import { listenToStatements, type SqlListener } from './statements.ts';

/** Makes the listener that counts each statement for its request, and passes it to the hooks and to the disk watch. */
export function listenerFor({ onSql, onSqlAnswered }: DatabaseHooks, disk: Pick<DiskWatch, 'failed'>): SqlListener {
  return {
    sent: (sql) => {
      countStatement();
      onSql?.(sql);
    },
    answered: (durationMs) => onSqlAnswered?.(durationMs),
    failed: disk.failed,
    read: () => refuseDropped(currentRowBound()),
  };
}

/** Counts rows for their request when they are all there: the embedded database has no connection where they arrive one by one. */
export function takeRows(rows: readonly (readonly unknown[])[]): void {
  const bound = currentRowBound();
  if (!bound) return;
  for (const cells of rows) bound.takeRow(measureCells(cells), cells.length);
  refuseDropped(bound);
}

/** Throws if rows of the request were dropped, so that nothing goes on with a part of them. */
function refuseDropped(bound: RowBound | undefined): void {
  if (bound?.refusal) throw bound.refusal;
}

const measureCells = (cells: readonly unknown[]): number =>
  cells.reduce<number>((bytes, cell) => bytes + (typeof cell === 'string' ? cell.length : 0), 0);

export function openClient(
  factory: SqlDriverAdapterFactory,
  config: Config['db'],
  listener: SqlListener,
  waitMs: number,
): PrismaClient {
  return new PrismaClient({
    adapter: listenToStatements(factory, listener),
    errorFormat: 'minimal',
    // The door of the connections refuses sooner, and says why.
    transactionOptions: { maxWait: waitMs + config.connectTimeoutMs, timeout: config.transactionTimeoutMs },
  });
}
