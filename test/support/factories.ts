import { randomInt, randomUUID } from 'node:crypto';
import { generateApiKey, generateFeed, hashOf } from '../../src/access/api-keys.ts';
import { createKeyedDigests } from '../../src/access/keyed-digests.ts';
import { newSession } from '../../src/access/sessions.ts';
import { createPasswords } from '../../src/access/passwords.ts';
import { createTokens } from '../../src/access/tokens.ts';
import type { Config } from '../../src/config/config.ts';
import type { CredentialScope } from '../../src/config/credential-scopes.ts';
import { limits } from '../../src/config/limits.ts';
import type {
  ApiKey,
  Attendance,
  AvailabilityException,
  AvailabilityPattern,
  Business,
  CallTime,
  CustomField,
  Event,
  Feed,
  Invitation,
  MailKind,
  Offer,
  OfferRecipient,
  ShiftSwap,
  Plan,
  Position,
  Qualification,
  Session,
  PrismaClient,
  Role,
  User,
  UserQualification,
  WebhookEndpoint,
  WebhookMessage,
  WorkShift,
} from '../../src/generated/prisma/client.ts';
import type { Prisma } from '../../src/generated/prisma/client.ts';
import { emailColumns, splitName } from '../../src/services/users.ts';
import { resolveWallTime, wallToColumn } from '../../src/time/wall-clock.ts';

export const password = 'a password for tests';

/** Columns of a row; money may be text. */
type In<T> = {
  [K in keyof Omit<T, 'businessId' | 'business'>]?: T[K] | (Prisma.Decimal extends T[K] ? string : never);
};

/** A business with an admin, a staff member, a client, an API key and their credentials. */
export interface Tenant {
  readonly business: Business;
  readonly admin: User;
  readonly staff: User;
  readonly client: User;
  /** Credentials by caller. */
  readonly as: { readonly admin: string; readonly staff: string; readonly client: string; readonly key: string };
  readonly apiKey: ApiKey;
}

interface Times {
  start?: string;
  end?: string;
}

export type Factories = ReturnType<typeof createFactories>;

let count = 0;
/** Made once in each worker: hashing costs more than all else that makes a tenant. */
let hash: Promise<string> | undefined;
const next = () => ++count;

/** Factories of rows with minimal input, so that a test shows only the fields that matter to it. */
export function createFactories(prisma: PrismaClient, config: Config, clock: () => Date) {
  const tokens = createTokens(config.auth.secrets);
  const passwords = createPasswords(config.auth);

  const at = (wall: string, timezone: string): Date => {
    const resolved = resolveWallTime(wall, timezone);
    if ('at' in resolved) return resolved.at;
    throw new Error(`${wall} does not exist in ${timezone}`);
  };

  /** Random ids, because rate limits in a shared Redis are stored by business id only. */
  const createBusiness = (plan: Plan = 'enterprise'): Promise<Business> =>
    prisma.business.create({ data: { id: randomInt(1000, limits.int4Max), name: `Business ${next()}`, plan } });

  const userData = async (business: Business, role: Role, more: In<User> = {}) => {
    const number = next();
    return {
      businessId: business.id,
      role,
      passwordHash: await (hash ??= passwords.hash(password)),
      ...more,
      ...splitName(more.name ?? `Robin Fields${number}`),
      ...emailColumns(more.email ?? `${role}${number}-${randomUUID().slice(0, 8)}@example.com`),
    };
  };

  const createUser = async (business: Business, role: Role, more: In<User> = {}): Promise<User> =>
    prisma.user.create({ data: await userData(business, role, more) });

  const signToken = (
    { businessId, id: userId }: User,
    scopes: CredentialScope[] = ['full'],
    kind: { readonly isConsole?: boolean } = {},
  ) => {
    const { token, jti, expiresAt } = tokens.sign({ businessId, userId, ...kind }, clock());
    return { token, data: { businessId, userId, jti, expiresAt, createdAt: clock(), scopes } };
  };

  /** A valid personal access token, without the work of a log-in; `isConsole`: as of a log-in on the pages. */
  const tokenOf = async (
    user: User,
    scopes?: CredentialScope[],
    kind?: { readonly isConsole: boolean },
  ): Promise<string> => {
    const { token, data } = signToken(user, scopes, kind);
    await prisma.personalToken.create({ data });
    return token;
  };

  /** A lasting session, as a log-in that is to be kept makes it. */
  const createSession = async ({ businessId, id: userId }: User, more: In<Session> = {}) => {
    const { cookie, publicId, secretHash } = newSession();
    const createdAt = clock();
    const expiresAt = new Date(createdAt.getTime() + limits.sessionLifetimeS * 1000);
    const data = { businessId, userId, publicId, secretHash, createdAt, lastUsedAt: createdAt, expiresAt };
    const { uuid } = await prisma.session.create({ data: { ...data, ...(more as object) } });
    return { uuid, cookie };
  };

  /** A user without a password, and the secret of their invitation. */
  const createInvitation = async (business: Business, role: Role = 'staff', more: In<Invitation> = {}) => {
    const user = await createUser(business, role, { passwordHash: null });
    const secret = randomUUID();
    const expiresAt = new Date(clock().getTime() + limits.invitationS * 1000);
    const data = {
      businessId: business.id,
      userId: user.id,
      secretHash: hashOf(secret),
      createdAt: clock(),
      expiresAt,
    };
    await prisma.invitation.create({ data: { ...data, ...(more as object) } });
    return { user, userId: user.id, secret };
  };

  /** The mail of a link, as it is once it was sent. Returns the secret of the link. */
  const createMail = async (user: Pick<User, 'businessId' | 'id'>, kind: MailKind, subjectId?: number) => {
    const secret = randomUUID();
    const { businessId, id: userId } = user;
    const data = { businessId, userId, kind, secretHash: hashOf(secret), status: 'sent', createdAt: clock() } as const;
    await prisma.mail.create({ data: { ...data, ...(subjectId !== undefined && { subjectId }) } });
    return secret;
  };

  /** A token of earlier versions, which derived it. */
  const offToken = (of: { businessId: number; userId: number; kind: MailKind }) => {
    const text = `${of.businessId}.${of.userId}.${of.kind}`;
    return `${text}.${createKeyedDigests(config.auth.secrets, 'unsubscribing')(text)[0]}`;
  };

  /** A feed of all events, or what `more` says. */
  const createFeed = async ({ businessId, id: userId }: User, more: In<Feed> = {}) => {
    const { secret, ...stored } = generateFeed();
    const data = { businessId, userId, kind: 'business', name: `Feed ${next()}`, ...stored } as const;
    await prisma.feed.create({ data: { ...data, ...(more as object) } });
    return { publicId: stored.publicId, path: `/v1/feeds/${stored.publicId}.${secret}.ics` };
  };

  const createKey = async (business: Business, more: In<ApiKey> = {}): Promise<{ apiKey: ApiKey; key: string }> => {
    const { key, ...stored } = generateApiKey();
    const apiKey = await prisma.apiKey.create({
      data: { businessId: business.id, name: `Key ${next()}`, ...stored, ...(more as object) },
    });
    return { apiKey, key };
  };

  /** A business with an admin, a staff member, a client and an API key. Most tests have one, so it takes few statements. */
  const createTenant = async (plan?: Plan): Promise<Tenant> => {
    const business = await createBusiness(plan);
    const roles = ['admin', 'staff', 'client'] as const;
    const data = await Promise.all(roles.map((role) => userData(business, role)));
    const [admin, staff, client] = (await prisma.user.createManyAndReturn({ data })) as [User, User, User];
    const signed = [signToken(admin), signToken(staff), signToken(client)] as const;
    await prisma.personalToken.createMany({ data: signed.map((each) => each.data) });
    const { apiKey, key } = await createKey(business);
    const as = { admin: signed[0].token, staff: signed[1].token, client: signed[2].token, key };
    return { business, admin, staff, client, as, apiKey };
  };

  const createEvent = (business: Business, more: In<Event> & Times = {}): Promise<Event> => {
    const {
      start = '2026-12-05 18:00:00',
      end = '2026-12-05 23:00:00',
      timezone = 'America/New_York',
      ...columns
    } = more;
    return prisma.event.create({
      data: {
        businessId: business.id,
        title: `Event ${next()}`,
        timezone,
        startLocal: wallToColumn(start),
        startsAt: at(start, timezone),
        endLocal: wallToColumn(end),
        endsAt: at(end, timezone),
        ...columns,
      },
    });
  };

  const createPosition = (business: Business, more: In<Position> = {}): Promise<Position> =>
    prisma.position.create({
      data: { businessId: business.id, title: `Position ${next()}`, defaultPayRate: '20.00', ...more },
    });

  const createCallTime = async (event: Event, more: In<CallTime> & Times = {}): Promise<CallTime> => {
    const { start = '2026-12-05 16:00:00', end = '2026-12-05 23:30:00', positionId, ...columns } = more;
    return prisma.callTime.create({
      data: {
        businessId: event.businessId,
        eventId: event.id,
        positionId: positionId ?? (await createPosition({ id: event.businessId } as Business)).id,
        staffNeeded: 2,
        startLocal: wallToColumn(start),
        startsAt: at(start, event.timezone),
        endLocal: wallToColumn(end),
        endsAt: at(end, event.timezone),
        ...columns,
      },
    });
  };

  /** A shift with null for `start` or `end` is to be determined. */
  /** An offer of the places of a call time, without anybody in it. */
  const createOffer = (callTime: CallTime, more: In<Offer> = {}): Promise<Offer> => {
    const { businessId, eventId, id: callTimeId, startsAt: expiresAt } = callTime;
    const createdAt = new Date(Math.min(clock().getTime(), expiresAt.getTime() - 1000));
    const place = { businessId, eventId, callTimeId, createdAt, expiresAt };
    const data = { ...place, mode: 'first_come' as const, ...(more as object) };
    return prisma.offer.create({ data });
  };

  const createRecipient = (offer: Offer, user: User, more: In<OfferRecipient> = {}): Promise<OfferRecipient> => {
    const { businessId, eventId, callTimeId, id: offerId, expiresAt } = offer;
    const place = { businessId, eventId, callTimeId, offerId, userId: user.id, expiresAt };
    return prisma.offerRecipient.create({ data: { ...place, state: 'sent', ...(more as object) } });
  };

  const createShift = async (
    event: Event,
    user: User,
    more: In<WorkShift> & { start?: string | null; end?: string | null } = {},
  ): Promise<WorkShift> => {
    const { start = '2026-12-05 16:00:00', end = '2026-12-05 23:30:00', positionId, ...columns } = more;
    return prisma.workShift.create({
      data: {
        businessId: event.businessId,
        eventId: event.id,
        userId: user.id,
        positionId: positionId ?? (await createPosition({ id: event.businessId } as Business)).id,
        startLocal: start === null ? null : wallToColumn(start),
        startsAt: start === null ? null : at(start, event.timezone),
        endLocal: end === null ? null : wallToColumn(end),
        endsAt: end === null ? null : at(end, event.timezone),
        ...columns,
      },
    });
  };

  /** Somebody who came an hour ago, or at the start, whichever is later, unless `more` says otherwise. */
  const createAttendance = (shift: WorkShift, more: In<Attendance> = {}): Promise<Attendance> => {
    const { businessId, id, uuid, eventId } = shift;
    const checkedInAt = new Date(clock().getTime() - 3_600_000);
    const data = { businessId, id, uuid, eventId, checkedInAt, source: 'admin' as const, ...(more as object) };
    return prisma.attendance.create({ data });
  };
  /** A swap of a shift, for anybody unless `more` says more. */
  const createSwap = (
    { businessId, eventId, id: workShiftId, userId: fromUserId, startsAt }: WorkShift,
    more: In<ShiftSwap> = {},
  ): Promise<ShiftSwap> =>
    prisma.shiftSwap.create({
      data: { businessId, eventId, workShiftId, fromUserId, expiresAt: startsAt!, ...(more as object) },
    });

  const createQualification = (business: { id: number }, more: In<Qualification> = {}): Promise<Qualification> =>
    prisma.qualification.create({ data: { businessId: business.id, name: `Qualification ${next()}`, ...more } });

  /** A qualification that a person holds, without a level or an end. */
  const createHeld = async (user: User, more: In<UserQualification> = {}): Promise<UserQualification> => {
    const { qualificationId = (await createQualification({ id: user.businessId })).id, ...columns } = more;
    return prisma.userQualification.create({
      data: { businessId: user.businessId, userId: user.id, qualificationId, ...columns },
    });
  };

  const createCustomField = (business: Business, more: In<CustomField> = {}): Promise<CustomField> =>
    prisma.customField.create({
      data: { businessId: business.id, name: `Field ${next()}`, type: 'text', options: [], ...more },
    });

  const setCustomValue = (event: Event, field: CustomField, value: string) =>
    prisma.customFieldValue.create({
      data: { businessId: event.businessId, eventId: event.id, customFieldId: field.id, value },
    } satisfies Prisma.CustomFieldValueCreateArgs);

  /** Mondays from 9 to 5, which is before the shifts of tests. */
  const createPattern = (user: User, more: In<AvailabilityPattern> = {}): Promise<AvailabilityPattern> =>
    prisma.availabilityPattern.create({
      data: {
        ...{ businessId: user.businessId, userId: user.id, rule: 'available', weekday: 'monday' },
        ...{ startTime: '09:00', endTime: '17:00', timezone: 'America/New_York', ...more },
      },
    });

  const createException = (user: User, more: In<AvailabilityException> = {}): Promise<AvailabilityException> =>
    prisma.availabilityException.create({
      data: {
        ...{ businessId: user.businessId, userId: user.id, rule: 'unavailable', note: 'Holiday' },
        ...{ startsAt: new Date('2030-06-01T00:00:00Z'), endsAt: new Date('2030-06-08T00:00:00Z'), ...more },
      },
    });

  /** A webhook that reads from now on. Its secret is not sealed. */
  const createWebhook = async (business: Business, more: In<WebhookEndpoint> = {}): Promise<WebhookEndpoint> => {
    const businessId = business.id;
    const { _max: last } = await prisma.commit.aggregate({ where: { businessId }, _max: { revision: true } });
    const url = 'https://receiver.example/hook';
    return prisma.webhookEndpoint.create({
      data: { businessId, url, types: [], secret: 'not sealed', revision: last.revision ?? 0n, ...more },
    });
  };

  /** A message that its webhook has received. */
  const createWebhookMessage = (webhook: WebhookEndpoint, more: In<WebhookMessage> = {}): Promise<WebhookMessage> => {
    const { businessId, id: endpointId } = webhook;
    const [type, at] = ['event.created', clock()];
    const payload = JSON.stringify({ type, timestamp: at.toISOString(), data: { some_field: 1 } });
    const delivered = { status: 'delivered', attemptCount: 1, nextAttemptAt: null, createdAt: at, deliveredAt: at };
    return prisma.webhookMessage.create({ data: { businessId, endpointId, type, payload, ...delivered, ...more } });
  };

  return {
    createBusiness,
    createUser,
    tokenOf,
    createFeed,
    createKey,
    createSession,
    createInvitation,
    createMail,
    offToken,
    createTenant,
    createEvent,
    createPosition,
    createCallTime,
    createOffer,
    createSwap,
    createRecipient,
    createShift,
    createAttendance,
    createQualification,
    createHeld,
    createCustomField,
    createPattern,
    createException,
    setCustomValue,
    createWebhook,
    createWebhookMessage,
  };
}
