import { buildDocument } from '../../src/bin/isolation/documents.ts';
import { createSchema } from '../../src/nouns.ts';
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
import { toGraphQl, toRest } from './rest-names.ts';

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
  // As other rows name their business.
  const own = { ...business, businessId: business.id };
  return {
    business: own,
    offer,
    event,
    callTime,
    workShift: shift,
    customField,
    user,
    ...said,
    ...parts,
    ...swaps,
    ...resourceRows,
  };
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

/** The rows that calls name by their UUID. */
const namedByUuid: readonly Noun[] = [
  ...(['event', 'callTime', 'workShift', 'customField', 'availabilityPattern', 'availabilityException'] as const),
  ...(['offerRecipient', 'requestedPart', 'declinedPart', 'attendance', 'presentAttendance'] as const),
  ...(['shiftSwap', 'takenSwap', 'offer'] as const),
];
const nameOf = (rows: Rows, noun: Noun) => {
  const { id, uuid } = rows[noun] as { id: number; uuid?: string };
  return namedByUuid.includes(noun) ? uuid! : id;
};

/** Arguments beside the row that is changed. A DELETE has them as parameters, other calls of REST in their body. */
type Args = Record<string, unknown> & { readonly input?: object };

/** One change in both dialects. */
interface Both {
  readonly noun: Noun;
  readonly route: string;
  /** The mutation; null where another one does the same. */
  readonly field: string | null;
  /** The argument that names the row; empty where there is only one. */
  readonly named: string;
  /** Without it, the call has no body. */
  readonly args: ((rows: Rows, service: TestApp) => Args | Promise<Args>) | null;
  /** Only the person who is asked takes a swap. */
  readonly byTheAsked: boolean;
}

const change = (noun: Noun, route: string, field: string | null, args: Both['args'] = null, named = 'id'): Both => ({
  ...{ noun, route, field, args, named },
  byTheAsked: field === 'takeSwap',
});

const callerOf = async ({ byTheAsked }: Both, service: TestApp, rows: Rows, as: string) =>
  byTheAsked ? service.tokenOf(rows.user) : as;

const inRest =
  (both: Both): Change['send'] =>
  async (service, caller, rows, version) => {
    const { input, ...others } = (await both.args?.(rows, service)) ?? {};
    const [method, template = ''] = both.route.split(' ');
    const url = template.replace(/\{\w+\}/, String(nameOf(rows, both.noun)));
    const sent = toRest({ ...others, ...input }) as Record<string, string>;
    const query = both.args && method === 'DELETE' ? `?${new URLSearchParams(sent).toString()}` : '';
    const answer = await service.call(method as 'PUT', url + query, {
      as: await callerOf(both, service, rows, caller),
      ...(both.args && method !== 'DELETE' && { body: sent }),
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
    });
    return answer.status === 200 ? 'OK' : `${answer.status === 412 ? '' : `${answer.status} `}${answer.body.code}`;
  };

const mutations = createSchema().getMutationType()!.getFields();

const inGraphQl =
  (both: Both, name: string): Change['send'] =>
  async (service, caller, rows, version) => {
    const own = {
      ...(both.named && { [both.named]: nameOf(rows, both.noun) }),
      ...(version !== undefined && { version }),
    };
    const call = {
      field: mutations[name]!,
      variables: { ...own, ...toGraphQl((await both.args?.(rows, service)) ?? {}) },
    };
    const { query, variables } = buildDocument('mutation', [call], '{ __typename }');
    const { body } = await service.graphql(query, { as: await callerOf(both, service, rows, caller), variables });
    return body.errors?.[0].extensions.code ?? 'OK';
  };

/** The changes of a plain resource. */
function changesOf(resource: AnyResource): Both[] {
  const { model, noun, url } = resource;
  return [
    change(noun, `PUT ${url}/{id}`, `update${model}`, () => ({ input: newName(resource) })),
    change(noun, `DELETE ${url}/{id}`, `delete${model}`),
  ];
}

/** Brings the rows into the state from which a change makes a difference. */
export async function prepareChange(service: TestApp, as: string, rows: Rows, name: string): Promise<void> {
  if (name.includes('unconfirm')) await changes['confirmShift']!.send(service, as, rows);
  if (!name.includes('keep')) return;
  const { businessId, id } = rows.workShift;
  const where = { businessId_id: { businessId, id } };
  await service.prisma.workShift.update({ where, data: { dropRequestedAt: new Date() } });
}

let texts = 0;
const newText = () => `Annex ${++texts}`;
const nothing = () => ({});

const shifts = '/v1/work_shifts/{uuid}';
const parts = '/v1/offer_recipients/{uuid}/actions';
const swaps = '/v1/shift_swaps/{uuid}/actions';
const patterns = '/v1/availability/patterns/{uuid}';
const exceptions = '/v1/availability/exceptions/{uuid}';

const inBoth: readonly Both[] = [
  change('event', 'PUT /v1/events/{uuid}', 'updateEvent', () => ({ input: { room: newText() } })),
  change('event', 'DELETE /v1/events/{uuid}', null),
  change(
    'event',
    'PUT /v1/events/{uuid}/custom_fields',
    'setCustomFieldValues',
    ({ customField }) => ({ values: [{ fieldId: customField.uuid, value: 'x' }] }),
    'eventId',
  ),
  change('callTime', 'PUT /v1/call_times/{uuid}', 'updateCallTime', () => ({ input: { dressCode: 'Black' } })),
  change('callTime', 'DELETE /v1/call_times/{uuid}', 'deleteCallTime'),
  change('workShift', `PUT ${shifts}`, 'updateShift', () => ({ input: { payRate: '30' } })),
  change('workShift', `DELETE ${shifts}`, 'deleteShift'),
  ...['confirm', 'unconfirm', 'decline', 'drop', 'keep', 'cancel'].map((action) =>
    change('workShift', `POST ${shifts}/actions/${action}`, `${action}Shift`),
  ),
  change('workShift', `POST ${shifts}/actions/move`, 'moveShift', ({ callTime }) => ({
    input: { callTimeId: callTime.uuid },
  })),
  // With a shift of another person, which is made for it.
  change(
    'workShift',
    `POST ${shifts}/actions/exchange`,
    'exchangeShifts',
    async ({ event, user, callTime }, service) => {
      const { uuid } = await service.createShift(event, user, { positionId: callTime.positionId });
      return { input: { otherShiftId: uuid, override: { reason: 'Asked for' } } };
    },
  ),
  change('business', 'PUT /v1/business', 'updateBusiness', () => ({ input: { name: newText() } }), ''),
  change('offer', 'POST /v1/offers/{uuid}/actions/withdraw', 'withdrawOffer', nothing),
  change('offerRecipient', `POST ${parts}/accept`, 'acceptOffer', nothing),
  change('offerRecipient', `POST ${parts}/decline`, 'declineOffer'),
  change('requestedPart', `POST ${parts}/refuse`, 'refuseOffer', nothing),
  change('declinedPart', `POST ${parts}/resend`, 'resendOffer', nothing),
  change(
    'attendance',
    `PUT ${shifts}/attendance`,
    'updateAttendance',
    () => ({ input: { note: newText() } }),
    'shiftId',
  ),
  change('attendance', `POST ${shifts}/actions/check_in`, 'checkIn', nothing, 'shiftId'),
  change('presentAttendance', `POST ${shifts}/actions/check_out`, 'checkOut', nothing, 'shiftId'),
  change('shiftSwap', `POST ${swaps}/take`, 'takeSwap'),
  change('takenSwap', `POST ${swaps}/approve`, 'approveSwap', nothing),
  change('shiftSwap', `POST ${swaps}/refuse`, 'refuseSwap', nothing),
  change('shiftSwap', `POST ${swaps}/cancel`, 'cancelSwap'),
  change('customField', 'PUT /v1/custom_fields/{uuid}', 'updateCustomField', () => ({ input: { sort: 3 } })),
  change('customField', 'DELETE /v1/custom_fields/{uuid}', 'deleteCustomField', () => ({ dropValues: true })),
  change('availabilityPattern', `PUT ${patterns}`, 'updateAvailabilityPattern', () => ({
    input: { rule: 'preferred' },
  })),
  change('availabilityPattern', `DELETE ${patterns}`, 'deleteAvailabilityPattern'),
  change('availabilityException', `PUT ${exceptions}`, 'updateAvailabilityException', () => ({
    input: { note: 'Changed' },
  })),
  change('availabilityException', `DELETE ${exceptions}`, 'deleteAvailabilityException'),
  ...resources.flatMap(changesOf),
  change('user', 'PUT /api/v1/users/{id}', 'updateUser', () => ({ input: { name: 'Another Name' } })),
  change('user', 'DELETE /api/v1/users/{id}', 'deleteUser'),
  change('userQualification', 'PUT /v1/user_qualifications/{id}', 'updateUserQualification', () => ({
    input: { reference: newText() },
  })),
  change('userQualification', 'DELETE /v1/user_qualifications/{id}', 'deleteUserQualification'),
];

/** Changes by route and by mutation. */
export const changes: Readonly<Record<string, Change>> = Object.fromEntries(
  inBoth.flatMap((both): [string, Change][] => {
    const { noun, route, field } = both;
    // Events and shifts stay as history.
    const removes = route.startsWith('DELETE') && noun !== 'event' && noun !== 'workShift';
    const facts = { noun, ...(removes && { removes: true as const }) };
    const rest: [string, Change] = [route, { ...facts, send: inRest(both) }];
    return field === null ? [rest] : [rest, [field, { ...facts, send: inGraphQl(both, field) }]];
  }),
);

/** Prisma's name of the rows that are told apart here by their state. */
function modelOf(noun: Noun): string {
  if (noun.endsWith('Part')) return 'offerRecipient';
  if (noun === 'presentAttendance') return 'attendance';
  return noun === 'takenSwap' ? 'shiftSwap' : noun;
}

/** The row as it is stored; null where it is gone. */
export async function storedRow({ prisma }: TestApp, rows: Rows, noun: Noun): Promise<{ version: number } | null> {
  const { businessId, id } = rows[noun];
  const where = noun === 'business' ? { id } : { businessId_id: { businessId, id } };
  const row = await delegateOf(prisma, { noun: modelOf(noun) as ResourceNoun }).findUnique({ where });
  return (row as { deletedAt?: Date | null } | null)?.deletedAt ? null : row;
}
