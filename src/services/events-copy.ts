import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { findOverlaps, type ClashRow, type Overfill } from '../db/clashes.ts';
import type { EventRow } from '../fields/events.ts';
import { closed, int4, nullable, visibleText } from '../validation/schemas.ts';
import { mapCopiedIds, draftCallTimeCopies, draftEventCopy, draftShiftCopies } from './events-copy-drafts.ts';
import { eventParams } from './events-input.ts';
import { createTimeMover } from './events-move.ts';
import { eventOrNotFound } from './events.ts';
import { requireReason } from './staffing.ts';
import { overrideInput } from './work-shifts-input.ts';

const copyInput = Type.Object(
  {
    ...eventParams.properties,
    days: int4(-limits.copyDaysMax, limits.copyDaysMax),
    title: Type.Optional(nullable(visibleText(limits.titleChars))),
    withShifts: Type.Optional(Type.Boolean()),
    override: Type.Optional(nullable(overrideInput)),
  },
  closed,
);

const named = { id: true, uuid: true } as const;

/**
 * Copies an event as a draft, moved by whole days on the clocks of its zone. The copy has its call times and custom
 * field values and, if the caller asks for them, its active shifts, unconfirmed.
 */
export const copy = operation({
  name: 'events.copy',
  roles: admin,
  writes: true,
  idempotent: true,
  input: copyInput,
  run: (scope, { uuid, days, title, withShifts, override }) =>
    scope.transaction(async (tx) => {
      const source = await eventOrNotFound(tx, uuid, 'forUpdate');
      const mover = createTimeMover(days, source.timezone);
      const event = await draftEventCopy(tx, source, title ?? source.title, mover);
      const callTimes = await draftCallTimeCopies(tx, source.id, mover);
      const shifts = withShifts === true ? await draftShiftCopies(tx, source.id, mover) : [];
      mover.refuseImpossible();

      const { id: eventId, uuid: copyUuid } = await tx.db.event.create({ data: event, select: named });
      const values = await tx.db.customFieldValue.findMany({ where: { eventId: source.id } });
      await tx.db.customFieldValue.createMany({ data: values.map((row) => ({ ...row, eventId })) });
      const newCallTimes = callTimes.map(({ row }) => ({ ...row, eventId }));
      const storedCallTimes = await tx.db.callTime.createManyAndReturn({ data: newCallTimes, select: named });
      if (shifts.length > 0) {
        const callTimeIdOf = mapCopiedIds(callTimes, storedCallTimes);
        const newShifts = shifts.map(({ row }) => ({
          ...row,
          eventId,
          callTimeId: row.callTimeId === null ? null : callTimeIdOf(row.callTimeId),
        }));
        const storedShifts = await tx.db.workShift.createManyAndReturn({ data: newShifts, select: named });
        const copied = {
          source,
          event,
          eventId,
          callTimes,
          shifts,
          callTimeIdOf,
          shiftIdOf: mapCopiedIds(shifts, storedShifts),
        };
        await settleClashes(tx, copied, override);
      }
      tx.record({ kind: 'event', id: eventId, details: { copyOf: source.id } });
      return eventOrNotFound(tx, copyUuid);
    }),
});

interface Copied {
  readonly source: EventRow;
  readonly event: { readonly startsAt: Date; readonly endsAt: Date };
  readonly eventId: number;
  readonly callTimes: Awaited<ReturnType<typeof draftCallTimeCopies>>;
  readonly shifts: Awaited<ReturnType<typeof draftShiftCopies>>;
  readonly callTimeIdOf: (sourceId: number) => number;
  readonly shiftIdOf: (sourceId: number) => number;
}

/**
 * Refuses a copy whose shifts clash, or stores on them the reason for the override. Clashes within the copy name the
 * rows of the original, because the rows of the copy do not exist once it is refused.
 */
async function settleClashes(
  tx: Scope,
  { source, event, eventId, callTimes, shifts, callTimeIdOf, shiftIdOf }: Copied,
  override: Static<typeof copyInput>['override'],
): Promise<void> {
  const overfilled = callTimes.flatMap(({ source: { id, uuid, staffNeeded } }) => {
    const assigned = shifts.filter(({ row }) => row.callTimeId === id).length - 1;
    const overfill: Overfill = { kind: 'OVERFILLED', callTimeUuid: uuid, needed: staffNeeded, assigned };
    return assigned >= staffNeeded ? [{ id: callTimeIdOf(id), overfill }] : [];
  });
  const overlaps = await findOverlaps(
    tx.db,
    shifts.map(({ source: { id }, row }) => ({ ...row, event, exceptId: shiftIdOf(id) })),
  );
  const originalOf = new Map<string, string>(shifts.map(({ source: { uuid }, row }) => [row.uuid, uuid]));
  const clashes: ClashRow[] = [
    ...overfilled.map(({ overfill }) => overfill),
    ...overlaps.map((overlap) => {
      const shiftUuid = originalOf.get(overlap.shiftUuid);
      return shiftUuid ? { ...overlap, shiftUuid, eventUuid: source.uuid } : overlap;
    }),
  ];
  const overrideReason = requireReason(clashes, override);
  if (overrideReason === null) return;
  const isListed = overlaps.length < limits.clashesMax;
  const theirs = [
    { userId: { in: overlaps.map(({ userId }) => userId) } },
    { callTimeId: { in: overfilled.map(({ id }) => id) } },
  ];
  await tx.db.workShift.updateMany({
    where: { eventId, ...(isListed && { OR: theirs }) },
    data: { overrideReason },
  });
}
