import type { TestApp } from './app.ts';
import type { Cast } from './factories.ts';

/* Every change of a row that counts its changes, in both dialects. */

/** Rows that a change can be tried on. */
export async function changeable(service: TestApp, { business, staff }: Cast) {
  const event = await service.createEvent(business);
  const callTime = await service.createCallTime(event);
  const { positionId } = callTime;
  const shift = await service.createShift(event, staff, { positionId });
  const unused = await service.createPosition(business);
  const skillLevel = await service.prisma.skillLevel.create({ data: { businessId: business.id, name: unused.title } });
  const customField = await service.createCustomField(business);
  const user = await service.createUser(business, 'staff');
  return { event, callTime, workShift: shift, position: unused, skillLevel, customField, user };
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

const named: Record<Noun, 'uuid' | 'id'> = {
  event: 'uuid',
  callTime: 'uuid',
  workShift: 'uuid',
  position: 'id',
  skillLevel: 'id',
  customField: 'uuid',
  user: 'id',
};

const mutation = (noun: Noun, field: string, more = '', name: string = named[noun]): Change => ({
  noun,
  ...(/^delete(?!Shift)/.test(field) && { removes: true }),
  send: async (service, as, rows, version) => {
    const row = rows[noun] as unknown as Record<string, unknown>;
    const type = named[noun] === 'id' ? 'Int!' : 'ID!';
    const more_ = more.replace('FIELD', rows.customField.uuid);
    const { body } = await service.graphql(
      `mutation ($name: ${type}, $version: Int) { it: ${field}(${name}: $name, version: $version${more_}) { __typename } }`,
      { as, variables: { name: row[named[noun]], version } },
    );
    return body.errors?.[0].extensions.code ?? 'OK';
  },
});

const request = (noun: 'event' | 'user', method: 'PUT' | 'DELETE', body?: object): Change => ({
  noun,
  ...(method === 'DELETE' && { removes: true }),
  send: async (service, as, { event, user }, version) => {
    const answer = await service.call(
      method,
      noun === 'event' ? `/v1/events/${event.uuid}` : `/api/v1/users/${user.id}`,
      {
        as,
        ...(body && { body }),
        ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
      },
    );
    return answer.status === 200 ? 'OK' : `${answer.status === 412 ? '' : `${answer.status} `}${answer.body.code}`;
  },
});

/** Changes by operation. */
export const changes: Readonly<Record<string, Change>> = {
  'PUT /v1/events/{uuid}': request('event', 'PUT', { room: 'Annex' }),
  updateEvent: mutation('event', 'updateEvent', ', input: { room: "Annex" }'),
  setCustomFieldValues: mutation(
    'event',
    'setCustomFieldValues',
    ', values: [{ fieldUuid: "FIELD", value: "x" }]',
    'eventUuid',
  ),
  updateCallTime: mutation('callTime', 'updateCallTime', ', input: { dressCode: "Black" }'),
  deleteCallTime: mutation('callTime', 'deleteCallTime'),
  updateShift: mutation('workShift', 'updateShift', ', input: { payRate: "30" }'),
  confirmShift: mutation('workShift', 'confirmShift'),
  unconfirmShift: mutation('workShift', 'unconfirmShift'),
  declineShift: mutation('workShift', 'declineShift'),
  cancelShift: mutation('workShift', 'cancelShift'),
  deleteShift: mutation('workShift', 'deleteShift'),
  updatePosition: mutation('position', 'updatePosition', ', input: { defaultPayRate: "30" }'),
  deletePosition: mutation('position', 'deletePosition'),
  updateSkillLevel: mutation('skillLevel', 'updateSkillLevel', ', input: { name: "Other" }'),
  deleteSkillLevel: mutation('skillLevel', 'deleteSkillLevel'),
  updateCustomField: mutation('customField', 'updateCustomField', ', input: { sort: 3 }'),
  deleteCustomField: mutation('customField', 'deleteCustomField', ', dropValues: true'),
  'PUT /api/v1/users/{id}': request('user', 'PUT', { name: 'Another Name' }),
  updateUser: mutation('user', 'updateUser', ', input: { name: "Another Name" }'),
  'DELETE /api/v1/users/{id}': request('user', 'DELETE'),
  deleteUser: mutation('user', 'deleteUser'),
};

/** The row as it is stored; null where it is gone. */
export async function storedRow({ prisma }: TestApp, rows: Rows, noun: Noun): Promise<{ version: number } | null> {
  const { businessId, id } = rows[noun];
  const where = { businessId_id: { businessId, id } };
  const read: Record<Noun, () => Promise<{ version: number; deletedAt?: Date | null } | null>> = {
    event: () => prisma.event.findUnique({ where }),
    callTime: () => prisma.callTime.findUnique({ where }),
    workShift: () => prisma.workShift.findUnique({ where }),
    position: () => prisma.position.findUnique({ where }),
    skillLevel: () => prisma.skillLevel.findUnique({ where }),
    customField: () => prisma.customField.findUnique({ where }),
    user: () => prisma.user.findUnique({ where }),
  };
  const row = await read[noun]();
  return row?.deletedAt ? null : row;
}
