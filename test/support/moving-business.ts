import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createSecretBox, webhookKeysOf } from '../../src/access/secret-box.ts';
import { exportBusiness } from '../../src/bin/business-file/export.ts';
import { readFileKey } from '../../src/bin/business-file/format.ts';
import { checkBusinessFile, importBusiness } from '../../src/bin/business-file/import.ts';
import { movedTables } from '../../src/db/business-rows.ts';
import type { CallTime, PrismaClient } from '../../src/generated/prisma/client.ts';
import type { TestApp } from './app.ts';
import type { TestDatabase } from './database.ts';
import { createResourceRow, plainResources } from './resources.ts';
import type { Tenant } from './factories.ts';
import { atEnd } from './jest/at-end.mjs';

/* Businesses with one of everything, their files, and what two databases have of them. */

const folder = mkdtempSync(join(tmpdir(), 'callboard-move-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
export const newFile = (): string => join(folder, `${randomUUID()}.business`);

const keyFile = join(folder, 'key');
writeFileSync(keyFile, randomBytes(32).toString('base64url'), { mode: 0o600 });
export const fileKey = readFileKey(keyFile);

/** Texts that any encoding on the way could change. */
const oddText = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength }),
      fc.constantFrom(
        '"',
        '\\',
        '\n',
        '\u2028',
        '{"end":1}',
        "'; --",
        '\\x00',
        '\\u0000',
        '👩‍🍳 Ünïçødé',
        '‮right',
        '\t',
        'null',
      ),
    )
    .map((text) => `x${text.replaceAll('\0', '')}`.slice(0, maxLength).toWellFormed());

/** Values that are always the same for a seed. */
function oddValues(seed: number) {
  let drawn = 0;
  return (maxLength: number): string => fc.sample(oddText(maxLength), { seed: seed + drawn++, numRuns: 1 })[0]!;
}

/** A business with odd values in every table. */
export async function createOddBusiness(service: TestApp, seed: number): Promise<Tenant> {
  const { prisma, createEvent, createShift, createCallTime, setCustomValue } = service;
  const odd = oddValues(seed);
  const tenant = await service.createTenant();
  const { business, staff, client, admin } = tenant;
  const businessId = business.id;
  await prisma.business.update({
    where: { id: businessId },
    data: {
      name: '👩‍🍳'.repeat(66),
      uniqueResourceIds: true,
      strictQueries: false,
      restHours: 11,
      weeklyHours: 48,
      timezone: 'Asia/Tokyo',
      weekStart: 'sunday',
    },
  });
  await service.createUser(business, 'staff', { name: odd(100), phone: odd(40) });
  const gone = await service.createUser(business, 'staff', { name: 'Gone Away' });
  await prisma.user.updateMany({
    where: { businessId, id: gone.id },
    data: { deletedAt: new Date(), emailKey: null, passwordHash: null },
  });
  const { id: positionId } = await service.createPosition(business, { title: odd(200), defaultPayRate: '0.10' });
  // Its former rate moves, too.
  const position = await prisma.position.update({
    where: { businessId_id: { businessId, id: positionId } },
    data: { defaultPayRate: '9999999999.90' },
  });
  for (const resource of plainResources) await createResourceRow(prisma, resource, businessId, odd(200));
  const { id: skillLevelId } = await prisma.skillLevel.findFirstOrThrow({ where: { businessId } });
  const { id: qualificationId } = await prisma.qualification.findFirstOrThrow({ where: { businessId } });
  await prisma.requirement.create({ data: { businessId, positionId, qualificationId, minLevel: 5 } });
  await prisma.userQualification.createMany({
    data: [
      { businessId, userId: staff.id, qualificationId },
      {
        ...{ businessId, userId: staff.id, qualificationId, level: 1, reference: odd(200) },
        ...{
          validFrom: new Date('1999-12-31'),
          validUntil: new Date('2999-12-31'),
          announcedUntil: new Date('2026-03-01'),
        },
      },
    ],
  });
  const field = await service.createCustomField(business, {
    name: odd(200),
    type: 'select',
    options: ['a,b', '{"c"}', 'NULL', '', '\\', odd(50)],
  });
  const events = [
    // This hour comes twice.
    await createEvent(business, { start: '2026-11-01 01:30:00', end: '2026-11-01 02:30:00', resourceId: odd(50) }),
    await createEvent(business, {
      start: '2999-12-31 22:00:00',
      end: '2999-12-31 23:59:59',
      timezone: 'Australia/Lord_Howe',
    }),
    await createEvent(business, { status: 'draft', title: odd(200), privateNotes: odd(20_000), clientId: client.id }),
    await createEvent(business, {
      status: 'canceled',
      description: 'é'.repeat(20_000),
      latitude: '-0.50',
      longitude: '12.50',
    }),
    await createEvent(business, { status: 'deleted', resourceId: 'deleted, so not unique' }),
  ];
  for (const event of events) {
    const times = { start: '2026-10-31 12:00:00', end: '2026-10-31 20:00:00', positionId: position.id };
    const callTime = await createCallTime(event, {
      ...times,
      skillLevelId,
      notesForStaff: odd(2000),
      payRate: '12.30',
    });
    const shift = await createShift(event, staff, {
      positionId: position.id,
      callTimeId: callTime.id,
      confirmed: true,
      confirmedAt: new Date(),
    });
    await service.createSwap(shift, { toUserId: gone.id, message: odd(1000), state: 'refused', reason: odd(1000) });
    await createShift(event, gone, { positionId: position.id, start: null, end: null, overrideReason: odd(1000) });
    await createShift(event, staff, { ...times, status: 'canceled', declinedAt: new Date(), payRate: '0.10' });
    const came = await createShift(event, staff, { ...times, positionId: position.id });
    const approval = {
      approvedRate: '0.10',
      approvedUnit: 'hour',
      approvedMinutes: 1,
      approvedAmount: '0.00',
    } as const;
    const paid = { ...approval, approvedAt: new Date(), approvedById: admin.id, checkedOutAt: new Date() };
    await service.createAttendance(came, { ...paid, note: odd(1000), changeReason: odd(1000) });
    await createOffers(service, tenant, callTime, odd);
    const callTimeQualification = { businessId, eventId: event.id, callTimeId: callTime.id, qualificationId };
    await prisma.requirement.create({ data: callTimeQualification });
    await setCustomValue(event, field, odd(2000));
    await prisma.event.updateMany({ where: { businessId, id: event.id }, data: { dressCode: odd(100) } });
  }
  await service.createPattern(staff, { timezone: 'Australia/Lord_Howe', validFrom: new Date('1970-01-01') });
  await service.createPattern(staff, { rule: 'preferred', endTime: '00:00', validUntil: new Date('2999-12-31') });
  await service.createException(staff, { note: odd(200) });
  const revoked = await service.createKey(business, { createdById: admin.id, revokedAt: new Date() });
  await service.createFeed(admin, {
    name: odd(50),
    previousSecretHash: randomBytes(32),
    previousSecretExpiresAt: new Date(),
  });
  await prisma.screen.create({
    data: {
      businessId,
      name: odd(50),
      names: 'hidden',
      text: odd(100),
      publicId: randomUUID().replaceAll('-', '').slice(0, 12),
      secretHash: randomBytes(32),
      createdById: admin.id,
      claimableUntil: new Date(),
      claimedAt: new Date(),
      lastSeenAt: new Date(),
    },
  });
  const box = webhookBox(service.database);
  const webhook = await service.createWebhook(business, {
    secret: box.seal(`whsec_${odd(20)}`),
    previousSecret: box.seal('whsec_before'),
    previousSecretExpiresAt: new Date(),
    types: ['event.created', 'work_shift.confirmed'],
  });
  const message = await service.createWebhookMessage(webhook);
  await service.createWebhookMessage(webhook, { status: 'pending', nextAttemptAt: new Date(), deliveredAt: null });
  await prisma.webhookAttempt.create({
    data: { businessId, messageId: message.id, durationMs: 3, error: odd(50), response: odd(500) },
  });
  const details = { odd: odd(50), n: 1.5, none: null, list: [odd(5)] };
  await prisma.auditEntry.create({
    data: {
      businessId,
      action: 'apiKeys.revoke',
      outcome: 'done',
      actorKind: 'user',
      actorId: admin.id,
      details,
      subjectId: revoked.apiKey.id,
      subjectKind: 'apiKey',
    },
  });
  await prisma.idempotencyKey.create({
    data: { businessId, key: odd(255), operation: 'events.create', fingerprint: randomBytes(32), answer: {} },
  });
  return tenant;
}

/** An offer with somebody in each of some states, which goes on to ask others. */
async function createOffers(
  service: TestApp,
  { staff, admin }: Tenant,
  callTime: CallTime,
  odd: (chars: number) => string,
) {
  const offer = await service.createOffer(callTime, {
    ...{ message: odd(1000), createdById: admin.id, mode: 'approval' },
    ...{ waveSize: 2, waveMinutes: 30, nextWaveAt: callTime.startsAt, waitingUserIds: [staff.id] },
  });
  await service.createRecipient(offer, staff, { state: 'requested', respondedAt: new Date() });
  await service.createRecipient(offer, staff, { state: 'withdrawn', reason: odd(1000) });
}

export const webhookBox = (database: Pick<TestDatabase, 'config'>) =>
  createSecretBox(webhookKeysOf(database.config().webhooks.keys, database.config().auth.secrets));

interface Place {
  readonly prisma: PrismaClient;
  readonly database: Pick<TestDatabase, 'config'>;
}

export async function exportFrom(
  { prisma, database }: Place,
  businessId: number,
  key: typeof fileKey | null = fileKey,
) {
  const file = newFile();
  await exportBusiness(prisma, database.config(), { businessId, file, key });
  return file;
}

/** Imports a file as the command does. */
export async function importInto({ prisma, database }: Place, file: string, key: typeof fileKey | null = fileKey) {
  const header = await checkBusinessFile(file, key);
  return importBusiness(prisma, database.config(), { file, key, header });
}

type Row = Record<string, unknown>;

/** The rows of a business by table, as a database stores them, with the secrets of webhooks in plain text. */
export async function storedRows({ prisma, database }: Place, businessId: number): Promise<Record<string, Row[]>> {
  const box = webhookBox(database);
  const stored: Record<string, Row[]> = {};
  for (const { name, business, key, columns, secrets } of movedTables) {
    const order = key.length > 0 ? `ORDER BY ${key.join(', ')}` : '';
    const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(
      `SELECT to_jsonb(t)::text AS row FROM "${name}" t WHERE ${business} = ${businessId} ${order}`,
    );
    stored[name] = rows.map(({ row }) => {
      const parsed = JSON.parse(row) as Row;
      if (!columns.every((column) => column in parsed)) throw new Error(`A column of ${name} is missing.`);
      for (const [column, kind] of Object.entries(secrets))
        if (kind === 'encrypted' && parsed[column] !== null) parsed[column] = box.open(parsed[column] as string);
      return parsed;
    });
  }
  return stored;
}

/** What the move itself adds to a business. */
export const isOfMove = (row: Row): boolean =>
  ['operation', 'action'].some((name) => /^cli\.business\.(import|export)$/.test(String(row[name])));

export const withoutMove = (rows: Record<string, Row[]>) =>
  Object.fromEntries(Object.entries(rows).map(([name, all]) => [name, all.filter((row) => !isOfMove(row))]));

/** The lines of a file, and a file of other lines. */
export const linesIn = (bytes: Buffer): string[] => gunzipSync(bytes).toString('utf8').split('\n').slice(0, -1);

export function fileOf(lines: readonly string[]): string {
  const file = newFile();
  writeFileSync(file, gzipSync(lines.map((line) => `${line}\n`).join('')));
  return file;
}

/** A file without a key that has other lines, whose digest is right for them. `more`: how many more rows its end says. */
export function forgedFile(lines: readonly string[], more: Readonly<Record<string, number>> = {}): string {
  const all = lines.slice(0, -1);
  const { end } = JSON.parse(lines.at(-1)!) as { end: { rows: Record<string, number> } };
  const rows = Object.fromEntries(Object.entries(end.rows).map(([name, count]) => [name, count + (more[name] ?? 0)]));
  const digest = createHash('sha256');
  for (const line of all) digest.update(`${line}\n`);
  return fileOf([...all, JSON.stringify({ end: { rows, digest: digest.digest('hex') } })]);
}
