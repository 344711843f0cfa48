import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { loadConfig, type Config } from '../../src/config/config.ts';
import { limits } from '../../src/config/limits.ts';
import { openDatabase } from '../../src/db/engine/open-database.ts';
import type { PrismaClient } from '../../src/generated/prisma/client.ts';
import { seedBulk } from '../../src/bin/seed/bulk.ts';
import { createFactories, type Factories, type Tenant } from '../support/factories.ts';

/** Rows that attacks work on. Businesses are on the largest plan, with its documented rate limit. */
export interface Scene {
  readonly env: Readonly<Record<string, string>>;
  /** A business with many events, of which the first have call times and shifts. */
  readonly big: Credentials;
  /** First and last day that its reports cover, as GraphQL arguments. */
  readonly range: string;
  /** A business whose rows hold texts of the greatest length. */
  readonly long: Tenant;
  /** A business of few rows, one of whose people works many shifts at one event of one client. */
  readonly nested: Tenant;
  /** The business that is measured while others attack. */
  readonly other: Tenant;
  readonly close: () => Promise<void>;
}

export interface Credentials {
  readonly key: string;
  readonly admin: string;
}

export interface SceneOptions {
  readonly serverUrl: string;
  readonly redisUrl: string | undefined;
  /** Name of the database that is made and dropped. */
  readonly database: string;
  readonly bigEvents: number;
  readonly shifts: number;
  readonly longEvents: number;
  readonly longValues: number;
}

const otherEvents = 200;

/** Makes the database and fills it. */
export async function makeScene(options: SceneOptions): Promise<Scene> {
  const { serverUrl, redisUrl, database: name } = options;
  const onServer = async (statement: string) => {
    const client = new pg.Client(serverUrl);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const drop = () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await onServer(`CREATE DATABASE ${name}`);
  try {
    const env = {
      DATABASE_URL: Object.assign(new URL(serverUrl), { pathname: name }).href,
      JWT_SECRETS: `attack:${randomBytes(32).toString('base64url')}`,
      ...(redisUrl && { REDIS_URL: Object.assign(new URL(redisUrl), { search: `?keyPrefix=${name}:` }).href }),
    };
    return { env, ...(await fill(loadConfig(env), options)), close: drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function fill(config: Config, options: SceneOptions) {
  const patient = { statementTimeoutMs: limits.longCommandMs, queryTimeoutMs: limits.longCommandMs };
  const database = await openDatabase({ ...config.db, ...patient, transactionTimeoutMs: limits.longCommandMs });
  try {
    await database.migrate();
    const { prisma } = database;
    const factories = createFactories(prisma, config, () => new Date());
    const other = await factories.createTenant('enterprise');
    await addEvents(prisma, other, otherEvents, 'Short');
    const long = await factories.createTenant('enterprise');
    await makeLong(prisma, factories, long, options);
    const nested = await factories.createTenant('enterprise');
    await makeNested(prisma, factories, nested, options.shifts);
    const big = await makeBig(prisma, factories, options.bigEvents);
    await prisma.$executeRawUnsafe('ANALYZE');
    return { big: big.credentials, range: big.range, long, nested, other };
  } finally {
    await database.close();
  }
}

async function makeBig(prisma: PrismaClient, factories: Factories, events: number) {
  const { businessId } = await seedBulk(prisma, {
    name: 'Attacker',
    plan: 'enterprise',
    events,
    withChildren: Math.ceil(events / 5),
    today: new Date(),
    onProgress: () => undefined,
  });
  const business = await prisma.business.findUniqueOrThrow({ where: { id: businessId } });
  const admin = await factories.createUser(business, 'admin');
  const first = await prisma.event.findFirstOrThrow({ where: { businessId }, orderBy: { startsAt: 'asc' } });
  const last = new Date(first.startsAt.getTime() + (limits.spanDaysMax - 1) * 86_400_000);
  return {
    credentials: { key: (await factories.createKey(business)).key, admin: await factories.tokenOf(admin) },
    range: `from: "${first.startsAt.toISOString()}", to: "${last.toISOString()}"`,
  };
}

/** Events with the same texts, all on one day. */
const addEvents = (prisma: PrismaClient, { business }: Tenant, count: number, text: string) =>
  prisma.$executeRaw`
    INSERT INTO events (business_id, title, timezone, start_local, starts_at, end_local, ends_at, description, private_notes)
    SELECT ${business.id}, 'Event ' || g, 'UTC', t, t AT TIME ZONE 'UTC', t + interval '1 hour', (t + interval '1 hour') AT TIME ZONE 'UTC',
           ${text}, ${text}
      FROM (SELECT g, timestamp '2027-03-01' + g * interval '1 minute' AS t FROM generate_series(1, ${count}::int) AS g) AS times`;

/** A hundred events of which JSON takes six bytes for each character, and custom values of the greatest length. */
async function makeLong(prisma: PrismaClient, factories: Factories, tenant: Tenant, options: SceneOptions) {
  const { id } = tenant.business;
  await addEvents(prisma, tenant, options.longEvents, '\u0001'.repeat(limits.longTextChars));
  for (let field = 0; field < options.longValues; field++) await factories.createCustomField(tenant.business);
  await prisma.$executeRaw`
    INSERT INTO custom_field_values (business_id, event_id, custom_field_id, value)
    SELECT ${id}, e.id, f.id, repeat('x', ${limits.longTextChars}::int)
      FROM events e JOIN custom_fields f ON f.business_id = e.business_id WHERE e.business_id = ${id}`;
}

/** Shifts of one person that follow one another, at an event of one client. */
async function makeNested(prisma: PrismaClient, factories: Factories, tenant: Tenant, shifts: number) {
  const event = await factories.createEvent(tenant.business, { clientId: tenant.client.id });
  const position = await factories.createPosition(tenant.business);
  const callTime = await factories.createCallTime(event, { positionId: position.id, staffNeeded: shifts });
  await prisma.$executeRaw`
    INSERT INTO work_shifts (business_id, event_id, call_time_id, position_id, user_id, start_local, starts_at, end_local, ends_at)
    SELECT ${tenant.business.id}, ${event.id}, ${callTime.id}, ${position.id}, ${tenant.staff.id}, t, t AT TIME ZONE 'UTC',
           t + interval '1 minute', (t + interval '1 minute') AT TIME ZONE 'UTC'
      FROM (SELECT now()::timestamp(0) + interval '30 days' + g * interval '1 minute' AS t FROM generate_series(1, ${shifts}::int) AS g) AS times`;
}
