import { createHash } from 'node:crypto';
import { limits } from '../../config/limits.ts';
import { setUniqueResourceIds } from '../../db/businesses.ts';
import { plainCatalogs } from '../../fields/catalogs.ts';
import { stopLogging } from '../../db/change-log.ts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { seedDemo } from '../seed/demo.ts';

/** The moment of all examples. */
export const exampleMoment = '2026-11-23T15:00:00.000Z';

/** The caller of the examples: the admin of the larger demo business. */
const exampleCaller = 'admin@aurora.example';

/** The screen of the examples, which the demo data have none of. Its board token opens nothing elsewhere. */
export const exampleScreen = {
  caller: 'screen',
  publicId: 'd3Ks7VnB1xGm',
  secret: 'ExampleOfABoardTokenForTheDocs00',
  boardToken: 'cbs_d3Ks7VnB1xGm_ExampleOfABoardTokenForTheDocs003hVnXY',
};

/** The secret of the invitation of the examples. It opens nothing elsewhere. */
const exampleInvitation = 'ExampleOfAnInvitationForTheDocs';

/** The signing secrets of the examples, by which the token of a link in a mail is made. */
export const exampleSecrets = `examples:${'-'.repeat(32)}`;

/** The secrets of the links in mails of the examples. */
const exampleLinks = { offer: 'ExampleOfAnOfferLinkForTheDocs', password: 'ExampleOfAPasswordLinkForTheDocs' };

/** Callers of the examples that an admin may not send. */
export const otherCallers = ['staff@aurora.example', 'client@aurora.example', exampleScreen.caller] as const;

/** The password of the demo data, and the one that the examples of changing a password set. */
const passwords = ['callboard-demo', 'correct horse battery staple'];

/** Logs in as a caller of the examples, one of which may have changed the password, and returns the token. A screen has one already. */
export async function logInAsExample(
  send: (logIn: { email: string; password: string }) => Promise<unknown>,
  email: string = exampleCaller,
): Promise<string> {
  if (email === exampleScreen.caller) return exampleScreen.boardToken;
  for (const password of passwords) {
    const { data } = (await send({ email, password })) as { data: { access_token: string } | null };
    if (data) return data.access_token;
  }
  throw new Error(`${email} cannot log in.`);
}

/** An API key, which the demo data have none of. Nobody has its secret. */
const exampleKey = { publicId: 'b7Qx2LmT9cVd', name: 'Website', lastFour: '4kZt' };

/**
 * Fills an empty, migrated database with the demo data of one fixed day, and makes it give new rows UUIDs that are the same
 * each time. Examples that were recorded on such a database can be sent again on another one.
 */
export async function createExampleScene(
  prisma: PrismaClient,
  hash: (password: string) => Promise<string>,
): Promise<void> {
  const moment = new Date(exampleMoment);
  await seedDemo(prisma, moment, hash);
  const { id: businessId } = await prisma.business.findFirstOrThrow({ orderBy: { id: 'asc' } });
  await prisma.apiKey.create({
    data: { ...exampleKey, businessId, secretHash: createHash('sha256').update('nobody').digest(), createdAt: moment },
  });
  // Resource ids name events only where they are unique.
  await setUniqueResourceIds(prisma, businessId, true);
  await fillCatalogs(prisma, businessId);
  await inviteExample(prisma, businessId, moment);
  await mailExamples(prisma, businessId, moment);
  await writeHistory(prisma, businessId);
  await createWebhook(prisma, businessId, moment);
  await createScreens(prisma, businessId, moment);
  await prisma.$transaction(async (tx) => {
    // Its history would have the time of the day.
    await stopLogging(tx);
    await createDoor(tx, businessId, moment);
  });
  await createFeeds(prisma, businessId, moment);
  await createSession(prisma, businessId, moment);
  await prisma.$executeRawUnsafe('CREATE SEQUENCE example_uuids');
  const columns = await prisma.$queryRaw<{ table: string; column: string }[]>`
    SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = 'public' AND column_default LIKE 'gen_random_uuid%' ORDER BY 1, 2`;
  for (const { table, column } of columns)
    await prisma.$executeRawUnsafe(`ALTER TABLE "${table}" ALTER COLUMN "${column}" SET DEFAULT ${nextUuid}`);
}

/** Adds a row to each plain catalog of which the demo data have none, so that there is one to be read. */
async function fillCatalogs(prisma: PrismaClient, businessId: number): Promise<void> {
  for (const { table } of Object.values(plainCatalogs))
    await prisma.$executeRawUnsafe(
      `INSERT INTO "${table}" (business_id, name) SELECT ${businessId}, 'Example' WHERE NOT EXISTS (SELECT FROM "${table}")`,
    );
}

/** The data version of the first commit of each business: the microseconds of a moment before that of the examples. */
const firstRevision = Date.parse('2026-11-20T09:00:00.000Z') * 1000;

/**
 * Gives the commits of the demo data fixed moments and revisions, and adds one for each shift, in which the caller of the examples
 * moved it to its present start: then every shift and every event with shifts has a history to show.
 */
async function writeHistory(prisma: PrismaClient, businessId: number): Promise<void> {
  await prisma.$executeRaw`
    UPDATE commits c SET revision = ${firstRevision}::bigint + n.place, at = to_timestamp(${firstRevision / 1e6})
      FROM (SELECT business_id, revision, row_number() OVER (PARTITION BY business_id ORDER BY revision) AS place FROM commits) AS n
     WHERE n.business_id = c.business_id AND n.revision = c.revision`;
  await prisma.$executeRaw`
    WITH moved AS MATERIALIZED (
      SELECT s.*, nextval('change_batches') AS batch, row_number() OVER (ORDER BY id) AS place FROM work_shifts s
       WHERE s.business_id = ${businessId} AND s.start_local IS NOT NULL),
    logged AS (
      INSERT INTO row_changes (business_id, batch, kind, row_id, uuid, event_id, change, before, after)
      SELECT business_id, batch, 'work_shifts', id, uuid, event_id, 'update',
             jsonb_build_object('start_local', start_local - interval '30 minutes'),
             jsonb_build_object('start_local', start_local)
        FROM moved)
    INSERT INTO commits (business_id, revision, batch, at, actor_kind, actor_id, actor_name, operation, request_id)
    SELECT moved.business_id, ${firstRevision}::bigint + 3600000000 + place, batch, to_timestamp(${firstRevision / 1e6 + 3600}),
           'user', u.id, u.name, 'workShifts.update', 'req-' || place
      FROM moved JOIN users u ON u.business_id = moved.business_id AND u.email = ${exampleCaller}`;
}

/** Feeds that can be rotated and revoked. Nobody has their secrets. */
async function createFeeds(prisma: PrismaClient, businessId: number, moment: Date): Promise<void> {
  const { id: userId } = await prisma.user.findFirstOrThrow({ where: { email: exampleCaller } });
  const shared = { businessId, userId, kind: 'business', createdAt: moment } as const;
  const secretHash = createHash('sha256').update('nobody').digest();
  // Those of the demo have other ids in each recording.
  await prisma.feed.deleteMany({ where: { businessId } });
  for (const [publicId, name] of [
    ['g8Tb4MxQ2cRd', 'All events'],
    ['h1Vd7NzW9eSf', 'Old phone'],
  ] as const)
    await prisma.feed.create({ data: { ...shared, publicId, name, secretHash } });
}

/** The screen that calls, and one that can be revoked without taking the caller its token. */
async function createScreens(prisma: PrismaClient, businessId: number, moment: Date): Promise<void> {
  const { id: createdById } = await prisma.user.findFirstOrThrow({ where: { email: exampleCaller } });
  const { publicId, secret } = exampleScreen;
  const claimed = {
    businessId,
    names: 'short',
    createdById,
    createdAt: moment,
    claimableUntil: moment,
    claimedAt: moment,
    lastSeenAt: moment,
  } as const;
  const secretHash = createHash('sha256').update(secret).digest();
  await prisma.screen.create({
    data: {
      ...{ ...claimed, uuid: exampleUuid(903), name: 'Stage door', city: 'New York', publicId, secretHash },
      checkInEventUuid: exampleUuid(910),
    },
  });
  await prisma.screen.create({
    data: { ...claimed, uuid: exampleUuid(904), name: 'Green room', publicId: 'f3Wn8RsK5hYq', secretHash },
  });
}

/** An event at the moment of the examples: one person has come and left, and another one checks in on the screen. */
async function createDoor(prisma: Prisma.TransactionClient, businessId: number, moment: Date): Promise<void> {
  const at = (hours: number) => new Date(moment.getTime() + hours * 3_600_000);
  const times = { startLocal: at(-3), startsAt: at(-3), endLocal: at(3), endsAt: at(3) };
  const stamps = { createdAt: moment, modifiedAt: moment };
  const { id: eventId } = await prisma.event.create({
    data: { businessId, uuid: exampleUuid(910), title: 'Load-in', timezone: 'Etc/UTC', ...times, ...stamps },
    select: { id: true },
  });
  const { id: positionId } = await prisma.position.findFirstOrThrow({ where: { businessId }, orderBy: { id: 'asc' } });
  const staff = await prisma.user.findMany({ where: { businessId, role: 'staff' }, orderBy: { id: 'desc' }, take: 2 });
  const [left, coming] = staff as [(typeof staff)[0], (typeof staff)[0]];
  const phone = { name: 'Robin Fields', firstName: 'Robin', lastName: 'Fields', phone: '+1 212 555-0142' };
  await prisma.user.update({ where: { businessId_id: { businessId, id: coming.id } }, data: phone });
  const shared = { businessId, eventId, positionId, ...times, ...stamps };
  await prisma.workShift.create({ data: { ...shared, uuid: exampleUuid(911), userId: coming.id } });
  const { id } = await prisma.workShift.create({
    data: { ...shared, uuid: exampleUuid(912), userId: left.id, endLocal: at(-1), endsAt: at(-1) },
  });
  const noted = { checkedInAt: at(-3), checkedOutAt: at(-1), source: 'code' as const };
  await prisma.attendance.create({ data: { businessId, id, uuid: exampleUuid(912), eventId, ...noted, ...stamps } });
}

/** A lasting log-in that can be ended without taking the caller theirs. Nobody has its secret. */
async function createSession(prisma: PrismaClient, businessId: number, moment: Date): Promise<void> {
  const { id: userId } = await prisma.user.findFirstOrThrow({ where: { email: exampleCaller } });
  const createdAt = new Date(moment.getTime() - 3_600_000);
  await prisma.session.create({
    data: {
      ...{ businessId, userId, uuid: exampleUuid(905), publicId: 'nobody' },
      secretHash: createHash('sha256').update('nobody').digest(),
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      ...{ createdAt, lastUsedAt: moment, expiresAt: new Date(createdAt.getTime() + limits.sessionLifetimeS * 1000) },
    },
  });
}

/** Somebody without a password, whose invitation can be claimed. */
async function inviteExample(prisma: PrismaClient, businessId: number, moment: Date): Promise<void> {
  const name = { name: 'Alex Invited', firstName: 'Alex', lastName: 'Invited' };
  const address = 'alex.invited@aurora.example';
  const { id: userId } = await prisma.user.create({
    data: {
      ...name,
      businessId,
      email: address,
      emailKey: address,
      role: 'staff',
      createdAt: moment,
      updatedAt: moment,
    },
  });
  const secretHash = createHash('sha256').update(exampleInvitation).digest();
  const expiresAt = new Date(moment.getTime() + limits.invitationS * 1000);
  await prisma.invitation.create({ data: { businessId, userId, secretHash, createdAt: moment, expiresAt } });
}

/** The mails of an offer that is open, and of a forgotten password. */
async function mailExamples(prisma: PrismaClient, businessId: number, moment: Date): Promise<void> {
  const hashOf = (secret: string) => createHash('sha256').update(secret).digest();
  const shared = { businessId, status: 'sent', createdAt: moment } as const;
  const part = await prisma.offerRecipient.findFirstOrThrow({
    where: { businessId, state: 'sent', expiresAt: { gt: moment } },
    orderBy: { id: 'desc' },
  });
  // Somebody of their own: whoever sets a new password is logged out.
  const address = 'kim.forgetful@aurora.example';
  const name = { name: 'Kim Forgetful', firstName: 'Kim', lastName: 'Forgetful' };
  const user = await prisma.user.create({
    data: {
      ...{ ...name, businessId, email: address, emailKey: address, role: 'staff', passwordHash: '$argon2id$' },
      ...{ createdAt: moment, updatedAt: moment },
    },
  });
  await prisma.mail.createMany({
    data: [
      { ...shared, userId: part.userId, kind: 'offer', subjectId: part.id, secretHash: hashOf(exampleLinks.offer) },
      { ...shared, userId: user.id, kind: 'password', secretHash: hashOf(exampleLinks.password) },
    ],
  });
}

/** A webhook with a message that its receiver has refused once. The demo data have none. Nobody has its secret. */
async function createWebhook(prisma: PrismaClient, businessId: number, moment: Date): Promise<void> {
  const { _max: last } = await prisma.commit.aggregate({ where: { businessId }, _max: { revision: true } });
  const { id: endpointId } = await prisma.webhookEndpoint.create({
    data: {
      businessId,
      uuid: exampleUuid(900),
      url: 'https://receiver.example/callboard',
      description: 'Payroll',
      types: ['work_shift.confirmed', 'work_shift.declined'],
      secret: 'nobody',
      revision: last.revision ?? 0n,
      createdAt: moment,
      updatedAt: moment,
    },
  });
  const [type, shift] = ['work_shift.confirmed', exampleUuid(902)];
  const data = { kind: 'workShift', uuid: shift, revision: '1795446000000000', fields: ['confirmed'] };
  const { id: messageId } = await prisma.webhookMessage.create({
    data: {
      businessId,
      endpointId,
      uuid: exampleUuid(901),
      type,
      payload: JSON.stringify({ type, timestamp: moment.toISOString(), data }),
      status: 'delivered',
      attemptCount: 2,
      nextAttemptAt: null,
      createdAt: moment,
      deliveredAt: new Date(moment.getTime() + 5240),
    },
  });
  const refused = { statusCode: 503, error: 'The receiver answered 503.', response: 'try later', durationMs: 118 };
  const attempt = { businessId, messageId };
  await prisma.webhookAttempt.create({ data: { ...attempt, ...refused, at: moment } });
  const accepted = { statusCode: 204, durationMs: 96, at: new Date(moment.getTime() + 5144) };
  await prisma.webhookAttempt.create({ data: { ...attempt, ...accepted } });
}

/** The next UUID of version 4 that `exampleUuid` makes. */
const nextUuid = `overlay(overlay(md5('example ' || nextval('example_uuids')) placing '4' from 13) placing 'a' from 17)::uuid`;

/** Returns the UUID that the scene gives to a new row, by its number from 1. */
export function exampleUuid(number: number): string {
  const hex = createHash('md5').update(`example ${number}`).digest('hex');
  const text = `${hex.slice(0, 12)}4${hex.slice(13, 16)}a${hex.slice(17)}`;
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
