import Type, { type Static } from 'typebox';
import { variantOf } from '../access/operation.ts';
import type { Scope } from '../access/scope.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import type { ShiftParent } from '../db/work-shifts.ts';
import { invalid, notFound, type FieldErrors } from '../errors.ts';
import type { WorkShiftRow } from '../fields/work-shifts.ts';
import { pageInput, pageNumberInput } from '../paging/input.ts';
import { pageRule, type ListPage } from '../paging/pages.ts';
import { closed, uuidOf } from '../validation/schemas.ts';
import { eventOrNotFound } from './events.ts';
import { getPagesByParents, readShiftPages, shiftFilter } from './work-shifts.ts';

const parents = {
  eventUuid: Type.Optional(uuidOf('event')),
  callTimeUuid: Type.Optional(uuidOf('call time')),
};

/** Input of a list of shifts that is read by page number. */
export const shiftListQuery = Type.Object({ ...parents, ...shiftFilter.properties, ...pageNumberInput() }, closed);

const shiftListInput = Type.Object({ ...parents, ...shiftFilter.properties, ...pageInput() }, closed);

/** Reads one page of the shifts of an event, a call time or a staff member, by start. */
export const list = variantOf(getPagesByParents, {
  input: shiftListInput,
  rules: [{ over: ['eventUuid', 'callTimeUuid', 'userId'], check: (_scope, sent) => findParentFaults(sent) }, pageRule],
  run: async (scope, { eventUuid, callTimeUuid, statuses, userId, positionId, confirmed, declined, ...request }) => {
    const { parent, id } = await findParent(scope, { eventUuid, callTimeUuid, userId });
    const filter = {
      ...(statuses && { statuses }),
      ...(userId !== undefined && { userId }),
      ...(positionId !== undefined && { positionId }),
      ...(confirmed !== undefined && { confirmed }),
      ...(declined !== undefined && { declined }),
    };
    const [page] = await readShiftPages(scope, { parent, ids: [id], filter, ...request });
    return page as ListPage<WorkShiftRow>;
  },
});

type Parents = {
  [Name in 'eventUuid' | 'callTimeUuid' | 'userId']?: Static<typeof shiftListInput>[Name] | undefined;
};

function findParentFaults({ eventUuid, callTimeUuid, userId }: Parents): FieldErrors {
  if (eventUuid !== undefined && callTimeUuid !== undefined)
    return { callTimeUuid: ['must not be combined with eventUuid'] };
  if (eventUuid === undefined && callTimeUuid === undefined && userId === undefined)
    return { eventUuid: ['is required unless a call time or a staff member is named'] };
  return {};
}

/** Finds the row whose shifts are listed. A staff member narrows the list of an event or a call time. */
async function findParent(
  scope: Scope,
  { eventUuid, callTimeUuid, userId }: Parents,
): Promise<{ parent: ShiftParent; id: number }> {
  const errors = findParentFaults({ eventUuid, callTimeUuid, userId });
  if (Object.keys(errors).length > 0) throw invalid(errors);
  if (eventUuid !== undefined) return { parent: 'eventId', id: (await eventOrNotFound(scope, eventUuid)).id };
  if (callTimeUuid !== undefined) {
    const callTime = await callTimeByUuid(scope.db, callTimeUuid);
    if (!callTime) throw notFound('call time');
    return { parent: 'callTimeId', id: callTime.id };
  }
  return { parent: 'userId', id: userId as number };
}
