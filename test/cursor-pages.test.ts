import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Event } from '../src/generated/prisma/client.ts';
import { useService, useTenant } from './support/app.ts';
import { askCsv } from './support/csv.ts';

/* The lists of a whole business in REST, page by page, while rows come and go. */

const service = useService();
const tenant = useTenant(service);

interface Page {
  readonly current_page: number | null;
  readonly per_page: number;
  readonly total: number | null;
  readonly last_page: number | null;
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
  readonly data: readonly { readonly uuid: string }[];
}

const ask = (url: string) => service.call('GET', url, { as: tenant.as.admin });
const read = async (url: string): Promise<Page> => {
  const { status, body } = await ask(url);
  expect([url, status]).toEqual([url, 200]);
  return body.data;
};

const hour = (day: number, hours: number) =>
  `2026-12-${String(day).padStart(2, '0')} ${String(hours).padStart(2, '0')}:00:00`;

describe.each(['work_shifts', 'call_times'] as const)('/v1/%s', (list) => {
  let event: Event;
  let positionId: number;

  beforeEach(async () => {
    event = await service.createEvent(tenant.business, { timezone: 'UTC', start: hour(1, 0), end: hour(28, 23) });
    positionId = (await service.createPosition(tenant.business)).id;
    // Several rows have the same start; some shifts have none, and come last.
    for (const day of [2, 4, 4, 4, 6, 8, 8]) await add(day);
    if (list === 'work_shifts') for (let open = 0; open < 3; open += 1) await add(null);
  });

  /** Stores a row that starts on a day; null is to be determined. */
  async function add(day: number | null): Promise<string> {
    const times = { positionId, start: day === null ? null : hour(day, 9), end: day === null ? null : hour(day, 17) };
    return list === 'work_shifts'
      ? (await service.createShift(event, tenant.staff, times)).uuid
      : (await service.createCallTime(event, times as { start: string })).uuid;
  }

  const all = async (order: string) =>
    (await read(`/v1/${list}?per_page=100&sort_order=${order}`)).data.map(({ uuid }) => uuid);

  /** Reads the list by cursors, from a page on. Before each further page, rows are added around the place. */
  async function walk(from: Page, side: 'after' | 'before', order: string): Promise<string[]> {
    const seen = from.data.map(({ uuid }) => uuid);
    let page = from;
    for (;;) {
      const cursor = side === 'after' ? page.next_cursor : page.previous_cursor;
      if (cursor === null) return seen;
      await add(1);
      await add(28);
      await add(4);
      page = await read(`/v1/${list}?per_page=2&sort_order=${order}&${side}=${encodeURIComponent(cursor)}`);
      expect(page).toMatchObject({ current_page: null, total: null, last_page: null, per_page: 2 });
      const uuids = page.data.map(({ uuid }) => uuid);
      if (side === 'after') seen.push(...uuids);
      else seen.unshift(...uuids);
    }
  }

  test.each(['asc', 'desc'])('is read forwards in %s order, without a repeated or a missing row', async (order) => {
    const before = await all(order);
    const first = await read(`/v1/${list}?per_page=2&sort_order=${order}`);
    expect(first).toMatchObject({ current_page: 1, total: before.length, previous_cursor: null });
    const seen = await walk(first, 'after', order);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((uuid) => before.includes(uuid))).toEqual(before);
    const now = await all(order);
    expect(now.filter((uuid) => seen.includes(uuid))).toEqual(seen);
  });

  test.each(['asc', 'desc'])('is read backwards in %s order, without a repeated or a missing row', async (order) => {
    const before = await all(order);
    const last = await read(`/v1/${list}?per_page=2&page=${Math.ceil(before.length / 2)}&sort_order=${order}`);
    expect(last.next_cursor).toBeNull();
    const seen = await walk(last, 'before', order);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((uuid) => before.includes(uuid))).toEqual(before);
  });

  test('goes on where a row was that is gone, and back to the page before', async () => {
    const [first, second] = [await read(`/v1/${list}?per_page=3`), await read(`/v1/${list}?per_page=3&page=2`)];
    await service.call('DELETE', `/v1/${list}/${first.data[2]!.uuid}`, { as: tenant.as.admin });
    const next = await read(`/v1/${list}?per_page=3&after=${first.next_cursor}`);
    expect(next.data).toEqual(second.data);
    const back = await read(`/v1/${list}?before=${next.previous_cursor}`);
    expect(back.data.map(({ uuid }) => uuid)).toEqual(first.data.slice(0, 2).map(({ uuid }) => uuid));
    expect([back.per_page, back.previous_cursor, back.next_cursor]).toEqual([15, null, expect.any(String)]);
  });

  test.each([
    ['after=nonsense', { after: ['must be a cursor of a list in this order'] }],
    ['before=nonsense', { before: ['must be a cursor of a list in this order'] }],
    ['after=CURSOR&sort_order=desc', { after: ['must be a cursor of a list in this order'] }],
    ['after=CURSOR&page=2&per_page=5', { after: ['must not be given together with page'] }],
    ['before=CURSOR&page=1', { before: ['must not be given together with page'] }],
    ['before=CURSOR&after=CURSOR', { before: ['must not be given together with after'] }],
    ['after=CURSOR&per_page=101', { per_page: ['must be at most 100'] }],
  ])('refuses %s', async (query, errors) => {
    const { next_cursor: cursor } = await read(`/v1/${list}?per_page=2`);
    const { status, body } = await ask(`/v1/${list}?${query.replaceAll('CURSOR', cursor!)}`);
    expect([status, body.errors]).toEqual([422, errors]);
  });

  test('is CSV of one page, where a cursor is sent', async () => {
    const { next_cursor: cursor } = await read(`/v1/${list}?per_page=2`);
    const { data } = await read(`/v1/${list}?per_page=3&after=${cursor}`);
    const { header, rows } = await askCsv(service, `/v1/${list}?per_page=3&after=${cursor}`, { as: tenant.as.admin });
    expect(rows.map((row) => row[header.indexOf('uuid')])).toEqual(data.map(({ uuid }) => uuid));
  });
});
