import { beforeEach, describe, expect, test } from '@jest/globals';
import { deleteCommitsBefore } from '../src/db/change-log.ts';
import type { Commit, RowChange } from '../src/generated/prisma/client.ts';
import { useService } from './support/app.ts';
import { changeable, changes, type Rows } from './support/changes.ts';
import type { Tenant } from './support/factories.ts';

/* What triggers write into the change log, with the origin that operations note. */

let tenant: Tenant;
let rows: Rows;

const service = useService({ isAlone: true });

beforeEach(async () => {
  tenant = await service.createTenant();
  rows = await changeable(service, tenant);
});

interface Logged extends Omit<Commit, 'businessId' | 'batch' | 'at'> {
  readonly changes: readonly Pick<RowChange, 'kind' | 'rowId' | 'uuid' | 'eventId' | 'change' | 'before' | 'after'>[];
}

/** The commits of the business that its work makes, each with its changes in their order. */
async function logged(work: () => Promise<unknown>, { business } = tenant): Promise<Logged[]> {
  const ofBusiness = { businessId: business.id };
  const last = await service.prisma.commit.findFirst({ where: ofBusiness, orderBy: { revision: 'desc' } });
  await work();
  const commits = await service.prisma.commit.findMany({
    where: { ...ofBusiness, revision: { gt: last?.revision ?? 0 } },
    orderBy: { revision: 'asc' },
  });
  return Promise.all(
    commits.map(async ({ businessId, batch, at: _at, ...commit }) => ({
      ...commit,
      changes:
        batch === null
          ? []
          : await service.prisma.rowChange.findMany({
              where: { businessId, batch },
              orderBy: { id: 'asc' },
              select: { kind: true, rowId: true, uuid: true, eventId: true, change: true, before: true, after: true },
            }),
    })),
  );
}

const send = async (name: string) => expect(await changes[name]!.send(service, tenant.as.admin, rows)).toBe('OK');
const newEvent = { title: 'Gala', start_time: '2026-12-05 18:00:00', end_time: '2026-12-05 23:00:00', timezone: 'UTC' };

describe('a commit', () => {
  test('names the caller, the operation and the request', async () => {
    const [commit, ...others] = await logged(() =>
      service.call('PUT', `/v1/events/${rows.event.uuid}`, {
        as: tenant.as.admin,
        body: { room: 'Annex' },
        headers: { 'x-request-id': 'request-7' },
      }),
    );
    expect(others).toEqual([]);
    expect(commit).toEqual({
      revision: expect.any(BigInt),
      actorKind: 'user',
      actorId: tenant.admin.id,
      actorName: tenant.admin.name,
      operation: 'events.update',
      requestId: 'request-7',
      changes: [
        {
          kind: 'events',
          rowId: rows.event.id,
          uuid: rows.event.uuid,
          eventId: rows.event.id,
          change: 'update',
          before: { room: null },
          after: { room: 'Annex' },
        },
      ],
    });
  });

  test.each(['', 'k-1'])('names them for a create in a single statement too, with the key "%s"', async (key) => {
    const [commit, ...others] = await logged(() =>
      service.call('POST', '/v1/events', {
        as: tenant.as.key,
        body: newEvent,
        ...(key && { headers: { 'idempotency-key': key } }),
      }),
    );
    expect(others).toEqual([]);
    expect(commit).toMatchObject({
      actorKind: 'apiKey',
      operation: 'events.create',
      changes: [{ kind: 'events', change: 'insert', before: null, after: { title: 'Gala', status: 'active' } }],
    });
  });

  test('has the revision that the transaction gave its business', async () => {
    const [commit] = await logged(() => send('confirmShift'));
    const { revision } = await service.prisma.businessRevision.findUniqueOrThrow({
      where: { businessId: tenant.business.id },
    });
    expect(commit!.revision).toBe(revision);
  });

  test('is none of a change that failed, or of a request that changed nothing', async () => {
    expect(
      await logged(async () => {
        await service.call('POST', '/v1/events', { as: tenant.as.admin, body: { ...newEvent, title: '' } });
        await service.call('PUT', `/v1/events/${rows.event.uuid}`, { as: tenant.as.admin, body: {} });
      }),
    ).toEqual([]);
  });

  test('holds every change of its transaction, also those of child rows', async () => {
    const [commit] = await logged(() =>
      service.call('PUT', `/v1/events/${rows.event.uuid}`, { as: tenant.as.admin, body: { timezone: 'Asia/Tokyo' } }),
    );
    expect(commit!.changes.map(({ kind, eventId }) => [kind, eventId]).sort()).toEqual(
      ['call_times', 'events', 'work_shifts'].map((kind) => [kind, rows.event.id]),
    );
  });
});

describe('the log', () => {
  test('has a change for every write of a row that it keeps', async () => {
    for (const name of ['updateCallTime', 'updateShift', 'confirmShift', 'updatePosition', 'updateSkillLevel'])
      expect((await logged(() => send(name))).map(({ changes: made }) => made.length)).toEqual([1]);
    const [{ changes: values }] = (await logged(() => send('setCustomFieldValues'))) as [Logged];
    expect(values).toMatchObject([
      {
        kind: 'custom_field_values',
        rowId: rows.customField.id,
        uuid: null,
        eventId: rows.event.id,
        change: 'insert',
        after: { value: 'x' },
      },
    ]);
    const [{ changes: removed }] = (await logged(() => send('deleteCallTime'))) as [Logged];
    expect(removed).toMatchObject([{ kind: 'call_times', change: 'delete', before: { staff_needed: 2 }, after: null }]);
  });

  test('has no secret', async () => {
    const body = {
      email: 'robin@night.example',
      name: 'Robin Fields',
      role: 'staff',
      password: 'enough of a passphrase',
    };
    const commits = await logged(async () => {
      const created = await service.call('POST', '/api/v1/users', { as: tenant.as.admin, body });
      expect(created.status).toBe(201);
      await send('updateUser');
    });
    expect(commits.map(({ changes: made }) => made.map(({ change }) => change))).toEqual([['insert'], ['update']]);
    expect(commits[0]!.changes[0]!.after).toMatchObject({ email: 'robin@night.example', role: 'staff' });
    expect(
      JSON.stringify(commits, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/argon2|password|email_key/);
  });

  test('is deleted by age, except for the newest commit of each business', async () => {
    await send('confirmShift');
    await send('updateShift');
    const ofBusiness = { businessId: tenant.business.id };
    const before = await service.prisma.commit.findMany({ where: ofBusiness, orderBy: { revision: 'asc' } });
    expect(before.length).toBeGreaterThan(1);
    const soon = new Date(Date.now() + 60_000);
    expect(await deleteCommitsBefore(service.prisma, new Date(Date.now() - 60_000), 5000)).toBe(0);
    while ((await deleteCommitsBefore(service.prisma, soon, 2)) > 0);
    expect(await service.prisma.commit.findMany({ where: ofBusiness })).toEqual([before.at(-1)]);
    const kept = await service.prisma.rowChange.findMany({ where: ofBusiness });
    expect([...new Set(kept.map(({ batch }) => batch))]).toEqual([before.at(-1)!.batch]);
  });
});
