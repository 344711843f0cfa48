import Type, { type Static } from 'typebox';
import { operation } from '../access/operation.ts';
import { admin } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import type { ClashRow, Overfill } from '../db/clashes.ts';
import { copyValues } from '../db/custom-field-values.ts';
import { writePlaces } from '../db/places.ts';
import { copyRequirements } from '../db/requirements.ts';
import { eventByUuid } from '../db/events.ts';
import { Failure, invalid, type FieldErrors } from '../errors.ts';
import type { EventRow } from '../fields/events.ts';
import { closedObject, int4, nullable, visibleText } from '../validation/schemas.ts';
import { withinChars } from './custom-field-values.ts';
import { mapCopiedIds, draftCallTimeCopies, draftEventCopy, draftShiftCopies } from './events-copy-drafts.ts';
import { eventParams } from './events-input.ts';
import { createTimeMover } from './events-move.ts';
import { eventOrNotFound } from './events.ts';
import { findClashesAfter } from './staff-rules.ts';
import { requireReason } from './staffing.ts';
import { overrideFor } from './work-shifts-input.ts';

/** How an event is copied. */
export const copyOptions = closedObject({
  days: int4(
    -limits.copyDaysMax,
    limits.copyDaysMax,
    `Days by which every time moves, from ${-limits.copyDaysMax} to ${limits.copyDaysMax}: local times of day stay, across clock changes too.`,
  ),
  title: Type.Optional(
    nullable(visibleText(limits.textChars, { description: 'Title of the copy. Default: that of the original.' })),
  ),
  withShifts: Type.Optional(
    Type.Boolean({
      description:
        'Whether active shifts are copied too, unconfirmed. Those of deleted users are left out. Default: false.',
    }),
  ),
});

export const copyInput = closedObject({
  ...eventParams.properties,
  ...copyOptions.properties,
  override: overrideFor(
    'Allows copied shifts although a call time has enough staff or a person is, or may be, busy. Stored on the shifts that needed it.',
  ),
});

const named = { id: true, uuid: true } as const;

/**
 * Copies an event as a draft, moved by whole days on the clocks of its zone. The copy has its call times and custom
 * field values and, if the caller asks for them, its active shifts, unconfirmed.
 */
export const copy = operation({
  name: 'events.copy',
  roles: admin,
  scopes: ['events:write'],
  moreScopes: { scopes: ['staffing:write'], when: ({ withShifts }) => withShifts === true },
  writes: true,
  idempotent: true,
  input: copyInput,
  rules: [
    {
      over: ['uuid', 'days', 'withShifts'],
      check: async (scope, { uuid, ...how }) => {
        const source = await eventByUuid(scope.db, uuid);
        return source ? findMoveFaults(scope, source, how) : {};
      },
    },
  ],
  run: (scope, { uuid, title, override, ...how }) =>
    scope.transaction(async (tx) => {
      const source = await eventOrNotFound(tx, uuid, 'forUpdate');
      const { errors, ...drafts } = await draftCopies(tx, source, how);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      const { callTimes, shifts } = drafts;
      const event = { ...drafts.event, title: title ?? source.title };

      const reasonFor = await settleClashes(tx, { source, event, callTimes, shifts }, override);

      const writing = writePlaces({ ...tx, unsettled: null });
      const { id: eventId, uuid: copyUuid } = await writing.event.create({ data: event, select: named });
      if ((await copyValues(tx.db, source.id, eventId)) > limits.customValuesChars)
        throw invalid({ uuid: [`must name an event whose custom field values have ${withinChars}`] });
      const newCallTimes = callTimes.map(({ row }) => ({ ...row, eventId }));
      const storedCallTimes = await writing.callTime.createManyAndReturn({ data: newCallTimes, select: named });
      const callTimeIdOf = mapCopiedIds(callTimes, storedCallTimes);
      await copyRequirements(
        tx.db,
        eventId,
        callTimes.map(({ source: { id } }) => ({ id, copyId: callTimeIdOf(id) })),
      );
      const newShifts = shifts.map(({ row }) => ({
        ...row,
        eventId,
        callTimeId: row.callTimeId === null ? null : callTimeIdOf(row.callTimeId),
        overrideReason: reasonFor(row),
      }));
      if (newShifts.length > 0) await writing.workShift.createMany({ data: newShifts });
      tx.record({ kind: 'event', id: eventId, details: { copyOf: source.id } });
      return eventOrNotFound(tx, copyUuid);
    }),
});

type CopyMove = Pick<Static<typeof copyInput>, 'days' | 'withShifts'>;

/** Drafts all rows of a copy, and finds the times that cannot be moved by so many days. */
async function draftCopies(scope: Scope, source: EventRow, { days, withShifts }: CopyMove) {
  const mover = createTimeMover(days, source.timezone);
  const event = await draftEventCopy(scope, source, mover);
  const callTimes = await draftCallTimeCopies(scope, source.id, mover);
  const shifts = withShifts === true ? await draftShiftCopies(scope, source.id, mover) : [];
  return { event, callTimes, shifts, errors: mover.findFaults() };
}

/** Finds the times that cannot be moved. An event with too many rows is refused as such, once its input is right. */
async function findMoveFaults(scope: Scope, source: EventRow, move: CopyMove): Promise<FieldErrors> {
  try {
    return (await draftCopies(scope, source, move)).errors;
  } catch (error) {
    if (error instanceof Failure && error.code === 'CONFLICT') return {};
    throw error;
  }
}

interface Copied {
  readonly source: EventRow;
  readonly event: { readonly title: string; readonly startsAt: Date; readonly endsAt: Date };
  readonly callTimes: Awaited<ReturnType<typeof draftCallTimeCopies>>;
  readonly shifts: Awaited<ReturnType<typeof draftShiftCopies>>;
}

type CopiedShift = Copied['shifts'][number]['row'];

/**
 * Refuses a copy whose shifts clash, or returns a function that gives each shift the reason for the override, if it
 * needs one. Clashes within the copy name the rows of the original, because the rows of the copy do not exist.
 */
async function settleClashes(
  tx: Scope,
  { source, event, callTimes, shifts }: Copied,
  override: Static<typeof copyInput>['override'],
): Promise<(shift: CopiedShift) => string | null> {
  if (shifts.length === 0) return () => null;
  const overfilled = callTimes.flatMap(({ source: { id, uuid, staffNeeded } }) => {
    const assigned = shifts.filter(({ row }) => row.callTimeId === id).length - 1;
    const overfill: Overfill = { kind: 'OVERFILLED', callTimeUuid: uuid, needed: staffNeeded, assigned };
    return assigned >= staffNeeded ? [{ id, overfill }] : [];
  });
  const copied = {
    uuid: source.uuid,
    timezone: source.timezone,
    title: event.title,
    startsAt: event.startsAt,
    endsAt: event.endsAt,
  };
  const judged = shifts.map(({ row }) => ({ ...row, event: copied }));
  const { added, findClashing } = await findClashesAfter(tx, judged);
  const originalOf = new Map<string, string>(shifts.map(({ source: original, row }) => [row.uuid, original.uuid]));
  const clashes: ClashRow[] = [
    ...overfilled.map(({ overfill }) => overfill),
    ...added.map((clash) =>
      'shiftUuid' in clash ? { ...clash, shiftUuid: originalOf.get(clash.shiftUuid ?? '') ?? clash.shiftUuid } : clash,
    ),
  ];
  const reason = requireReason(clashes, override);
  if (reason === null) return () => null;
  const clashing = await findClashing();
  const overfilledIds = new Set(overfilled.map(({ id }) => id));
  return ({ uuid, callTimeId }) =>
    clashing.get(uuid) || (callTimeId !== null && overfilledIds.has(callTimeId)) ? reason : null;
}
