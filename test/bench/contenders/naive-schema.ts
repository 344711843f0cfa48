import { Arg, Ctx, Field, FieldResolver, Float, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Prisma, PrismaClient } from '../../../src/generated/prisma/client.ts';

const children = {
  callTimes: { include: { position: true }, orderBy: [{ startsAt: 'asc' }, { id: 'asc' }] },
  workShifts: {
    where: { status: 'active' },
    include: { position: true, user: true },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
  },
  customValues: { include: { customField: true }, orderBy: { customField: { sort: 'asc' } } },
} satisfies Prisma.EventInclude;

type EventRow = Prisma.EventGetPayload<{ include: typeof children }>;
type CallTimeRow = EventRow['callTimes'][number];
type ShiftRow = EventRow['workShifts'][number];
type ValueRow = EventRow['customValues'][number];

@ObjectType()
class CallTime {
  @Field(() => ID) uuid!: string;
  @Field(() => Int) staffNeeded!: number;
  @Field(() => Date) startLocal!: Date;
  @Field(() => Boolean) startTbd!: boolean;
  @Field(() => Date) endLocal!: Date;
  @Field(() => Boolean) endTbd!: boolean;
  @Field(() => String, { nullable: true }) notesForStaff!: string | null;
  @Field(() => String) payUnit!: string;
  @Field(() => String, { nullable: true }) dressCode!: string | null;
}

@ObjectType()
class WorkShift {
  @Field(() => ID) uuid!: string;
  @Field(() => Date, { nullable: true }) startLocal!: Date | null;
  @Field(() => Date, { nullable: true }) endLocal!: Date | null;
  @Field(() => Boolean) confirmed!: boolean;
  @Field(() => String) status!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) modifiedAt!: Date;
}

@ObjectType()
class CustomFieldValue {
  @Field(() => String) value!: string;
}

@ObjectType()
class Event {
  @Field(() => ID) uuid!: string;
  @Field(() => String, { nullable: true }) resourceId!: string | null;
  @Field(() => String) title!: string;
  @Field(() => String, { nullable: true }) description!: string | null;
  @Field(() => String, { nullable: true }) privateNotes!: string | null;
  @Field(() => String, { nullable: true }) dressCode!: string | null;
  @Field(() => Date) startLocal!: Date;
  @Field(() => Boolean) startTbd!: boolean;
  @Field(() => Date) endLocal!: Date;
  @Field(() => Boolean) endTbd!: boolean;
  @Field(() => String, { nullable: true }) address!: string | null;
  @Field(() => String, { nullable: true }) addressLine2!: string | null;
  @Field(() => String, { nullable: true }) room!: string | null;
  @Field(() => String, { nullable: true }) city!: string | null;
  @Field(() => String, { nullable: true }) state!: string | null;
  @Field(() => String, { nullable: true }) zip!: string | null;
  @Field(() => String, { nullable: true }) latitude!: string | null;
  @Field(() => String, { nullable: true }) longitude!: string | null;
  @Field(() => String) status!: string;
  @Field(() => Date) createdAt!: Date;
  @Field(() => Date) modifiedAt!: Date;
  @Field(() => [CallTime]) callTimes!: CallTime[];
  @Field(() => [WorkShift]) workShifts!: WorkShift[];
}

@Resolver(() => CallTime)
class CallTimeResolver {
  @FieldResolver(() => String)
  position(@Root() { position }: CallTimeRow) {
    return position.title;
  }

  @FieldResolver(() => Float)
  payRate(@Root() { payRate, position }: CallTimeRow) {
    return Number(payRate ?? position.defaultPayRate);
  }
}

@Resolver(() => WorkShift)
class WorkShiftResolver {
  @FieldResolver(() => String)
  position(@Root() { position }: ShiftRow) {
    return position.title;
  }

  @FieldResolver(() => String)
  firstName(@Root() { user }: ShiftRow) {
    return user.firstName;
  }

  @FieldResolver(() => String)
  lastName(@Root() { user }: ShiftRow) {
    return user.lastName;
  }

  @FieldResolver(() => Float, { nullable: true })
  payRate(@Root() { payRate }: ShiftRow) {
    return payRate === null ? null : Number(payRate);
  }
}

@Resolver(() => CustomFieldValue)
class CustomFieldValueResolver {
  @FieldResolver(() => ID)
  fieldUuid(@Root() { customField }: ValueRow) {
    return customField.uuid;
  }

  @FieldResolver(() => String)
  fieldName(@Root() { customField }: ValueRow) {
    return customField.name;
  }
}

@Resolver(() => Event)
class EventResolver {
  @Query(() => [Event])
  events(
    @Ctx() { prisma }: { prisma: PrismaClient },
    @Arg('businessId', () => Int) businessId: number,
    @Arg('from', () => Date) from: Date,
    @Arg('first', () => Int) first: number,
  ) {
    return prisma.event.findMany({
      where: { businessId, status: 'active', startsAt: { gte: from } },
      orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
      take: first,
      include: children,
    });
  }

  @Query(() => Event, { nullable: true })
  event(
    @Ctx() { prisma }: { prisma: PrismaClient },
    @Arg('businessId', () => Int) businessId: number,
    @Arg('uuid', () => ID) uuid: string,
  ) {
    return prisma.event.findUnique({ where: { businessId_uuid: { businessId, uuid } }, include: children });
  }

  @FieldResolver(() => [CustomFieldValue])
  customFields(@Root() { customValues }: EventRow) {
    return customValues;
  }
}

export const NaiveResolvers = [EventResolver, CallTimeResolver, WorkShiftResolver, CustomFieldValueResolver] as const;
