import type { Request } from 'autocannon';
import type { Business, Scene } from './scene.ts';
import { documents } from './shapes.ts';

/*
 * "Afresh" asks for something else each time, so that no finished answer can be given again: other rows in turn, and a
 * detail that changes no row but was never sent before. What is compiled for a document stays of use: its text is the same.
 * Boards are read from an instant on rather than by number: of the events that an offset skips, PostGraphile reads the
 * children too.
 */
let serial = 0;

/** Events start at full quarters of an hour: a moment less than one earlier finds the same. */
const quarterMs = 900_000;
const boardStarts = 3000;

/** Starts of events in turn, each time a millisecond apart. */
export function instants(events: Scene['events']): () => string {
  const turn = turns(boardStarts);
  return () => new Date((events[turn() - 1]?.startsAt ?? 0) - (serial++ % quarterMs)).toISOString();
}

/** 1 to `count` in an order that jumps, over and over. `count` is no multiple of 37. */
export function turns(count: number): () => number {
  let turn = 0;
  return () => 1 + ((turn++ * 37) % count);
}

const json = { 'content-type': 'application/json' };
/** As `fetch` sends it, so that what is asked once and what is measured are the same request. */
const accept = { accept: '*/*' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}`, ...accept });

export const rest = {
  get: (key: string, path: string, headers: Record<string, string> = {}): Request => ({
    method: 'GET',
    path,
    headers: { ...bearer(key), ...headers },
  }),
  send: (key: string, method: 'POST' | 'PUT', path: string, body: object): Request => ({
    method,
    path,
    headers: { ...bearer(key), ...json },
    body: JSON.stringify(body),
  }),
  list: (page: number, perPage: number) => `/v1/events?status=active&page=${page}&per_page=${perPage}`,
  /** An unknown query key is ignored. */
  afresh: (path: string) => `${path}${path.includes('?') ? '&' : '?'}_n=${serial++}`,
};

/** A document is made text once: what is measured is not our printing of it. */
export function graphql(document: string, key?: string): (variables: object) => Request {
  const start = `{"query":${JSON.stringify(document)},"variables":`;
  const headers = { ...json, ...accept, ...(key !== undefined && bearer(key)) };
  return (variables) => ({ method: 'POST', path: '/graphql', headers, body: `${start}${JSON.stringify(variables)}}` });
}

export function serviceBoard({ key }: Business) {
  const send = graphql(documents.service.board, key);
  return (first: number, startsFrom?: string) =>
    send({ first, filter: { statuses: ['ACTIVE'], ...(startsFrom !== undefined && { startsFrom }) } });
}

/** The board of PostGraphile, which keeps no answers. */
export function peerBoard(document: string, { id: businessId }: Business) {
  const send = graphql(document);
  return (first: number, from: string) => send({ businessId, first, from });
}

export const newEvent = (n: number) => ({
  title: `Bench ${n}`,
  start_time: '2027-10-02 18:00:00',
  end_time: '2027-10-03 00:30:00',
  timezone: 'America/Chicago',
  venue_name: 'The Old Granary',
  city: 'Madison',
});

/** Asked once, not measured; in the encoding that is measured, as an ETag may be of that alone. */
export async function ask(origin: string, { method = 'GET', path = '/', headers = {}, body }: Request) {
  const answer = await fetch(origin + path, {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok && answer.status !== 304)
    throw new Error(`${method} ${path}: ${answer.status} ${bytes.toString('utf8', 0, 500)}`);
  return { status: answer.status, etag: answer.headers.get('etag'), bytes };
}

/** Of some events of a business. */
export async function uuidsOf(origin: string, { key }: Business): Promise<string[]> {
  const { bytes } = await ask(origin, rest.get(key, '/v1/events?per_page=100'));
  return (JSON.parse(bytes.toString()) as { data: { data: { uuid: string }[] } }).data.data.map(({ uuid }) => uuid);
}
