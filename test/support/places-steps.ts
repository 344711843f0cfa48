import type { OfferMode } from '../../src/generated/prisma/enums.ts';
import { hourMs, type PlainPlaces } from './plain-places.ts';

/** The rows of an event as the service has them: in the order in which they were made, as in the model. */
export interface StoredPlaces {
  readonly shifts: readonly { readonly id: number; readonly uuid: string }[];
  /** By their places in the model, which keeps those of deleted call times. */
  readonly parts: ReadonlyMap<number, string>;
  readonly offers: ReadonlyMap<number, string>;
  readonly swaps: readonly { readonly uuid: string }[];
}

export interface PlacesWorld {
  readonly eventUuid: string;
  readonly people: readonly { readonly id: number }[];
  readonly callUuids: readonly string[];
}

/** A call in both dialects, and what it does in the model. */
export interface Step {
  /** The place of a person among the people; null: an admin. */
  readonly as: number | null;
  readonly rest: readonly [method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object | undefined];
  readonly graphql: readonly [
    name: string,
    inputs: Readonly<Record<string, readonly [type: string, value: unknown]>>,
    select: string,
  ];
  readonly change: () => void;
}

export type Numbers = readonly [number, number, number, number];

type MakeStep = (model: PlainPlaces, world: PlacesWorld, stored: StoredPlaces, numbers: Numbers) => Step | null;

const reason = 'Agreed by phone';
const wall = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const override = (is: boolean) => (is ? { override_reason: reason } : {});
const overrideInput = (is: boolean) => (is ? { override: { reason } } : {});
const id = (value: string) => ['ID!', value] as const;
const pick = (list: readonly unknown[], number: number): number | null =>
  list.length === 0 ? null : number % list.length;

/** A step on a shift by an admin, or by its person where they see it and nothing has started. */
const onShift =
  (
    action: string,
    change: (model: PlainPlaces, at: number) => void,
    who: 'admin' | 'person' = 'admin',
    fits: (model: PlainPlaces, at: number) => boolean = () => true,
  ): MakeStep =>
  (model, _world, { shifts }, [a]) => {
    const at = pick(model.shifts, a);
    if (at === null || !fits(model, at)) return null;
    const { user, start, status } = model.shifts[at]!;
    const isTheirs = model.status === 'active' && status === 'active' && start > model.now && !model.gone.has(user);
    if (who === 'person' && !isTheirs) return null;
    const { uuid } = shifts[at]!;
    return {
      as: who === 'person' ? user : null,
      rest:
        action === 'delete'
          ? ['DELETE', `/v1/work_shifts/${uuid}`]
          : ['POST', `/v1/work_shifts/${uuid}/actions/${action}`],
      graphql: [`${action}Shift`, { id: id(uuid) }, '{ uuid }'],
      change: () => change(model, at),
    };
  };

/** A change of a shift by an admin. */
const updateShift =
  (
    values: (model: PlainPlaces, world: PlacesWorld, at: number, b: number) => readonly [rest: object, graphql: object],
    change: (model: PlainPlaces, at: number, b: number, isForced: boolean) => void,
    fits: (status: string) => boolean,
  ): MakeStep =>
  (model, world, { shifts }, [a, b, c]) => {
    const at = pick(model.shifts, a);
    if (at === null || !fits(model.shifts[at]!.status)) return null;
    const isForced = c % 3 === 0;
    const { uuid } = shifts[at]!;
    const [rest, graphql] = values(model, world, at, b);
    return {
      as: null,
      rest: ['PUT', `/v1/work_shifts/${uuid}`, { ...rest, ...override(isForced) }],
      graphql: [
        'updateShift',
        { id: id(uuid), input: ['UpdateShiftInput!', { ...graphql, ...overrideInput(isForced) }] },
        '{ shift { uuid } }',
      ],
      change: () => change(model, at, b, isForced),
    };
  };

/** An answer to an offer: of the person while they see the event, or of an admin. */
const onPart =
  (
    action: string,
    change: (model: PlainPlaces, at: number, isAdmin: boolean, isForced: boolean) => void,
    who: 'any' | 'admin',
  ): MakeStep =>
  (model, _world, { parts }, [a, b, c]) => {
    const at = pick(model.parts, a);
    const uuid = at === null ? undefined : parts.get(at);
    if (at === null || uuid === undefined) return null;
    const { user } = model.parts[at]!;
    const isAdmin = who === 'admin' || b % 3 === 0 || model.status !== 'active' || model.gone.has(user);
    const isForced = action === 'accept' && isAdmin && c % 2 === 0;
    return {
      as: isAdmin ? null : user,
      rest: ['POST', `/v1/offer_recipients/${uuid}/actions/${action}`, isForced ? override(true) : undefined],
      graphql: [
        `${action}Offer`,
        { id: id(uuid), ...(isForced && { override: ['OverrideInput', { reason }] as const }) },
        '{ uuid }',
      ],
      change: () => change(model, at, isAdmin, isForced),
    };
  };

const onSwap =
  (action: string, change: (model: PlainPlaces, at: number, user: number, isForced: boolean) => void): MakeStep =>
  (model, { people }, { swaps }, [a, b, c]) => {
    const at = pick(model.swaps, a);
    if (at === null || model.status !== 'active') return null;
    const user = b % people.length;
    if (action === 'take' && model.gone.has(user)) return null;
    const isForced = action === 'approve' && c % 2 === 0;
    const { uuid } = swaps[at]!;
    return {
      as: action === 'take' ? user : null,
      rest: ['POST', `/v1/shift_swaps/${uuid}/actions/${action}`, isForced ? override(true) : undefined],
      graphql: [
        `${action}Swap`,
        { id: id(uuid), ...(isForced && { override: ['OverrideInput', { reason }] as const }) },
        '{ uuid }',
      ],
      change: () => change(model, at, user, isForced),
    };
  };

/** A change of a call time by an admin. */
const onCall =
  (
    values: (
      model: PlainPlaces,
      at: number,
      b: number,
    ) => readonly [rest: object, graphql: object, model: object] | null,
  ): MakeStep =>
  (model, { callUuids }, _stored, [a, b]) => {
    const at = a % callUuids.length;
    const changes = values(model, at, b);
    if (changes === null) return null;
    const [rest, graphql, inModel] = changes;
    return {
      as: null,
      rest: ['PUT', `/v1/call_times/${callUuids[at]}`, rest],
      graphql: [
        'updateCallTime',
        { id: id(callUuids[at]!), input: ['UpdateCallTimeInput!', graphql] },
        '{ callTime { uuid } }',
      ],
      change: () => model.changeCall(at, inModel),
    };
  };

const assign: MakeStep = (model, { people, callUuids }, _stored, [a, b, c]) => {
  const [call, user, isForced] = [a % callUuids.length, b % people.length, c % 3 === 0];
  const [callTime, userId] = [callUuids[call], people[user]!.id];
  return {
    as: null,
    rest: ['POST', '/v1/work_shifts', { call_time_uuid: callTime, user_id: userId, ...override(isForced) }],
    graphql: [
      'assignShift',
      { input: ['AssignShiftInput!', { callTimeId: callTime, userId: String(userId), ...overrideInput(isForced) }] },
      '{ shift { uuid } }',
    ],
    change: () => model.assign(call, user, isForced),
  };
};

const move: MakeStep = (model, { callUuids }, { shifts }, [a, b, c]) => {
  const at = pick(model.shifts, a);
  if (at === null) return null;
  const [call, isForced] = [b % callUuids.length, c % 3 === 0];
  const { uuid } = shifts[at]!;
  const input = { callTimeId: callUuids[call], ...overrideInput(isForced) };
  return {
    as: null,
    rest: ['POST', `/v1/work_shifts/${uuid}/actions/move`, { call_time_uuid: callUuids[call], ...override(isForced) }],
    graphql: ['moveShift', { id: id(uuid), input: ['MoveShiftInput!', input] }, '{ shift { uuid } }'],
    change: () => model.move(at, call, isForced),
  };
};

const exchange: MakeStep = (model, _world, { shifts }, [a, b, c]) => {
  if (model.shifts.length < 2) return null;
  const one = a % model.shifts.length;
  const other = (one + 1 + (b % (model.shifts.length - 1))) % model.shifts.length;
  const isForced = c % 2 === 0;
  const [{ uuid }, { uuid: otherUuid }] = [shifts[one]!, shifts[other]!];
  const input = { otherShiftId: otherUuid, ...overrideInput(isForced) };
  return {
    as: null,
    rest: ['POST', `/v1/work_shifts/${uuid}/actions/exchange`, { other_shift_uuid: otherUuid, ...override(isForced) }],
    graphql: ['exchangeShifts', { id: id(uuid), input: ['ExchangeShiftsInput!', input] }, '{ shifts { uuid } }'],
    change: () => model.exchange(one, other, isForced),
  };
};

const send: MakeStep = (model, { people, callUuids }, _stored, [a, b, c, d]) => {
  const call = a % callUuids.length;
  const users = people.flatMap((_person, at) => (((b % 15) + 1) & (1 << at) ? at : []));
  const mode: OfferMode = c % 3 === 0 ? 'approval' : 'first_come';
  const waveSize = d % 3 === 0 ? 1 : null;
  const ids = users.map((user) => people[user]!.id);
  const wave = waveSize === null ? {} : { waveSize, waveMinutes: 60 };
  const input = { userIds: ids.map(String), mode: mode.toUpperCase(), ...wave };
  return {
    as: null,
    rest: [
      'POST',
      '/v1/offers',
      {
        call_time_uuid: callUuids[call],
        user_ids: ids,
        mode,
        ...(waveSize !== null && { wave_size: 1, wave_minutes: 60 }),
      },
    ],
    graphql: ['offerShift', { callTimeId: id(callUuids[call]!), input: ['OfferShiftInput!', input] }, '{ uuid }'],
    change: () => model.send(call, users, mode, waveSize),
  };
};

const withdraw: MakeStep = (model, { people }, { offers }, [a, b]) => {
  const at = pick(model.offers, a);
  const uuid = at === null ? undefined : offers.get(at);
  if (at === null || uuid === undefined) return null;
  const only = b % 2 === 0 ? null : (b >> 1) % people.length;
  const userId = only === null ? null : people[only]!.id;
  return {
    as: null,
    rest: ['POST', `/v1/offers/${uuid}/actions/withdraw`, userId === null ? {} : { user_ids: [userId] }],
    graphql: [
      'withdrawOffer',
      { id: id(uuid), ...(userId !== null && { userIds: ['[ID!]', [String(userId)]] as const }) },
      '{ uuid }',
    ],
    change: () => model.withdraw(at, only),
  };
};

const claim: MakeStep = (model, { people, callUuids }, _stored, [a, b]) => {
  const [call, user] = [a % callUuids.length, b % people.length];
  if (model.gone.has(user)) return null;
  return {
    as: user,
    rest: ['POST', `/v1/open_call_times/${callUuids[call]}/actions/claim`],
    graphql: ['claimCallTime', { id: id(callUuids[call]!) }, '{ uuid }'],
    change: () => model.claim(call, user),
  };
};

const requestSwap: MakeStep = (model, { people }, { shifts }, [a, b, c]) => {
  const at = pick(model.shifts, a);
  if (at === null || model.status !== 'active' || model.gone.has(model.shifts[at]!.user)) return null;
  const { user, status } = model.shifts[at]!;
  if (status === 'deleted') return null;
  const other = c % 3 === 0 ? b % model.shifts.length : null;
  const to = c % 3 === 1 ? b % people.length : null;
  const body = {
    shift_uuid: shifts[at]!.uuid,
    ...(other !== null && { other_shift_uuid: shifts[other]!.uuid }),
    ...(to !== null && { to_user_id: people[to]!.id }),
  };
  const input = {
    shiftId: body.shift_uuid,
    ...(other !== null && { otherShiftId: shifts[other]!.uuid }),
    ...(to !== null && { toUserId: String(people[to]!.id) }),
  };
  return {
    as: user,
    rest: ['POST', '/v1/shift_swaps', body],
    graphql: ['requestSwap', { input: ['RequestSwapInput!', input] }, '{ uuid }'],
    change: () => model.requestSwap(at, other, to),
  };
};

const deleteCall: MakeStep = (model, { callUuids }, _stored, [a, , , d]) => {
  // Seldom, because nothing more happens there.
  if (d % 4 > 0) return null;
  const at = a % callUuids.length;
  return {
    as: null,
    rest: ['DELETE', `/v1/call_times/${callUuids[at]}`],
    graphql: ['deleteCallTime', { id: id(callUuids[at]!) }, '{ uuid }'],
    change: () => model.deleteCall(at),
  };
};

const setStatus: MakeStep = (model, { eventUuid }, _stored, [a, b]) => {
  const status = (['active', 'active', 'draft', 'canceled'] as const)[a % 4]!;
  const isForced = b % 2 === 0;
  const input = { status: status.toUpperCase(), ...overrideInput(isForced) };
  return {
    as: null,
    rest: ['PUT', `/v1/events/${eventUuid}`, { status, ...override(isForced) }],
    graphql: ['updateEvent', { id: id(eventUuid), input: ['UpdateEventInput!', input] }, '{ event { uuid } }'],
    change: () => model.setStatus(status, isForced),
  };
};

const moveEvent: MakeStep = (model, { eventUuid }, _stored, [, , , d]) => {
  if (d % 3 > 0) return null;
  const [startTime, endTime] = eventTimes(model.days + 1);
  return {
    as: null,
    rest: ['PUT', `/v1/events/${eventUuid}`, { start_time: startTime, end_time: endTime }],
    graphql: [
      'updateEvent',
      { id: id(eventUuid), input: ['UpdateEventInput!', { startTime, endTime }] },
      '{ event { uuid } }',
    ],
    change: () => model.moveEvent(),
  };
};

const dayMs = 24 * hourMs;
const eventDay = Date.parse('2026-12-05T00:00:00Z');

/** The event is from eight to midnight, a few minutes less; its call times lie within. */
export const eventTimes = (days: number) =>
  [8, 23.9].map((hour) => wall(eventDay + days * dayMs + hour * hourMs)) as [string, string];

export const callHours = [
  [10, 14],
  [12, 16],
  [18, 22],
] as const;

export const atHour = (hour: number) => eventDay + hour * hourMs;

const leave: MakeStep = (model, { people }, _stored, [a, , , d]) => {
  const user = a % people.length;
  if (d % 3 > 0 || model.gone.has(user)) return null;
  const userId = people[user]!.id;
  return {
    as: null,
    rest: ['DELETE', `/api/v1/users/${userId}?shifts=cancel`],
    graphql: ['deleteUser', { id: id(String(userId)), shifts: ['LeaverShifts', 'CANCEL'] }, '{ databaseId }'],
    change: () => model.leave(user),
  };
};

const changeRole: MakeStep = (model, { people }, _stored, [a, , , d]) => {
  const user = a % people.length;
  if (d % 3 > 0 || model.gone.has(user)) return null;
  const isBusy = model.shifts.some(
    (shift) => shift.user === user && shift.status === 'active' && shift.end > model.now,
  );
  if (isBusy) return null;
  const userId = people[user]!.id;
  return {
    as: null,
    rest: ['PUT', `/api/v1/users/${userId}`, { role: 'client' }],
    graphql: [
      'updateUser',
      { id: id(String(userId)), input: ['UpdateUserInput!', { role: 'CLIENT' }] },
      '{ databaseId }',
    ],
    change: () => model.leave(user),
  };
};

/** Everything that writes shifts, call times, offers, swaps and people of the event. What happens most often stands there twice. */
export const makeSteps: readonly MakeStep[] = [
  assign,
  assign,
  send,
  send,
  onPart('accept', (model, at, isAdmin, isForced) => model.accept(at, isAdmin, isForced), 'any'),
  onPart('accept', (model, at, isAdmin, isForced) => model.accept(at, isAdmin, isForced), 'any'),
  onPart('accept', (model, at, isAdmin, isForced) => model.accept(at, isAdmin, isForced), 'any'),
  onPart('decline', (model, at) => model.say(at, 'declined'), 'admin'),
  onPart('refuse', (model, at) => model.say(at, 'refused'), 'admin'),
  onPart('resend', (model, at) => model.resend(at), 'admin'),
  withdraw,
  claim,
  claim,
  onShift('cancel', (model, at) => model.off(at, 'canceled')),
  onShift('decline', (model, at) => model.decline(at)),
  onShift('drop', (model, at) => model.decline(at), 'person'),
  onShift('delete', (model, at) => model.off(at, 'deleted')),
  onShift('confirm', (model, at) => model.confirm(at, true)),
  onShift('unconfirm', (model, at) => model.confirm(at, false)),
  updateShift(
    (_model, { people }, _at, b) => [
      { user_id: people[b % people.length]!.id },
      { userId: String(people[b % people.length]!.id) },
    ],
    (model, at, b, isForced) => model.give(at, b % 4, isForced),
    (status) => status === 'active',
  ),
  updateShift(
    () => [{ status: 'active' }, { status: 'ACTIVE' }],
    (model, at, _b, isForced) => model.revive(at, isForced),
    (status) => status !== 'active',
  ),
  move,
  exchange,
  requestSwap,
  requestSwap,
  onSwap('take', (model, at, user) => model.take(at, user)),
  onSwap('take', (model, at, user) => model.take(at, user)),
  onSwap('approve', (model, at, _user, isForced) => model.approve(at, isForced)),
  onSwap('refuse', (model, at) => model.endSwap(at, 'refused')),
  onSwap('cancel', (model, at) => model.endSwap(at, 'canceled')),
  onCall((_model, _at, b) => {
    const needed = 1 + (b % 3);
    return [{ staff_needed: needed, allow_overfill: true }, { staffNeeded: needed, allowOverfill: true }, { needed }];
  }),
  onCall((_model, _at, b) => {
    const claims = (['none', 'approval', 'open'] as const)[b % 3]!;
    return [{ claims }, { claims: claims.toUpperCase() }, { claims }];
  }),
  onCall((model, at) => {
    const { start, end } = model.calls[at]!;
    const by = new Date(start).getUTCMinutes() === 0 ? 0.5 : -0.5;
    const [startTime, endTime] = [wall(start + by * hourMs), wall(end + by * hourMs)];
    const moved = { start: start + by * hourMs, end: end + by * hourMs };
    return [{ start_time: startTime, end_time: endTime }, { startTime, endTime }, moved];
  }),
  deleteCall,
  setStatus,
  moveEvent,
  leave,
  changeRole,
];
