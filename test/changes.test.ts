import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bindToBusiness } from '../src/db/tenant.ts';
import { stopLogging } from '../src/db/change-log.ts';
import { useOneTenant, useService } from './support/app.ts';
import { changeable, changes, prepareChange, type Rows } from './support/changes.ts';
import { useKeptRows } from './support/kept-rows.ts';

/* Delta sync: what has changed behind a cursor, for every role, over REST and GraphQL. */

let rows: Rows;
let rate = 30;

const service = useService();
const tenant = useOneTenant(service);

useKeptRows(service, async () => {
  rows = await changeable(service, tenant);
  return [tenant.business.id];
});

interface Entry {
  readonly kind: string;
  readonly op: string;
  readonly id: number;
  readonly uuid: string | null;
  readonly row: Record<string, unknown> | null;
}

interface Page {
  readonly changes: readonly Entry[];
  readonly next_cursor: string;
  readonly has_more: boolean;
}

async function read(as: string, after?: string, more = ''): Promise<Page> {
  const { status, body } = await service.call('GET', `/v1/changes?${after ? `after=${after}` : ''}${more}`, { as });
  expect(status).toBe(200);
  return body.data as Page;
}

/** What a caller is told about some work. */
async function told(as: string, work: () => Promise<unknown>, more = ''): Promise<[string, string, number][]> {
  const { next_cursor: cursor } = await read(as, undefined, more);
  await work();
  return (await read(as, cursor, more)).changes.map(({ kind, op, id }) => [kind, op, id]);
}

async function send(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object, as = tenant.as.admin) {
  const answer = await service.call(method, url, { as, ...(body && { body }) });
  expect(answer.status).toBeLessThan(300);
  return answer.body.data as Record<string, unknown>;
}

const changeEvent = (body: object) => send('PUT', `/v1/events/${rows.event.uuid}`, body);
const changeShift = (body: object) => send('PUT', `/v1/work_shifts/${rows.workShift.uuid}`, body);

describe('an admin', () => {
  test('gets nothing and the cursor of now without a cursor, and the same with it while nothing changes', async () => {
    const first = await read(tenant.as.admin);
    expect(first).toEqual({ changes: [], next_cursor: expect.any(String), has_more: false });
    expect(await read(tenant.as.admin, first.next_cursor)).toEqual(first);
  });

  test('gets each changed row once, as it is now', async () => {
    const { next_cursor: cursor } = await read(tenant.as.admin);
    await changeEvent({ room: 'Annex' });
    await changeEvent({ room: 'Hall' });
    const { changes: entries } = await read(tenant.as.admin, cursor);
    expect(entries).toEqual([
      { kind: 'event', op: 'changed', id: rows.event.id, uuid: rows.event.uuid, row: expect.anything() },
    ]);
    const { body } = await service.call('GET', `/v1/events?fields=full`, {
      as: tenant.as.admin,
    });
    const [full] = (body.data.data as { uuid: string }[]).filter(({ uuid }) => uuid === rows.event.uuid);
    expect(entries[0]!.row).toEqual(full);
    expect(full).toMatchObject({ room: 'Hall' });
  });

  // Offers are told by the parts in them, and settings by the audit trail.
  const logged = Object.keys(changes).filter((name) => !['business', 'offer'].includes(changes[name]!.noun));

  test.each(logged)('is told of %s', async (name) => {
    const { noun, removes, send: change } = changes[name]!;
    await prepareChange(service, tenant.as.admin, rows, name);
    const entries = await told(tenant.as.admin, async () =>
      expect(await change(service, tenant.as.admin, rows)).toBe('OK'),
    );
    const row =
      noun === 'customField' && !name.endsWith('CustomField') && /Values/.test(name) ? rows.event : rows[noun];
    const kind =
      row === rows.event
        ? 'event'
        : noun.endsWith('Part')
          ? 'offerRecipient'
          : noun === 'presentAttendance'
            ? 'attendance'
            : noun.endsWith('Swap')
              ? 'shiftSwap'
              : noun;
    const ops = removes || /^delete/i.test(name) || name.startsWith('DELETE') ? ['deleted'] : ['changed', 'deleted'];
    const entry = entries.find(([each, , id]) => each === kind && id === row.id);
    expect(ops).toContain(entry?.[1]);
  });

  test('gets parents before their children, and tombstones last, children first', async () => {
    const entries = await told(tenant.as.admin, async () => {
      const callTime = await service.createCallTime(rows.event);
      await service.createShift(rows.event, tenant.staff, { positionId: callTime.positionId });
      await send('DELETE', `/v1/work_shifts/${rows.workShift.uuid}`);
      await send('DELETE', `/v1/events/${rows.event.uuid}`);
    });
    expect(entries.map(([kind, op]) => `${kind} ${op}`)).toEqual([
      'position changed',
      'callTime changed',
      'workShift changed',
      'workShift deleted',
      'event deleted',
    ]);
  });

  test('gets an event that was restored with its call times and shifts', async () => {
    await changeEvent({ status: 'deleted' });
    const entries = await told(tenant.as.admin, () => changeEvent({ status: 'active' }));
    expect(entries).toEqual([
      ['event', 'changed', rows.event.id],
      ['callTime', 'changed', rows.callTime.id],
      ['workShift', 'changed', rows.workShift.id],
    ]);
  });

  test('reads page by page, and over a large commit too', async () => {
    const { next_cursor: start } = await read(tenant.as.admin);
    await changeEvent({ timezone: 'Asia/Tokyo' });
    await changeEvent({ room: 'Annex' });
    const seen: string[] = [];
    let cursor = start;
    for (let more = true, pages = 0; more; pages += 1) {
      expect(pages).toBeLessThan(10);
      const page = await read(tenant.as.admin, cursor, '&limit=1');
      seen.push(...page.changes.map(({ kind }) => kind));
      cursor = page.next_cursor;
      more = page.has_more;
    }
    expect(seen.toSorted()).toEqual(['callTime', 'event', 'event', 'workShift']);
  });

  test('may ask for kinds, and for one event', async () => {
    const other = await service.createEvent(tenant.business);
    const work = async () => {
      const room = randomUUID();
      await changeEvent({ room });
      await send('PUT', `/v1/events/${other.uuid}`, { room });
      await changeShift({ pay_rate: String((rate += 1)) });
    };
    expect(await told(tenant.as.admin, work, '&kinds=workShift&kinds=callTime')).toEqual([
      ['workShift', 'changed', rows.workShift.id],
    ]);
    expect(await told(tenant.as.admin, work, `&event_uuid=${other.uuid}`)).toEqual([['event', 'changed', other.id]]);
  });

  test('gets the same over GraphQL', async () => {
    const { next_cursor: cursor } = await read(tenant.as.admin);
    await changeEvent({ room: 'Annex' });
    await send('DELETE', `/v1/work_shifts/${rows.workShift.uuid}`);
    const query = `query ($after: String) { changes(after: $after, first: 10) { nextCursor hasMore changes {
      kind op databaseId uuid nodeId node { __typename ... on Event { room } } } } }`;
    const { body } = await service.graphql(query, { as: tenant.as.admin, variables: { after: cursor } });
    const page = await read(tenant.as.admin, cursor);
    expect(body.data.changes).toMatchObject({
      nextCursor: page.next_cursor,
      hasMore: false,
      changes: [
        { kind: 'EVENT', op: 'CHANGED', databaseId: rows.event.id, node: { __typename: 'Event', room: 'Annex' } },
        { kind: 'WORK_SHIFT', op: 'DELETED', uuid: rows.workShift.uuid, node: null },
      ],
    });
    const [{ nodeId }] = body.data.changes.changes as [{ nodeId: string }];
    const { body: again } = await service.graphql(`{ node(id: "${nodeId}") { ... on Event { room } } }`, {
      as: tenant.as.admin,
    });
    expect(again.data.node).toEqual({ room: 'Annex' });
  });

  test('holds an answer until something changes, by its tag', async () => {
    const { next_cursor: cursor } = await read(tenant.as.admin);
    const url = `/v1/changes?after=${cursor}`;
    const { headers } = await service.call('GET', url, { as: tenant.as.admin });
    const held = { as: tenant.as.admin, headers: { 'if-none-match': String(headers['etag']) } };
    expect((await service.call('GET', url, held)).status).toBe(304);
    await changeEvent({ room: 'Annex' });
    expect((await service.call('GET', url, held)).status).toBe(200);
  });
});

describe('a staff member', () => {
  test('is told of their own shifts alone', async () => {
    const other = await service.createShift(rows.event, rows.user, { positionId: rows.workShift.positionId });
    const entries = await told(tenant.as.staff, async () => {
      await send('PUT', `/v1/work_shifts/${other.uuid}`, { pay_rate: '31' });
      await send('DELETE', `/v1/work_shifts/${other.uuid}`);
      await changeShift({ pay_rate: '31' });
    });
    expect(entries).toEqual([['workShift', 'changed', rows.workShift.id]]);
  });

  test('who is given a shift gets its event and call times, and loses them with it', async () => {
    const event = await service.createEvent(tenant.business);
    const callTime = await service.createCallTime(event, { start: '2026-12-05 10:00:00', end: '2026-12-05 11:00:00' });
    const shift = await service.createShift(event, rows.user, { positionId: callTime.positionId });
    const give = (userId: number) =>
      send('PUT', `/v1/work_shifts/${shift.uuid}`, { user_id: userId, override_reason: 'They asked for it' });
    const gained = await told(tenant.as.staff, () => give(tenant.staff.id));
    expect(gained).toEqual([
      ['event', 'changed', event.id],
      ['callTime', 'changed', callTime.id],
      ['workShift', 'changed', shift.id],
    ]);
    const lost = await told(tenant.as.staff, () => give(rows.user.id));
    expect(lost).toEqual([
      ['workShift', 'left', shift.id],
      ['event', 'left', event.id],
    ]);
  });

  test('is told of an event that becomes a draft or is deleted, and of no other', async () => {
    const other = await service.createEvent(tenant.business);
    expect(
      await told(tenant.as.staff, async () => {
        await changeEvent({ status: 'draft' });
        await send('PUT', `/v1/events/${other.uuid}`, { status: 'draft' });
      }),
    ).toEqual([['event', 'left', rows.event.id]]);
    await changeEvent({ status: 'active' });
    expect(await told(tenant.as.staff, () => changeEvent({ status: 'deleted' }))).toEqual([
      ['event', 'deleted', rows.event.id],
    ]);
  });

  test('sees no pay rates of positions and no custom fields', async () => {
    const { next_cursor: cursor } = await read(tenant.as.staff);
    await send('PUT', `/v1/positions/${rows.position.id}`, { default_pay_rate: '99' });
    await send('PUT', `/v1/custom_fields/${rows.customField.uuid}`, { name: 'Other' });
    const { changes: entries } = await read(tenant.as.staff, cursor);
    expect(entries).toMatchObject([{ kind: 'position', row: { default_pay_rate: null } }]);
  });
});

describe('a client', () => {
  test('is told of an event that they are given, with all of it, and that it left', async () => {
    const gained = await told(tenant.as.client, () => changeEvent({ client_id: tenant.client.id }));
    expect(gained).toEqual([
      ['event', 'changed', rows.event.id],
      ['callTime', 'changed', rows.callTime.id],
      ['workShift', 'changed', rows.workShift.id],
    ]);
    expect(
      await told(tenant.as.client, () => send('POST', `/v1/work_shifts/${rows.workShift.uuid}/actions/cancel`)),
    ).toEqual([['workShift', 'left', rows.workShift.id]]);
    expect(await told(tenant.as.client, () => changeEvent({ client_id: null }))).toEqual([
      ['event', 'left', rows.event.id],
    ]);
    expect(await told(tenant.as.client, () => changeEvent({ room: 'Annex' }))).toEqual([]);
  });
});

describe('a cursor', () => {
  test('of another business, or one that never was, has expired', async () => {
    const other = await service.createTenant();
    const { next_cursor: theirs } = await read(other.as.admin);
    const never = Buffer.from('log:1').toString('base64url');
    for (const after of [theirs, never]) {
      const { status, body } = await service.call('GET', `/v1/changes?after=${after}`, { as: tenant.as.admin });
      expect([status, body.code]).toEqual([410, 'CURSOR_EXPIRED']);
      const { body: graph } = await service.graphql(`{ changes(after: "${after}") { hasMore } }`, {
        as: tenant.as.admin,
      });
      expect(graph.errors[0].extensions.code).toBe('CURSOR_EXPIRED');
    }
  });

  test.each(['x', 'bG9nOg', Buffer.from('log:1.2.3').toString('base64url'), `log:${'9'.repeat(30)}`])(
    'that is none is refused: %s',
    async (after) => {
      const { status, body } = await service.call('GET', `/v1/changes?after=${after}`, { as: tenant.as.admin });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['after']]);
    },
  );

  test('expires with the commits behind which it stands, and those of later commits stay', async () => {
    const { next_cursor: early } = await read(tenant.as.admin);
    await changeEvent({ room: 'Annex' });
    const { next_cursor: late } = await read(tenant.as.admin);
    const { revision } = await service.prisma.businessRevision.findUniqueOrThrow({
      where: { businessId: tenant.business.id },
    });
    await service.prisma.commit.deleteMany({ where: { businessId: tenant.business.id, revision: { lt: revision } } });
    expect((await service.call('GET', `/v1/changes?after=${early}`, { as: tenant.as.admin })).status).toBe(410);
    expect((await read(tenant.as.admin, late)).changes).toEqual([]);
  });

  test('expires when rows are loaded with the log off, because it would lead over a gap', async () => {
    const { next_cursor: early } = await read(tenant.as.admin);
    const { transact } = bindToBusiness(service.prisma, tenant.business.id);
    await transact(async (tx) => {
      await stopLogging(tx as never);
      await tx.position.create({ data: { title: `Loaded ${randomUUID()}`, defaultPayRate: '20' } as never });
    });
    expect((await service.call('GET', `/v1/changes?after=${early}`, { as: tenant.as.admin })).status).toBe(410);
    const { next_cursor: late } = await read(tenant.as.admin);
    expect((await read(tenant.as.admin, late)).changes).toEqual([]);
  });
});

test.each([
  ['a call time', () => service.createCallTime(rows.event)],
  ['a deleted call time', () => send('DELETE', `/v1/call_times/${rows.callTime.uuid}`)],
  ['a shift', () => changeShift({ pay_rate: '31' })],
  ['a value', () => changes['setCustomFieldValues']!.send(service, tenant.as.admin, rows)],
  ['a field of its own', () => changeEvent({ room: 'Annex' })],
])('updated_since finds an event by a change of %s', async (what, work) => {
  await service.prisma.event.updateMany({
    where: { businessId: tenant.business.id },
    data: { modifiedAt: new Date('2026-01-01') },
  });
  if (what === 'a deleted call time') await send('DELETE', `/v1/work_shifts/${rows.workShift.uuid}`);
  const [{ now }] = await service.prisma.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() + interval '1 ms' AS now`;
  const found = async () => {
    const { body } = await service.call('GET', `/v1/events?updated_since=${now.toISOString()}`, {
      as: tenant.as.admin,
    });
    return (body.data.data as { uuid: string }[]).map(({ uuid }) => uuid);
  };
  expect(await found()).toEqual([]);
  await work();
  expect(await found()).toEqual([rows.event.uuid]);
});
