import { isDeepStrictEqual } from 'node:util';
import type { Contenders } from './contenders.ts';
import { ask, graphql, peerBoard, rest, serviceBoard } from './requests.ts';
import type { Scene } from './scene.ts';
import { boardSql } from './board-sql.ts';
import { documents, itemOf } from './shapes.ts';

type Row = Record<string, unknown>;

/** Asks every contender once for the same and compares rows and fields. Throws on a difference. Says what was compared. */
export async function compareContents(scene: Scene, contenders: Contenders): Promise<string[]> {
  const { service, naive, postgraphile, pool } = contenders;
  const { main } = scene;
  const compared: string[] = [];
  const read = async (origin: string, request: Parameters<typeof ask>[1]) =>
    JSON.parse((await ask(origin, request)).bytes.toString()) as { data: Row; errors?: unknown };
  const graphqlItems = async (origin: string, request: Parameters<typeof ask>[1], at: (data: Row) => unknown) => {
    const { data, errors } = await read(origin, request);
    if (errors) throw new Error(JSON.stringify(errors).slice(0, 1000));
    return [at(data)].flat().map((event) => itemOf(event as Row));
  };
  const nodes = (data: Row) => (data['events'] as Row)['nodes'];

  for (const perPage of [15, 100]) {
    const name = `board of ${perPage}`;
    const [page, from] = pageThatBegins(scene, perPage);
    const list = await read(service.origin, rest.get(main.key, rest.list(page, perPage)));
    const items = list.data['data'] as Row[];
    if (items.length !== perPage) throw new Error(`${name}: ${items.length} events`);
    const others: Record<string, unknown> = {
      GraphQL: await graphqlItems(service.origin, serviceBoard(main)(perPage, from), nodes),
      'GraphQL again': await graphqlItems(service.origin, serviceBoard(main)(perPage, from), nodes),
      naive: await graphqlItems(
        naive.origin,
        peerBoard(documents.naive.board, main)(perPage, from),
        ({ events }) => events,
      ),
      database: JSON.parse(
        await pool.ask<string>('answer', {
          statements: [{ text: boardSql }],
          values: [[main.id, perPage, from]],
          seconds: 0,
        }),
      ),
      ...(postgraphile && {
        postgraphile: await graphqlItems(
          postgraphile.origin,
          peerBoard(documents.postgraphile.board, main)(perPage, from),
          ({ events }) => events,
        ),
      }),
    };
    for (const [other, found] of Object.entries(others)) requireSame(`${name}, ${other}`, items, found);
    compared.push(`${name}: REST, ${Object.keys(others).join(', ')}`);
  }

  const uuid = scene.events[42]?.uuid ?? '';
  const [{ data }, variables] = [await read(service.origin, rest.get(main.key, `/v1/events/${uuid}`)), { uuid }];
  const peers = { businessId: main.id, uuid };
  const lists = ['call_times', 'work_shifts', 'custom_fields'];
  const single = Object.fromEntries(lists.map((list) => [list, data[list]]));
  const others: Record<string, Row | undefined> = {
    GraphQL: (
      await graphqlItems(service.origin, graphql(documents.service.event, main.key)(variables), ({ event }) => event)
    )[0],
    naive: (await graphqlItems(naive.origin, graphql(documents.naive.event)(peers), ({ event }) => event))[0],
    ...(postgraphile && {
      postgraphile: (
        await graphqlItems(postgraphile.origin, graphql(documents.postgraphile.event)(peers), ({ events }) => events)
      )[0],
    }),
  };
  for (const [other, event] of Object.entries(others))
    requireSame(`one event, ${other}`, single, Object.fromEntries(lists.map((list) => [list, event?.[list]])));
  compared.push(`children of one event: REST, ${Object.keys(others).join(', ')}`);
  return compared;
}

/** A page of the list, and the instant from which on the board is the same: no event before it starts then. */
function pageThatBegins({ events }: Scene, perPage: number): [page: number, from: string] {
  for (let page = 2; page * perPage < events.length; page++) {
    const first = (page - 1) * perPage;
    const startsAt = events[first]?.startsAt ?? 0;
    if (events[first - 1]?.startsAt !== startsAt) return [page, new Date(startsAt).toISOString()];
  }
  throw new Error('no page begins with an instant of its own');
}

function requireSame(what: string, expected: unknown, found: unknown): void {
  if (isDeepStrictEqual(expected, found)) return;
  throw new Error(`${what}: not the same content at ${firstDifference(expected, found)}`);
}

function firstDifference(expected: unknown, found: unknown, at = '$'): string {
  if (typeof expected !== 'object' || typeof found !== 'object' || !expected || !found)
    return `${at}: ${JSON.stringify(expected)?.slice(0, 200)} and ${JSON.stringify(found)?.slice(0, 200)}`;
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  for (const key of keys) {
    const [one, other] = [(expected as Row)[key], (found as Row)[key]];
    if (!isDeepStrictEqual(one, other)) return firstDifference(one, other, `${at}.${key}`);
  }
  return at;
}
