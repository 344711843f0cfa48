import Type, { type Static } from 'typebox';
import { operation, variantOf } from '../access/operation.ts';
import { adminAndStaff, adminRead, repeatable, staffingEdit } from '../access/permissions.ts';
import type { Scope } from '../access/scope.ts';
import { limits } from '../config/limits.ts';
import { callTimeByUuid } from '../db/call-times.ts';
import {
  countOffers,
  countRecipients,
  readOfferPage,
  readOffers,
  readRecipientPage,
  readRecipientsByUuids,
  readRecipientsOf,
  recipientParents,
  newestFirst,
  type RecipientFilter,
} from '../db/offers.ts';
import { findStaff, lockEvent, type StaffedEvent } from '../db/staffing.ts';
import { conflict, invalid, notFound, type FieldErrors } from '../errors.ts';
import type { CallTimeRow } from '../fields/call-times.ts';
import { inputsOf } from '../fields/field-list.ts';
import { offerFields, type OfferRow, type RecipientRow } from '../fields/offers.ts';
import { type OfferMode, OfferState } from '../generated/prisma/enums.ts';
import { pageInput } from '../paging/input.ts';
import { pageRule, readPage } from '../paging/pages.ts';
import {
  closedObject,
  idOf,
  int4,
  nullable,
  oneOf,
  optionalFields,
  rowNumber,
  uuidOf,
  visibleText,
} from '../validation/schemas.ts';
import { rankCandidates } from './candidates.ts';
import { uuidsInput } from './events-input.ts';
import { eventOrNotFound } from './events.ts';
import { endWaves, findAskable, sendTo, waveAfter } from './offers-settle.ts';
import { changeStates, openStates } from './offers-states.ts';
import { countAssigned, lockEventToStaff } from './staffing.ts';
import { requireVersion, versionInput } from './versions.ts';

export const offerParams = closedObject({ uuid: uuidOf('offer') });
export const recipientParams = closedObject({ uuid: uuidOf('offer recipient') });

/** Who is asked: some people, or the best candidates. */
const to = {
  userIds: Type.Optional(
    Type.Array(rowNumber('Id of a user with role staff.'), {
      minItems: 1,
      maxItems: limits.wholeListMax,
      description: 'Ids of the staff members, the ones to be asked first before the others.',
    }),
  ),
  candidates: Type.Optional(
    int4(
      1,
      limits.wholeListMax,
      `Asks so many of the candidates, at most ${limits.wholeListMax}, the best first, whom no rule is against. Send either this or \`userIds\`.`,
    ),
  ),
};

export const offerInput = closedObject({ callTimeUuid: uuidOf('call time'), ...to, ...inputsOf(offerFields) });

/** An offer with the people in it that the caller may see. */
export interface OfferWithRecipients extends OfferRow {
  readonly recipients: readonly RecipientRow[];
}

/** The start of a call time. */
type Start = Pick<CallTimeRow, 'startTimeTbd' | 'startsAt'>;

/** Until when people can answer at the latest, and what becomes of the waitlist and of requests by itself: the start, where it is known. */
export const startOfWork = ({ startTimeTbd, startsAt }: Start, event: Pick<StaffedEvent, 'endsAt'>): Date =>
  startTimeTbd ? event.endsAt : startsAt;

/** Only what takes place for certain is offered. */
export function requireOfferable({ status }: Pick<StaffedEvent, 'status'>): void {
  if (status !== 'active') throw conflict(`The event is ${status}: only places of active events can be offered.`);
}

/** Finds the end of the time to answer, and the faults of the one that was sent. */
export function readAnswerBy(callTime: Start, event: StaffedEvent, sent: Date | null | undefined, now: Date): Date {
  const start = startOfWork(callTime, event);
  if (start <= now) throw conflict('The call time has started: its places cannot be offered any more.');
  const refuse = (text: string) => invalid({ expiresAt: [text] });
  if (!sent && callTime.startTimeTbd) throw refuse('is required while the start is to be determined');
  if (sent && sent <= now) throw refuse('must be in the future');
  if (sent && sent > start) throw refuse(`must not be after the start, ${start.toISOString()}`);
  return sent ?? start;
}

/** Offers the places of a call time to people. Those who are asked already, or work there, are passed over. */
export const send = operation({
  ...staffingEdit,
  ...repeatable,
  name: 'offers.send',
  input: offerInput,
  rows: { field: 'userIds', count: ({ userIds, candidates }) => userIds?.length ?? candidates ?? 0 },
  rules: [{ over: ['userIds', 'candidates'], check: findPeopleFaults }],
  run: async (scope, { callTimeUuid, message = null, mode = 'first_come', waveSize, waveMinutes = 60, ...input }) => {
    const best = input.candidates === undefined ? null : await findCandidates(scope, callTimeUuid, input.candidates);
    return scope.transaction(async (tx) => {
      const errors = await findPeopleFaults(tx, input);
      if (Object.keys(errors).length > 0) throw invalid(errors);
      const event = await lockEventToStaff(tx, { callTime: callTimeUuid });
      requireOfferable(event);
      const callTime = (await callTimeByUuid(tx.db, callTimeUuid))!;
      const now = tx.clock();
      const expiresAt = readAnswerBy(callTime, event, input.expiresAt, now);
      if ((await countAssigned(tx, callTime.id)) >= callTime.staffNeeded)
        throw conflict('The call time has all the people that it needs.');
      const askable = await findAskable(tx, callTime.id, best ?? [...new Set(input.userIds)]);
      if (askable.length === 0)
        throw conflict(
          best
            ? 'There is no candidate who is not asked already and whom no rule is against.'
            : 'Each of these people is asked already, or works there.',
        );
      const first = askable.slice(0, waveSize ?? askable.length);
      const waitingUserIds = askable.slice(first.length);
      const offer = await createOffer(tx, callTime, {
        mode,
        message,
        expiresAt,
        waitingUserIds,
        ...(waveSize !== undefined && { waveSize, waveMinutes }),
        nextWaveAt: waitingUserIds.length > 0 ? waveAfter(now, waveMinutes) : null,
      });
      await sendTo(tx, offer, first);
      tx.record({ kind: 'offer', id: offer.id });
      return offer.uuid;
    }, readOffer);
  },
});

async function findPeopleFaults(
  { db }: Scope,
  { userIds: ids, candidates }: { userIds?: readonly number[]; candidates?: number },
): Promise<FieldErrors> {
  if ((ids === undefined) === (candidates === undefined))
    return { userIds: [ids ? 'must not be combined with candidates' : 'are required, unless candidates are asked'] };
  if (!ids) return {};
  const staff = await findStaff(db, ids);
  return nameUsers(ids, (id) => staff.has(id), 'must be ids of staff members of this business');
}

/** The ids of the best candidates who are not asked already. */
async function findCandidates(scope: Scope, callTimeUuid: string, atMost: number): Promise<number[]> {
  const { callTime, ranked } = await rankCandidates(scope, callTimeUuid, ['READY', 'ASK']);
  const asked = await scope.db.offerRecipient.findMany({
    where: { callTimeId: callTime.id, state: { in: [...openStates] } },
    select: { userId: true },
  });
  const left = new Set(asked.map(({ userId }) => userId));
  const fit = ranked.filter(({ member }) => !left.has(member.id));
  return fit.slice(0, atMost).map(({ member }) => member.id);
}

/** Names users by their places in the list, so that the answers for two unknown ids are the same. */
function nameUsers(ids: readonly number[], isKnown: (id: number) => boolean, text: string): FieldErrors {
  const places = ids.flatMap((id, index) => (isKnown(id) ? [] : [index + 1]));
  if (places.length === 0) return {};
  const named = places.slice(0, limits.listedMax).join(', ');
  return { userIds: [`${text}, which those at these places of the list are not: ${named}`] };
}

/** Stores an offer without anybody in it. */
export async function createOffer(
  tx: Scope,
  { id: callTimeId, eventId }: Pick<CallTimeRow, 'id' | 'eventId'>,
  values: Omit<Parameters<Scope['db']['offer']['create']>[0]['data'], 'businessId' | 'eventId' | 'callTimeId'>,
) {
  return tx.db.offer.create({
    data: {
      ...(values as { mode: OfferMode; expiresAt: Date }),
      ...{ businessId: tx.businessId, eventId, callTimeId, createdAt: tx.clock() },
      createdById: tx.actor.kind === 'user' ? tx.actor.userId : null,
    },
    select: { id: true, uuid: true, eventId: true, callTimeId: true, expiresAt: true },
  });
}

async function readOffer({ db }: Scope, uuid: string): Promise<OfferWithRecipients> {
  const [offer] = await readOffers(db, { uuids: [uuid] });
  if (!offer) throw notFound('offer');
  return { ...offer, recipients: await readRecipientsOf(db, 'offerId', [offer.id], limits.wholeListMax) };
}

export const get = operation({
  ...adminRead,
  name: 'offers.get',
  input: offerParams,
  run: (scope, { uuid }) => readOffer(scope, uuid),
});

export const offerFilter = optionalFields({
  eventUuid: uuidOf('event', 'Lists only offers at the event with this UUID.'),
  callTimeUuid: uuidOf('call time', 'Lists only offers of the call time with this UUID.'),
});

/** Reads one page of the offers, the newest first, with those that nobody was asked by. */
export const list = operation({
  ...adminRead,
  name: 'offers.list',
  input: closedObject({ filter: Type.Optional(offerFilter), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { filter: asked = {}, ...request }) => {
    const filter = await findFilteredRows(scope, asked);
    return readPage(scope, request, {
      order: newestFirst,
      rows: (window) => readOfferPage(scope.db, filter, window),
      count: () => countOffers(scope.db, filter),
    });
  },
});

export const getByUuids = variantOf(get, { input: uuidsInput, run: ({ db }, { uuids }) => readOffers(db, { uuids }) });

export const getByIds = variantOf(get, {
  input: closedObject({ ids: Type.Array(idOf('offer')) }),
  run: ({ db }, { ids }) => readOffers(db, { ids }),
});

export const withdrawFields = {
  userIds: Type.Optional(
    Type.Array(rowNumber('Id of a user.'), {
      minItems: 1,
      maxItems: limits.wholeListMax,
      description: 'Takes back the offer from these users only. Default: from all.',
    }),
  ),
  reason: Type.Optional(
    nullable(visibleText(limits.remarkChars, { description: 'Why it is taken back, for the people and the history.' })),
  ),
};

/** Takes back what is open of an offer. Whoever has accepted keeps their shift. */
export const withdraw = operation({
  ...staffingEdit,
  name: 'offers.withdraw',
  input: closedObject({ ...offerParams.properties, ...versionInput, ...withdrawFields }),
  run: (scope, { uuid, expectedVersions, userIds: only, reason = null }) =>
    scope.transaction(
      async (tx) => {
        const { id, eventId } = await readOffer(tx, uuid);
        await lockEvent(tx.db, { id: eventId });
        const found = await readOffer(tx, uuid);
        requireVersion(found, expectedVersions);
        if (only) await requirePart(tx, id, only);
        await changeStates(
          tx,
          'withdrawn',
          { eventId, offerId: id, ...(only && { userId: { in: only } }) },
          { reason },
        );
        if (!only) await endWaves(tx, { id });
        if (!only && found.withdrawnAt === null)
          await tx.db.offer.updateMany({ where: { id, withdrawnAt: null }, data: { withdrawnAt: tx.clock() } });
        tx.record({ kind: 'offer', id });
      },
      (tx) => readOffer(tx, uuid),
    ),
});

async function requirePart({ db }: Scope, offerId: number, ids: readonly number[]): Promise<void> {
  const parts = await db.offerRecipient.findMany({ where: { offerId }, select: { userId: true } });
  const { waitingUserIds } = await db.offer.findFirstOrThrow({
    where: { id: offerId },
    select: { waitingUserIds: true },
  });
  const known = new Set([...waitingUserIds, ...parts.map(({ userId }) => userId)]);
  const errors = nameUsers(ids, (id) => known.has(id), 'must be ids of people in this offer');
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

export const recipientFilter = optionalFields({
  eventUuid: uuidOf('event', 'Lists only parts at the event with this UUID.'),
  callTimeUuid: uuidOf('call time', 'Lists only parts on the call time with this UUID.'),
  userId: rowNumber('Lists only the parts of the user with this id.'),
  states: Type.Array(oneOf(Object.values(OfferState)), {
    maxItems: limits.namedItemsMax,
    description: 'Lists only parts in one of these states. Default: all.',
  }),
});

const recipientRead = { roles: adminAndStaff, scopes: ['read'], cacheable: true } as const;

/** Reads one page of the parts of people in offers, the newest first. Staff see their own. */
export const listRecipients = operation({
  ...recipientRead,
  name: 'offers.listRecipients',
  input: closedObject({ filter: Type.Optional(recipientFilter), ...pageInput() }),
  rules: [pageRule],
  run: async (scope, { filter: asked = {}, ...request }) => {
    const filter = await findFilteredRows(scope, asked);
    return readPage(scope, request, {
      order: newestFirst,
      rows: (window) => readRecipientPage(scope.db, filter, window),
      count: () => countRecipients(scope.db, filter),
    });
  },
});

/** Finds the rows that a filter names. Whoever sees no such row has no part there either. */
async function findFilteredRows(
  scope: Scope,
  { eventUuid, callTimeUuid, ...filter }: Static<typeof recipientFilter>,
): Promise<RecipientFilter> {
  const callTime = callTimeUuid === undefined ? undefined : await callTimeByUuid(scope.db, callTimeUuid);
  if (callTime === null) throw notFound('call time');
  return {
    ...filter,
    ...(callTime && { callTimeId: callTime.id }),
    ...(eventUuid !== undefined && { eventId: (await eventOrNotFound(scope, eventUuid)).id }),
  };
}

export async function recipientOrNotFound({ db }: Pick<Scope, 'db'>, uuid: string): Promise<RecipientRow> {
  const [row] = await readRecipientsByUuids(db, [uuid]);
  if (!row) throw notFound('offer recipient');
  return row;
}

export const getRecipient = operation({
  ...recipientRead,
  name: 'offers.getRecipient',
  input: recipientParams,
  run: (scope, { uuid }) => recipientOrNotFound(scope, uuid),
});

export const getRecipientsByUuids = variantOf(getRecipient, {
  input: uuidsInput,
  run: ({ db }, { uuids }) => readRecipientsByUuids(db, uuids),
});

/** Reads the people of many offers, events or call times, at most so many of each. */
export const getRecipientsByParents = variantOf(listRecipients, {
  input: closedObject({
    parent: oneOf(recipientParents),
    ids: Type.Array(idOf('offer')),
    atMostEach: Type.Integer({ minimum: 1 }),
  }),
  run: ({ db }, { parent, ids, atMostEach }) => readRecipientsOf(db, parent, ids, atMostEach),
});
