import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Event, Position } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';

/* Several changes of the call times of one event, which are made together or not at all. */

let tenant: Tenant;
let event: Event;
let position: Position;

const service = useService();

beforeAll(async () => {
  tenant = await service.createTenant();
  position = await service.createPosition(tenant.business, { title: 'Rigger' });
});

const times = { startTime: '2026-12-05 18:00:00', endTime: '2026-12-05 22:00:00' };
const create = () => ({ positionId: position.id, staffNeeded: 2, ...times });

/** An event with two call times. */
async function createTwo() {
  event = await service.createEvent(tenant.business);
  return [await service.createCallTime(event), await service.createCallTime(event)] as const;
}

async function change(changes: object[], more: object = {}) {
  const { body } = await service.graphql(
    `mutation ($input: ChangeCallTimesInput!) {
      changeCallTimes(input: $input) { callTimes { uuid staffNeeded version } clashes { kind } }
    }`,
    { as: tenant.as.admin, variables: { input: { eventId: event.uuid, changes, ...more } } },
  );
  const [error] = body.errors ?? [];
  return { ...body.data?.changeCallTimes, code: error?.extensions.code, errors: error?.extensions.errors };
}

const post = (changes: object[], as = tenant.as.admin) =>
  service.call('POST', '/v1/call_times/batch', { as, body: { event_uuid: event.uuid, changes } });

const stored = () => service.prisma.callTime.findMany({ where: { eventId: event.id }, orderBy: { id: 'asc' } });

test('adds, changes and deletes in one go, and answers in the order of the changes', async () => {
  const [kept, gone] = await createTwo();
  const { callTimes, clashes } = await change([
    { callTimeId: gone.uuid, version: 1, delete: true },
    create(),
    { callTimeId: kept.uuid, version: 1, staffNeeded: 7 },
  ]);
  expect(clashes).toEqual([]);
  expect(callTimes.map(({ staffNeeded, version }: typeof kept) => [staffNeeded, version])).toEqual([
    [gone.staffNeeded, 1],
    [2, 1],
    [7, 2],
  ]);
  expect((await stored()).map(({ uuid }) => uuid)).toEqual([kept.uuid, callTimes[1].uuid]);
  const { status, body } = await post([{ call_time_uuid: kept.uuid, version: 2, staff_needed: 4 }]);
  expect([status, body.data[0].staff_needed, body.data[0].version]).toEqual([200, 4, 3]);
});

describe('nothing is stored where one change is refused', () => {
  test('and all faults are named by their change', async () => {
    const [kept, other] = await createTwo();
    const before = await stored();
    const { code, errors } = await change([
      { callTimeId: kept.uuid, staffNeeded: 9 },
      { ...create(), positionId: undefined },
      { callTimeId: other.uuid, endTime: '2026-12-05 12:00:00' },
      { delete: true },
    ]);
    expect(code).toBe('VALIDATION_FAILED');
    expect(errors).toEqual({
      'changes.1.positionId': ['is required'],
      'changes.2.endTime': ['must be after the start'],
      'changes.3.callTimeId': ['must name the call time that is deleted'],
    });
    expect(await stored()).toEqual(before);
    const { status, body } = await post([create(), { delete: true }].map(() => ({ delete: true })));
    expect([status, Object.keys(body.errors)]).toEqual([422, ['changes.0.call_time_uuid', 'changes.1.call_time_uuid']]);
  });

  test('because it expects an older version', async () => {
    const [kept, other] = await createTwo();
    await change([{ callTimeId: other.uuid, staffNeeded: 5 }]);
    const { code, errors } = await change([
      { callTimeId: kept.uuid, version: 1, staffNeeded: 9 },
      { callTimeId: other.uuid, version: 1, delete: true },
    ]);
    expect([code, Object.keys(errors)]).toEqual(['PRECONDITION_FAILED', ['changes.1']]);
    expect((await stored()).map(({ staffNeeded }) => staffNeeded)).toEqual([kept.staffNeeded, 5]);
    expect((await post([{ call_time_uuid: other.uuid, version: 1, delete: true }])).status).toBe(412);
  });

  test('because of clashes, of which all are listed and which a reason lifts', async () => {
    const [kept] = await createTwo();
    const away = { startTime: '2026-12-09 18:00:00', endTime: '2026-12-09 22:00:00' };
    await service.createShift(event, tenant.staff, { callTimeId: kept.id });
    await service.createShift(event, tenant.staff, { callTimeId: kept.id });
    const changes = [
      { ...create(), ...away },
      { callTimeId: kept.uuid, staffNeeded: 1 },
    ];
    const refused = await change(changes);
    expect(refused).toMatchObject({
      code: 'CLASH',
      callTimes: null,
      clashes: [{ kind: 'OUTSIDE_EVENT' }, { kind: 'OVERFILLED' }],
    });
    expect(await stored()).toHaveLength(2);
    const { callTimes } = await change(changes, { allowOverfill: true, override: { reason: 'Built before' } });
    expect(callTimes).toHaveLength(2);
    expect((await stored()).map(({ overrideReason }) => overrideReason)).toEqual([null, null, 'Built before']);
  });

  test('because a call time is of another event, of another business, or named twice', async () => {
    const [elsewhere] = await createTwo();
    const [kept] = await createTwo();
    const changed = { callTimeId: kept.uuid, staffNeeded: 9 };
    for (const changes of [[changed, { ...changed, callTimeId: elsewhere.uuid }], [changed, changed], []])
      expect((await change(changes)).code).toBe('VALIDATION_FAILED');
    const stranger = await service.createTenant();
    expect((await post([{ call_time_uuid: kept.uuid }], stranger.as.admin)).status).toBe(404);
    expect((await stored()).map(({ version }) => version)).toEqual([1, 1]);
  });
});
