import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Config } from '../../config/config.ts';
import { PrismaClient } from '../../generated/prisma/client.ts';
import type { DatabaseHooks } from './database.ts';
import { countStatement } from './statement-count.ts';
import { listenToStatements, type SqlListener } from './statements.ts';

/** Makes the listener that counts each statement for its request and passes it to the hooks. */
export function listenerFor({ onSql, onSqlAnswered }: DatabaseHooks): SqlListener {
  return {
    sent: (sql) => {
      countStatement();
      onSql?.(sql);
    },
    answered: (durationMs) => onSqlAnswered?.(durationMs),
  };
}

export function openClient(
  factory: SqlDriverAdapterFactory,
  config: Config['db'],
  listener: SqlListener,
): PrismaClient {
  return new PrismaClient({
    adapter: listenToStatements(factory, listener),
    errorFormat: 'minimal',
    transactionOptions: { maxWait: config.connectTimeoutMs, timeout: config.transactionTimeoutMs },
  });
}
