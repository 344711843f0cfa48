import type { Event, OfferRecipient, User } from '../../src/generated/prisma/client.ts';
import type { TestApp } from './app.ts';
import type { Tenant } from './factories.ts';
import { useKeptRows } from './kept-rows.ts';
import { isNightly } from './share.mjs';
import { createResourceRows, resources } from './resources.ts';
import type { Pool } from './random-values.ts';
import { createScreen } from './screens.ts';

/** How many random calls a run makes: 10,000 together. In the short form, a quarter of the routes and fields get a tenth of theirs. */
export const randomCalls = isNightly ? { rest: 4000, graphql: 6000 } : { rest: 400, graphql: 600 };

/** How many times a field or route of which no call succeeds gets more of them. */
export const randomRoundsMax = 60;

/** Seed of the random calls. It is fixed, so that a run can be repeated; RANDOM_SEED overrides it. */
export const seed = Number(process.env['RANDOM_SEED'] ?? 20_261_120);

export interface RandomScene extends Pool {
  readonly tenant: Tenant;
}

/** Declares the scene of a test file. Its rows are put back before each test, so that a call can spoil nothing for the next. */
export function useRandomScene(service: TestApp): RandomScene {
  const scene = {} as RandomScene;
  useKeptRows(service, async () => {
    Object.assign(scene, await createRandomScene(service));
    return [scene.tenant.business.id];
  });
  return scene;
}

/** A business with one of everything that a call may name. */
async function createRandomScene(service: TestApp): Promise<RandomScene> {
  const tenant = await service.createTenant();
  const { business, staff, client } = tenant;
  const event = await service.createEvent(business, { clientId: client.id });
  const draft = await service.createEvent(business, { status: 'draft' });
  const position = await service.createPosition(business);
  const callTime = await service.createCallTime(event, { positionId: position.id, staffNeeded: 3 });
  const shift = await service.createShift(event, staff, { positionId: position.id, callTimeId: callTime.id });
  const second = await service.createUser(business, 'staff');
  const other = await service.createShift(draft, second, { positionId: position.id, start: null, end: null });
  const field = await service.createCustomField(business, { type: 'select', options: ['red', 'blue'] });
  const rows = await createResourceRows(service.prisma, business.id);
  await service.setCustomValue(event, field, 'red');
  const businessId = business.id;
  const webhook = await service.prisma.webhookEndpoint.create({
    data: { businessId, url: 'https://receiver.example', types: [], secret: 'nobody', revision: 0n },
  });
  const message = await service.prisma.webhookMessage.create({
    data: { businessId, endpointId: webhook.id, type: 'event.created', payload: '{}' },
  });
  const window = { businessId, userId: staff.id, rule: 'preferred' as const };
  const pattern = await service.prisma.availabilityPattern.create({
    data: { ...window, weekday: 'monday', startTime: '09:00', endTime: '17:00', timezone: 'UTC' },
  });
  const exception = await service.prisma.availabilityException.create({
    data: { ...window, startsAt: new Date('2027-06-01T09:00:00Z'), endsAt: new Date('2027-06-01T17:00:00Z') },
  });
  // Mondays, when the staff member can work.
  const onMonday = (user: User, day: number) =>
    service.createShift(event, user, {
      ...{ start: `2990-01-${day} 10:00:00`, end: `2990-01-${day} 12:00:00`, positionId: position.id },
    });
  const swaps = [
    await service.createSwap(await onMonday(second, 11), { toUserId: staff.id }),
    await service.createSwap(await onMonday(second, 18), { toUserId: staff.id, state: 'taken' }),
  ];
  const swappable = await onMonday(staff, 25);
  const { screen } = await createScreen(service.prisma, tenant);
  const { offerable, offerUuid, parts } = await createOffered(service, tenant, event, position.id);
  const held = await service.createHeld(second);
  const free = [1, 2, 3].map(() => service.createUser(business, 'staff'));
  return {
    tenant,
    uuids: {
      screen: [screen.uuid],
      event: [event.uuid, draft.uuid],
      calltime: [
        callTime.uuid,
        offerable.uuid,
        (await service.createCallTime(draft, { positionId: position.id })).uuid,
      ],
      // GraphQL names both by the id of an offer.
      offer: [offerUuid, offerUuid, ...parts.map(({ uuid }) => uuid)],
      offerrecipient: parts.map(({ uuid }) => uuid),
      shift: [shift.uuid, other.uuid, swappable.uuid],
      swap: swaps.map(({ uuid }) => uuid),
      field: [field.uuid],
      webhook: [webhook.uuid],
      message: [message.uuid],
      pattern: [pattern.uuid],
      exception: [exception.uuid],
    },
    ids: {
      staff: [staff.id, second.id],
      user: [
        ...[staff.id, second.id, client.id],
        ...(await Promise.all(free)).map(({ id }) => id),
        ...parts.map(({ userId }) => userId),
      ],
      client: [client.id],
      ...Object.fromEntries(resources.map(({ noun }) => [noun.toLowerCase(), [rows[noun].id]])),
      position: [position.id, rows.position.id],
      userqualification: [held.id],
    },
  };
}

/** A call time that staff can claim, on a Monday as their availability says, and an offer of it in which people wait for an answer. */
async function createOffered(service: TestApp, { business, admin }: Tenant, event: Event, positionId: number) {
  const times = { start: '2990-01-04 10:00:00', end: '2990-01-04 12:00:00' };
  const offerable = await service.createCallTime(event, { ...times, positionId, staffNeeded: 9, claims: 'open' });
  const offer = await service.createOffer(offerable, { createdById: admin.id });
  const parts: OfferRecipient[] = [];
  for (const state of ['sent', 'requested', 'declined'] as const) {
    const user = await service.createUser(business, 'staff');
    parts.push(await service.createRecipient(offer, user, { state }));
  }
  return { offerable, offerUuid: offer.uuid, parts };
}

/** Root fields and operations that staff alone call. */
export const isOfStaff = (name: string) =>
  /^(my|callTimes\.(listOpen|claim)|swaps\.(listOpen|request|take))|^(openCallTimes|claimCallTime|openSwaps|requestSwap|takeSwap)$/.test(
    name,
  );

/** The credential of a call: a screen has operations of its own, and some end the credential that they are called with. */
export async function credentialFor(
  service: TestApp,
  { tenant }: RandomScene,
  { isOfScreens, isEnding, caller = tenant.admin }: { isOfScreens: boolean; isEnding: boolean; caller?: User },
): Promise<string> {
  if (isOfScreens) return (await createScreen(service.prisma, tenant)).token;
  return isEnding || caller !== tenant.admin ? service.tokenOf(caller) : tenant.as.admin;
}

const patienceMs = 10_000;

/** Fails when no answer comes. */
export async function inTime<T>(what: string, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${patienceMs} ms: ${what}`)), patienceMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
