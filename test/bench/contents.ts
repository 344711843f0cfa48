import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'autocannon';
import { boardSql } from './board-sql.ts';
import type { Contenders } from './contenders.ts';
import { ask, graphql, peerBoard, rest, serviceBoard } from './requests.ts';
import type { Scene } from './scene.ts';
import { documents, itemOf } from './shapes.ts';

type Row = Record<string, unknown>;

type Read = (request: Request, at: (data: Row) => unknown) => Promise<Row[]>;

/** Asks every contender once for the same and compares rows and fields. Throws on a difference. Says what was compared. */
export async function compareContents(scene: Scene, contenders: Contenders): Promise<string[]> {
  const compared: string[] = [];
  for (const perPage of [15, 100]) compared.push(await compareBoards(scene, contenders, perPage));
  compared.push(await compareEvent(scene, contenders));
  return compared;
}

async function compareBoards(scene: Scene, contenders: Contenders, perPage: number): Promise<string> {
  const { service, postgraphile, pool } = contenders;
  const { main } = scene;
  const [page, from] = pageThatBegins(scene, perPage);
  const list = (await read(service.origin, rest.get(main.key, rest.list(page, perPage))))['data'] as Row[];
  if (list.length !== perPage) throw new Error(`board of ${perPage}: ${list.length} events`);
  const ours = () =>
    itemsFrom(service.origin)(serviceBoard(main)(perPage, from), ({ events }) => (events as Row)['nodes']);
  const peers = (readItems: Read, document: string) =>
    readItems(peerBoard(document, main)(perPage, from), ({ events }) => events);
  const inSql = { statements: [{ text: boardSql }], values: [[main.id, perPage, from]], seconds: 0 };
  return requireSame(`board of ${perPage}`, list, {
    GraphQL: await ours(),
    'GraphQL again': await ours(),
    database: JSON.parse(await pool.ask<string>('answer', inSql)),
    ...(postgraphile && {
      postgraphile: await peers(itemsFrom(postgraphile.origin), documents.postgraphile.board),
    }),
  });
}

/** The event itself has other names in REST when it is read alone: its lists are compared. */
async function compareEvent({ main, events }: Scene, contenders: Contenders): Promise<string> {
  const { service, postgraphile } = contenders;
  const uuid = events[42]?.uuid ?? '';
  const lists = (event: Row | undefined) => [event?.['call_times'], event?.['work_shifts'], event?.['custom_fields']];
  const first = ([event]: Row[]) => lists(event);
  const peers = (readItems: Read, document: string, at: (data: Row) => unknown) =>
    readItems(graphql(document)({ businessId: main.id, uuid }), at);
  const ours = graphql(documents.service.event, main.key)({ uuid });
  return requireSame(
    'lists of one event',
    lists(await read(service.origin, rest.get(main.key, `/v1/events/${uuid}`))),
    {
      GraphQL: first(await itemsFrom(service.origin)(ours, ({ event }) => event)),
      ...(postgraphile && {
        postgraphile: first(
          await peers(itemsFrom(postgraphile.origin), documents.postgraphile.event, (data) => data['events']),
        ),
      }),
    },
  );
}

async function read(origin: string, request: Request): Promise<Row> {
  const { bytes } = await ask(origin, request);
  const { data, errors } = JSON.parse(bytes.toString()) as { data: Row; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 1000));
  return data;
}

const itemsFrom =
  (origin: string): Read =>
  async (request, at) =>
    [at(await read(origin, request))].flat().map((event) => itemOf(event as Row));

/** A page of the list, and the instant from which on the board is the same: no event before it starts then. */
function pageThatBegins({ events }: Scene, perPage: number): [page: number, from: string] {
  for (let page = 2; page * perPage < events.length; page++) {
    const first = (page - 1) * perPage;
    const startsAt = events[first]?.startsAt ?? 0;
    if (events[first - 1]?.startsAt !== startsAt) return [page, new Date(startsAt).toISOString()];
  }
  throw new Error('no page begins with an instant of its own');
}

function requireSame(what: string, expected: unknown, others: Record<string, unknown>): string {
  for (const [other, found] of Object.entries(others))
    if (!isDeepStrictEqual(expected, found))
      throw new Error(`${what}, ${other}: not the same content at ${firstDifference(expected, found)}`);
  return `${what}: REST, ${Object.keys(others).join(', ')}`;
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
