import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Config } from '../config.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { DatabaseHooks } from './database.ts';
import { listenToStatements } from './statements.ts';
import { countStatement } from './tally.ts';

export function openClient(
  factory: SqlDriverAdapterFactory,
  config: Config['db'],
  { onSql, onSqlAnswered }: DatabaseHooks,
): PrismaClient {
  const listener = {
    sent: (sql: string) => {
      countStatement();
      onSql?.(sql);
    },
    answered: (durationMs: number) => onSqlAnswered?.(durationMs),
  };
  return new PrismaClient({
    adapter: listenToStatements(factory, listener),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: config.connectTimeoutMs, timeout: config.transactionTimeoutMs },
  });
}
