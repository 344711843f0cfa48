import { demoPassword } from '../../access/demo.ts';
import { limits } from '../../config/limits.ts';
import { conflict } from '../../errors.ts';
import { generateFeed } from '../../access/api-keys.ts';
import type { Plan, Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { storeAttendance } from './demo-attendance.ts';
import { draftAvailability, type AvailabilityDraft } from './demo-availability.ts';
import { draftEvents, type EventDraft } from './demo-events.ts';
import { draftOfferUuids, storeOffers } from './demo-offers.ts';
import { draftPeople, type UserDraft } from './demo-people.ts';
import { draftHeld } from './demo-qualifications.ts';
import { draftShifts, type ShiftDraft } from './demo-shifts.ts';
import { dayMs, dayOf } from './moments.ts';
import { aurora, harbor, type BusinessProfile } from './profiles.ts';
import { seededRandom } from './random.ts';

/** A demo business before it is stored, without database ids. */
export interface BusinessDraft {
  readonly profile: BusinessProfile;
  /** The day around which it is, in UTC. */
  readonly midnight: Date;
  readonly createdAt: Date;
  readonly users: readonly UserDraft[];
  readonly fields: readonly Omit<Prisma.CustomFieldCreateManyInput, 'businessId'>[];
  readonly events: readonly EventDraft[];
  readonly shifts: readonly ShiftDraft[];
  /** UUIDs of offers and of the parts of people in them. */
  readonly offerUuids: readonly string[];
  readonly held: ReturnType<typeof draftHeld>;
  readonly availability: AvailabilityDraft;
}

/** Drafts the demo around the day (in UTC) of `today`; the same day gives the same drafts. */
export function draftDemo(today: Date): BusinessDraft[] {
  const midnight = new Date(dayOf(today));
  return [aurora, harbor].map((profile) => {
    const random = seededRandom(profile.seed);
    const users = draftPeople(profile, midnight, random);
    const fields = profile.fields.map(({ name, type, options }, sort) => ({
      uuid: random.uuid(),
      name,
      type,
      options: [...options],
      sort,
    }));
    const events = draftEvents(profile, midnight, random);
    const shifts = draftShifts(profile, events, midnight, random);
    return {
      profile,
      midnight,
      createdAt: new Date(midnight.getTime() - 730 * dayMs),
      users,
      fields,
      events,
      shifts,
      offerUuids: draftOfferUuids(profile),
      held: draftHeld(profile, midnight),
      availability: draftAvailability(profile, midnight),
    };
  });
}

/**
 * Stores two demo businesses with events around `today`, all or nothing. In each, `admin@`, `staff@` and `client@` its
 * domain can log in with `demoPassword`. Throws a conflict if a demo is already stored.
 */
export async function seedDemo(
  prisma: PrismaClient,
  today: Date,
  hash: (password: string) => Promise<string>,
): Promise<{ businesses: { name: string; plan: Plan; adminEmail: string }[]; password: string }> {
  const passwordHash = await hash(demoPassword);
  const drafts = draftDemo(today);
  await prisma.$transaction(
    async (tx) => {
      if (await tx.business.findFirst({ where: { isDemo: true } })) throw conflict('The demo is already there.');
      for (const draft of drafts) await store(tx, draft, passwordHash);
    },
    { timeout: limits.commandWaitMs, maxWait: limits.commandWaitMs },
  );
  return {
    businesses: drafts.map(({ profile: { name, plan, domain } }) => ({ name, plan, adminEmail: `admin@${domain}` })),
    password: demoPassword,
  };
}

async function store(tx: Prisma.TransactionClient, draft: BusinessDraft, passwordHash: string): Promise<void> {
  const { profile, midnight, createdAt, users, fields, events, shifts, offerUuids, held, availability } = draft;
  const { name, plan, zones } = profile;
  const [timezone = 'UTC'] = zones;
  const { id: businessId } = await tx.business.create({ data: { name, plan, timezone, isDemo: true, createdAt } });

  const emails = await tx.user.createManyAndReturn({
    data: users.map(({ hasLogin, ...row }) => ({ ...row, businessId, passwordHash: hasLogin ? passwordHash : null })),
    select: { id: true, email: true },
  });
  const userIdByEmail = idBy(emails, ({ email }) => email);
  const userIds = (role: string) => users.filter((user) => user.role === role).map(({ email }) => userIdByEmail(email));
  const [clientIds, staffIds] = [userIds('client'), userIds('staff')];

  const positions = await tx.position.createManyAndReturn({
    data: profile.positions.map((row) => ({ ...row, businessId })),
  });
  const positionIdByTitle = idBy(positions, ({ title }) => title);

  const skillLevels = await tx.skillLevel.createManyAndReturn({
    data: profile.skillLevels.map((level) => ({ businessId, name: level })),
  });
  const skillLevelIdByName = idBy(skillLevels, (level) => level.name);

  const customFields = await tx.customField.createManyAndReturn({
    data: fields.map((row) => ({ ...row, businessId })),
  });
  const fieldIdByName = idBy(customFields, (field) => field.name);

  const storedEvents = await tx.event.createManyAndReturn({
    data: events.map(({ row, client }) => ({
      ...row,
      businessId,
      clientId: client === null ? null : clientIds[client]!,
    })),
    select: { id: true, uuid: true },
  });
  const eventIdByUuid = idBy(storedEvents, ({ uuid }) => uuid);

  const storedCallTimes = await tx.callTime.createManyAndReturn({
    data: events.flatMap((event) =>
      event.callTimes.map(({ row, position, skillLevel }) => ({
        ...row,
        businessId,
        eventId: eventIdByUuid(event.row.uuid),
        positionId: positionIdByTitle(position),
        skillLevelId: skillLevel === null ? null : skillLevelIdByName(skillLevel),
      })),
    ),
    select: { id: true, uuid: true },
  });
  const callTimeIdByUuid = idBy(storedCallTimes, ({ uuid }) => uuid);

  await tx.workShift.createMany({
    data: shifts.map(({ row, event, callTime, position, staff }) => ({
      ...row,
      businessId,
      eventId: eventIdByUuid(event.row.uuid),
      callTimeId: callTime && callTimeIdByUuid(callTime.row.uuid),
      positionId: positionIdByTitle(position),
      userId: staffIds[staff]!,
    })),
  });
  await storeAttendance(tx, { businessId, today: midnight, seed: profile.seed });
  const [adminId = 0] = userIds('admin');
  // Nobody knows their addresses: a rotation shows a new one.
  await tx.feed.createMany({
    data: [
      { userId: adminId, kind: 'business' as const, name: 'All events' },
      { userId: staffIds[0]!, kind: 'shifts' as const, name: 'My shifts' },
    ].map((feed) => {
      const { publicId, secretHash } = generateFeed();
      return { ...feed, businessId, publicId, secretHash, createdAt };
    }),
  });
  await storeOffers(tx, { businessId, staffIds, adminId, today: midnight, seed: profile.seed, uuids: [...offerUuids] });
  await tx.availabilityPattern.createMany({
    data: availability.patterns.map(({ staff, ...row }) => ({ ...row, businessId, userId: staffIds[staff]! })),
  });
  await tx.availabilityException.createMany({
    data: availability.exceptions.map(({ staff, ...row }) => ({ ...row, businessId, userId: staffIds[staff]! })),
  });
  await tx.customFieldValue.createMany({
    data: events.flatMap(({ row, values }) =>
      values.map(({ field, value }) => ({
        businessId,
        eventId: eventIdByUuid(row.uuid),
        customFieldId: fieldIdByName(field),
        value,
      })),
    ),
  });

  const qualifications = await tx.qualification.createManyAndReturn({
    data: profile.qualifications.map(({ name: title, expires }) => ({ businessId, name: title, expires })),
  });
  const qualificationIdByName = idBy(qualifications, (each) => each.name);
  await tx.requirement.createMany({
    data: profile.qualifications.flatMap(({ name: title, requiredBy }) =>
      requiredBy
        ? {
            businessId,
            positionId: positionIdByTitle(requiredBy.position),
            qualificationId: qualificationIdByName(title),
            minLevel: requiredBy.minLevel,
          }
        : [],
    ),
  });
  await tx.userQualification.createMany({
    data: held.map(({ qualification, staff, row }) => ({
      ...row,
      businessId,
      userId: staffIds[staff]!,
      qualificationId: qualificationIdByName(qualification),
    })),
  });
}

/** Creates a look-up of ids by another key; it throws if no row has the key. */
function idBy<Row extends { id: number }>(rows: readonly Row[], keyOf: (row: Row) => string): (key: string) => number {
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
  return (key) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`No stored row for ${key}.`);
    return id;
  };
}
