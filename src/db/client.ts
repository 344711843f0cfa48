import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Config } from '../config.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import { listenToStatements } from './statements.ts';

export function openClient(
  factory: SqlDriverAdapterFactory,
  config: Config['db'],
  onSql: ((sql: string) => void) | undefined,
): PrismaClient {
  return new PrismaClient({
    adapter: onSql ? listenToStatements(factory, onSql) : factory,
    errorFormat: 'minimal',
    transactionOptions: { maxWait: config.connectTimeoutMs, timeout: config.transactionTimeoutMs },
  });
}
