import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { movedTables } from '../src/db/business-rows.ts';
import { startApp, type TestApp } from './support/app.ts';
import { password, type Tenant } from './support/factories.ts';
import {
  createOddBusiness,
  exportFrom,
  forgedFile,
  importInto,
  isOfMove,
  linesIn,
  storedRows,
  webhookBox,
  withoutMove,
} from './support/moving-business.ts';

/* A business moves to another database by its file: all of it, and everybody goes on there. */

const seed = Number(process.env['RANDOM_SEED'] ?? 20_261_123);
let source: TestApp;
let target: TestApp;
let tenant: Tenant;
let other: Tenant;
let file: string;

beforeAll(async () => {
  [source, target] = [await startApp(), await startApp()];
  tenant = await createOddBusiness(source, seed);
  other = await createOddBusiness(source, seed + 1000);
});

afterAll(async () => {
  await source.close();
  await target.close();
});

const businessId = () => tenant.business.id;

describe('after the import', () => {
  const tour = (): string[] => {
    const paths = source.app.http.swagger().paths ?? {};
    const plain = Object.entries(paths).flatMap(([path, operations]) =>
      'get' in operations && path.startsWith('/v1') ? [path] : [],
    );
    return [
      ...plain.filter(
        (path) => !path.includes('{') && !/stream|rate_limit|revision|changes|audit|call_times/.test(path),
      ),
      '/api/v1/users',
    ];
  };
  const query = `{ events(perPage: 50, filter: { status: [ACTIVE, DRAFT, CANCELED, DELETED] }) { totalCount nodes { id uuid title version startTime endTime timezone privateNotes
    resourceId description createdAt modifiedAt callTimes { uuid staffNeeded payRate position { title defaultPayRate } skillLevel { name } notesForStaff }
    workShifts { uuid status firstName lastName confirmedAt declinedAt payRate } customFields { fieldName fieldValue } } }
    positions { title } viewer { business { name plan } } }`;

  /** Answers to reads of everything, of which only what belongs to one moment is left out. */
  const answersOf = async (service: TestApp) => {
    const answers: Record<string, unknown> = {};
    const read = async (name: string, as: string, url: string) => {
      const { status, body } = await service.call('GET', url, { as });
      answers[`${name} ${url}`] = { status, body };
    };
    const detail = source === service ? source : target;
    const rows = await detail.prisma.event.findMany({ where: { businessId: businessId() }, orderBy: { id: 'asc' } });
    const span = 'from=2026-10-01&to=2026-11-30&group_by=event';
    for (const url of tour())
      await read('key', tenant.as.key, /coverage|labour_cost|work$|conflicts/.test(url) ? `${url}?${span}` : url);
    for (const { uuid } of rows)
      for (const url of [
        `/v1/events/${uuid}`,
        `/v1/objects/events/${uuid}`,
        `/v1/call_times?event_uuid=${uuid}`,
        `/v1/work_shifts/event/${uuid}`,
        `/v1/history/events/${uuid}`,
      ])
        await read('key', tenant.as.key, url);
    answers['graphql'] = (await service.graphql(query, { as: tenant.as.key })).body;
    return answers;
  };

  let before: {
    stored: Awaited<ReturnType<typeof storedRows>>;
    answers: Record<string, unknown>;
    revision: bigint;
    cursor: string;
  };

  beforeAll(async () => {
    const log = await source.call('GET', '/v1/changes', { as: tenant.as.key });
    const answers = await answersOf(source);
    before = {
      answers,
      stored: withoutMove(await storedRows(source, businessId())),
      revision: (await source.prisma.businessRevision.findUniqueOrThrow({ where: { businessId: businessId() } }))
        .revision,
      cursor: log.body.data.next_cursor as string,
    };
    file = await exportFrom(source, businessId());
    await importInto(target, file);
  });

  test('every row is the same; the import adds its commit and its entry of the audit trail', async () => {
    const after = await storedRows(target, businessId());
    const lastUsed = (rows: Awaited<ReturnType<typeof storedRows>>) => ({
      ...rows,
      api_keys: rows['api_keys']!.map((row) => ({ ...row, last_used_at: null })),
    });
    expect(lastUsed(withoutMove(after))).toEqual(lastUsed(before.stored));
    expect(after['commits']!.filter(isOfMove).map(({ operation }) => operation)).toEqual(['cli.business.import']);
    expect(after['audit_entries']!.filter((row) => row['action'] === 'cli.business.import')).toHaveLength(1);
    const [sum] = await target.prisma.$queryRawUnsafe<{ n: number }[]>(
      `SELECT sum(delta)::int AS n FROM event_tallies WHERE business_id = ${businessId()}`,
    );
    expect(sum?.n).toBe(before.stored['events']!.length);
    // Gathered with the rows: PostgreSQL takes a business that its statistics do not know for one row.
    const known = await target.prisma.$queryRawUnsafe<{ table: string }[]>(
      `SELECT tablename::text AS "table" FROM pg_stats WHERE schemaname = current_schema() AND attname = 'business_id'`,
    );
    expect(known.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['events', 'work_shifts', 'event_staffing']),
    );
    expect(await target.prisma.personalToken.count()).toBe(0);
    expect(await target.prisma.idempotencyKey.count()).toBe(0);
  });

  test('REST and GraphQL give the same answers, with the API key of before', async () => {
    const after = await answersOf(target);
    expect(Object.keys(after).length).toBeGreaterThan(40);
    expect(
      Object.values(after).filter((answer) => (answer as { status?: number }).status === 200).length,
    ).toBeGreaterThan(35);
    expect(after).toEqual(before.answers);
    expect(JSON.stringify(after)).toBe(JSON.stringify(before.answers));
  });

  test('people log in with their passwords, and log-ins of before have ended', async () => {
    const body = { email: tenant.admin.email, password };
    expect((await target.call('POST', '/v1/auth/login', { body })).status).toBe(200);
    expect((await target.call('GET', '/v1/viewer', { as: tenant.as.admin })).status).toBe(401);
  });

  test('the data version is higher, and cursors of before lead on', async () => {
    const { revision } = await target.prisma.businessRevision.findUniqueOrThrow({
      where: { businessId: businessId() },
    });
    expect(revision).toBeGreaterThan(before.revision);
    const next = await target.call('GET', `/v1/changes?after=${before.cursor}`, { as: tenant.as.key });
    expect([next.status, next.body.data.changes]).toEqual([200, []]);
    await target.call('POST', '/v1/positions', {
      as: tenant.as.key,
      body: { title: 'Behind the move', default_pay_rate: '1' },
    });
    const later = await target.call('GET', `/v1/changes?after=${before.cursor}`, { as: tenant.as.key });
    expect(JSON.stringify(later.body)).toContain('Behind the move');
  });

  test('a cursor of a commit that did not move has expired', async () => {
    await source.createPosition(tenant.business);
    const log = await source.call('GET', '/v1/changes', { as: tenant.as.key });
    const lost = await target.call('GET', `/v1/changes?after=${String(log.body.data.next_cursor)}`, {
      as: tenant.as.key,
    });
    expect([lost.status, lost.body.code]).toEqual([410, 'CURSOR_EXPIRED']);
  });

  test('numbers go on behind those of the business', async () => {
    const newest = Math.max(...before.stored['events']!.map(({ id }) => Number(id)));
    const made = await target.createEvent(tenant.business);
    expect(made.id).toBeGreaterThan(newest);
    for (const { name, sequences, key } of movedTables) {
      // Attendance has the ids of shifts.
      if (!('id' in sequences) || !key.includes('id') || name === 'attendance') continue;
      const [next] = await target.prisma.$queryRawUnsafe<{ isBehind: boolean }[]>(
        `SELECT nextval(pg_get_serial_sequence('"${name}"', 'id')) > max(id) AS "isBehind" FROM "${name}"`,
      );
      expect([name, next?.isBehind]).toEqual([name, true]);
    }
  });

  test('a second import is refused, also as another business with the same e-mail addresses or keys', async () => {
    await expect(importInto(target, file)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(`the database has a business ${businessId()} already .* Nothing is changed`),
    });
    const rename = (change: string) =>
      target.prisma.$executeRawUnsafe(
        `UPDATE users SET email = ${change.replaceAll('$', 'email')}, email_key = ${change.replaceAll('$', 'email_key')}
          WHERE business_id = ${businessId()} AND deleted_at IS NULL`,
      );
    await rename(`'moved-' || $`);
    const count = () => target.prisma.business.count();
    const businesses = await count();
    const plain = linesIn(readFileSync(await exportFrom(source, businessId(), null)));
    const renumbered = (lines: string[]) => {
      const header = lines[0]!.replace(`"id":${businessId()}`, `"id":${businessId() - 1}`);
      return forgedFile([header, ...lines.slice(1)]);
    };
    await expect(importInto(target, renumbered(plain), null)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(tenant.apiKey.publicId),
    });
    await rename(`substr($, 7)`);
    await expect(importInto(target, renumbered(plain), null)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`another business of the database has ${tenant.admin.emailKey}`),
    });
    expect(await count()).toBe(businesses);
  });
});

test('without secrets, nobody logs in, keys and screens are revoked, and webhooks are disabled and have new secrets', async () => {
  await importInto(target, await exportFrom(source, other.business.id, null), null);
  const where = { businessId: other.business.id };
  expect(await target.prisma.user.count({ where: { ...where, passwordHash: { not: null } } })).toBe(0);
  expect(await target.prisma.apiKey.count({ where: { ...where, revokedAt: null } })).toBe(0);
  expect(await target.prisma.screen.count({ where: { ...where, revokedAt: null } })).toBe(0);
  const webhooks = await target.prisma.webhookEndpoint.findMany({ where });
  expect(webhooks.map(({ disabledReason, previousSecret }) => [disabledReason, previousSecret])).toEqual([
    ['caller', null],
  ]);
  expect(webhookBox(target.database).open(webhooks[0]!.secret)).toMatch(/^whsec_/);
  expect((await target.call('GET', '/v1/viewer', { as: other.as.key })).status).toBe(401);
  expect(await target.prisma.event.count({ where })).toBe(5);
});

test('the number of a business moves its sequence only within the bounds of the sequence', async () => {
  const sequence = async () =>
    (await target.prisma.$queryRawUnsafe<{ last: bigint }[]>('SELECT last_value AS last FROM businesses_id_seq'))[0]!
      .last;
  await target.prisma.$executeRawUnsafe('ALTER SEQUENCE businesses_id_seq MINVALUE 1 MAXVALUE 999 RESTART WITH 5');
  const third = await source.createTenant();
  await importInto(target, await exportFrom(source, third.business.id));
  expect(await sequence()).toBe(5n);
  await target.prisma.$executeRawUnsafe('ALTER SEQUENCE businesses_id_seq MINVALUE 1 MAXVALUE 2147483647');
  // A higher number leaves the sequence where it is.
  let fourth = await source.createTenant();
  while (fourth.business.id > 2 ** 30) fourth = await source.createTenant();
  await importInto(target, await exportFrom(source, fourth.business.id));
  expect(await sequence()).toBe(BigInt(fourth.business.id));
});
