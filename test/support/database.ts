import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPasswords } from '../../src/access/passwords.ts';
import { seedDemo } from '../../src/bin/seed/demo.ts';
import { loadConfig, type Config } from '../../src/config/config.ts';
import type { DatabaseHooks } from '../../src/db/engine/database.ts';
import { openDatabase } from '../../src/db/engine/open-database.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { configOf, envOf } from './config.ts';
import { lendPglite } from './pglite.ts';
import {
  databasePrefix,
  demoTemplateOf,
  poolerUrl,
  redisUrl,
  redisUrlOf,
  serverTemplate,
  serverUrl,
  serviceUrlOf,
  urlOf,
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

/** Many calls at a time wait for the few connections, on a busy machine for long. */
const patience = { CALLBOARD_DB_CONNECT_TIMEOUT: '30000' };

/** A fresh, migrated database, embedded or on the server: empty, or with the demo around today. */
export async function openTestDatabase(isDemo = false): Promise<FreshDatabase> {
  if (serverUrl) return openOnServer(serverUrl, isDemo ? await requireDemo(serverUrl) : serverTemplate);
  const database = await openEmbedded();
  if (isDemo) await seedDemo(database.prisma, new Date(), createPasswords(database.config().auth).hash);
  return database;
}

/** Makes the template with the demo if there is none of today, and returns its name. The other workers wait meanwhile. */
async function requireDemo(server: string): Promise<string> {
  const now = new Date();
  const name = demoTemplateOf(now);
  const draft = `${name}_draft`;
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return name;
    await onServer(server, `DROP DATABASE IF EXISTS ${draft}`);
    await onServer(server, `CREATE DATABASE ${draft} TEMPLATE ${serverTemplate}`);
    const config = configOf({ DATABASE_URL: urlOf(draft), ...patience });
    const database = await openDatabase(config.db);
    try {
      await seedDemo(database.prisma, now, createPasswords(config.auth).hash);
    } finally {
      await database.close();
    }
    await onServer(server, `ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

async function openOnServer(server: string, template: string): Promise<FreshDatabase> {
  const name = `${databasePrefix}${randomUUID().slice(0, 8)}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  // Commits of tests must survive the service but not the machine, so they do not wait for the disk.
  await onServer(server, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  if (poolerUrl) await onServer(server, `ALTER DATABASE ${name} SET timezone = 'America/New_York'`);
  const env = (more = {}) =>
    envOf({
      DATABASE_URL: serviceUrlOf(name),
      ...(redisUrl && { REDIS_URL: redisUrlOf(name) }),
      ...patience,
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
