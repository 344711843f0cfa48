import { Prisma } from '../generated/prisma/client.ts';
import type { ShiftStatus } from '../generated/prisma/enums.ts';
import { slicesOf, type Slice } from './by-parent.ts';
import { callTimeOrder, selectCallTimes, type CallTimeRow } from './call-times.ts';
import { customFieldOrder, selectCustomFieldValues, type CustomFieldValueRow } from './custom-fields.ts';
import { shiftsInReach } from './reach.ts';
import type { TenantDb } from './tenant.ts';
import { ofParents, selectShifts, shiftOrder, type ShiftParent, type WorkShiftRow } from './work-shifts.ts';

export interface CallTimeFilter {
  readonly positionId?: number;
  readonly skillLevelId?: number;
}

export const callTimeSlices = (
  db: TenantDb,
  eventIds: readonly number[],
  { positionId, skillLevelId }: CallTimeFilter,
  slice: Slice,
) =>
  slicesOf<CallTimeRow>(
    db,
    {
      parent: 'eventId',
      order: callTimeOrder,
      rows: Prisma.sql`${selectCallTimes(db)}
       WHERE c.business_id = ${db.$businessId} AND c.event_id = ANY(${eventIds}::int[])
         ${andEqual(Prisma.sql`c.position_id`, positionId)} ${andEqual(Prisma.sql`c.skill_level_id`, skillLevelId)}`,
    },
    slice,
  );

export interface ShiftFilter {
  readonly statuses?: readonly ShiftStatus[];
  readonly userId?: number;
  readonly positionId?: number;
  readonly confirmed?: boolean;
}

/** Without statuses, active ones. */
export const shiftSlices = (
  db: TenantDb,
  parent: ShiftParent,
  ids: readonly number[],
  { statuses = ['active'], userId, positionId, confirmed }: ShiftFilter,
  slice: Slice,
) =>
  slicesOf<WorkShiftRow>(
    db,
    {
      parent,
      order: shiftOrder,
      rows: Prisma.sql`${selectShifts(db)}
       WHERE s.business_id = ${db.$businessId} AND ${shiftsInReach(db)}
         AND ${ofParents[parent](ids)} AND s.status = ANY(${[...statuses]}::"ShiftStatus"[])
         ${andEqual(Prisma.sql`s.user_id`, userId)} ${andEqual(Prisma.sql`s.position_id`, positionId)}
         ${andEqual(Prisma.sql`s.confirmed`, confirmed)}`,
    },
    slice,
  );

export interface CustomFieldValueFilter {
  readonly fieldUuids?: readonly string[];
}

export const customFieldValueSlices = (
  db: TenantDb,
  eventIds: readonly number[],
  { fieldUuids }: CustomFieldValueFilter,
  slice: Slice,
) =>
  slicesOf<CustomFieldValueRow>(
    db,
    {
      parent: 'eventId',
      order: customFieldOrder,
      rows: Prisma.sql`${selectCustomFieldValues}
       WHERE v.business_id = ${db.$businessId} AND v.event_id = ANY(${eventIds}::int[])
         ${fieldUuids ? Prisma.sql`AND f.uuid = ANY(${[...fieldUuids]}::uuid[])` : Prisma.empty}`,
    },
    slice,
  );

const andEqual = (column: Prisma.Sql, value: number | boolean | undefined): Prisma.Sql =>
  value === undefined ? Prisma.empty : Prisma.sql`AND ${column} = ${value}`;
