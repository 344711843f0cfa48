import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { settleDueOffers } from '../src/bin/due-work.ts';
import { readConflictPage } from '../src/db/conflicts.ts';
import { bindToBusiness } from '../src/db/tenant.ts';
import type { User } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import {
  atHour,
  callHours,
  eventTimes,
  makeSteps,
  type Numbers,
  type PlacesWorld,
  type Step,
  type StoredPlaces,
} from './support/places-steps.ts';
import { hourMs, PlainPlaces, type PlainCall } from './support/plain-places.ts';
import { isNightly, seedOf } from './support/share.mjs';

/* Random changes of one event, in both dialects in turn, lead to the places, offers, swaps and conflicts of a slow, plain model. */

const start = Date.parse('2026-12-02T15:00:00Z');
let now = start;
const service = useService({ clock: () => new Date(now) });

/** Waits after which the job of offers looks what is due: into the evening, into the night, to the last day, and beyond a start. */
const waits = [0.5, 1, 7.5, 11, 24, 48];

type Choice = readonly [kind: number, numbers: Numbers];

async function createWorld(approvesSwaps: boolean) {
  now = start;
  const { prisma } = service;
  const tenant = await service.createTenant();
  const { business } = tenant;
  await prisma.business.update({ where: { id: business.id }, data: { approvesSwaps, timezone: 'UTC' } });
  const people: User[] = [];
  for (let each = 0; each < 4; each++) people.push(await service.createUser(business, 'staff'));
  const { id: positionId } = await service.createPosition(business);
  const [from, to] = eventTimes(0);
  const event = await service.createEvent(business, { timezone: 'UTC', start: from, end: to });
  const calls: PlainCall[] = callHours.map(([first, last], at) => ({
    ...{ needed: at === 1 ? 2 : 1, start: atHour(first), end: atHour(last), claims: 'none', isDeleted: false },
  }));
  const stored = [];
  for (const { needed: staffNeeded, ...call } of calls) {
    const [first, last] = [call.start, call.end].map((ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' '));
    stored.push(await service.createCallTime(event, { positionId, staffNeeded, start: first!, end: last! }));
  }
  const world: PlacesWorld = {
    eventUuid: event.uuid,
    people,
    callUuids: stored.map(({ uuid }) => uuid),
  };
  const ids = { calls: stored.map(({ id }) => id), people: people.map(({ id }) => id) };
  const tokens = new Map<number, { token: string; until: number }>();
  /** Tokens of people end after a day, and an API key does not. */
  const credentialOf = async (at: number | null): Promise<string> => {
    if (at === null) return tenant.as.key;
    const last = tokens.get(at);
    if (last && last.until > now) return last.token;
    const token = await service.tokenOf(people[at]!);
    tokens.set(at, { token, until: now + 20 * hourMs });
    return token;
  };
  return { business, world, ids, credentialOf, model: new PlainPlaces(start, calls, approvesSwaps) };
}

type World = Awaited<ReturnType<typeof createWorld>>;

interface StoredRows {
  readonly shifts: {
    id: number;
    uuid: string;
    call: number | null;
    user: number;
    status: string;
    confirmed: boolean;
    start: number;
    end: number;
  }[];
  readonly parts: {
    uuid: string;
    offer: number;
    call: number;
    user: number;
    state: string;
    expires: number;
    shift: number | null;
  }[];
  readonly offers: { id: number; uuid: string }[];
  readonly swaps: {
    uuid: string;
    shift: number;
    other: number | null;
    from: number;
    to: number | null;
    state: string;
  }[];
}

/** All rows of the business in one statement, in the order in which they were made. */
async function readRows({ business: { id } }: World): Promise<StoredRows> {
  const [row] = await service.prisma.$queryRaw<[{ rows: StoredRows }]>`
    SELECT jsonb_build_object(
      'shifts', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'uuid', uuid, 'call', call_time_id, 'user', user_id, 'status', status,
          'confirmed', confirmed, 'start', extract(epoch FROM starts_at) * 1000, 'end', extract(epoch FROM ends_at) * 1000) ORDER BY id), '[]')
          FROM work_shifts WHERE business_id = ${id}),
      'parts', (SELECT coalesce(jsonb_agg(jsonb_build_object('uuid', uuid, 'offer', offer_id, 'call', call_time_id, 'user', user_id,
          'state', state, 'expires', extract(epoch FROM expires_at) * 1000, 'shift', work_shift_id) ORDER BY id), '[]')
          FROM offer_recipients WHERE business_id = ${id}),
      'offers', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'uuid', uuid) ORDER BY id), '[]')
          FROM offers WHERE business_id = ${id}),
      'swaps', (SELECT coalesce(jsonb_agg(jsonb_build_object('uuid', uuid, 'shift', work_shift_id, 'other', other_shift_id,
          'from', from_user_id, 'to', to_user_id, 'state', state) ORDER BY id), '[]')
          FROM shift_swaps WHERE business_id = ${id})) AS rows`;
  return row.rows;
}

const placeOf = (ids: readonly (number | null)[], id: number | null) => (id === null ? null : ids.indexOf(id));

/** What is stored, named by the places in the model. */
function describeRows({ ids }: World, rows: StoredRows) {
  const shiftIds = rows.shifts.map(({ id }) => id);
  return {
    shifts: rows.shifts.map(({ id: _id, uuid: _uuid, ...shift }) => ({
      ...{ ...shift, call: placeOf(ids.calls, shift.call), user: placeOf(ids.people, shift.user) },
    })),
    parts: rows.parts.map(({ uuid: _uuid, offer: _offer, ...part }) => ({
      ...{ ...part, call: placeOf(ids.calls, part.call), user: placeOf(ids.people, part.user) },
      shift: placeOf(shiftIds, part.shift),
    })),
    swaps: rows.swaps.map(({ uuid: _uuid, ...swap }) => ({
      ...{ ...swap, shift: placeOf(shiftIds, swap.shift), other: placeOf(shiftIds, swap.other) },
      ...{ from: placeOf(ids.people, swap.from), to: placeOf(ids.people, swap.to) },
    })),
  };
}

const livingOf = <T extends { call: number }>(model: PlainPlaces, list: readonly T[]) =>
  [...list.entries()].filter(([, { call }]) => !model.calls[call]!.isDeleted);

function describeModel(model: PlainPlaces) {
  return {
    shifts: model.shifts,
    parts: livingOf(model, model.parts).map(([, { call, user, state, expires, shift }]) => ({
      ...{ call, user, state, expires, shift },
    })),
    swaps: model.swaps.map(({ expires: _expires, ...swap }) => swap),
  };
}

const nameRows = (model: PlainPlaces, rows: StoredRows): StoredPlaces => ({
  shifts: rows.shifts,
  swaps: rows.swaps,
  parts: new Map(livingOf(model, model.parts).map(([at], index) => [at, rows.parts[index]!.uuid])),
  offers: new Map(livingOf(model, model.offers).map(([at], index) => [at, rows.offers[index]!.uuid])),
});

async function readConflicts({ business }: World, rows: StoredRows) {
  const { db } = bindToBusiness(service.prisma, business.id);
  const period = { from: new Date(start), to: new Date(start + 60 * 24 * hourMs) };
  const found = await readConflictPage(db, period, [], { limit: 100 });
  const at = (id: number | null) => rows.shifts.findIndex((shift) => shift.id === id);
  return found.map(({ firstId, secondId }) => [at(firstId), at(secondId)].sort((a, b) => a - b).join()).sort();
}

/** Sends a step without the checks of other tests, for speed. Returns whether it was done. */
async function sendStep(
  { rest, graphql }: Step,
  as: string,
  isRest: boolean,
): Promise<{ isDone: boolean; answer: string }> {
  const [method, url, body] = isRest ? rest : (['POST', '/graphql', toGraphql(graphql)] as const);
  const reply = await service.app.http.inject({
    ...{ method, url, headers: { authorization: `Bearer ${as}` } },
    ...(body !== undefined && { payload: body }),
  });
  if (reply.statusCode >= 500) throw new Error(reply.body);
  const isDone = reply.statusCode < 300 && (isRest || (reply.json() as { errors?: unknown }).errors === undefined);
  return { isDone, answer: `${reply.statusCode} ${reply.body.slice(0, 300)}` };
}

function toGraphql([name, inputs, select]: Step['graphql']) {
  const names = Object.keys(inputs);
  const types = names.map((input) => `$${input}: ${inputs[input]![0]}`).join(', ');
  const query = `mutation (${types}) { ${name}(${names.map((input) => `${input}: $${input}`).join(', ')}) ${select} }`;
  return { query, variables: Object.fromEntries(names.map((input) => [input, inputs[input]![1]])) };
}

async function play(approvesSwaps: boolean, choices: readonly Choice[]): Promise<void> {
  const scene = await createWorld(approvesSwaps);
  const { model, world } = scene;
  let rows = await readRows(scene);
  const told: string[] = [];
  for (const [index, [kind, numbers]] of choices.entries()) {
    if (kind === 0) continue;
    if (kind > makeSteps.length) {
      const ms = waits[kind - makeSteps.length - 1]! * hourMs;
      if (now + ms > atHour(24)) continue;
      now += ms;
      await settleDueOffers(service.prisma, new Date(now));
      model.try(() => model.pass(ms));
      told.push(`${ms / hourMs} hours pass`);
    } else {
      const step = makeSteps[kind - 1]!(model, world, nameRows(model, rows), numbers);
      if (step === null) continue;
      now += 60_000;
      model.now = now;
      const { isDone, answer } = await sendStep(step, await scene.credentialOf(step.as), index % 2 === 0);
      told.push(`${index % 2 === 0 ? JSON.stringify(step.rest) : JSON.stringify(step.graphql)} -> ${answer}`);
      expect([...told, isDone]).toEqual([...told, model.try(step.change)]);
    }
    rows = await readRows(scene);
    expect([told, describeRows(scene, rows)]).toEqual([told, describeModel(model)]);
    const isOn = model.status !== 'canceled';
    const conflicts = isOn ? model.conflicts().map((pair) => pair.join()) : [];
    expect(await readConflicts(scene, rows)).toEqual(conflicts.sort());
  }
}

const number = fc.nat(1000);
const choice = fc.tuple(fc.nat(makeSteps.length + waits.length), fc.tuple(number, number, number, number));

const seed = seedOf('places');
const length = 30;
/** So many sequences to a test, which ends by itself on a slow machine, too. */
const numRuns = 50;
const tests = isNightly ? 40 : 3;

describe(`with seeds from ${seed} on, ${numRuns} random sequences of ${length} changes`, () => {
  test.each(Array.from({ length: tests }, (_, index) => seed + index))(
    'lead to the places of the model: %i',
    async (each) => {
      const sequence = fc.array(choice, { minLength: length, maxLength: length });
      await fc.assert(fc.asyncProperty(fc.boolean(), sequence, play), { seed: each, numRuns });
    },
  );
});
