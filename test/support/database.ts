import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { loadConfig, type Config } from '../../src/config/config.ts';
import type { DatabaseHooks } from '../../src/db/engine/database.ts';
import { openDatabase } from '../../src/db/engine/open-database.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { envOf } from './config.ts';
import { lendPglite } from './pglite.ts';
import {
  databasePrefix,
  poolerUrl,
  redisUrl,
  redisUrlOf,
  serverTemplate,
  serverUrl,
  serviceUrlOf,
} from './template.ts';

export interface TestDatabase {
  /** Unwatched, and bound to no business: for what a test puts in and looks up. */
  readonly prisma: PrismaClient;
  /** Further settings on top of those that name this database. */
  readonly config: (env?: Record<string, string>) => Config;
  readonly hooks: DatabaseHooks;
  close(): Promise<void>;
}

export interface FreshDatabase extends TestDatabase {
  /** The environment of a process on this database, with further settings. */
  readonly env: (env?: Record<string, string>) => Record<string, string>;
}

/** A fresh, migrated, empty database, embedded or on the server. */
export async function openTestDatabase(): Promise<FreshDatabase> {
  return serverUrl ? openOnServer(serverUrl) : openEmbedded();
}

async function openOnServer(server: string): Promise<FreshDatabase> {
  const name = `${databasePrefix}${randomUUID().slice(0, 8)}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${serverTemplate}`);
  // Commits of tests must survive the service but not the machine, so they do not wait for the disk.
  await onServer(server, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  if (poolerUrl) await onServer(server, `ALTER DATABASE ${name} SET timezone = 'America/New_York'`);
  const env = (more = {}) =>
    envOf({
      DATABASE_URL: serviceUrlOf(name),
      ...(redisUrl && { REDIS_URL: redisUrlOf(name) }),
      // Many calls at a time wait for the few connections, on a busy machine for long.
      CALLBOARD_DB_CONNECT_TIMEOUT: '30000',
      ...more,
    });
  const config = (more = {}) => loadConfig(env(more));
  const database = await openDatabase(config().db);
  return {
    prisma: database.prisma,
    env,
    config,
    hooks: {},
    close: async () => {
      await database.close();
      await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function openEmbedded(): Promise<FreshDatabase> {
  const { pglite, release } = await lendPglite();
  const hooks: DatabaseHooks = { openPglite: async () => pglite };
  const env = (more = {}) => envOf({ DATABASE_URL: '', ...more });
  const config = (more = {}) => loadConfig(env(more));
  const database = await openDatabase(config().db, hooks);
  return {
    prisma: database.prisma,
    env,
    config,
    hooks,
    close: async () => {
      await database.close();
      await release();
    },
  };
}

/** Runs one statement on the server. Retried: PostgreSQL copies a template only while nobody else does. */
export async function onServer(server: string, statement: string, attempts = 20): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } catch (error) {
    if ((error as { code?: string }).code !== '55006' || attempts === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await onServer(server, statement, attempts - 1);
  } finally {
    await client.end();
  }
}
