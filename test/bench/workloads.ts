import type { Request } from 'autocannon';
import { boardSql } from './board-sql.ts';
import type { Contenders, Peer } from './contenders.ts';
import { startStatic } from './contenders.ts';
import type { Done } from './contenders/pool.ts';
import { mixed } from './mix.ts';
import {
  ask,
  coverageMonth,
  graphql,
  instants,
  newEvent,
  peerBoard,
  rest,
  serviceBoard,
  turns,
  uuidsOf,
} from './requests.ts';
import { overHttp, type ContenderName, type Target } from './rounds.ts';
import type { Business, Scene } from './scene.ts';
import { documents } from './shapes.ts';

export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly targets: readonly Target[];
  /** Whether every answer of the service has to be computed. */
  readonly isAfresh: boolean;
}

/** Pages of the REST list that are read in turn, by page size: among the same events as the boards. */
const pages = { 15: 200, 100: 30 } as const;
type Size = keyof typeof pages;
const sizes: readonly Size[] = [15, 100];

const afresh = 'computed afresh';

interface Plan {
  readonly name: string;
  readonly title: string;
  readonly targets: () => readonly (Target | null)[];
}

/** The workloads that are wanted, and why any is missing. */
export async function makeWorkloads(
  scene: Scene,
  contenders: Contenders,
  isWanted: (name: string) => boolean,
): Promise<{ workloads: Workload[]; missing: string[] }> {
  const { service, naive, postgraphile, pool } = contenders;
  const { main, small, events } = scene;
  const [first, second] = small as [Business, Business];
  const board = serviceBoard(main);
  const missing: string[] = [];

  const answers = new Map<string, Buffer>();
  for (const size of sizes) {
    answers.set(`board-${size}`, (await ask(service.origin, board(size))).bytes);
    answers.set(`rest-${size}`, (await ask(service.origin, rest.get(main.key, rest.list(1, size)))).bytes);
  }
  const fixed = await startStatic(answers);

  const http = (contender: ContenderName, { origin, pid, counts }: Peer, next: () => Request): Target => ({
    contender,
    pid,
    counts,
    drive: (seconds) => overHttp(origin, next, seconds),
  });
  const ours = (next: () => Request) => http('callboard', service, next);
  const fromMemory = (name: string, headers: Record<string, string> = {}): Target => ({
    contender: 'static',
    pid: fixed.pid,
    counts: null,
    drive: (seconds) => overHttp(fixed.origin, () => ({ method: 'GET', path: `/${name}`, headers }), seconds),
  });
  const inPool = (contender: ContenderName, job: object): Target => ({
    contender,
    pid: pool.pid,
    counts: null,
    drive: async (seconds) => ({ ...(await pool.ask<Done>('run', { ...job, seconds })), failures: {} }),
  });
  const peers = (size: Size) => {
    const of = (name: 'naive' | 'postgraphile', peer: Peer | null) => {
      const [from, request] = [instants(events), peerBoard(documents[name].board, main)];
      return peer && http(name, peer, () => request(size, from()));
    };
    return [of('postgraphile', postgraphile), of('naive', naive)];
  };
  const rows = (size: Size) => {
    const from = instants(events);
    const values = Array.from({ length: 3000 }, () => [main.id, size, from()]);
    return inPool('database', { statements: [{ text: boardSql }], values });
  };
  const uuids = () => {
    const turn = turns(events.length);
    return () => events[turn() - 1]?.uuid ?? '';
  };

  const plans: Plan[] = sizes.flatMap((size): Plan[] => [
    {
      name: `board-${size}`,
      title: `board of ${size}, ${afresh}`,
      targets: () => {
        const from = instants(events);
        return [ours(() => board(size, from())), ...peers(size), rows(size), fromMemory(`board-${size}`)];
      },
    },
    {
      name: `board-${size}-same`,
      title: `board of ${size}, repeated unchanged`,
      targets: () => [ours(() => board(size)), ...peers(size).slice(0, 1), fromMemory(`board-${size}`)],
    },
    {
      name: `rest-${size}`,
      title: `REST list of ${size}, ${afresh}`,
      targets: () => {
        const page = turns(pages[size]);
        const from = instants(events);
        return [
          ours(() => rest.get(main.key, rest.afresh(rest.list(page(), size)))),
          { ...ours(() => board(size, from())), contender: 'board' as const },
          fromMemory(`rest-${size}`),
        ];
      },
    },
    {
      name: `rest-${size}-same`,
      title: `REST list of ${size}, repeated unchanged`,
      targets: () => [ours(() => rest.get(main.key, rest.list(1, size))), fromMemory(`rest-${size}`)],
    },
  ]);

  for (const size of sizes) {
    const unchanged = await ifNoneMatch(service.origin, {
      [`rest-${size}-304`]: rest.get(main.key, rest.list(1, size)),
      [`board-${size}-304`]: board(size),
    });
    for (const [name, request] of Object.entries(unchanged)) {
      const answer = name.replace('-304', '');
      const title = `${name.startsWith('rest') ? 'REST list' : 'board'} of ${size}, with its current ETag (304)`;
      const small = { ...fromMemory(answer, { 'if-none-match': `"${answer}"` }), contender: 'static-304' as const };
      if (request) plans.push({ name, title, targets: () => [ours(() => request), fromMemory(answer), small] });
      else if (isWanted(name)) missing.push(`${name}: the service answered no 304`);
    }
  }

  const eventsToChange = await uuidsOf(service.origin, second);
  const newOne = { statements: createStatements, values: [createValues(first.id)] };
  plans.push(
    {
      name: 'event-rest',
      title: `one event, REST, ${afresh}`,
      targets: () => {
        const uuid = uuids();
        return [ours(() => rest.get(main.key, rest.afresh(`/v1/events/${uuid()}`)))];
      },
    },
    {
      name: 'event',
      title: `one event, GraphQL, ${afresh}`,
      targets: () => {
        const [uuid, ask] = [uuids(), graphql(documents.service.event, main.key)];
        const of = (name: 'naive' | 'postgraphile', peer: Peer | null) => {
          const [itsUuid, itsAsk] = [uuids(), graphql(documents[name].event)];
          return peer && http(name, peer, () => itsAsk({ businessId: main.id, uuid: itsUuid() }));
        };
        return [ours(() => ask({ uuid: uuid() })), of('postgraphile', postgraphile), of('naive', naive)];
      },
    },
    {
      name: 'shifts',
      title: `shifts of an event, REST, ${afresh}`,
      targets: () => {
        const uuid = uuids();
        return [ours(() => rest.get(main.key, rest.afresh(`/v1/work_shifts/event/${uuid()}`)))];
      },
    },
    {
      name: 'coverage',
      title: `coverage report over a month (about 1,600 events), ${afresh}`,
      targets: () => [ours(coverageMonth(main, events[0]?.startsAt ?? 0))],
    },
    {
      name: 'create',
      title: 'create an event, REST',
      targets: () => {
        let count = 0;
        return [ours(() => rest.send(first.key, 'POST', '/v1/events', newEvent(count++))), inPool('pool', newOne)];
      },
    },
    {
      name: 'update',
      title: 'update an event, REST',
      targets: () => {
        const turn = turns(eventsToChange.length);
        let count = 0;
        return [
          ours(() =>
            rest.send(second.key, 'PUT', `/v1/events/${eventsToChange[turn() - 1]}`, {
              dress_code: `Shade ${count++}`,
            }),
          ),
        ];
      },
    },
    {
      name: 'login',
      title: 'log in (argon2id)',
      targets: () => [
        ours(() => ({
          method: 'POST',
          path: '/v1/auth/login',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(scene.login),
        })),
      ],
    },
  );
  if (isWanted('mix') || isWanted('memory')) {
    const next = await mixed(service.origin, small);
    plans.push({
      name: 'mix',
      title: `90 % reads, 10 % writes over ${small.length} businesses`,
      targets: () => [ours(next)],
    });
  }

  const workloads = plans
    .filter(({ name }) => isWanted(name))
    .map(({ name, title, targets }) => ({
      name,
      title,
      targets: targets().filter((target) => target !== null),
      isAfresh: title.endsWith(afresh),
    }));
  return { workloads, missing };
}

/** Each request with the ETag of its answer, where that makes it a 304; null elsewhere. */
async function ifNoneMatch<T extends string>(
  origin: string,
  requests: Record<T, Request>,
): Promise<Record<T, Request | null>> {
  const made: [string, Request | null][] = [];
  for (const [name, request] of Object.entries<Request>(requests)) {
    const { etag } = await ask(origin, request);
    const again = { ...request, headers: { ...request.headers, 'if-none-match': etag ?? '""' } };
    made.push([name, etag !== null && (await ask(origin, again)).status === 304 ? again : null]);
  }
  return Object.fromEntries(made) as Record<T, Request | null>;
}

/** What storing an event takes: all else that the service does for a create is what is measured. */
const createStatements = [
  { text: 'BEGIN', takesValues: false },
  {
    text: `INSERT INTO events (business_id, title, timezone, start_local, end_local, starts_at, ends_at, venue_name, city, created_at, modified_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) RETURNING uuid`,
  },
  { text: 'COMMIT', takesValues: false },
];

const createValues = (businessId: number) => {
  const { title, timezone, start_time, end_time, venue_name, city } = newEvent(0);
  const [startsAt, endsAt, now] = ['2027-10-02 23:00:00Z', '2027-10-03 05:30:00Z', new Date().toISOString()];
  return [businessId, title, timezone, start_time, end_time, startsAt, endsAt, venue_name, city, now];
};
