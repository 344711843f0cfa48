import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bindToBusiness } from '../src/db/tenant.ts';
import { snakeCase } from '../src/rest/dialect.ts';
import type { Qualification } from '../src/generated/prisma/client.ts';
import { findWorkDays, openQualifications, type WorkDays } from '../src/services/qualification-gaps.ts';
import { useService, useTenant } from './support/app.ts';
import { asker } from './support/ask.ts';
import { createEndpoint, startReceiver, until } from './support/webhooks.ts';

/* What people hold, what work requires, and what is between the two. */

const noon = Date.parse('2026-11-25T12:00:00Z');
const dayMs = 86_400_000;
let aheadMs = 0;

const service = useService({
  env: { CALLBOARD_WEBHOOK_ALLOW: '127.0.0.0/8' },
  clock: () => new Date(noon + aheadMs),
  jobs: { watchMs: 30 },
});
const tenant = useTenant(service);
const query = asker(() => service, 'query');
const mutate = asker(() => service, 'mutation');

let licence: Qualification;

beforeEach(async () => {
  aheadMs = 0;
  licence = await service.createQualification(tenant.business, { name: 'Forklift licence', expires: true });
});

const day = (text: string) => new Date(text);
const held = 'databaseId level validFrom validUntil reference version qualification { name } user { databaseId }';
const hold = (input: object, as = tenant.as.admin) =>
  mutate(as, `($input: CreateUserQualificationInput!) { it: createUserQualification(input: $input) { ${held} } }`, {
    input: { userId: tenant.staff.id, qualificationId: licence.id, ...input },
  });
const rest = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = tenant.as.admin) =>
  service.call(method, url, { as, ...(body && { body }) });

describe('the catalogue', () => {
  test('says of each qualification whether it expires, in both dialects', async () => {
    const { body } = await rest('POST', '/v1/qualifications', { name: 'First aid', expires: true });
    expect(body.data).toEqual({ id: expect.any(Number), name: 'First aid', expires: true, version: 1 });
    const changed = await mutate(
      tenant.as.admin,
      '($id: ID!, $input: QualificationInput!) { it: updateQualification(id: $id, input: $input) { name expires version } }',
      { id: body.data.id, input: { expires: false } },
    );
    expect(changed.it).toEqual({ name: 'First aid', expires: false, version: 2 });
    expect((await rest('POST', '/v1/qualifications', { name: 'Wine', expires: 'yes' })).body.errors).toEqual({
      expires: [expect.any(String)],
    });
    expect((await rest('POST', '/v1/qualifications', { name: 'Wine' })).body.data.expires).toBe(false);
  });

  test('keeps what people hold or work requires, and counts it', async () => {
    const position = await service.createPosition(tenant.business);
    await service.createHeld(tenant.staff, { qualificationId: licence.id });
    await rest('PUT', `/v1/positions/${position.id}`, { requirements: [{ qualification_id: licence.id }] });
    const { status, body } = await rest('DELETE', `/v1/qualifications/${licence.id}`);
    expect([status, body.code, body.in_use]).toEqual([409, 'CONFLICT', { user_qualifications: 1, requirements: 1 }]);
    const refused = await mutate(tenant.as.admin, `{ it: deleteQualification(id: ${licence.id}) { name } }`);
    expect(refused.extensions.inUse).toEqual({ userQualifications: 1, requirements: 1 });
  });
});

describe('a held qualification', () => {
  test('is noted in batches, each row by itself, in the history and once under a key, in both dialects', async () => {
    const { id: userId } = tenant.staff;
    const good = { userId, qualificationId: licence.id, validUntil: '2027-01-31' };
    const faults = [
      { ...good, validUntil: null },
      { ...good, qualificationId: 2_000_000_000 },
      { ...good, level: 9 },
    ];
    const fields = ['validUntil', 'qualificationId', 'level'];
    const sent = [good, ...faults].map((each) =>
      Object.fromEntries(Object.entries(each).map(([name, value]) => [snakeCase(name), value])),
    );
    const headers = { 'idempotency-key': 'certificates' };
    const send = () =>
      service.call('POST', '/v1/user_qualifications/batch', { as: tenant.as.key, body: { inputs: sent }, headers });
    const { status, body } = await send();
    expect([
      status,
      body.data.map(({ error }: { error: { errors: object } | null }) => Object.keys(error?.errors ?? {})),
    ]).toEqual([201, [[], ...fields.map((name) => [snakeCase(name)])]]);
    expect(body.data[0].user_qualification).toMatchObject({ user_id: userId, valid_until: '2027-01-31', version: 1 });
    expect((await send()).body).toEqual(body);
    const { it } = await mutate(
      tenant.as.admin,
      '($inputs: [CreateUserQualificationInput!]!) { it: createUserQualifications(inputs: $inputs) { userQualification { validUntil } error { errors { field } } } }',
      { inputs: [good, ...faults] },
    );
    expect(it).toEqual([
      { userQualification: { validUntil: '2027-01-31' }, error: null },
      ...fields.map((field) => ({ userQualification: null, error: { errors: [{ field }] } })),
    ]);
    expect(await service.prisma.userQualification.count({ where: { userId } })).toBe(2);
    const history = await rest('GET', '/v1/history?kind=userQualification');
    expect(history.body.data.data.map(({ operation }: { operation: string }) => operation)).toEqual(
      Array(2).fill('userQualifications.createMany'),
    );
  });

  test('is noted, changed and deleted by admins, and reads the same in both dialects', async () => {
    const { it } = await hold({ level: 2, validFrom: '2026-01-01', validUntil: '2027-01-31', reference: 'FL-7' });
    expect(it).toMatchObject({
      ...{ level: 2, validFrom: '2026-01-01', validUntil: '2027-01-31', reference: 'FL-7', version: 1 },
      qualification: { name: 'Forklift licence' },
      user: { databaseId: tenant.staff.id },
    });
    const url = `/v1/user_qualifications/${it.databaseId}`;
    const shown = {
      ...{ id: it.databaseId, user_id: tenant.staff.id, qualification_id: licence.id, level: 2, reference: 'FL-7' },
      ...{ valid_from: '2026-01-01', valid_until: '2027-01-31', version: 1 },
    };
    expect((await rest('GET', url)).body.data).toEqual(shown);
    // What was read can be sent back.
    expect((await rest('PUT', url, { ...shown, level: null })).body.data).toEqual({
      ...shown,
      level: null,
      version: 2,
    });
    expect((await rest('GET', `/v1/user_qualifications?user_id=${tenant.staff.id}`)).body.data.total).toBe(1);
    expect((await rest('DELETE', url)).status).toBe(200);
    expect((await rest('GET', url)).status).toBe(404);
  });

  test.each([
    [{ level: 0 }, { level: ['must be at least 1'] }],
    [{ level: 6 }, { level: ['must be at most 5'] }],
    [{ validFrom: '2027-02-01' }, { validUntil: ['must not be before validFrom'] }],
    [{ validUntil: '2027-02-30' }, { validUntil: [expect.any(String)] }],
    [{ validUntil: null }, { validUntil: ['must be a day, because the qualification expires'] }],
    [{ reference: ' ' }, { reference: [expect.any(String)] }],
    [
      { level: 6, validFrom: '2027-02-01' },
      { level: ['must be at most 5'], validUntil: ['must not be before validFrom'] },
    ],
  ])('with %j is refused', async (input, errors) => {
    const reply = await hold({ validUntil: '2027-01-31', ...input });
    expect([reply.code, reply.errors]).toEqual(['VALIDATION_FAILED', errors]);
    expect(await service.prisma.userQualification.count({ where: { businessId: tenant.business.id } })).toBe(0);
  });

  test('of another business, or of a client, is refused as unknown', async () => {
    const stranger = await service.createTenant();
    const foreign = await service.createQualification(stranger.business);
    const unknown = { qualificationId: ['must be the id of a qualification of this business'] };
    for (const qualificationId of [foreign.id, 2_147_483_647])
      expect((await hold({ qualificationId, validUntil: '2027-01-31' })).errors).toEqual(unknown);
    const nobody = { userId: ['must be the id of a staff member of this business'] };
    for (const userId of [tenant.client.id, stranger.staff.id])
      expect((await hold({ userId, validUntil: '2027-01-31' })).errors).toEqual(nobody);
  });

  test('that ended yesterday is kept, and counts as expired', async () => {
    expect((await hold({ validUntil: '2026-11-24' })).code).toBe('OK');
    const callTime = await service.createCallTime(await service.createEvent(tenant.business));
    await rest('PUT', `/v1/call_times/${callTime.uuid}`, { requirements: [{ qualification_id: licence.id }] });
    expect(await gapsOn(callTime.id)).toMatchObject([{ code: 'EXPIRED_QUALIFICATION', until: '2026-11-24' }]);
  });

  test('is read by its holder alone among staff, who may not write it', async () => {
    const other = await service.createUser(tenant.business, 'staff');
    const own = await service.createHeld(tenant.staff, { qualificationId: licence.id });
    const others = await service.createHeld(other, { qualificationId: licence.id });
    const { as } = tenant;
    const listed = await rest('GET', '/v1/user_qualifications', undefined, as.staff);
    expect(listed.body.data.data.map(({ id }: { id: number }) => id)).toEqual([own.id]);
    expect((await rest('GET', `/v1/user_qualifications/${others.id}`, undefined, as.staff)).status).toBe(404);
    for (const [method, body] of [
      ['PUT', { level: 5 }],
      ['DELETE', undefined],
    ] as const)
      expect((await rest(method, `/v1/user_qualifications/${own.id}`, body, as.staff)).status).toBe(403);
    expect((await hold({ validUntil: '2027-01-31' }, as.staff)).code).toBe('FORBIDDEN');
    expect((await rest('GET', '/v1/user_qualifications', undefined, as.client)).status).toBe(403);
  });

  test('shows in the feed of changes to its holder only, also when it is deleted', async () => {
    const other = await service.createUser(tenant.business, 'staff');
    const { next_cursor: after } = (await rest('GET', '/v1/changes', undefined, tenant.as.staff)).body.data;
    const { it: own } = await hold({ validUntil: '2027-01-31' });
    const { it: others } = await hold({ userId: other.id, validUntil: '2027-01-31' });
    const read = async () =>
      (await rest('GET', `/v1/changes?after=${after}`, undefined, tenant.as.staff)).body.data.changes.map(
        ({ kind, op, id }: { kind: string; op: string; id: number }) => [kind, op, id],
      );
    expect(await read()).toEqual([['userQualification', 'changed', own.databaseId]]);
    for (const id of [own.databaseId, others.databaseId]) await rest('DELETE', `/v1/user_qualifications/${id}`);
    expect(await read()).toEqual([['userQualification', 'deleted', own.databaseId]]);
  });
});

describe('requirements', () => {
  const required = (minLevel: number | null, qualification = licence) => ({
    qualification_id: qualification.id,
    min_level: minLevel,
  });

  test('of a position and of a call time are set as a list, which counts as a change of them', async () => {
    const wine = await service.createQualification(tenant.business, { name: 'Wine' });
    const callTime = await service.createCallTime(await service.createEvent(tenant.business));
    for (const url of [`/v1/positions/${callTime.positionId}`, `/v1/call_times/${callTime.uuid}`]) {
      const set = async (requirements: object[]) => {
        const { data } = (await rest('PUT', url, { requirements })).body;
        expect((await rest('GET', url)).body.data).toEqual(data);
        return [data.requirements, data.version];
      };
      expect(await set([required(3), required(null, wine)])).toEqual([[required(3), required(null, wine)], 2]);
      expect(await set([required(null, wine), required(3)])).toEqual([[required(3), required(null, wine)], 2]);
      expect(await set([required(4)])).toEqual([[required(4)], 3]);
      expect(await set([])).toEqual([[], 4]);
      await set([required(1)]);
    }
    const { it } = await query(
      tenant.as.staff,
      `{ it: callTimes(filter: { positionId: ${callTime.positionId} }) { totalCount } }`,
    );
    expect(it.totalCount).toBe(0);
    const shown = `requirements { minLevel qualification { name } }`;
    const both = await query(
      tenant.as.admin,
      `{ it: callTime(id: "${callTime.uuid}") { ${shown} position { ${shown} } } }`,
    );
    const one = [{ minLevel: 1, qualification: { name: 'Forklift licence' } }];
    expect(both.it).toEqual({ requirements: one, position: { requirements: one } });
  });

  test.each([
    [[{ min_level: 0 }], 'requirements.0.min_level'],
    [[{ min_level: 6 }], 'requirements.0.min_level'],
    [[{}, {}], 'requirements.1.qualification_id'],
    [[{ qualification_id: 2_147_483_647 }], 'requirements.0.qualification_id'],
    [[{ qualification_id: null }], 'requirements.0.qualification_id'],
  ])('of %j are refused', async (sent, path) => {
    const callTime = await service.createCallTime(await service.createEvent(tenant.business));
    const requirements = sent.map((each) => ({ qualification_id: licence.id, ...each }));
    for (const url of [`/v1/positions/${callTime.positionId}`, `/v1/call_times/${callTime.uuid}`]) {
      const { status, body } = await rest('PUT', url, { requirements });
      expect([status, Object.keys(body.errors)]).toEqual([422, [path]]);
    }
    expect(await service.prisma.requirement.count({ where: { businessId: tenant.business.id } })).toBe(0);
  });

  test('of a qualification of another business are refused like an unknown one', async () => {
    const stranger = await service.createTenant();
    const foreign = await service.createQualification(stranger.business);
    const callTime = await service.createCallTime(await service.createEvent(tenant.business));
    const errors = async (id: number) =>
      (await rest('PUT', `/v1/call_times/${callTime.uuid}`, { requirements: [{ qualification_id: id }] })).body;
    expect(await errors(foreign.id)).toEqual(await errors(2_147_483_647));
  });

  test('that are unknown are named before the clash of a new call time beside its event', async () => {
    const event = await service.createEvent(tenant.business);
    const callTime = await service.createCallTime(event);
    const { status, body } = await rest('POST', '/v1/call_times', {
      event_uuid: event.uuid,
      position_id: callTime.positionId,
      staff_needed: 1,
      start_time: '2031-01-01 10:00:00',
      end_time: '2031-01-01 12:00:00',
      requirements: [{ qualification_id: 2_147_483_647 }],
    });
    expect([status, body.code, Object.keys(body.errors)]).toEqual([
      422,
      'VALIDATION_FAILED',
      ['requirements.0.qualification_id'],
    ]);
  });

  test('of call times are copied with their event, and go with them', async () => {
    const event = await service.createEvent(tenant.business);
    const callTime = await service.createCallTime(event);
    await rest('PUT', `/v1/call_times/${callTime.uuid}`, { requirements: [required(2)] });
    const { it } = await mutate(
      tenant.as.admin,
      `{ it: copyEvent(id: "${event.uuid}", input: { days: 7 }) { event { callTimes { uuid requirements { minLevel } } } } }`,
    );
    const [copy] = it.event.callTimes;
    expect(copy.requirements).toEqual([{ minLevel: 2 }]);
    await rest('DELETE', `/v1/call_times/${copy.uuid}`);
    expect(await service.prisma.requirement.count({ where: { businessId: tenant.business.id } })).toBe(1);
  });

  test('stand in the history of their event by the name of the qualification', async () => {
    const event = await service.createEvent(tenant.business);
    const callTime = await service.createCallTime(event);
    await rest('PUT', `/v1/call_times/${callTime.uuid}`, { requirements: [required(2)] });
    const { body } = await rest('GET', `/v1/history/events/${event.uuid}`);
    const entry = body.data.data.find(({ kind }: { kind: string }) => kind === 'requirement');
    expect(entry).toMatchObject({ row_name: 'Forklift licence', change: 'created', operation: 'callTimes.update' });
    expect(entry.fields).toContainEqual(
      expect.objectContaining({ name: 'qualification_id', after_name: 'Forklift licence' }),
    );
  });
});

type Judged = WorkDays & { readonly userId: number; readonly positionId: number; readonly callTimeId: number | null };

/** What people lack for some work, in its order. */
async function judgeAll(work: readonly Judged[]) {
  const { db } = bindToBusiness(service.prisma, tenant.business.id);
  const userIds = work.map(({ userId }) => userId);
  const [some, all] = [await openQualifications(db, work, userIds), await openQualifications(db, work, 'all')];
  return work.map((each) => {
    const gaps = some(each.userId, each, each);
    expect(all(each.userId, each, each)).toEqual(gaps);
    return gaps;
  });
}

async function gapsOn(id: number) {
  const { startTbd, endTbd, event, ...callTime } = await service.prisma.callTime.findFirstOrThrow({
    where: { id },
    include: { event: true },
  });
  const times = { startsAt: startTbd ? null : callTime.startsAt, endsAt: endTbd ? null : callTime.endsAt };
  const job = { userId: tenant.staff.id, positionId: callTime.positionId, callTimeId: id };
  const [gaps] = await judgeAll([{ ...job, ...findWorkDays(times, event) }]);
  return gaps!;
}

describe('what people lack', () => {
  test('is what no certificate covers over all days of the work, by the clocks of the event', async () => {
    const event = await service.createEvent(tenant.business, {
      ...{ start: '2026-12-05 09:00:00', end: '2026-12-08 09:00:00', timezone: 'Pacific/Auckland' },
    });
    await service.createHeld(tenant.staff, {
      ...{ qualificationId: licence.id, level: 3, validFrom: day('2026-12-05'), validUntil: day('2026-12-06') },
    });
    const judge = async (start: string, end: string, minLevel: number | null, more: object = {}) => {
      const callTime = await service.createCallTime(event, { start, end, ...more });
      await service.prisma.requirement.create({
        data: {
          ...{ businessId: tenant.business.id, qualificationId: licence.id, minLevel },
          ...{ eventId: event.id, callTimeId: callTime.id },
        },
      });
      const [gap] = await gapsOn(callTime.id);
      return gap ? [gap.code, gap.until, gap.from] : null;
    };
    const expired = 'EXPIRED_QUALIFICATION';
    expect(await judge('2026-12-05 10:00:00', '2026-12-05 20:00:00', null)).toBeNull();
    expect(await judge('2026-12-05 20:00:00', '2026-12-06 04:00:00', 3)).toBeNull();
    expect(await judge('2026-12-06 20:00:00', '2026-12-07 00:00:00', 3)).toBeNull();
    expect(await judge('2026-12-06 20:00:00', '2026-12-07 00:30:00', 3)).toEqual([expired, '2026-12-06', null]);
    expect(await judge('2026-12-04 23:00:00', '2026-12-05 04:00:00', 3)).toEqual([expired, null, '2026-12-05']);
    expect(await judge('2026-12-05 10:00:00', '2026-12-05 20:00:00', 4)).toEqual(['MISSING_QUALIFICATION', null, null]);
    // While its end is to be determined, the work may last to the last day of the event.
    const open = { endTbd: true };
    expect(await judge('2026-12-05 10:00:00', '2026-12-05 20:00:00', 3, open)).toEqual([expired, '2026-12-06', null]);
  });

  test('needs the level of the position and of the call time, and what has no level meets none', async () => {
    const callTime = await service.createCallTime(await service.createEvent(tenant.business));
    const { positionId } = callTime;
    await rest('PUT', `/v1/positions/${positionId}`, { requirements: [{ qualification_id: licence.id }] });
    const own = await service.createHeld(tenant.staff, { qualificationId: licence.id });
    expect(await gapsOn(callTime.id)).toEqual([]);
    const url = `/v1/call_times/${callTime.uuid}`;
    await rest('PUT', url, { requirements: [{ qualification_id: licence.id, min_level: 2 }] });
    expect(await gapsOn(callTime.id)).toMatchObject([{ code: 'MISSING_QUALIFICATION', minLevel: 2 }]);
    const planned = { userId: tenant.staff.id, positionId, firstDay: '2026-12-05', lastDay: '2026-12-05' };
    const both = [null, callTime.id].map((callTimeId) => ({ ...planned, callTimeId }));
    expect(await judgeAll(both)).toMatchObject([[], [{ minLevel: 2 }]]);
    await rest('PUT', `/v1/user_qualifications/${own.id}`, { level: 2 });
    expect(await gapsOn(callTime.id)).toEqual([]);
  });

  test('is the same as by a plain reckoning, of random certificates and work', async () => {
    const kinds = [licence, await service.createQualification(tenant.business)];
    const people = await Promise.all([1, 2, 3].map(() => service.createUser(tenant.business, 'staff')));
    const { id: positionId } = await service.createPosition(tenant.business);
    const minLevels = [null, 3];
    await service.prisma.requirement.createMany({
      data: kinds.map(({ id }, at) => ({
        ...{ businessId: tenant.business.id, positionId, qualificationId: id, minLevel: minLevels[at] ?? null },
      })),
    });
    const date = fc.integer({ min: 1, max: 9 }).map((number) => `2026-12-0${number}`);
    const certificate = fc.record({
      userId: fc.constantFrom(...people.map(({ id }) => id)),
      kind: fc.constantFrom(0, 1),
      level: fc.option(fc.integer({ min: 1, max: 5 })),
      days: fc.tuple(fc.option(date), fc.option(date)),
    });
    const days = fc.tuple(date, date).map(([one, other]) => [one, other].toSorted() as [string, string]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(certificate, { maxLength: 8 }),
        fc.array(days, { minLength: 1, maxLength: 5 }),
        async (held, spans) => {
          const rows = held.map(({ userId, kind, level, days: [one, other] }) => {
            const [from, until] = one && other && one > other ? [other, one] : [one, other];
            return { userId, qualificationId: kinds[kind]!.id, level, from, until };
          });
          await service.prisma.userQualification.deleteMany({ where: { businessId: tenant.business.id } });
          await service.prisma.userQualification.createMany({
            data: rows.map(({ from, until, ...row }) => ({
              ...{
                ...row,
                businessId: tenant.business.id,
                validFrom: from && day(from),
                validUntil: until && day(until),
              },
            })),
          });
          const work = people.flatMap(({ id: userId }) =>
            spans.map(([firstDay, lastDay]) => ({ userId, positionId, callTimeId: null, firstDay, lastDay })),
          );
          const wanted = work.map(({ userId, firstDay, lastDay }) =>
            kinds.flatMap(({ id: qualificationId }, kind) => {
              const minLevel = minLevels[kind] ?? 0;
              const fit = rows.filter(
                (row) =>
                  row.userId === userId && row.qualificationId === qualificationId && (row.level ?? 0) >= minLevel,
              );
              const covers = fit.some(({ from, until }) => (from ?? '0') <= firstDay && (until ?? '9') >= lastDay);
              return covers ? [] : [`${qualificationId} ${fit.length === 0 ? 'MISSING' : 'EXPIRED'}_QUALIFICATION`];
            }),
          );
          const found = await judgeAll(work);
          expect(found.map((gaps) => gaps.map(({ qualificationId, code }) => `${qualificationId} ${code}`))).toEqual(
            wanted,
          );
        },
      ),
      { numRuns: 60, seed: 20_261_126 },
    );
  });
});

describe('what ends soon', () => {
  test('is listed by its end with the booked shifts that it endangers, unless it is renewed', async () => {
    const { business, staff } = tenant;
    const other = await service.createUser(business, 'staff');
    const { id: positionId } = await service.createPosition(business);
    await rest('PUT', `/v1/positions/${positionId}`, { requirements: [{ qualification_id: licence.id }] });
    const event = await service.createEvent(business, { start: '2026-12-01 10:00:00', end: '2026-12-20 18:00:00' });
    const times = (date: string) => ({ positionId, start: `${date} 10:00:00`, end: `${date} 18:00:00` });
    await service.createShift(event, staff, times('2026-12-10'));
    const after = await service.createShift(event, staff, times('2026-12-11'));
    await service.createShift(event, staff, { ...times('2026-12-12'), status: 'canceled' });
    const until = (end: string) => ({ qualificationId: licence.id, validUntil: day(end) });
    const mine = await service.createHeld(staff, until('2026-12-10'));
    const theirs = await service.createHeld(other, until('2026-12-01'));
    await service.createHeld(staff, until('2026-11-24'));
    const list = async (within = '') => (await rest('GET', `/v1/expiring_qualifications${within}`)).body.data.data;
    const shown = (rows: { held: { id: number }; shifts: { uuid: string }[] }[]) =>
      rows.map(({ held: { id }, shifts }) => [id, shifts.map(({ uuid }) => uuid)]);
    expect(shown(await list())).toEqual([
      [theirs.id, []],
      [mine.id, [after.uuid]],
    ]);
    expect(shown(await list('?within=14'))).toEqual([[theirs.id, []]]);
    const { it } = await query(
      tenant.as.admin,
      '{ it: qualificationsExpiring(within: 15) { totalCount nodes { held { databaseId } shifts { uuid } } } }',
    );
    expect([it.totalCount, it.nodes[1]]).toEqual([
      2,
      { held: { databaseId: mine.id }, shifts: [{ uuid: after.uuid }] },
    ]);
    // A renewal after a gap covers no shift in the gap.
    await service.createHeld(staff, { ...until('2027-12-10'), validFrom: day('2026-12-12') });
    await service.createHeld(other, until('2027-12-01'));
    expect(shown(await list())).toEqual([[mine.id, [after.uuid]]]);
    await service.createHeld(staff, { ...until('2027-12-10'), validFrom: day('2026-12-11') });
    expect(shown(await list())).toEqual([]);
  });

  test('is announced to webhooks once for each end', async () => {
    const receiver = await startReceiver();
    try {
      const { id } = await createEndpoint(service.database, tenant.business, {
        ...{ url: `${receiver.origin}/hook`, types: ['qualification.expiring'] },
      });
      const mine = await service.createHeld(tenant.staff, {
        qualificationId: licence.id,
        validUntil: day('2026-12-25'),
      });
      await service.createHeld(tenant.staff, { validUntil: day('2026-12-26') });
      await service.createHeld(tenant.staff, { validUntil: day('2026-11-24') });
      await service.app.jobs.start();
      const message = await until(() => receiver.received[0]);
      expect(message.body).toMatchObject({
        type: 'qualification.expiring',
        data: { kind: 'userQualification', id: mine.id, fields: [] },
      });
      const { announceEndings } = await import('../src/jobs/announce.ts');
      const announceAt = async (days: number) => {
        aheadMs = days * dayMs;
        await announceEndings(service, new Date(noon + aheadMs));
      };
      await announceAt(0);
      await rest('PUT', `/v1/user_qualifications/${mine.id}`, { valid_until: '2026-12-24' });
      await announceAt(1);
      await until(() => receiver.received[2]);
      const ids = receiver.received.map(({ body }) => body.data.id);
      expect(ids.filter((each) => each === mine.id)).toHaveLength(2);
      expect(await service.prisma.webhookMessage.count({ where: { endpointId: id } })).toBe(3);
    } finally {
      await receiver.close();
    }
  });
});
