import type { Request } from 'autocannon';
import { setTimeout as wait } from 'node:timers/promises';
import { MyShiftsToComeDocument } from '../../src/generated/pages/console/my-shifts.ts';
import { countWrites } from './counting-proxy.ts';
import { places } from './places.ts';
import { ask, graphql, newEvent, rest, serviceBoard, turns, uuidsOf } from './requests.ts';
import { fillForCounts, type Business } from './scene.ts';
import { startService, type Service } from './service.ts';
import { documents } from './shapes.ts';

/** What one request takes, whatever the machine: src/guide/contributors.md#what-a-request-takes */
export interface Road {
  readonly files: readonly string[];
  /** Number of functions of ours that run. */
  readonly functions: number;
  /** Number of those that have a name. */
  readonly named: number;
  readonly statements: number;
  /** Writes to the sockets of PostgreSQL. */
  readonly writes: number;
  /** Calls of our own functions. */
  readonly calls: number;
  /** Bytes that code which is never optimised allocates on the heap. */
  readonly bytes: number;
  /** The calls by file and function. */
  readonly callsOf: Readonly<Record<string, number>>;
}

/** By the name of the request. */
export type Roads = Readonly<Record<string, Road>>;

/** The most files that may run for each request. */
export const mostFiles = { 'POST /v1/events': 40, 'REST list': 45, 'GraphQL event': 50, 'GraphQL board': 50 } as const;

/** Before all events that are made. */
const beforeAll = Date.UTC(2020, 0, 1);

/** Enough for a board of 100. */
const roadEvents = 120;

const warmUps = 6;
const rounds = 6;
/** Work that follows an answer, such as its line in the log, is part of the request. */
const settleMs = 30;

/** Nothing is optimised and nothing is collected: what is allocated is then the same each time. */
const nodeOptions = [
  ...['--no-opt', '--no-maglev', '--single-threaded', '--expose-gc'],
  ...['--max-semi-space-size=256', '--min-semi-space-size=256'],
];

/**
 * Counts what each request takes: files, functions and calls by V8's precise coverage of the sources, of which those count that ran in
 * each of several rounds, so nothing that runs by a timer does; statements by the service's log; writes by a proxy.
 */
export async function measureRoads(databaseUrl: string): Promise<Roads> {
  const business = await fillForCounts(databaseUrl, roadEvents);
  const proxy = await countWrites(databaseUrl);
  const service = await startService(
    { DATABASE_URL: proxy.url, TSX_TSCONFIG_PATH: places.tsconfig, CALLBOARD_ANSWER_CACHE: '0' },
    { args: ['--import', places.tsx, places.contender('road')], answers: true, nodeOptions },
  );
  try {
    const requests = Object.entries(await listRequests(service, business));
    const costs: Awaited<ReturnType<typeof measureCosts>>[] = [];
    for (const [, next] of requests) costs.push(await measureCosts(service, proxy, next));
    // From then on, nothing is as fast as before.
    const roads: [string, Road][] = [];
    for (const [index, [name, next]] of requests.entries())
      roads.push([name, { ...costs[index]!, ...(await measureCalls(service, next)) }]);
    return Object.fromEntries(roads);
  } finally {
    await service.stop();
    await proxy.close();
  }
}

type Requests = Readonly<Record<string, () => Request>>;

async function listRequests(
  { origin }: Service,
  business: Awaited<ReturnType<typeof fillForCounts>>,
): Promise<Requests> {
  const { key } = business;
  const uuids = await uuidsOf(origin, business);
  const turn = turns(uuids.length);
  const nextUuid = () => uuids[turn() - 1] ?? '';
  const event = graphql(documents.service.event, key);
  const board = serviceBoard(business);
  const callTimes = await readCallTimes(origin, business);
  const candidates = graphql(documents.service.candidates, key);
  const token = await logIn(origin, business.login);
  const myShifts = graphql(MyShiftsToComeDocument, token);
  let count = 0;
  const instant = () => new Date(beforeAll + count++).toISOString();
  const calls = turns(callTimes.length);
  return {
    'GraphQL board': () => board(15, instant()),
    'GraphQL board of 100': () => board(100, instant()),
    'GraphQL event': () => event({ uuid: nextUuid() }),
    'REST event': () => rest.get(key, rest.afresh(`/v1/events/${nextUuid()}`)),
    'REST list': () => rest.get(key, rest.afresh(rest.list(1, 15))),
    'POST /v1/events': () => rest.send(key, 'POST', '/v1/events', newEvent(count++)),
    'PUT /v1/events/:uuid': () => rest.send(key, 'PUT', `/v1/events/${uuids[0]}`, { title: `Changed ${count++}` }),
    'GraphQL candidates': () => candidates({ callTimeId: callTimes[calls() - 1] }),
    'GraphQL my shifts': () => myShifts({ at: instant() }),
  };
}

async function readCallTimes(origin: string, { key }: Business): Promise<string[]> {
  const send = graphql('{ events(first: 20) { nodes { callTimes { id } } } }', key);
  const { bytes } = await ask(origin, send({}));
  const { data } = JSON.parse(bytes.toString()) as {
    data: { events: { nodes: { callTimes: { id: string }[] }[] } };
  };
  return data.events.nodes.flatMap(({ callTimes }) => callTimes.map(({ id }) => id));
}

const logInDocument =
  'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { accessToken } }';

async function logIn(origin: string, login: object): Promise<string> {
  const { bytes } = await ask(origin, graphql(logInDocument)(login));
  return (JSON.parse(bytes.toString()) as { data: { login: { accessToken: string } } }).data.login.accessToken;
}

/** The least of several rounds: what runs by a timer may come beside one, and only adds. */
async function measureCosts(service: Service, proxy: { readonly writes: () => number }, next: () => Request) {
  for (let round = 0; round < warmUps; round++) await askWell(service.origin, next());
  await service.ask('collect');
  const [before, start] = [await service.counts(), await service.ask<Heap>('heap')];
  const [bytes, writes]: number[][] = [[], []];
  let heap = start;
  for (let round = 0; round < rounds; round++) {
    const sent = proxy.writes();
    await askWell(service.origin, next());
    await wait(settleMs);
    writes!.push(proxy.writes() - sent);
    const { bytes: held } = heap;
    heap = await service.ask<Heap>('heap');
    bytes!.push(heap.bytes - held);
  }
  if (heap.collections !== start.collections)
    throw new Error('The heap was collected: its young generation is too small.');
  const { statements } = await service.counts();
  return {
    statements: (statements - before.statements) / rounds,
    writes: Math.min(...writes!),
    bytes: Math.min(...bytes!),
  };
}

interface Heap {
  readonly bytes: number;
  readonly collections: number;
}

async function measureCalls(service: Service, next: () => Request) {
  let common: Record<string, number> | null = null;
  for (let round = -1; round < rounds; round++) {
    await service.ask('take');
    await askWell(service.origin, next());
    await wait(settleMs);
    const ran = await service.ask<Record<string, number>>('take');
    if (round < 0) continue;
    const known: Record<string, number> = common ?? ran;
    common = Object.fromEntries(
      Object.entries(known)
        .filter(([name]) => name in ran)
        .map(([name, count]) => [name, Math.min(count, ran[name]!)]),
    );
  }
  const callsOf = common ?? {};
  const parts = Object.keys(callsOf).map((line) => line.split(':'));
  return {
    files: [...new Set(parts.map(([file = '']) => file))].sort(),
    functions: parts.length,
    named: parts.filter(([, name]) => name !== '').length,
    calls: Object.values(callsOf).reduce((sum, count) => sum + count, 0),
    callsOf,
  };
}

async function askWell(origin: string, request: Request): Promise<void> {
  const { bytes } = await ask(origin, request);
  if (bytes.includes('"errors":')) throw new Error(bytes.toString());
}

export const filesOf = (roads: Roads): string =>
  Object.entries(roads)
    .map(([name, { files }]) => `${name}\n${files.map((file) => `  ${file}`).join('\n')}`)
    .join('\n\n');
