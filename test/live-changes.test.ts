import { beforeAll, describe, expect, test } from '@jest/globals';
import { encodeGlobalId } from '../src/model/global-ids.ts';
import { useService } from './support/app.ts';
import type { Tenant } from './support/factories.ts';
import { sqlCount, statementsSince } from './support/sql-watch.ts';
import { keepOpen, openStream, subscribe, type OpenStream, type ReadEvent } from './support/streams.ts';

/* Streams of what changes: the same pages over REST and GraphQL, resumed behind a cursor. */

let tenant: Tenant;
let origin: string;

const service = useService();

beforeAll(async () => {
  origin = await service.listen();
  tenant = await service.createTenant();
});
const keep = keepOpen();
const follow = (query = '', { as = tenant.as.admin, headers = {} } = {}) =>
  keep(openStream(origin, `/v1/changes/stream${query}`, { as, headers }));
const document = `subscription ($after: String, $kinds: [ChangeKind!], $eventId: ID) {
  changes(after: $after, kinds: $kinds, eventId: $eventId) {
    changes { kind op uuid node { ... on Event { title } } } nextCursor hasMore
  }
}`;
const watch = (variables: object = {}, as = tenant.as.admin) => keep(subscribe(origin, document, { as, variables }));

/** The stream has begun: its first page names the cursor of now. */
const begun = async (stream: OpenStream) => (await stream.until(() => true)).id ?? '';
const rename = async (uuid: string, title: string) => {
  const { status } = await service.call('PUT', `/v1/events/${uuid}`, { as: tenant.as.admin, body: { title } });
  expect(status).toBe(200);
};
const titlesIn = ({ data }: ReadEvent): string[] =>
  (data?.changes ?? data?.data?.changes?.changes ?? []).map(
    ({ row, node }: { row?: { title: string }; node?: { title: string } }) => (row ?? node)?.title,
  );

describe('over REST', () => {
  test('a change comes with the cursor behind it, by which the next stream goes on', async () => {
    const event = await service.createEvent(tenant.business);
    const stream = await follow();
    await begun(stream);
    await rename(event.uuid, 'Fair');
    const change = await stream.until((each) => titlesIn(each).includes('Fair'));
    expect(change).toMatchObject({
      event: 'changes',
      id: change.data.next_cursor,
      data: { changes: [{ kind: 'event', op: 'changed', uuid: event.uuid, row: { title: 'Fair' } }], has_more: false },
    });
    stream.close();
    await rename(event.uuid, 'Ball');
    const resumed = await follow('?after=ignored', { headers: { 'last-event-id': change.id ?? '' } });
    expect(titlesIn(await resumed.until(() => true))).toEqual(['Ball']);
    const byQuery = await follow(`?after=${change.id}`);
    expect(titlesIn(await byQuery.until(() => true))).toEqual(['Ball']);
  });

  test('only the kinds and the event that were asked for come', async () => {
    const [event, other] = [await service.createEvent(tenant.business), await service.createEvent(tenant.business)];
    const ofEvent = await follow(`?event_uuid=${event.uuid}`);
    const ofUsers = await follow('?kinds=user');
    await Promise.all([begun(ofEvent), begun(ofUsers)]);
    await rename(other.uuid, 'Not this one');
    await rename(event.uuid, 'This one');
    await service.call('PUT', `/api/v1/users/${tenant.client.id}`, { as: tenant.as.admin, body: { name: 'Kim' } });
    expect(titlesIn(await ofEvent.until(({ data }) => data.changes.length > 0))).toEqual(['This one']);
    const { data } = await ofUsers.until((each) => each.data.changes.length > 0);
    expect(data.changes.map(({ kind }: { kind: string }) => kind)).toEqual(['user']);
  });

  test.each([
    ['an expired cursor', `?after=${Buffer.from('log:1').toString('base64url')}`, 410, 'CURSOR_EXPIRED'],
    ['a text that is no cursor', '?after=x', 422, 'VALIDATION_FAILED'],
    ['a kind that does not exist', '?kinds=cat', 422, 'VALIDATION_FAILED'],
    ['an event of nobody', '?event_uuid=8e5f29b5-5d1d-4a37-9d3a-6b1d6f0f3a10', 404, 'NOT_FOUND'],
  ])('%s is refused before the stream begins', async (_what, query, status, code) => {
    const stream = await follow(query);
    await stream.ended;
    expect({ status: stream.status, code: JSON.parse(stream.text()).code }).toEqual({ status, code });
  });

  test('a caller who takes no events gets 406', async () => {
    const { status } = await service.call('GET', '/v1/changes/stream', {
      as: tenant.as.admin,
      headers: { accept: 'application/json' },
    });
    expect(status).toBe(406);
  });

  test('a revoked credential ends the stream with the body of the error', async () => {
    const own = await service.createTenant();
    const stream = await follow('', { as: own.as.admin });
    await begun(stream);
    await service.call('DELETE', '/v1/tokens/personal', { as: own.as.admin });
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ event: 'failure', data: { success: false, code: 'UNAUTHENTICATED' } });
  });
});

describe('over GraphQL', () => {
  test('the same pages come, with rows as they are now', async () => {
    const event = await service.createEvent(tenant.business);
    const stream = await watch({ kinds: ['EVENT'] });
    const first = await stream.until(() => true);
    const { nextCursor } = first.data.data.changes;
    await rename(event.uuid, 'Fair');
    await stream.until((each) => titlesIn(each).includes('Fair'));
    await rename(event.uuid, 'Ball');
    // Loaders of an earlier tick would still know the title before.
    await stream.until((each) => titlesIn(each).includes('Ball'));
    const resumed = await watch({ after: nextCursor });
    expect(titlesIn(await resumed.until(() => true))).toEqual(['Ball']);
  });

  test('an event is named by its global id', async () => {
    const [event, other] = [await service.createEvent(tenant.business), await service.createEvent(tenant.business)];
    const stream = await watch({ eventId: encodeGlobalId('Event', event.uuid) });
    await begun(stream);
    await rename(other.uuid, 'Not this one');
    await rename(event.uuid, 'This one');
    expect(titlesIn(await stream.until((each) => titlesIn(each).length > 0))).toEqual(['This one']);
  });

  test('an expired cursor is an error on the stream', async () => {
    const stream = await watch({ after: Buffer.from('log:1').toString('base64url') });
    await stream.ended;
    expect(stream.events).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'CURSOR_EXPIRED' } }] } },
      { event: 'complete' },
    ]);
  });
});

test('a caller sees on a stream what the caller sees elsewhere, and no more', async () => {
  const own = await service.createTenant();
  const [seen, unseen] = [await service.createEvent(own.business), await service.createEvent(own.business)];
  const shift = await service.createShift(seen, own.staff);
  const stream = await follow('', { as: own.as.staff });
  await begun(stream);
  const update = (uuid: string, title: string) =>
    service.call('PUT', `/v1/events/${uuid}`, { as: own.as.admin, body: { title } });
  await update(unseen.uuid, 'Secret');
  await update(seen.uuid, 'Known');
  await stream.until((each) => titlesIn(each).includes('Known'));
  await service.call('DELETE', `/v1/work_shifts/${shift.uuid}`, { as: own.as.admin });
  await stream.until(({ data }) => data.changes.some(({ op }: { op: string }) => op !== 'changed'));
  expect(stream.text()).not.toContain('Secret');
});

test('streams of equal rights that are equally far share what they read', async () => {
  const event = await service.createEvent(tenant.business);
  const cost = async (count: number, title: string) => {
    const streams = await Promise.all(Array.from({ length: count }, () => watch()));
    await Promise.all(streams.map(begun));
    const before = sqlCount();
    await rename(event.uuid, title);
    await Promise.all(streams.map((stream) => stream.until((each) => titlesIn(each).includes(title))));
    for (const stream of streams) stream.close();
    return statementsSince(before).filter((sql) => sql.includes('row_changes h')).length;
  };
  const one = await cost(1, 'One');
  expect(one).toBeGreaterThan(0);
  expect(await cost(20, 'Twenty')).toBeLessThan(2 * one + 3);
});
