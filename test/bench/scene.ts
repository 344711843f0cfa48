import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import pg from 'pg';
import { generateApiKey } from '../../src/access/api-keys.ts';
import { createPasswords } from '../../src/access/passwords.ts';
import { seedBulk, type BulkRequest } from '../../src/bin/seed/bulk.ts';
import { loadConfig, type Config } from '../../src/config/config.ts';
import { limits } from '../../src/config/limits.ts';
import type { Database } from '../../src/db/engine/database.ts';
import { openDatabase } from '../../src/db/engine/open-database.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { isWanted, type Options } from './options.ts';
import { places } from './places.ts';
import { endWithUs } from './processes.ts';
import { fillReported, reportedSpan } from './reported.ts';
import { fillStaffed, staffed } from './staffed.ts';

const run = promisify(execFile);

export interface Business {
  readonly id: number;
  readonly key: string;
}

export type StaffedBusiness = Business & { readonly userIds: readonly number[] };

/** The rows that everybody works on. */
export interface Scene {
  readonly databaseUrl: string;
  readonly postgres: string;
  /** 100,000 events, the first 20,000 of them with children. */
  readonly main: Business;
  /** 50 with a few events each. */
  readonly small: readonly Business[];
  /** As many events as the growth rows want, and 1,000. */
  readonly grown: (Business & { events: number; seedS: number }) | null;
  readonly thousand: Business;
  /** 60,000 events in 400 days, with call times and shifts, and beside it one with 1,000 shifts; null where no report is measured. */
  readonly reported: (Business & { readonly fewShifts: Business }) | null;
  /** 5,000 staff with availability and 200,000 shifts; null where candidates are not measured. */
  readonly staffed: StaffedBusiness | null;
  /** The active events of `main` that have children, in order of start (ms since 1970). */
  readonly events: readonly { readonly uuid: string; readonly startsAt: number }[];
  /** Several, as only so many may try at a time under one e-mail. */
  readonly logins: readonly { readonly email: string; readonly password: string }[];
}

type Stored = Omit<Scene, 'databaseUrl' | 'postgres' | 'events' | 'logins'> & { readonly password: string };

const mainEvents = 100_000;
const withChildren = 20_000;
const smallBusinesses = 50;
const smallEvents = 200;

/** Makes the database, or finds the one that is kept. The answer drops it, unless it is to be kept. */
export async function makeDatabase(options: Options): Promise<() => Promise<void>> {
  const server = new pg.Client({ connectionString: options.serverUrl });
  await server.connect();
  try {
    const { rows } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [options.database]);
    if (rows.length > 0 && !options.reuses)
      throw new Error(`The database ${options.database} exists: --reuse takes it, or drop it.`);
    if (rows.length === 0) await server.query(`CREATE DATABASE ${options.database}`);
  } finally {
    await server.end();
  }
  return async () => {
    if (!options.keeps) await drop(options);
  };
}

/** Fills the database where that is not done yet. */
export async function openScene(options: Options, say: (line: string) => void): Promise<Scene> {
  const databaseUrl = urlOf(options);
  const stored = await storedScene(databaseUrl, options, say);
  return { databaseUrl, ...stored, ...(await readRows(databaseUrl, stored)) };
}

export function urlOf({ serverUrl, database }: Options): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function drop(options: Options): Promise<void> {
  const server = new pg.Client({ connectionString: options.serverUrl });
  await server.connect();
  try {
    await server.query(`DROP DATABASE IF EXISTS ${options.database} WITH (FORCE)`);
  } finally {
    await server.end();
  }
}

/** What was made is told in the database itself, beside the service's schema. */
async function storedScene(databaseUrl: string, options: Options, say: (line: string) => void): Promise<Stored> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('CREATE SCHEMA IF NOT EXISTS bench; CREATE TABLE IF NOT EXISTS bench.scene (scene json)');
    const { rows } = await client.query<{ scene: Stored }>('SELECT scene FROM bench.scene');
    const [kept] = rows;
    if (kept) await callboard(databaseUrl, ['migrate']);
    const scene = kept?.scene ?? (await fill(databaseUrl, say));
    const wantsGrown = isWanted(options, 'growth') || isWanted(options, 'filters');
    const isGrown = scene.grown !== null && scene.grown.events >= options.growthEvents;
    const wantsStaffed = isWanted(options, 'candidates') && !scene.staffed;
    const wantsReported = isWanted(options, 'reports') && !scene.reported;
    const whole = {
      ...scene,
      ...(wantsGrown && !isGrown && { grown: await grow(databaseUrl, options.growthEvents, say) }),
      ...(wantsStaffed && { staffed: await makeStaffed(databaseUrl, say) }),
      ...(wantsReported && { reported: await makeReported(databaseUrl, say) }),
    };
    if (kept && isDeepStrictEqual(whole, kept.scene)) return whole;
    await client.query('DELETE FROM bench.scene');
    await client.query('INSERT INTO bench.scene VALUES ($1)', [JSON.stringify(whole)]);
    say('VACUUM ANALYZE');
    await client.query('VACUUM ANALYZE');
    return whole;
  } finally {
    await client.end();
  }
}

async function fill(databaseUrl: string, say: (line: string) => void): Promise<Stored> {
  say('seeding the demo businesses');
  const { password } = await callboard<{ password: string }>(databaseUrl, ['seed']);
  // Each ends with an ANALYZE of all there is: the large ones come last.
  say(`seeding ${smallBusinesses} small businesses`);
  const small = await smallOnes(databaseUrl);
  say('seeding 1,000 events');
  const thousand = await bulk(databaseUrl, 1000, 1000);
  say(`seeding ${mainEvents} events, ${withChildren} of them with children`);
  const main = await bulk(databaseUrl, mainEvents, withChildren);
  return { main, thousand, small, grown: null, reported: null, staffed: null, password };
}

/** A small business for the count of what runs, in a database that need have no scene. */
export async function fillForRoad(databaseUrl: string, events = 50): Promise<Business> {
  await callboard(databaseUrl, ['migrate']);
  return bulk(databaseUrl, events, 50);
}

/** The same business each day, in a database of its own, and a member of its staff who can log in. */
export async function fillForCounts(databaseUrl: string, events: number) {
  await callboard(databaseUrl, ['migrate']);
  return onDatabase(databaseUrl, async ({ prisma }, { auth }) => {
    const today = new Date(Date.UTC(2026, 10, 2));
    const business = await seedSmall(prisma, { events, name: 'Road', plan: 'enterprise', today });
    const password = 'correct horse battery staple';
    const passwordHash = await createPasswords(auth).hash(password);
    const { emailKey, email } = await prisma.user.findFirstOrThrow({
      where: { businessId: business.id, role: 'staff' },
      orderBy: { id: 'asc' },
    });
    await prisma.user.update({ where: { emailKey: emailKey! }, data: { passwordHash } });
    return { ...business, login: { email, password } };
  });
}

async function grow(databaseUrl: string, events: number, say: (line: string) => void) {
  say(`seeding ${events} events into one business`);
  const startedAt = performance.now();
  const business = await bulk(databaseUrl, events, Math.min(events, withChildren));
  const seedS = Math.round((performance.now() - startedAt) / 1000);
  say(`that took ${seedS} s`);
  return { ...business, events, seedS };
}

async function makeReported(databaseUrl: string, say: (line: string) => void): Promise<NonNullable<Scene['reported']>> {
  say(`seeding ${reportedSpan.events} events of ${reportedSpan.days} days`);
  const business = await bulk(databaseUrl, reportedSpan.events, 0);
  await fillReported(databaseUrl, business.id);
  // Ends with an ANALYZE of both. Each event has 20 shifts.
  return { ...business, fewShifts: await bulk(databaseUrl, 50, 50) };
}

async function makeStaffed(databaseUrl: string, say: (line: string) => void): Promise<StaffedBusiness> {
  say(`seeding ${staffed.staff} staff with ${staffed.events * staffed.shiftsOfEvent} shifts`);
  const business = await bulk(databaseUrl, staffed.events, 0);
  return { ...business, userIds: await fillStaffed(databaseUrl, business.id) };
}

async function bulk(databaseUrl: string, events: number, childrenOf: number): Promise<Business> {
  const args = ['seed', '--events', String(events), '--with-children', String(childrenOf), '--force'];
  const { business_id: id } = await callboard<{ business_id: number }>(databaseUrl, args);
  const made = await callboard<{ key: string }>(databaseUrl, [
    'key',
    'create',
    '--business',
    String(id),
    '--name',
    'bench',
  ]);
  return { id, key: made.key };
}

/** Fifty times the command line would take longer than what is measured: the same functions, called at once. */
function smallOnes(databaseUrl: string): Promise<Business[]> {
  return onDatabase(databaseUrl, async ({ prisma }) => {
    const made: Business[] = [];
    for (let count = 0; count < smallBusinesses; count++)
      made.push(await seedSmall(prisma, { events: smallEvents, name: `Small Events ${count}`, today: new Date() }));
    return made;
  });
}

async function onDatabase<T>(
  databaseUrl: string,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig({ DATABASE_URL: databaseUrl }, { signsTokens: false });
  const database = await openDatabase({ ...config.db, statementTimeoutMs: limits.longCommandMs });
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

async function seedSmall(prisma: PrismaClient, request: Omit<BulkRequest, 'onProgress'>): Promise<Business> {
  const { businessId } = await seedBulk(prisma, { ...request, onProgress: () => undefined });
  const { key, ...stored } = generateApiKey();
  await prisma.apiKey.create({ data: { businessId, name: 'bench', ...stored } });
  return { id: businessId, key };
}

async function callboard<T>(databaseUrl: string, args: string[]): Promise<T> {
  const { PATH = '', HOME = '' } = process.env;
  const running = run(process.execPath, [places.commandLine, ...args, '--json'], {
    env: { PATH, HOME, DATABASE_URL: databaseUrl },
    maxBuffer: 10_000_000,
  });
  endWithUs(running.child);
  const { stdout } = await running;
  return JSON.parse(stdout || 'null') as T;
}

async function readRows(
  databaseUrl: string,
  { main, password }: Stored,
): Promise<Pick<Scene, 'events' | 'logins' | 'postgres'>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ uuid: string; starts_at: Date }>(
      `SELECT e.uuid, e.starts_at FROM events e WHERE e.business_id = $1 AND e.status = 'active'
          AND EXISTS (SELECT FROM call_times c WHERE c.business_id = e.business_id AND c.event_id = e.id)
        ORDER BY e.starts_at, e.id`,
      [main.id],
    );
    const users = await client.query<{ email: string }>(
      `SELECT u.email FROM users u JOIN businesses b ON b.id = u.business_id
        WHERE b.is_demo AND u.password_hash IS NOT NULL AND u.deleted_at IS NULL ORDER BY u.id LIMIT 20`,
    );
    const version = await client.query<{ server_version: string }>('SHOW server_version');
    return {
      events: rows.map(({ uuid, starts_at }) => ({ uuid, startsAt: starts_at.getTime() })),
      logins: users.rows.map(({ email }) => ({ email, password })),
      postgres: version.rows[0]?.server_version ?? '',
    };
  } finally {
    await client.end();
  }
}
