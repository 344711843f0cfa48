import type { OperationRecord } from '../../src/access/operation-record.ts';
import { createTokens } from '../../src/access/tokens.ts';
import { limits } from '../../src/config/limits.ts';
import { tables as registryTables } from '../../src/db/registry.ts';
import type { Event, User } from '../../src/generated/prisma/client.ts';
import { formatUtc } from '../../src/time/wall-clock.ts';
import type { TestApp } from './app.ts';
import type { Tenant } from './factories.ts';
import { createScreen, fromFreshAddress } from './screens.ts';
import { createResourceRows, resources, type ResourceNoun } from './resources.ts';

/* The scene of the authorization matrix: all kinds of callers, and two businesses with a row of each kind. */

export const actors = [
  'anonymous',
  'client',
  'staff',
  'admin',
  'API key',
  'screen',
  'revoked token',
  'expired token',
  'deleted user',
  'revoked key',
  'expired key',
  'revoked screen',
  "other business's admin",
] as const;
export type ActorName = (typeof actors)[number];
export const stranger = "other business's admin";

/** Credentials that are no longer valid. */
export const dead: readonly ActorName[] = [
  'revoked token',
  'expired token',
  'deleted user',
  'revoked key',
  'expired key',
  'revoked screen',
];

/** Rows of one business that a call can refer to. */
export interface Target {
  readonly eventUuid: string;
  readonly userId: number;
  readonly positionId: number;
  readonly callTimeUuid: string;
  /** Shift of the tenant's staff member. */
  readonly shiftUuid: string;
  readonly confirmedShiftUuid: string;
  /** A shift that its person asks to drop. */
  readonly unwantedShiftUuid: string;
  /** The shift of another person. */
  readonly otherShiftUuid: string;
  /** What the tenant's staff member has said. */
  readonly said: { readonly userId: number; readonly patternUuid: string; readonly exceptionUuid: string };
  /** Rows that nothing refers to. */
  readonly unused: {
    readonly ids: Readonly<Record<ResourceNoun, number>>;
    readonly fieldUuid: string;
    readonly callTimeUuid: string;
    readonly heldId: number;
  };
  readonly keyId: string;
  readonly webhook: { readonly uuid: string; readonly messageUuid: string; readonly disabledUuid: string };
  readonly sessionUuid: string;
  readonly invited: { readonly userId: number; readonly secret: string };
  readonly offer: OfferTarget;
  /** What the links in mails hold. */
  readonly mailed: { readonly offer: string; readonly password: string; readonly off: string };
  readonly attended: AttendedTarget;
  readonly swap: SwapTarget;
  readonly feedId: string;
  readonly screenUuid: string;
  readonly email: string;
}

/** Shifts of the tenant's staff member, who works now: one to come to, one to leave, and one that is over. */
interface AttendedTarget {
  readonly eventUuid: string;
  /** The printed code of the event. */
  readonly code: string;
  readonly expectedUuid: string;
  readonly presentUuid: string;
  readonly doneUuid: string;
  readonly name: string;
}

/** Swaps: one that the tenant's staff member asks for, one that asks them, and one that they have taken. */
type SwapTarget = Readonly<Record<'ownUuid' | 'askingUuid' | 'takenUuid' | 'swappableUuid', string>>;

/** An offer, of which the tenant's staff member has a part. */
interface OfferTarget {
  readonly uuid: string;
  readonly callTimeUuid: string;
  /** Somebody who has no part in it. */
  readonly unaskedId: number;
  readonly sentUuid: string;
  readonly requestedUuid: string;
  readonly declinedUuid: string;
  /** A call time that staff can claim. */
  readonly claimableUuid: string;
}

export type Code = 'OK' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' | 'VALIDATION_FAILED';

export interface Row {
  /** The operation behind the route or field. Its record says who may call it. */
  readonly calls: { readonly operation: OperationRecord };
  /** REST's body, or GraphQL's variables. */
  readonly input?: (target: Target) => object;
  /** The id in REST's address, where it is not that of a user. */
  readonly id?: (target: Target) => number;
  /** The uuid in REST's address, where it is not that of an event. */
  readonly uuid?: (target: Target) => string;
  /** REST's query. */
  readonly query?: (target: Target) => Record<string, string>;
  /** Whether the body or the query names a row that must be there. */
  readonly namesRow?: true;
  /** Exceptions from the outcome that permission and visibility imply. */
  readonly but?: Partial<Record<ActorName, Code>>;
}

const mapResources = (idOf: (noun: ResourceNoun) => number) =>
  Object.fromEntries(resources.map(({ noun }) => [noun, idOf(noun)])) as Record<ResourceNoun, number>;

/** A target whose ids exist in no business. */
export const unknownTarget = (): Target => ({
  eventUuid: crypto.randomUUID(),
  userId: limits.int4Max,
  positionId: limits.int4Max,
  callTimeUuid: crypto.randomUUID(),
  shiftUuid: crypto.randomUUID(),
  confirmedShiftUuid: crypto.randomUUID(),
  unwantedShiftUuid: crypto.randomUUID(),
  otherShiftUuid: crypto.randomUUID(),
  said: { userId: limits.int4Max, patternUuid: crypto.randomUUID(), exceptionUuid: crypto.randomUUID() },
  unused: {
    ids: mapResources(() => limits.int4Max),
    fieldUuid: crypto.randomUUID(),
    callTimeUuid: crypto.randomUUID(),
    heldId: limits.int4Max,
  },
  keyId: 'A1b2C3d4E5f6',
  webhook: { uuid: crypto.randomUUID(), messageUuid: crypto.randomUUID(), disabledUuid: crypto.randomUUID() },
  offer: {
    uuid: crypto.randomUUID(),
    callTimeUuid: crypto.randomUUID(),
    unaskedId: limits.int4Max,
    sentUuid: crypto.randomUUID(),
    requestedUuid: crypto.randomUUID(),
    declinedUuid: crypto.randomUUID(),
    claimableUuid: crypto.randomUUID(),
  },
  attended: {
    eventUuid: crypto.randomUUID(),
    code: '000000',
    expectedUuid: crypto.randomUUID(),
    presentUuid: crypto.randomUUID(),
    doneUuid: crypto.randomUUID(),
    name: 'Nobody Here',
  },
  swap: {
    ownUuid: crypto.randomUUID(),
    askingUuid: crypto.randomUUID(),
    takenUuid: crypto.randomUUID(),
    swappableUuid: crypto.randomUUID(),
  },
  feedId: 'A1b2C3d4E5f6',
  screenUuid: crypto.randomUUID(),
  sessionUuid: crypto.randomUUID(),
  invited: { userId: limits.int4Max, secret: 'unknown' },
  mailed: { offer: 'unknown', password: 'unknown', off: 'unknown' },
  email: 'nobody@example.com',
});

async function createOffer(service: TestApp, { business, staff, admin }: Tenant, event: Event, positionId: number) {
  // Two Mondays: that is when the staff member says that they can work.
  const times = { start: '2990-01-04 10:00:00', end: '2990-01-04 12:00:00', staffNeeded: 9, positionId };
  const callTime = await service.createCallTime(event, times);
  const later = { start: '2990-01-11 10:00:00', end: '2990-01-11 12:00:00', claims: 'open' } as const;
  const claimable = await service.createCallTime(event, { ...times, ...later });
  const offer = await service.createOffer(callTime, { createdById: admin.id });
  const [requested, declined, unasked] = [
    await service.createUser(business, 'staff'),
    await service.createUser(business, 'staff'),
    await service.createUser(business, 'staff'),
  ];
  return {
    uuid: offer.uuid,
    callTimeUuid: callTime.uuid,
    unaskedId: unasked.id,
    sentUuid: (await service.createRecipient(offer, staff)).uuid,
    requestedUuid: (await service.createRecipient(offer, requested, { state: 'requested' })).uuid,
    declinedUuid: (await service.createRecipient(offer, declined, { state: 'declined' })).uuid,
    claimableUuid: claimable.uuid,
  };
}

async function createAttended(service: TestApp, { business, admin, staff, as }: Tenant, positionId: number) {
  await service.prisma.business.update({ where: { id: business.id }, data: { printedCodes: true } });
  const wall = (minutes: number) => formatUtc(new Date(Date.now() + minutes * 60_000));
  const times = { start: wall(-90), end: wall(60) };
  const event = await service.createEvent(business, { ...times, timezone: 'UTC' });
  const add = (user: User) => service.createShift(event, user, { ...times, positionId });
  const [expected, present, done] = [await add(staff), await add(staff), await add(staff)];
  const { name } = await service.createUser(business, 'staff', { name: 'Kim Kiosk', phone: '+1 212 555-0142' });
  await add(await service.prisma.user.findFirstOrThrow({ where: { businessId: business.id, name } }));
  await service.createAttendance(present);
  await service.createAttendance(done, { checkedOutAt: new Date(Date.now() - 60_000) });
  const approved = { approvedRate: '20', approvedUnit: 'hour', approvedMinutes: 59, approvedAmount: '19.67' } as const;
  const approval = { ...approved, approvedAt: new Date(), approvedById: admin.id };
  // Before the one that is done, so that no time is paid twice.
  const before = { checkedInAt: new Date(Date.now() - 5_400_000), checkedOutAt: new Date(Date.now() - 3_660_000) };
  await service.createAttendance(await add(staff), { ...before, ...approval });
  const { id: userId } = await service.createUser(business, 'staff');
  const locked = { businessId: business.id, eventId: event.id, userId, wrong: limits.wrongCodesOfPerson + 1 };
  await service.prisma.attendanceAttempt.create({ data: locked });
  const day = times.start.slice(0, 10);
  const { body } = await service.call('GET', `/v1/events/${event.uuid}/check_in_code?day=${day}`, { as: as.admin });
  return {
    eventUuid: event.uuid,
    code: body.data.printed_code as string,
    expectedUuid: expected.uuid,
    presentUuid: present.uuid,
    doneUuid: done.uuid,
    name,
  };
}

async function createSwaps(service: TestApp, { business, staff }: Tenant, event: Event, positionId: number) {
  const other = await service.createUser(business, 'staff');
  // Mondays, as above.
  const onDay = (user: User, day: string) =>
    service.createShift(event, user, { start: `2990-${day} 10:00:00`, end: `2990-${day} 12:00:00`, positionId });
  const wanting = { toUserId: staff.id, otherShiftId: (await onDay(staff, '02-15')).id };
  return {
    ownUuid: (await service.createSwap(await onDay(staff, '01-18'), { toUserId: other.id })).uuid,
    askingUuid: (await service.createSwap(await onDay(other, '01-25'), wanting)).uuid,
    takenUuid: (await service.createSwap(await onDay(other, '02-01'), { toUserId: staff.id, state: 'taken' })).uuid,
    swappableUuid: (await onDay(staff, '02-08')).uuid,
  };
}

/** A shift of the tenant's staff member which requires what they hold only for some days more. */
async function createRequired(service: TestApp, { business, staff }: Tenant, event: Event) {
  const { id: qualificationId } = await service.createQualification(business);
  const position = await service.createPosition(business);
  const times = { start: '2990-01-08 08:00:00', end: '2990-01-08 10:00:00', positionId: position.id };
  const callTime = await service.createCallTime(event, times);
  await service.createShift(event, staff, { ...times, callTimeId: callTime.id });
  const required = { businessId: business.id, qualificationId, minLevel: 1 };
  await service.prisma.requirement.createMany({
    data: [
      { ...required, positionId: position.id },
      { ...required, callTimeId: callTime.id, eventId: event.id },
    ],
  });
  const soon = new Date(Date.now() + 5 * 86_400_000);
  await service.createHeld(staff, { qualificationId, level: 1, validUntil: soon });
}

export interface MatrixScene {
  readonly own: Tenant;
  readonly other: Tenant;
  readonly target: Target;
  readonly credentials: Readonly<Record<ActorName, string | undefined>>;
}

async function createTarget(service: TestApp, tenant: Tenant): Promise<Target> {
  const { business } = tenant;
  // Resource ids name events only where they are unique.
  await service.prisma.business.update({ where: { id: business.id }, data: { uniqueResourceIds: true } });
  const position = await service.createPosition(business);
  const event = await service.createEvent(business, { clientId: tenant.client.id });
  const callTime = await service.createCallTime(event, { positionId: position.id });
  const shift = await service.createShift(event, tenant.staff, { positionId: position.id, callTimeId: callTime.id });
  const confirmed = await service.createShift(event, tenant.staff, { positionId: position.id, confirmed: true });
  const unwanted = await service.createShift(event, tenant.staff, {
    positionId: position.id,
    dropRequestedAt: new Date(),
  });
  await service.setCustomValue(event, await service.createCustomField(business), 'Of the business');
  const user = await service.createUser(business, 'staff');
  const elsewhere = await service.createEvent(business);
  const other = await service.createShift(elsewhere, await service.createUser(business, 'staff'), {
    positionId: position.id,
  });
  const rows = await createResourceRows(service.prisma, business.id);
  const unusedField = await service.createCustomField(business);
  const idleCallTime = await service.createCallTime(event, { positionId: position.id });
  await createRequired(service, tenant, event);
  const { apiKey } = await service.createKey(business);
  const webhook = await service.createWebhook(business);
  const message = await service.createWebhookMessage(webhook);
  const attempt = { businessId: business.id, messageId: message.id, statusCode: 204, durationMs: 12 };
  await service.prisma.webhookAttempt.create({ data: attempt });
  const disabled = await service.createWebhook(business, { disabledAt: new Date(), disabledReason: 'caller' });
  const session = await service.createSession(tenant.admin);
  const offer = await createOffer(service, tenant, event, position.id);
  // The staff member has a shift by an offer, and an admin a calendar of the event.
  const given = { state: 'accepted', workShiftId: shift.id, respondedAt: new Date() } as const;
  await service.createRecipient(await service.createOffer(callTime), tenant.staff, given);
  await service.createFeed(tenant.admin, { kind: 'event', eventUuid: event.uuid });
  const asked = await service.prisma.offerRecipient.findFirstOrThrow({
    where: { businessId: business.id, uuid: offer.sentUuid },
  });
  return {
    mailed: {
      offer: await service.createMail(tenant.staff, 'offer', asked.id),
      password: await service.createMail(user, 'password'),
      off: service.offToken({ businessId: business.id, userId: user.id, kind: 'offer' }),
    },
    sessionUuid: session.uuid,
    invited: await service.createInvitation(business),
    eventUuid: event.uuid,
    userId: user.id,
    positionId: position.id,
    callTimeUuid: callTime.uuid,
    shiftUuid: shift.uuid,
    confirmedShiftUuid: confirmed.uuid,
    unwantedShiftUuid: unwanted.uuid,
    otherShiftUuid: other.uuid,
    said: {
      userId: tenant.staff.id,
      patternUuid: (await service.createPattern(tenant.staff)).uuid,
      exceptionUuid: (await service.createException(tenant.staff)).uuid,
    },
    unused: {
      ids: mapResources((noun) => rows[noun].id),
      fieldUuid: unusedField.uuid,
      callTimeUuid: idleCallTime.uuid,
      heldId: (await service.createHeld(tenant.staff)).id,
    },
    keyId: apiKey.publicId,
    webhook: { uuid: webhook.uuid, messageUuid: message.uuid, disabledUuid: disabled.uuid },
    offer,
    attended: await createAttended(service, tenant, position.id),
    swap: await createSwaps(service, tenant, elsewhere, position.id),
    feedId: (await service.createFeed(tenant.admin, { kind: 'client', clientId: tenant.client.id })).publicId,
    screenUuid: (await createScreen(service.prisma, tenant)).screen.uuid,
    email: user.email,
  };
}

export async function createMatrixScene(service: TestApp): Promise<MatrixScene> {
  const own = await service.createTenant();
  const target = await createTarget(service, own);
  const other = await createOther(service);
  // The event is not this client's.
  const client = await service.createUser(own.business, 'client');
  // Everybody has a log-in beside that of the call.
  for (const user of [own.staff, client]) await service.createSession(user);
  return {
    own,
    other,
    target,
    credentials: {
      anonymous: undefined,
      client: await service.tokenOf(client),
      staff: own.as.staff,
      admin: own.as.admin,
      'API key': own.as.key,
      screen: (await createScreen(service.prisma, own, { checkInEventUuid: target.attended.eventUuid })).token,
      ...(await deadCredentials(service, own)),
      [stranger]: other.as.admin,
    },
  };
}

async function createOther(service: TestApp): Promise<Tenant> {
  const other = await service.createTenant();
  await createTarget(service, other);
  return other;
}

async function deadCredentials(service: TestApp, tenant: Tenant) {
  const { business, admin } = tenant;
  const now = new Date();
  const revoked = await service.tokenOf(admin);
  const { jti } = JSON.parse(Buffer.from(revoked.split('.')[1]!, 'base64url').toString()) as { jti: string };
  await service.prisma.personalToken.updateMany({ where: { jti }, data: { revokedAt: now } });
  const longAgo = new Date(now.getTime() - 2 * limits.credentialLifetimeS * 1000);
  const holder = { businessId: business.id, userId: admin.id };
  const expired = createTokens(service.database.config().auth.secrets).sign(holder, longAgo);
  await service.prisma.personalToken.create({
    data: { ...holder, jti: expired.jti, expiresAt: expired.expiresAt, createdAt: longAgo },
  });
  // Gone, with a token that says nothing of it.
  const gone = await service.createUser(business, 'admin');
  const left = await service.tokenOf(gone);
  await service.prisma.user.updateMany({ where: { id: gone.id }, data: { deletedAt: now, emailKey: null } });
  const { key: revokedKey } = await service.createKey(business, { revokedAt: now });
  const { key: expiredKey } = await service.createKey(business, { createdAt: longAgo, expiresAt: now });
  return {
    'revoked token': revoked,
    'expired token': expired.token,
    'deleted user': left,
    'revoked key': revokedKey,
    'expired key': expiredKey,
    'revoked screen': (await createScreen(service.prisma, tenant, { revokedAt: now })).token,
  };
}

export interface MatrixCall {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
}

/** An answer as it came, without what differs from moment to moment. */
export async function bytesOf(
  service: TestApp,
  { method, url, body }: MatrixCall,
  as: string | undefined,
): Promise<string> {
  const reply = await service.app.http.inject({
    method: method as 'GET',
    url,
    headers: { ...fromFreshAddress(), ...(as !== undefined && { authorization: `Bearer ${as}` }) },
    ...(body && { payload: body }),
  });
  // A tag by the revision names the request, which differs by the ids in it.
  const ofTheMoment = ['x-request-id', 'date', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'etag'];
  const shown = Object.entries(reply.headers).filter(([header]) => !ofTheMoment.includes(header));
  return JSON.stringify([reply.statusCode, shown, reply.body]);
}

const tables = registryTables.filter(({ businessField }) => businessField !== null).map(({ table }) => table);
const trail = 'audit_entries';
const withDigest = new WeakSet<object>();

/** A function, because PostgreSQL keeps the plan of its statement, which names all tables. */
async function createDigest(prisma: TestApp['prisma']): Promise<void> {
  const rowsIn = (table: string) => {
    const key = table === 'businesses' ? 'id' : 'business_id';
    return `'${table}', (SELECT json_agg(to_jsonb(t) - '{last_used_at,last_seen_at}'::text[] ORDER BY to_jsonb(t)::text) FROM public.${table} t WHERE t.${key} = business)`;
  };
  const digest = (names: readonly string[]) => `md5(json_build_object(${names.map(rowsIn).join(', ')})::text)`;
  await prisma.$executeRawUnsafe(`DO $do$ BEGIN
    CREATE SCHEMA IF NOT EXISTS kept;
    CREATE FUNCTION kept.digest(business INTEGER, OUT rows TEXT, OUT trail TEXT) LANGUAGE plpgsql AS $$ BEGIN
      rows := ${digest(tables.filter((table) => table !== trail))};
      trail := ${digest([trail])};
    END $$;
  END $do$`);
}

/**
 * Digests of every row of businesses, save the stamps that reading leaves behind. The audit trail stands for itself: it takes down
 * what its own callers are refused.
 */
export async function digestsOf(
  { prisma }: TestApp,
  tenants: readonly Tenant[],
): Promise<{ rows: string; trail: string }[]> {
  if (!withDigest.has(prisma)) await createDigest(prisma);
  withDigest.add(prisma);
  const ids = tenants.map(({ business }) => business.id);
  return prisma.$queryRaw`SELECT digest.* FROM unnest(${ids}::int[]) WITH ORDINALITY AS asked (id, place), kept.digest(asked.id) ORDER BY place`;
}
