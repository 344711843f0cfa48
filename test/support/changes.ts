import type { TestApp } from './app.ts';
import type { Tenant } from './factories.ts';
import {
  createResourceRows,
  delegateOf,
  newName,
  resources,
  type AnyResource,
  type ResourceNoun,
} from './resources.ts';

/* Every change of a row that counts its changes, in both dialects. */

/** Rows that a change can be tried on. */
export async function changeable(service: TestApp, { business, staff }: Tenant) {
  const event = await service.createEvent(business);
  const callTime = await service.createCallTime(event);
  const { positionId } = callTime;
  const shift = await service.createShift(event, staff, { positionId });
  const resourceRows = await createResourceRows(service.prisma, business.id);
  const customField = await service.createCustomField(business);
  const user = await service.createUser(business, 'staff');
  // Of another event, so that what happens to this one changes no offer.
  const offering = await service.createEvent(business, { start: '2990-01-05 08:00:00', end: '2990-01-05 10:00:00' });
  const offered = await service.createCallTime(offering, { start: '2990-01-05 08:00:00', end: '2990-01-05 10:00:00' });
  const offer = await service.createOffer(offered);
  const offerRecipient = await service.createRecipient(offer, await service.createUser(business, 'staff'));
  const others = [await service.createUser(business, 'staff'), await service.createUser(business, 'staff')] as const;
  const requestedPart = await service.createRecipient(offer, others[0], { state: 'requested' });
  const declinedPart = await service.createRecipient(offer, others[1], { state: 'declined' });
  // Mondays, when the person who is asked can work.
  const swapOn = async (day: string, more: object) => {
    const times = { start: `${day} 10:00:00`, end: `${day} 12:00:00`, positionId };
    return service.createSwap(await service.createShift(offering, others[0], times), { toUserId: user.id, ...more });
  };
  const shiftSwap = await swapOn('2990-01-11', {});
  const takenSwap = await swapOn('2990-01-18', { state: 'taken' });
  const userQualification = await service.createHeld(staff);
  const attended = await service.createShift(offering, others[0], { positionId });
  const attendance = await service.createAttendance(attended, { checkedInAt: null, source: null, note: 'Comes late' });
  const presentShift = await service.createShift(offering, others[1], { positionId });
  const presentAttendance = await service.createAttendance(presentShift);
  const parts = { attendance, presentAttendance, offerRecipient, requestedPart, declinedPart };
  const availabilityPattern = await service.createPattern(user);
  const availabilityException = await service.createException(user);
  const said = { availabilityPattern, availabilityException, userQualification };
  const swaps = { shiftSwap, takenSwap };
  return { event, callTime, workShift: shift, customField, user, ...said, ...parts, ...swaps, ...resourceRows };
}

export type Rows = Awaited<ReturnType<typeof changeable>>;
export type Noun = keyof Rows;

export interface Change {
  readonly noun: Noun;
  /** Whether the row is gone afterwards. */
  readonly removes?: true;
  /** The code of the failure, or `OK`. Without a version, the change is meant for whatever there is. */
  readonly send: (service: TestApp, as: string, rows: Rows, version?: number) => Promise<string>;
}

export const partNouns = [
  'offerRecipient',
  'requestedPart',
  'declinedPart',
  'attendance',
  'presentAttendance',
  'shiftSwap',
  'takenSwap',
] as const;

/** The rows that calls name by their UUID. */
const namedByUuid: readonly Noun[] = [
  'event',
  'callTime',
  'workShift',
  'customField',
  'availabilityPattern',
  'availabilityException',
  ...partNouns,
];
const nameOf = (noun: Noun) => (namedByUuid.includes(noun) ? 'uuid' : 'id');

const mutation = (noun: Noun, field: string, more: string | (() => string) = '', name = 'id'): Change => ({
  noun,
  ...(/^delete(?!Shift)/.test(field) && { removes: true }),
  send: async (service, as, rows, version) => {
    const row = rows[noun] as unknown as Record<string, unknown>;
    const more_ = (typeof more === 'string' ? more : more())
      .replace('FIELD', rows.customField.uuid)
      .replace('CALL_TIME', rows.callTime.uuid);
    const { body } = await service.graphql(
      `mutation ($name: ID!, $version: Int) { it: ${field}(${name}: $name, version: $version${more_}) { __typename } }`,
      { as, variables: { name: row[nameOf(noun)], version } },
    );
    return body.errors?.[0].extensions.code ?? 'OK';
  },
});

const request = (
  noun: Noun,
  url: string,
  method: 'PUT' | 'DELETE' | 'POST',
  bodyOf?: (rows: Rows) => object,
  below = '',
): Change => ({
  noun,
  // Events and shifts stay as history.
  ...(method === 'DELETE' && noun !== 'event' && noun !== 'workShift' && { removes: true }),
  send: async (service, as, rows, version) => {
    const row = rows[noun] as unknown as Record<string, unknown>;
    const answer = await service.call(method, `${url}/${String(row[nameOf(noun)])}${below}`, {
      as,
      ...(bodyOf && { body: bodyOf(rows) }),
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
    });
    return answer.status === 200 ? 'OK' : `${answer.status === 412 ? '' : `${answer.status} `}${answer.body.code}`;
  },
});

/** The changes of a plain resource. */
function changesOf(resource: AnyResource): [string, Change][] {
  const { model, noun, url, name } = resource;
  const changeName = () => `, input: { ${name}: "${newName(resource)[name]}" }`;
  return [
    [`update${model}`, mutation(noun, `update${model}`, changeName)],
    [`delete${model}`, mutation(noun, `delete${model}`)],
    [`PUT ${url}/{id}`, request(noun, url, 'PUT', () => newName(resource))],
    [`DELETE ${url}/{id}`, request(noun, url, 'DELETE')],
  ];
}

/** An exchange with a shift of another person, which is made for it. */
const withOther = (make: (otherUuid: string) => Change): Change => ({
  noun: 'workShift',
  send: async (service, as, rows, version) => {
    const { event, user, callTime } = rows;
    const { uuid } = await service.createShift(event, user, { positionId: callTime.positionId });
    return make(uuid).send(service, as, rows, version);
  },
});

/** Brings the rows into the state from which a change makes a difference. */
export async function prepareChange(service: TestApp, as: string, rows: Rows, name: string): Promise<void> {
  if (name.includes('unconfirm')) await changes['confirmShift']!.send(service, as, rows);
  if (!name.includes('keep')) return;
  const { businessId, id } = rows.workShift;
  const where = { businessId_id: { businessId, id } };
  await service.prisma.workShift.update({ where, data: { dropRequestedAt: new Date() } });
}

/** Only the person who is asked takes a swap. */
const byTheAsked = (change: Change): Change => ({
  ...change,
  send: async (service, _as, rows, version) => change.send(service, await service.tokenOf(rows.user), rows, version),
});

let rooms = 0;
const newRoom = () => `Annex ${++rooms}`;

/** Changes by operation. */
export const changes: Readonly<Record<string, Change>> = {
  'PUT /v1/events/{uuid}': request('event', '/v1/events', 'PUT', () => ({ room: newRoom() })),
  'DELETE /v1/events/{uuid}': request('event', '/v1/events', 'DELETE'),
  'PUT /v1/events/{uuid}/custom_fields': request(
    'event',
    '/v1/events',
    'PUT',
    ({ customField }) => ({ values: [{ field_uuid: customField.uuid, value: 'x' }] }),
    '/custom_fields',
  ),
  'PUT /v1/call_times/{uuid}': request('callTime', '/v1/call_times', 'PUT', () => ({ dress_code: 'Black' })),
  'DELETE /v1/call_times/{uuid}': request('callTime', '/v1/call_times', 'DELETE'),
  'PUT /v1/work_shifts/{uuid}': request('workShift', '/v1/work_shifts', 'PUT', () => ({ pay_rate: '30' })),
  'DELETE /v1/work_shifts/{uuid}': request('workShift', '/v1/work_shifts', 'DELETE'),
  ...Object.fromEntries(
    ['confirm', 'unconfirm', 'decline', 'drop', 'keep', 'cancel'].map((action) => [
      `POST /v1/work_shifts/{uuid}/actions/${action}`,
      request('workShift', '/v1/work_shifts', 'POST', undefined, `/actions/${action}`),
    ]),
  ),
  'POST /v1/work_shifts/{uuid}/actions/move': request(
    'workShift',
    '/v1/work_shifts',
    'POST',
    ({ callTime }) => ({ call_time_uuid: callTime.uuid }),
    '/actions/move',
  ),
  'POST /v1/work_shifts/{uuid}/actions/exchange': withOther((other) =>
    request(
      'workShift',
      '/v1/work_shifts',
      'POST',
      () => ({ other_shift_uuid: other, override_reason: 'Asked for' }),
      '/actions/exchange',
    ),
  ),
  ...Object.fromEntries(
    (['accept', 'decline'] as const).flatMap((action) => [
      [
        `POST /v1/offer_recipients/{uuid}/actions/${action}`,
        request(
          'offerRecipient',
          '/v1/offer_recipients',
          'POST',
          action === 'accept' ? () => ({}) : undefined,
          `/actions/${action}`,
        ),
      ],
      [`${action}Offer`, mutation('offerRecipient', `${action}Offer`)],
    ]),
  ),
  'POST /v1/offer_recipients/{uuid}/actions/refuse': request(
    'requestedPart',
    '/v1/offer_recipients',
    'POST',
    () => ({}),
    '/actions/refuse',
  ),
  refuseOffer: mutation('requestedPart', 'refuseOffer'),
  'POST /v1/offer_recipients/{uuid}/actions/resend': request(
    'declinedPart',
    '/v1/offer_recipients',
    'POST',
    () => ({}),
    '/actions/resend',
  ),
  resendOffer: mutation('declinedPart', 'resendOffer'),
  'PUT /v1/work_shifts/{uuid}/attendance': request(
    'attendance',
    '/v1/work_shifts',
    'PUT',
    () => ({ note: newRoom() }),
    '/attendance',
  ),
  'POST /v1/work_shifts/{uuid}/actions/check_in': request(
    'attendance',
    '/v1/work_shifts',
    'POST',
    () => ({}),
    '/actions/check_in',
  ),
  'POST /v1/work_shifts/{uuid}/actions/check_out': request(
    'presentAttendance',
    '/v1/work_shifts',
    'POST',
    () => ({}),
    '/actions/check_out',
  ),
  updateAttendance: mutation('attendance', 'updateAttendance', () => `, input: { note: "${newRoom()}" }`, 'shiftId'),
  checkIn: mutation('attendance', 'checkIn', '', 'shiftId'),
  checkOut: mutation('presentAttendance', 'checkOut', '', 'shiftId'),
  ...Object.fromEntries(
    (['take', 'approve', 'refuse', 'cancel'] as const).flatMap((action): [string, Change][] => {
      const noun = action === 'approve' ? 'takenSwap' : 'shiftSwap';
      const bodyOf = action === 'approve' || action === 'refuse' ? () => ({}) : undefined;
      const both: [string, Change][] = [
        [
          `POST /v1/shift_swaps/{uuid}/actions/${action}`,
          request(noun, '/v1/shift_swaps', 'POST', bodyOf, `/actions/${action}`),
        ],
        [`${action}Swap`, mutation(noun, `${action}Swap`)],
      ];
      return both.map(([name, change]) => [name, action === 'take' ? byTheAsked(change) : change]);
    }),
  ),
  'PUT /v1/custom_fields/{uuid}': request('customField', '/v1/custom_fields', 'PUT', () => ({ sort: 3 })),
  'DELETE /v1/custom_fields/{uuid}': request(
    'customField',
    '/v1/custom_fields',
    'DELETE',
    undefined,
    '?drop_values=true',
  ),
  'PUT /v1/availability/patterns/{uuid}': request('availabilityPattern', '/v1/availability/patterns', 'PUT', () => ({
    rule: 'preferred',
  })),
  'DELETE /v1/availability/patterns/{uuid}': request('availabilityPattern', '/v1/availability/patterns', 'DELETE'),
  'PUT /v1/availability/exceptions/{uuid}': request(
    'availabilityException',
    '/v1/availability/exceptions',
    'PUT',
    () => ({
      note: 'Changed',
    }),
  ),
  'DELETE /v1/availability/exceptions/{uuid}': request(
    'availabilityException',
    '/v1/availability/exceptions',
    'DELETE',
  ),
  updateAvailabilityPattern: mutation(
    'availabilityPattern',
    'updateAvailabilityPattern',
    ', input: { rule: PREFERRED }',
  ),
  deleteAvailabilityPattern: mutation('availabilityPattern', 'deleteAvailabilityPattern'),
  updateAvailabilityException: mutation(
    'availabilityException',
    'updateAvailabilityException',
    ', input: { note: "Changed" }',
  ),
  deleteAvailabilityException: mutation('availabilityException', 'deleteAvailabilityException'),
  updateEvent: mutation('event', 'updateEvent', () => `, input: { room: "${newRoom()}" }`),
  setCustomFieldValues: mutation(
    'event',
    'setCustomFieldValues',
    ', values: [{ fieldId: "FIELD", value: "x" }]',
    'eventId',
  ),
  updateCallTime: mutation('callTime', 'updateCallTime', ', input: { dressCode: "Black" }'),
  deleteCallTime: mutation('callTime', 'deleteCallTime'),
  updateShift: mutation('workShift', 'updateShift', ', input: { payRate: "30" }'),
  confirmShift: mutation('workShift', 'confirmShift'),
  unconfirmShift: mutation('workShift', 'unconfirmShift'),
  declineShift: mutation('workShift', 'declineShift'),
  dropShift: mutation('workShift', 'dropShift'),
  keepShift: mutation('workShift', 'keepShift'),
  cancelShift: mutation('workShift', 'cancelShift'),
  deleteShift: mutation('workShift', 'deleteShift'),
  moveShift: mutation('workShift', 'moveShift', ', input: { callTimeId: "CALL_TIME" }'),
  exchangeShifts: withOther((other) =>
    mutation('workShift', 'exchangeShifts', `, input: { otherShiftId: "${other}", override: { reason: "Asked for" } }`),
  ),
  ...Object.fromEntries(resources.flatMap(changesOf)),
  updateCustomField: mutation('customField', 'updateCustomField', ', input: { sort: 3 }'),
  deleteCustomField: mutation('customField', 'deleteCustomField', ', dropValues: true'),
  'PUT /api/v1/users/{id}': request('user', '/api/v1/users', 'PUT', () => ({ name: 'Another Name' })),
  updateUser: mutation('user', 'updateUser', ', input: { name: "Another Name" }'),
  'PUT /v1/user_qualifications/{id}': request('userQualification', '/v1/user_qualifications', 'PUT', () => ({
    reference: newRoom(),
  })),
  'DELETE /v1/user_qualifications/{id}': request('userQualification', '/v1/user_qualifications', 'DELETE'),
  updateUserQualification: mutation(
    'userQualification',
    'updateUserQualification',
    () => `, input: { reference: "${newRoom()}" }`,
  ),
  deleteUserQualification: mutation('userQualification', 'deleteUserQualification'),
  'DELETE /api/v1/users/{id}': request('user', '/api/v1/users', 'DELETE'),
  deleteUser: mutation('user', 'deleteUser'),
};

/** The row as it is stored; null where it is gone. */
export async function storedRow({ prisma }: TestApp, rows: Rows, noun: Noun): Promise<{ version: number } | null> {
  const { businessId, id } = rows[noun];
  const where = { businessId_id: { businessId, id } };
  const read: Record<
    Exclude<Noun, ResourceNoun>,
    () => Promise<{ version: number; deletedAt?: Date | null } | null>
  > = {
    event: () => prisma.event.findUnique({ where }),
    callTime: () => prisma.callTime.findUnique({ where }),
    workShift: () => prisma.workShift.findUnique({ where }),
    customField: () => prisma.customField.findUnique({ where }),
    offerRecipient: () => prisma.offerRecipient.findUnique({ where }),
    requestedPart: () => prisma.offerRecipient.findUnique({ where }),
    declinedPart: () => prisma.offerRecipient.findUnique({ where }),
    attendance: () => prisma.attendance.findUnique({ where }),
    presentAttendance: () => prisma.attendance.findUnique({ where }),
    shiftSwap: () => prisma.shiftSwap.findUnique({ where }),
    takenSwap: () => prisma.shiftSwap.findUnique({ where }),
    user: () => prisma.user.findUnique({ where }),
    userQualification: () => prisma.userQualification.findUnique({ where }),
    availabilityPattern: () => prisma.availabilityPattern.findUnique({ where }),
    availabilityException: () => prisma.availabilityException.findUnique({ where }),
  };
  const resource = resources.find((each) => each.noun === noun);
  if (resource) return delegateOf(prisma, resource).findUnique({ where });
  const row = await read[noun as keyof typeof read]();
  return row?.deletedAt ? null : row;
}
